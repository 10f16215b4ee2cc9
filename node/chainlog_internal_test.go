package node

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestSaidOnce: what the chain says of a channel is taken in once at each stage, in their order,
// and told once, and once more when it is no longer true.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	const told, undone, seen, final = "clock time 50", "no longer true", "seen", "final"
	for name, c := range map[string]struct {
		stages []chain.Stage
		events int
		kept   string
	}{
		"seen": {[]chain.Stage{chain.Seen}, 1, seen}, "seen twice": {[]chain.Stage{chain.Seen, chain.Seen}, 1, seen},
		"final": {[]chain.Stage{chain.Seen, chain.Final}, 1, final}, "final twice": {[]chain.Stage{chain.Seen, chain.Final, chain.Final}, 1, final},
		"final at once": {[]chain.Stage{chain.Final}, 0, ""}, "undone": {[]chain.Stage{chain.Seen, chain.Undone}, 2, ""},
		"undone at once": {[]chain.Stage{chain.Undone}, 0, ""}, "undone twice": {[]chain.Stage{chain.Seen, chain.Undone, chain.Undone}, 2, ""},
	} {
		l := newLab(t)
		commits := 0
		alice, bob := l.node(func(c *Config) {
			c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
				if op == storetest.Commit {
					commits++
				}
				return nil
			}}
		}), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		s := l.session(alice, id)
		e := &chain.Event{
			Event: onchain.Contested{ChannelID: id, Ledger: s.machine.Ledger(), Deadline: 50},
			Block: chain.Block{Number: 7}, Log: types.Log{Index: 3, Topics: []common.Hash{}},
		}
		commits = 0
		for _, e.Stage = range c.stages {
			l.must(s.happened(e))
		}
		stored, err := stored[notedLog](s.node.config.Store, s.logKey(e))
		l.must(err)
		kept := ""
		switch {
		case stored != nil && stored.Final:
			kept = final
		case stored != nil:
			kept = seen
		}
		texts := slices.DeleteFunc(l.events(alice, OnChain), func(text string) bool { return !strings.Contains(text, told) })
		if len(texts) != c.events || kept != c.kept || c.events == 2 && !strings.Contains(texts[1], undone) {
			t.Errorf("%s: told %q, kept as %q", name, texts, kept)
		}
		if distinct := len(slices.Compact(c.stages)); c.events > 0 && commits != distinct {
			t.Errorf("%s: %d commits", name, commits)
		}
		if list := l.events(alice, Alarm); len(list) != 0 {
			t.Errorf("%s: alarms %q", name, list)
		}
	}
}

// TestSaidButNotTaken: the follower comes again when the store fails; what the machine can't take
// in the user is told, by an alarm that stands; of a channel that is let go, and when the node is
// closed, nothing is taken in.
func TestSaidButNotTaken(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var fails *int
	alice, bob := l.node(func(c *Config) { fails = failing(c, storetest.Get) }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	s := l.session(alice, id)
	e := &chain.Event{
		Event: onchain.Contested{ChannelID: id, Ledger: s.machine.Ledger(), Deadline: 50},
		Block: chain.Block{Number: 7}, Log: types.Log{Topics: []common.Hash{}}, Stage: chain.Seen,
	}
	*fails = 1
	if err := s.happened(e); !errors.Is(err, ErrStore) {
		t.Errorf("a store that fails: %v", err)
	}
	s.gone = true
	l.must(s.happened(e))
	if list := l.events(alice, Alarm); len(list) != 0 {
		t.Errorf("told %q", list)
	}
	s.gone = false
	l.says(alice, id, onchain.Recorded{ChannelID: id, MatchID: l.match(alice, id, 1, 0, 1), Record: protocol.Record{Marks: make([]protocol.Mark, 3)}})
	if list := l.events(alice, Alarm); len(list) == 0 || !strings.Contains(list[0], "cannot take in") {
		t.Errorf("told %q", list)
	}
	if list := alice.Standing(); len(list) != 1 || list[0].Channel != id || !strings.Contains(list[0].Text, "cannot take in") {
		t.Errorf("alarms: %v", list)
	}
	alice.stop()
	if err := s.happened(e); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestRefusedUntilUndone: an alarm about what the chain says and the channel can't take in, or the
// program can't read, stands until that is undone. The next one is told as well.
func TestRefusedUntilUndone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	s := l.session(alice, id)
	refused := onchain.Recorded{ChannelID: id, MatchID: l.match(alice, id, 1, 0, 1), Record: protocol.Record{Marks: make([]protocol.Mark, 3)}}
	says := map[string]func(index byte, stage chain.Stage){
		"refused": func(index byte, stage chain.Stage) {
			l.must(s.happened(&chain.Event{Event: refused, Stage: stage, Block: chain.Block{Number: 7}, Log: types.Log{Index: uint(index), Topics: []common.Hash{}}}))
		},
		"unreadable": func(index byte, stage chain.Stage) {
			alice.badLog(&chain.BadLog{Block: chain.Block{Number: 7, Hash: common.Hash{index}}, Err: errUnreadable, Undone: stage == chain.Undone})
		},
	}
	for name, say := range says {
		before := len(l.events(alice, Alarm))
		for i, c := range []struct {
			index       byte
			stage       chain.Stage
			stand, told int
		}{
			{1, chain.Seen, 1, 1}, {1, chain.Seen, 1, 1}, {2, chain.Seen, 2, 2}, {3, chain.Undone, 2, 2},
			{1, chain.Undone, 1, 3}, {1, chain.Seen, 2, 4}, {2, chain.Undone, 1, 5}, {1, chain.Undone, 0, 6},
		} {
			say(c.index, c.stage)
			if stand, told := len(alice.Standing()), len(l.events(alice, Alarm))-before; stand != c.stand || told != c.told {
				t.Errorf("%s, %d: %d stand and %d are told, want %d and %d", name, i, stand, told, c.stand, c.told)
			}
		}
	}
}

// TestDamagedLog: what is stored of an event can't be read when the chain says more of it. The
// channel takes that in all the same, and the user is told of the damage.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before []chain.Stage
		then   chain.Stage
		over   bool
	}{
		"seen again": {[]chain.Stage{chain.Seen}, chain.Seen, false}, "final": {[]chain.Stage{chain.Seen}, chain.Final, true},
		"undone": {[]chain.Stage{chain.Seen}, chain.Undone, false}, "undone when final": {[]chain.Stage{chain.Seen, chain.Final}, chain.Undone, false},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		s := l.session(alice, id)
		e := &chain.Event{Event: onchain.Closed{ChannelID: id, Version: 1}, Block: chain.Block{Number: 7}, Log: types.Log{Index: 3, Topics: []common.Hash{}}}
		for _, e.Stage = range c.before {
			l.must(alice.happened(e))
		}
		l.spoil(alice, s.logKey(e))
		e.Stage = c.then
		err := alice.happened(e)
		if list := alice.Standing(); err != nil || s.over() != c.over || len(list) != 1 || !strings.Contains(list[0].Text, "damaged") {
			t.Errorf("%s: over %t, alarms %v, the follower repeats it: %v", name, s.over(), list, err)
		}
		kept, err := stored[notedLog](alice.config.Store, s.logKey(e))
		if err != nil || (kept == nil) != (c.then == chain.Undone) || kept != nil && (kept.Log.Index != e.Log.Index || kept.Final != c.over) {
			t.Errorf("%s: kept is %+v, %v", name, kept, err)
		}
	}
}

// TestDamagedResult: how a match ended can't be noted. If the store fails for a moment, the
// follower comes again. If what it holds can't be read, the channel takes in what the chain says
// all the same, and the user is told. The result is noted anew as long as the channel knows the
// match, and else whoever must not lack one hears of it.
func TestDamagedResult(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	kept := &missing{Store: store.NewMemory()}
	alice, bob := l.node(func(c *Config) { c.Store = kept }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	before, err := alice.results.get(match)
	l.must(err)
	l.spoil(alice, resultPrefix+match.Hex())
	l.says(alice, id, onchain.LockPaid{ChannelID: id, MatchID: match, Payouts: stakes(2, 0)})
	r, err := alice.Result(match)
	if err != nil || r.Terms.Nonce != before.Terms.Nonce || r.Seat != 0 || r.Channel != id || !r.Settled || !r.Paid || r.Won() != 1 {
		t.Errorf("noted is %+v, %v", r, err)
	}
	if list := alice.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, "is noted anew") {
		t.Errorf("alarms: %v", list)
	}

	paid := onchain.LockPaid{ChannelID: id, MatchID: common.Hash{9}, Payouts: stakes(1, 1)}
	e := &chain.Event{Event: paid, Stage: chain.Seen, Block: chain.Block{Number: 7}, Log: types.Log{Topics: []common.Hash{}}}
	l.must(alice.happened(e))
	e.Stage = chain.Final
	kept.prefix = resultPrefix
	if err := alice.happened(e); !errors.Is(err, ErrStore) {
		t.Errorf("a store that fails: %v", err)
	}
	kept.prefix = ""
	l.put(alice, resultPrefix+paid.MatchID.Hex(), Result{Match: paid.MatchID})
	list, err := alice.allResults()
	l.must(err)
	l.must(kept.Commit(map[string][]byte{resultPrefix + paid.MatchID.Hex(): []byte("?")})) // unnoticed
	l.must(alice.happened(e))
	log, err := stored[notedLog](kept, l.session(alice, id).logKey(e))
	l.must(err)
	if alarms := alice.Standing(); !log.Final || len(alarms) != 2 || !slices.ContainsFunc(alarms, func(e Event) bool { return strings.Contains(e.Text, "is not noted") }) {
		t.Errorf("final: %t, alarms: %v", log.Final, alarms)
	}
	if all, err := alice.allResults(); !errors.Is(err, errUnreadable) || len(all) != len(list) {
		t.Errorf("known are %v, %v", all, err)
	}
}

// TestDamagedWhenPaid: what is kept of a match that a ledger has paid can't be read when the chain
// records how it would end, which is not how it was paid. It stays damaged, so that nobody counts
// as if it had never been played, until the Arena pays it.
func TestDamagedWhenPaid(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	l.says(alice, id, onchain.Settled{ChannelID: id, Version: 1})
	l.spoil(alice, resultPrefix+match.Hex())
	l.says(alice, id, onchain.Recorded{ChannelID: id, MatchID: match, Guilty: 2, Record: protocol.Record{Status: protocol.MatchFinal, Payouts: stakes(2, 0), Marks: make([]protocol.Mark, 2)}})
	if list, err := alice.allResults(); !errors.Is(err, errUnreadable) {
		t.Errorf("known are %v, %v", list, err)
	}
	if list := alice.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, "is not noted") {
		t.Errorf("alarms: %v", list)
	}
	l.says(alice, id, onchain.LockPaid{ChannelID: id, MatchID: match, Payouts: stakes(2, 0)})
	if r, err := alice.Result(match); err != nil || !r.Paid || !r.Settled || r.Won() != 1 || r.Signatures == nil {
		t.Errorf("noted is %+v, %v", r, err)
	}
}

// TestDamagedWhenOver: what is kept of a match that is over can't be read when a ledger books it.
// How it was booked is noted anew, unless nothing was staked: who won is forgotten then.
func TestDamagedWhenOver(t *testing.T) {
	t.Parallel()
	for stake, paid := range map[uint64]bool{1: true, 0: false} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		match := l.match(alice, id, stake, 0, 1)
		s := l.session(alice, id)
		m, _ := s.machine.Match(match)
		l.must(s.feed(channel.MakeMove{MatchID: match, Turn: m.Turn, Move: toy.Win(0)})) // which has it booked
		before, err := alice.Result(match)
		l.must(err)
		l.spoil(alice, resultPrefix+match.Hex())
		if r := s.history(nil).rebuilt(match); r.Won() != 1 || r.Turn != before.Turn || r.Reason != before.Reason || r.Paid || !r.whole() {
			t.Errorf("a stake of %d: rebuilt is %+v", stake, r)
		}
		l.settle()
		if _, known := s.machine.Match(match); known {
			t.Fatal("the match isn't booked")
		}
		r, err := alice.Result(match)
		if paid != (err == nil) || !paid && !errors.Is(err, errUnreadable) {
			t.Errorf("a stake of %d: %v", stake, err)
		}
		if _, all := r.signed(); paid && (r.Channel != id || r.Terms.Nonce != before.Terms.Nonce || r.Seat != 0 || r.Won() != 1 || !all) {
			t.Errorf("noted is %+v", r)
		}
	}
}

// missing is a store that fails when it is asked for what lies under a prefix, if one is set.
type missing struct {
	store.Store
	prefix string
}

func (s *missing) Get(key string) ([]byte, error) {
	if s.prefix != "" && strings.HasPrefix(key, s.prefix) {
		return nil, errors.New("the disk is away")
	}
	return s.Store.Get(key)
}

// TestDamagedReplay: what is kept of a position for people to look at can't be read. The channel
// goes on, and the match is shown from the position after it on.
func TestDamagedReplay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	l.spoil(alice, replayKey(match, 1))
	for _, turn := range []protocol.Turn{2, 3} {
		l.put(alice, replayKey(match, turn), keptPosition{State: []byte{1}})
	}
	lacks := func(positions int) {
		t.Helper()
		r, err := alice.Replay(match)
		if err != nil || len(r.Positions) != positions || !strings.Contains(r.Missing, "not readable") {
			t.Errorf("shown are %+v, without what it says: %q, %v", r.Positions, r.Missing, err)
		}
	}
	lacks(2)
	for _, turn := range []protocol.Turn{0, 3} {
		l.spoil(alice, replayKey(match, turn))
	}
	lacks(0)
	l.match(alice, id, 1, 0, 1)
	if list := alice.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, "lacks turn 0 and what came before") {
		t.Errorf("alarms: %v", list)
	}
}
