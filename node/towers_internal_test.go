package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// failing has calls of a node's store fail, as many as the number says that it returns.
func failing(c *Config, op storetest.Op) *int {
	fails := new(int)
	c.Store = &storetest.Faulty{Store: c.Store, Before: func(called storetest.Op) error {
		if called == op && *fails > 0 {
			*fails--
			return storetest.ErrCrash
		}
		return nil
	}}
	return fails
}

// receipt is what a tower signs that holds something of a node's channel.
func (l *lab) receipt(of *session, tower protocol.Signer, h message.Holding) message.TowerReceipt {
	l.t.Helper()
	sig, err := tower.Sign(h.Digest(of.node.domain, of.id, of.seat))
	l.must(err)
	return message.TowerReceipt{Holding: h, Signature: sig}
}

// TestTowersAreOthers: a node is not its own tower, and one that can't be found is missed until it
// is.
func TestTowersAreOthers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	if err := n.AddTower(n.Account()); !errors.Is(err, ErrDeclined) {
		t.Errorf("its own: %v", err)
	}
	if n.MissTower("there", errors.New("no route")); n.Err() == nil {
		t.Error("a tower is missed, and all is well")
	}
	if n.MissTower("there", nil); n.Err() != nil {
		t.Errorf("it is found: %v", n.Err())
	}
}

// TestWhatTowersHold: of a tower the channels are told of which it was asked for something, as long
// as they go on.
func TestWhatTowersHold(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	l.must(alice.AddTower(common.Address{0x70}))
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	if list := alice.Towers(); len(list) != 1 || list[0].Connected || len(list[0].Channels) != 0 {
		t.Errorf("a tower that was never asked: %+v", list)
	}
	alice.askTower(common.Address{0x70})
	if list := alice.Towers(); len(list[0].Channels) != 1 || list[0].Channels[0].Channel != id {
		t.Errorf("one that was asked: %+v", list)
	}
	s := l.session(alice, id)
	other := s.terms
	other.OpenBy++
	opening, err := alice.found(other, 0)
	l.must(err)
	opening.entrusted(common.Address{0x70})
	if list := alice.Towers(); len(list[0].Channels) != 1 {
		t.Errorf("of a channel that isn't open: %+v", list)
	}
}

// TestBefriended: towers and who has an open channel with the player don't wait for strangers.
func TestBefriended(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol, tower := l.node(nil), l.node(nil), l.node(nil), common.Address{0x70}
	l.must(alice.AddTower(tower))
	l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	for account, want := range map[common.Address]bool{tower: true, bob.Account(): true, carol.Account(): false} {
		host, knows := any(handler{alice}).(transport.Befriender)
		if is := knows && host.Befriended(account); is != want {
			t.Errorf("%s: %t", account, is)
		}
	}
}

// TestReceiptsOfStrangers: what is no tower of the node's is not believed, whatever it signs and
// shows.
func TestReceiptsOfStrangers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	stranger := l.key()
	if err := s.receiveReceipt(stranger.Address(), l.receipt(s, stranger, message.Holding{Version: 1})); !errors.Is(err, ErrDeclined) {
		t.Errorf("a receipt: %v", err)
	}
	if err := s.receiveShown(stranger.Address(), message.TowerEvidence{Ledger: s.machine.Ledger()}); !errors.Is(err, ErrDeclined) {
		t.Errorf("evidence: %v", err)
	}
}

// TestShown: a tower has shown all when it was asked to, since the start, and holds nothing that
// the node lacks.
func TestShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked, away bool
		holds       message.Holding
		want        bool
	}{
		"asked": {true, false, message.Holding{Version: 1}, true}, "not asked": {false, false, message.Holding{Version: 1}, false},
		"the question is lost": {true, true, message.Holding{Version: 1}, false},
		"it holds more":        {true, false, message.Holding{Version: 9}, false},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		var tower protocol.Signer = l.guest(alice)
		if c.away {
			tower = l.key()
		}
		l.must(alice.AddTower(tower.Address()))
		s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
		if c.asked {
			alice.askTower(tower.Address())
		}
		l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, c.holds)))
		if got := s.towers[tower.Address()].shown; got != c.want {
			t.Errorf("%s: it has shown all: %t", name, got)
		}
	}
}

// TestBehindATower: the node lacks what a tower holds of a newer ledger, or of a match that it
// plays.
func TestBehindATower(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5, 5}, alice, bob, carol)
	match := l.match(alice, id, 1, 0, 1)
	version := l.session(alice, id).machine.Ledger().Version
	m, ok := l.session(alice, id).machine.Match(match)
	if !ok {
		t.Fatal("there is no match")
	}
	further := protocol.Rank{Agreed: m.Rank.Agreed + 1, Turn: m.Rank.Turn + 1}
	for name, c := range map[string]struct {
		of    *Node
		holds message.Holding
		want  bool
	}{
		"nothing":          {alice, message.Holding{}, false},
		"the same ledger":  {alice, message.Holding{Version: version}, false},
		"a newer ledger":   {alice, message.Holding{Version: version + 1}, true},
		"the same turn":    {alice, message.Holding{Matches: []message.TowerMark{{MatchID: match, Rank: m.Rank}}}, false},
		"a later turn":     {alice, message.Holding{Matches: []message.TowerMark{{MatchID: match, Rank: further}}}, true},
		"an agreement":     {alice, message.Holding{Matches: []message.TowerMark{{MatchID: match, Rank: m.Rank, Agreement: protocol.MarkOf(m.Turn)}}}, true},
		"an older one":     {alice, message.Holding{Matches: []message.TowerMark{{MatchID: match, Rank: m.Rank, Agreement: protocol.MarkOf(m.Turn) - 1}}}, false},
		"an unknown match": {alice, message.Holding{Matches: []message.TowerMark{{MatchID: common.Hash{1}, Rank: further}}}, false},
		"others' match":    {carol, message.Holding{Matches: []message.TowerMark{{MatchID: match, Rank: further}}}, false},
	} {
		if got := l.session(c.of, id).behind(&c.holds); got != c.want {
			t.Errorf("%s: behind %t", name, got)
		}
	}
}

// TestOldCopyUnread: a store that can't be read is not found to be an old copy, and not to be none.
func TestOldCopyUnread(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var fails *int
	alice, bob := l.node(func(c *Config) { fails = failing(c, storetest.Get) }), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	mark, err := message.SignStoreMark(alice.domain, s.id, 9, s.signer)
	l.must(err)
	*fails = 1
	if err := s.compare(&mark); !errors.Is(err, storetest.ErrCrash) || s.machine.Restored() {
		t.Errorf("compared: %v, restored %t", err, s.machine.Restored())
	}
	*fails = 1
	if err := alice.amnesia(0); !errors.Is(err, ErrStore) || s.machine.Restored() {
		t.Errorf("marked: %v, restored %t", err, s.machine.Restored())
	}
	if l.must(s.compare(&mark)); !s.machine.Restored() {
		t.Error("it goes on in an old copy")
	}
}
