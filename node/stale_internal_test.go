package node

import (
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// doubted is a channel of a node that waits for two towers, of which it has one, and that one.
func (l *lab) doubted() (*session, *guest) {
	l.t.Helper()
	alice, bob := l.node(func(c *Config) { c.Towers = 2 }), l.node(nil)
	tower := l.guest(alice)
	l.must(alice.AddTower(tower.Address()))
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	tower.told()
	return s, tower
}

// TestWhatIsDoubted: channels sign nothing where there are towers to ask, but for those that won't
// sign anyway.
func TestWhatIsDoubted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		towers         int
		restored, want bool
	}{"a tower": {1, false, true}, "no tower": {0, false, false}, "declared restored": {1, true, false}} {
		l := newLab(t)
		s, _ := l.doubted()
		s.node.config.Towers = c.towers
		if c.restored {
			l.must(s.feed(channel.StoreRestored{}))
		}
		if l.must(s.checkStale()); s.mayBeStale != c.want || s.machine.Held() != c.want {
			t.Errorf("%s: doubted %t, held %t", name, s.mayBeStale, s.machine.Held())
		}
	}
}

// TestWhomIsWaitedFor: for towers that were not asked or did not answer, and for those that are
// still to be found.
func TestWhomIsWaitedFor(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	for _, asked := range []bool{false, true} {
		if asked {
			s.entrusted(tower.Address())
		}
		if s.node.config.Towers = 1; s.answered() {
			t.Errorf("asked %t: it has answered", asked)
		}
		s.node.config.Towers = 2
		if h := s.hold(); s.answered() || h.Missing != 1 || len(h.Towers) != 1 || h.Towers[0] != tower.Address() {
			t.Errorf("asked %t: %+v, answered %t", asked, h, s.answered())
		}
	}
	s.entrusted(tower.Address()).shown = true
	if h := s.hold(); s.answered() || h.Missing != 1 || len(h.Towers) != 0 {
		t.Errorf("one of two has answered: %+v", h)
	}
	if s.node.config.Towers = 1; !s.answered() {
		t.Error("all have answered")
	}
}

// TestBelieved: a channel is held until every tower has answered or patience is over. What it takes
// to let it go must be stored, and one that is paid out meanwhile is none that must go on.
func TestBelieved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*lab, *session, *guest)
		held   bool
		err    error
	}{
		"a clock can't wait": {func(l *lab, s *session, _ *guest) {
			l.must(s.feed(channel.Hold{}))
			match := l.match(l.of(s), s.id, 1, 0, 1)
			l.must(s.checkStale())
			l.says(l.of(s), s.id, recorded(s.id, match, 0))
			s.node.head.clock = 24
		}, false, nil},
		"nobody has said anything": {func(*lab, *session, *guest) {}, true, nil},
		"all have answered": {func(_ *lab, s *session, g *guest) {
			s.node.config.Towers = 1
			s.entrusted(g.Address()).shown = true
		}, false, nil},
		"just before patience is over": {func(l *lab, _ *session, _ *guest) { l.now = l.now.Add(time.Minute - 1) }, true, nil},
		"patience is over":             {func(l *lab, _ *session, _ *guest) { l.now = l.now.Add(time.Minute) }, false, nil},
		"the node closes": {func(l *lab, s *session, _ *guest) {
			l.now = l.now.Add(time.Minute)
			s.node.stop()
		}, true, ErrClosed},
		"it is over": {func(l *lab, s *session, _ *guest) {
			l.now = l.now.Add(time.Minute)
			s.gone = true
		}, true, nil},
	} {
		l := newLab(t)
		s, tower := l.doubted()
		l.must(s.checkStale())
		c.change(l, s, tower)
		calm(s.node.nudged)
		if err := s.trustStore(); !errors.Is(err, c.err) || s.machine.Held() != c.held {
			t.Errorf("%s: %v, held %t", name, err, s.machine.Held())
		}
		if answered := name == "all have answered"; s.mayBeStale == answered {
			t.Errorf("%s: doubted %t", name, s.mayBeStale)
		}
		if nudged := len(s.node.nudged) > 0; nudged == c.held && !s.gone {
			t.Errorf("%s: it looks at once %t", name, nudged)
		}
		calm(s.node.nudged)
		if err := s.trustStore(); !errors.Is(err, c.err) || len(s.node.nudged) != 0 && !s.gone {
			t.Errorf("%s, again: %v", name, err)
		}
	}
}

func calm(nudged chan struct{}) {
	select {
	case <-nudged:
	default:
	}
}

// recorded is what the chain says of a match whose clock runs until 25.
func recorded(id, match common.Hash, mover uint8) onchain.Recorded {
	return onchain.Recorded{ChannelID: id, MatchID: match, Record: protocol.Record{
		Status: protocol.MatchLive, Turn: 1, State: common.Hash{1}, Mover: mover, Marks: []protocol.Mark{1, 1}, Spent: []uint64{0, 0}, Clock: 5, Deadline: 25,
	}}
}

// TestAttack_OldBackup_Pressed: a clock can't wait that is this seat's and about to run out. One
// that ran out long ago, in a block that an old copy reads again, is no reason to sign.
func TestAttack_OldBackup_Pressed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seat     int
		recorded bool
		mover    uint8
		now      uint64
		want     bool
	}{
		"nothing is recorded": {0, false, 0, 30, false}, "in a while": {0, true, 0, 19, false}, "soon": {0, true, 0, 20, true},
		"the other's clock": {0, true, 1, 23, false}, "the other's side": {1, true, 1, 23, true},
		"at the last moment": {0, true, 0, 24, true}, "it ran out": {0, true, 0, 25, false},
	} {
		l := newLab(t)
		nodes := []*Node{l.node(nil), l.node(nil)}
		id := l.channel(common.Address{}, []uint64{5, 5}, nodes...)
		match := l.match(nodes[0], id, 1, 0, 1)
		n := nodes[c.seat]
		if c.recorded {
			l.says(n, id, recorded(id, match, c.mover))
		}
		if n.head.clock = c.now; l.session(n, id).pressed() != c.want {
			t.Errorf("%s: pressed %t", name, !c.want)
		}
	}
}

// TestTowersAreAskedAgain: a tower is asked about open channels that it has not shown, again after
// a while.
func TestTowersAreAskedAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	n := s.node
	opening := s.terms
	opening.OpenBy++
	if _, err := n.found(opening, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		shown bool
		want  int
	}{{0, false, 1}, {towerAgain - 1, false, 0}, {1, false, 1}, {towerAgain, true, 0}} {
		l.now = l.now.Add(c.after)
		if c.shown {
			s.towers[tower.Address()].shown = true
		}
		if n.resolveStaleChecks(); len(tower.told()) != c.want {
			t.Errorf("%v later, shown %t: asked other than %d times", c.after, c.shown, c.want)
		}
	}
}

// TestTowersAreAskedInParts: of many channels a tower is asked about so many at once.
func TestTowersAreAskedInParts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	bob := l.node(nil)
	for range askedAtOnce {
		l.channel(common.Address{}, []uint64{1, 1}, l.of(s), bob)
	}
	for _, want := range []int{askedAtOnce, 1} {
		if s.node.resolveStaleChecks(); len(tower.told()) != want {
			t.Errorf("it is not asked %d times", want)
		}
	}
}

// TestSignsInDoubt: the user is told of an open channel that signs again though not all towers have
// answered.
func TestSignsInDoubt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ doubted, held, late, open, want bool }{
		"it signs again": {true, false, false, true, true}, "it is held": {true, true, false, true, false}, "patience is over": {true, true, true, true, true},
		"there is no doubt": {false, false, false, true, false}, "it is not open": {true, false, false, false, false},
	} {
		l := newLab(t)
		s, _ := l.doubted()
		if c.held {
			l.must(s.checkStale())
		}
		subject := s
		if !c.open {
			terms := s.terms
			terms.OpenBy++
			var err error
			subject, err = s.node.found(terms, 0)
			l.must(err)
		}
		if subject.mayBeStale = c.doubted; c.late {
			l.now = l.now.Add(time.Hour)
		}
		if s.node.resolveStaleChecks(); (s.node.Err() != nil) != c.want {
			t.Errorf("%s: %v", name, s.node.Err())
		}
	}
}
