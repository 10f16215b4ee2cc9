package node

import (
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestOneUnitAtATime: a tower is given the next unit when it has taken the one before; what it
// refused is given again a little later.
func TestOneUnitAtATime(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	l.match(l.of(s), s.id, 1, 0, 1)
	account := tower.Address()
	if got := s.lacking(account); len(got) == 0 {
		t.Fatal("it is given nothing")
	}
	if got := s.lacking(account); len(got) != 0 {
		t.Errorf("given again before it has answered: %v", got)
	}
	s.refused(account, "not now")
	if got := s.lacking(account); len(got) != 0 {
		t.Errorf("given again at once after it refused: %v", got)
	}
	s.retry()
	if got := s.lacking(account); len(got) == 0 {
		t.Error("it is not given again what it refused")
	}
}

// TestWhatTowersLack: of a match that is locked a tower is given the evidence that it lacks, by
// those who play it and while it is locked.
func TestWhatTowersLack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5, 5}, alice, bob, carol)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	check := func(name string, of *Node, held message.Holding, ledgers, matches int) {
		t.Helper()
		list, unit := l.session(of, id).choose(&held)
		for i := range list {
			if list[i].MatchID == (common.Hash{}) {
				ledgers--
			} else {
				matches--
			}
		}
		if ledgers != 0 || matches != 0 {
			t.Errorf("%s: %+v", name, list)
		}
		if rest, _ := l.session(of, id).choose(unit); len(list) > 0 && unit.Version > 0 && len(rest) != 0 {
			t.Errorf("%s: whoever holds all that lacks %+v", name, rest)
		}
	}
	version := s.machine.Ledger().Version
	check("nothing yet", alice, message.Holding{}, 1, 1)
	check("the ledger", alice, message.Holding{Version: version}, 0, 1)
	check("others' match", carol, message.Holding{}, 1, 0)
	m, _ := s.machine.Match(match)
	l.must(s.feed(channel.MakeMove{MatchID: match, Turn: m.Turn, Move: toy.Win(0)}))
	l.settle()
	check("it is over", alice, message.Holding{}, 1, 0)
}

// TestAttack_LateAgreement_Entrusted: others complete a ledger that books a match once the channel
// is contested by the one before it, by which it may be paid out. Until the chain has said by which
// one, towers are not given what has them forget the match, and are given what they lack of it.
func TestAttack_LateAgreement_Entrusted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	locks := s.machine.Ledger()
	m, _ := s.machine.Match(match)
	l.must(s.feed(channel.MakeMove{MatchID: match, Turn: m.Turn, Move: toy.Win(0)})) // which has it booked
	l.says(alice, id, onchain.Contested{ChannelID: id, Ledger: locks, Deadline: 30})
	l.settle()
	booked := s.machine.Ledger()
	if booked.Lock(match) != nil {
		t.Fatal("the match isn't booked")
	}
	list, unit := s.choose(&message.Holding{Version: locks.Version})
	if len(list) != 1 || list[0].MatchID != match || unit.Version != 0 {
		t.Errorf("given while the channel is contested: %+v", list)
	}
	l.says(alice, id, onchain.Settled{ChannelID: id, Version: locks.Version})
	if list, _ := s.choose(&message.Holding{Version: locks.Version}); len(list) != 1 || list[0].MatchID != match {
		t.Errorf("given once it is paid out: %+v", list)
	}
}

// TestWhatConfirms: a unit is confirmed by a receipt of all of it.
func TestWhatConfirms(t *testing.T) {
	t.Parallel()
	mark := message.TowerMark{MatchID: common.Hash{1}, Rank: protocol.Rank{Agreed: 2, Turn: 2}}
	for name, c := range map[string]struct {
		holds message.Holding
		want  bool
	}{
		"all": {message.Holding{Version: 3, Matches: []message.TowerMark{mark}}, true}, "an older ledger": {message.Holding{Version: 2, Matches: []message.TowerMark{mark}}, false},
		"no match": {message.Holding{Version: 3}, false},
	} {
		since := time.Unix(1, 0)
		e := entrusted{given: &message.Holding{Version: 3, Matches: []message.TowerMark{mark}}, since: since, sent: since.Add(1), refusal: "no"}
		e.confirmed(&message.TowerReceipt{Holding: c.holds})
		if (e.given == nil) != c.want || e.since.Equal(since) == c.want || e.refusal != "" {
			t.Errorf("%s: confirmed %t, it lacks something since %v", name, e.given == nil, e.since)
		}
	}
}

// TestLateTowers: a tower that lacks something of an open channel for long is an alarm; one that
// was never given anything is none.
func TestLateTowers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	n := l.of(s)
	if n.warnOfTowers(); n.Err() != nil {
		t.Errorf("never given anything: %v", n.Err())
	}
	terms := s.terms
	terms.OpenBy++
	opening, err := n.found(terms, 0)
	l.must(err)
	opening.entrusted(tower.Address()).since = l.now.Add(-time.Hour)
	if n.warnOfTowers(); n.Err() != nil {
		t.Errorf("of a channel that isn't open: %v", n.Err())
	}
	s.entrusted(tower.Address()).since = l.now.Add(1 - towerLate)
	if n.warnOfTowers(); n.Err() != nil {
		t.Errorf("for a while: %v", n.Err())
	}
	s.entrusted(tower.Address()).since = l.now.Add(-towerLate)
	if n.warnOfTowers(); n.Err() == nil {
		t.Error("it is late, and all is well")
	}
}
