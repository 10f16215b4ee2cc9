package node

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// questions counts how often a tower was asked to show all, and only what it holds.
func (g *guest) questions() (show, tell int) {
	for _, m := range g.told() {
		if q, ok := m.(message.TowerAsk); ok && q.Show {
			show++
		} else if ok {
			tell++
		}
	}
	return show, tell
}

// TestAttack_LyingTower_Asked: a tower says that it holds ever more, and never shows it. It is
// asked now and then, however often it says so.
func TestAttack_LyingTower_Asked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	l.of(s).askTower(tower.Address())
	for i := range uint64(100) {
		l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: 50 + i})))
	}
	if show, tell := tower.questions(); show != 1 || tell != 0 {
		t.Errorf("it is asked %d and %d times", show, tell)
	}
	for range 10 {
		l.now = l.now.Add(towerEvery)
		l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: 200})))
		s.node.resolveStaleChecks()
	}
	if show, tell := tower.questions(); show != 10*int(towerEvery/time.Second)/int(towerAgain/time.Second) || tell != 0 {
		t.Errorf("in %v it is asked %d and %d times", 10*towerEvery, show, tell)
	}
}

// TestAttack_LyingTower_Flood: a tower says and shows without end. What the node writes down and
// checks of it is bounded, and another tower is heard.
func TestAttack_LyingTower_Flood(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	other := l.guest(l.of(s))
	l.must(l.of(s).AddTower(other.Address()))
	said, taken := 0, 0
	for ; said < 2*towerLimit.Friend.Burst; said += 2 {
		for _, err := range []error{
			s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: 1})),
			s.receiveShown(tower.Address(), message.TowerEvidence{Ledger: s.machine.Ledger()}),
		} {
			if err == nil {
				taken++
			} else if !errors.Is(err, ErrBusy) {
				t.Fatal(err)
			}
		}
	}
	if taken != towerLimit.Friend.Burst {
		t.Errorf("%d of %d are taken", taken, said)
	}
	l.must(s.receiveReceipt(other.Address(), l.receipt(s, other, message.Holding{Version: 1})))
}

// heard is a network on which nobody answers, and who was sent something.
type heard struct {
	Network
	mu sync.Mutex
	by map[common.Address]int
}

func (h *heard) Send(to common.Address, _ *antev1.Envelope) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.by[to]++
	return nil
}

func (h *heard) times(account common.Address) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.by[account]
}

// TestAttack_StaleTower_Others: while a tower is given much, another one is given what is news at
// once.
func TestAttack_StaleTower_Others(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		lacks, holds := l.guest(alice).Address(), l.guest(alice).Address()
		for range 100 {
			l.match(alice, l.channel(common.Address{}, []uint64{1, 1}, alice, bob), 1, 0, 1)
		}
		l.must(alice.AddTower(lacks))
		l.must(alice.AddTower(holds))
		for _, s := range alice.allSessions() {
			_, all := s.choose(&message.Holding{})
			for _, tower := range []common.Address{lacks, holds} {
				s.entrusted(tower).shown = true
			}
			s.entrusted(holds).receipt.Holding = *all
		}
		net := &heard{Network: alice.net, by: map[common.Address]int{}}
		alice.net = net
		alice.done.Go(func() { alice.serveTowers(alice.run) })
		time.Sleep(towerEvery + time.Second)
		if n := net.times(lacks); n == 0 || n > 100 || net.times(holds) != 0 {
			t.Fatalf("after a second: %v", net.by)
		}
		s := alice.allSessions()[0]
		s.mu.Lock()
		s.entrusted(holds).receipt = message.TowerReceipt{}
		s.mu.Unlock()
		alice.channels.towers.stir(s.id)
		if time.Sleep(time.Second); net.times(holds) == 0 {
			t.Error("it waits for the other")
		}
	})
}

// shownAll is a node with one channel more than a tower is asked about at once, and that tower,
// which has shown what it holds of each.
func (l *lab) shownAll() (*Node, *guest) {
	l.t.Helper()
	s, tower := l.doubted()
	n, bob := l.of(s), l.node(nil)
	for range askedAtOnce {
		l.channel(common.Address{}, []uint64{1, 1}, n, bob)
	}
	for _, s := range n.allSessions() {
		s.entrusted(tower.Address()).shown = true
	}
	return n, tower
}

// TestTowersAnswerForEachConnection: a tower that connects again may hold less than it said before.
// It is asked about all channels, some at a time, until it answers. If it does not, that is an
// alarm, though the node knows of nothing that it lacks.
func TestTowersAnswerForEachConnection(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n, tower := l.shownAll()
	tower.told()
	asked := func(when string, want int) {
		t.Helper()
		if show, tell := tower.questions(); show != 0 || tell != want {
			t.Errorf("%s: it is asked %d and %d times, want %d", when, show, tell, want)
		}
	}
	handler{n}.Connected(tower.Address())
	asked("when it connects", askedAtOnce)
	n.resolveStaleChecks()
	asked("at the next tick", 1)
	l.now = l.now.Add(towerAgain)
	n.resolveStaleChecks()
	asked("without an answer", askedAtOnce)
	late := func() bool {
		for _, s := range n.allSessions() {
			s.lacking(tower.Address())
		}
		n.warnOfTowers()
		return n.Err() != nil
	}
	late()
	if l.now = l.now.Add(towerLate); !late() {
		t.Error("it does not answer, and all is well")
	}
	for _, s := range n.allSessions() {
		l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: 1})))
	}
	n.resolveStaleChecks()
	if asked("answered", 0); late() {
		t.Errorf("it has answered: %v", n.Err())
	}
}

// TestTowersWaitTheirTurn: a channel of which a tower was not asked yet, because there are many, is
// no alarm.
func TestTowersWaitTheirTurn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n, tower := l.shownAll()
	handler{n}.Connected(tower.Address())
	waits := 0
	for _, s := range n.allSessions() {
		if s.entrusted(tower.Address()).asked.IsZero() {
			waits++
			continue
		}
		l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: 1})))
	}
	late := func() error {
		for _, s := range n.allSessions() {
			s.lacking(tower.Address())
		}
		n.warnOfTowers()
		return n.Err()
	}
	for _, asked := range []bool{false, true} {
		if asked {
			n.askTowers()
		}
		before := late()
		l.now = l.now.Add(towerLate)
		if after := late(); waits != 1 || before != nil || (after != nil) != asked {
			t.Errorf("%d wait, asked %t: %v, a minute later %v", waits, asked, before, after)
		}
	}
}

// TestTowersAreAskedInTurn: a tower that does not answer is asked about every channel, however many
// there are.
func TestTowersAreAskedInTurn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	n, bob := l.of(s), l.node(nil)
	for range 2 * askedAtOnce {
		l.channel(common.Address{}, []uint64{1, 1}, n, bob)
	}
	for range 3 {
		n.resolveStaleChecks()
		l.now = l.now.Add(towerEvery)
	}
	for _, s := range n.allSessions() {
		if s.entrusted(tower.Address()).asked.IsZero() {
			t.Errorf("of channel %s it is never asked", s.id)
		}
	}
}
