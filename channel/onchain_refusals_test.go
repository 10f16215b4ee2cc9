package channel_test

import (
	"bytes"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// seen gives a seat an event of the chain, first when it is seen and then when it is final.
func (tb *table) seen(i int, e onchain.Event) {
	tb.t.Helper()
	for _, final := range []bool{false, true} {
		tb.must(i, channel.ChainSeen{Event: e, Final: final})
	}
}

// expired is what the Arena says when the mover's clock ran out and these rules let the match go on
// from a state.
func (tb *table) expired(id common.Hash, state []byte) onchain.Recorded {
	turn := protocol.MarkOf(protocol.Turn(0).NextEpoch())
	return onchain.Recorded{ChannelID: tb.id, MatchID: id, State: state, Record: protocol.Record{Status: protocol.MatchLive, Turn: turn,
		State: protocol.StateHash(state), Marks: []protocol.Mark{turn, turn}, Since: 200, Block: 200}}
}

// silent delivers what is said, but for what goes to or comes from a seat.
func (tb *table) silent(seat int) {
	tb.t.Helper()
	for len(tb.queue) > 0 {
		if p := tb.queue[0]; p.to == seat || p.from == seat {
			tb.queue = tb.queue[1:]
		} else if err := tb.deliver(0); err != nil {
			tb.t.Fatal(err)
		}
	}
}

// A time that was told already, or an earlier one, changes nothing: the clock does not go back, and
// nothing is written.
func TestClockGoesForward(t *testing.T) {
	tb := openTable(t, 2)
	tb.match(0)
	tb.must(0, channel.ClockAt{Now: 10, Block: 10})
	tb.refuses(0, channel.ClockAt{Now: 10, Block: 10}, nil)
	tb.refuses(0, channel.ClockAt{Now: 5, Block: 5}, nil)
}

// Several records stand for a window at the same moment: every match goes on, and what stood is
// written down once.
func TestStoodRecords_Several(t *testing.T) {
	tb := openTable(t, 3)
	ids := []common.Hash{tb.match(0), tb.match(0)}
	for _, id := range ids {
		tb.mustMove(0, id, Pass)
		tb.silent(2)
		tb.seen(1, tb.posted(1, id, 10))
	}
	tb.must(1, channel.ClockAt{Now: 10 + tb.terms.Window})
	for _, id := range ids {
		if !tb.view(1, id).MayMove {
			t.Errorf("match %s doesn't go on", short(id))
		}
	}
	fx, err := tb.seats[1].m.Clone(tb.keys[1]).Step(channel.ClockAt{Now: 20 + tb.terms.Window})
	if err != nil || len(fx.Entries) != 1 {
		t.Errorf("written once more: %v, %v", keys(fx.Entries), err)
	}
}

// When a record has stood for a window, what follows it is signed. When the key can't sign just
// then, nothing has happened.
func TestStoodRecords_WithoutTheKey(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.silent(2)
	e := tb.posted(0, id, 10)
	next := play(t, tb.view(0, id).State, Pass)
	if err := tb.says(1, 0, message.Move{MatchID: id, Turn: 2, Move: []byte{Pass}, State: protocol.StateHash(next), Signature: tb.signPosition(1, id, 2, next)}); err != nil {
		t.Fatal(err)
	}
	tb.seen(0, e)
	tb.loseSigner(0, 0)
	late := channel.ClockAt{Now: 10 + tb.terms.Window}
	tb.refuses(0, late, errNoSigner)
	tb.must(0, late)
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(2) {
		t.Errorf("signed up to %s", upTo(v.Mark))
	}
}

// With two seats what the chain has recorded counts as signed by those who signed it, and by nobody
// else.
func TestRecordOfTwoIsNoSignature(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.seen(0, tb.posted(0, id, 10))
	tb.must(0, channel.ClockAt{Now: 10 + 2*tb.terms.Window})
	if v := tb.view(0, id); v.Agreed || v.Rank.Agreed != protocol.MarkOf(0) {
		t.Errorf("agreed %v, rank %v", v.Agreed, v.Rank)
	}
}

// A match whose rules are gone stays as it is, whatever the chain and its clock say, until they are
// back.
func TestRecordsWithoutRules(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.silent(2)
	tb.seen(1, tb.posted(1, id, 10))
	tb.withRules(1, nil)
	key := "match/" + common.Bytes2Hex(id[:])
	before := bytes.Clone(tb.seats[1].store[key])
	tb.must(1, channel.ClockAt{Now: 10 + tb.terms.Window})
	if !bytes.Equal(before, tb.seats[1].store[key]) {
		t.Error("the match went on without its rules")
	}
	tb.withRules(1, toyRules{})
	tb.must(1, channel.ClockAt{Now: 11 + tb.terms.Window})
	if !tb.view(1, id).MayMove {
		t.Error("the match doesn't go on with its rules")
	}
}

// What the chain says of a match in which we don't play is noted, and nothing comes of it.
func TestRecordsOfOthersMatches(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(100, 0, 1))
	tb.deliverAll()
	tb.heal()
	id := newest(tb.seats[0].m)
	v := tb.view(0, id)
	unsigned := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: &protocol.Support{Base: v.State}, Record: protocol.Record{
		Status: protocol.MatchUnsigned, Turn: 1, State: protocol.StateHash(v.State), Clock: 10, Deadline: 110}}
	live := tb.posted(0, id, 20)
	expired := tb.expired(id, v.State)
	agreed := onchain.Recorded{ChannelID: tb.id, MatchID: id, Agreement: tb.agreedByAll(id, 0),
		Record: protocol.Record{Status: protocol.MatchAgreed, Turn: 1, Payouts: v.Terms.Stakes}}
	tb.queue = nil
	for _, e := range []onchain.Recorded{unsigned, live, expired, agreed} {
		tb.seen(2, e)
		if len(tb.queue) > 0 || tb.view(2, id).Mark != 0 {
			t.Errorf("status %d: %d messages", e.Record.Status, len(tb.queue))
		}
	}
}

// What the chain says of a match that we don't know, or has said before, changes nothing.
func TestRecordsThatChangeNothing(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	e := tb.posted(0, id, 10)
	unknown := e
	unknown.MatchID[0]++
	for _, final := range []bool{false, true} {
		tb.refuses(0, channel.ChainSeen{Event: unknown, Final: final}, nil)
	}
	tb.refuses(0, channel.ChainUndone{Event: unknown}, nil)
	tb.refuses(0, channel.ChainUndone{Event: e}, nil) // it was not seen
	tb.seen(0, e)
	tb.refuses(0, channel.ChainSeen{Event: e, Final: true}, nil)
}

// A position learnt from the chain is countersigned. When the key can't sign just then, nothing has
// happened.
func TestRecordsWithoutTheKey(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.queue = nil // seat 1 learns it from the chain
	e := tb.posted(0, id, 10)
	tb.loseSigner(1, 0)
	tb.refuses(1, channel.ChainSeen{Event: e}, errNoSigner)
	tb.must(1, channel.ChainSeen{Event: e})
	if v := tb.view(1, id); v.Turn != 1 || v.Mark != protocol.MarkOf(1) {
		t.Errorf("turn %s, signed up to %s", v.Turn, upTo(v.Mark))
	}
}

// An answer that came while the clock ran is signed as soon as it is recorded, when it leaves the
// other seat to move.
func TestRecordedAnswerIsSigned(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.ChainSeen{Event: withClock(tb.posted(0, id, 10), 10, tb.terms.Window)})
	tb.mustMove(1, id, Keep)
	tb.deliverAll()
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(1) {
		t.Fatal("signed while the clock runs")
	}
	tb.must(0, channel.ChainSeen{Event: tb.posted(0, id, 20)})
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(2) {
		t.Errorf("signed up to %s", upTo(v.Mark))
	}
}

// A node of the chain lies: what doesn't hold together is not taken for the position, and ends in
// no panic.
func TestRecordsThatLie(t *testing.T) {
	for name, lie := range map[string]func(*table, *onchain.Recorded, channel.MatchView){
		"evidence of moves that are not there": func(_ *table, e *onchain.Recorded, v channel.MatchView) {
			e.Support = &protocol.Support{Turn: v.Turn, Base: v.State, Signatures: []protocol.SeatSignature{{At: 5}}}
			e.Record.Turn, e.Record.State, e.State = protocol.MarkOf(v.Turn), protocol.StateHash(v.State), nil
		},
		"a position of no turn":             func(_ *table, e *onchain.Recorded, _ channel.MatchView) { e.Record.Turn = 0 },
		"a state that the rules can't read": func(tb *table, e *onchain.Recorded, v channel.MatchView) { *e = tb.expired(v.ID, []byte{1}) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			v := tb.view(0, id)
			e := tb.expired(id, play(t, v.State, Pass, 9))
			lie(tb, &e, v)
			tb.seen(0, e)
			if got := tb.view(0, id); got.Turn != v.Turn || len(happened[channel.MatchExpired](tb.seats[0])) > 0 {
				t.Errorf("turn %s", got.Turn)
			}
		})
	}
}

// A record with more in it than the match has seats is none of the Arena's: nothing of it is kept.
func TestRecordsTooLarge(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for name, swell := range map[string]func(*protocol.Record){
		"marks":   func(r *protocol.Record) { r.Marks = make([]protocol.Mark, 3) },
		"clocks":  func(r *protocol.Record) { r.Spent = make([]uint64, 3) },
		"payouts": func(r *protocol.Record) { r.Payouts = numbers(1, 2, 3) },
	} {
		e := tb.expired(id, []byte{1})
		swell(&e.Record)
		tb.quiet(name, 0, channel.ChainSeen{Event: e}, protocol.ErrTerms)
	}
}

// An expiry is told once, and what was played since is not thrown away when it is told again after
// other records.
func TestExpiryTwice(t *testing.T) {
	for moves := range 2 {
		tb := openTable(t, 2)
		id := tb.match(0)
		e := tb.expired(id, play(t, tb.view(0, id).State, Keep, 9))
		for i := range tb.seats {
			tb.seen(i, e)
		}
		for range moves {
			tb.mustMove(0, id, Keep)
			tb.deliverAll()
		}
		v := tb.view(0, id)
		tb.seen(0, withClock(e, 210, tb.terms.Window))
		tb.must(0, channel.ChainSeen{Event: e, Final: true})
		if got := tb.view(0, id); got.Turn != v.Turn || len(happened[channel.MatchExpired](tb.seats[0])) != 1 {
			t.Errorf("%d moves: turn %s, want %s; told %d times", moves, got.Turn, v.Turn, len(happened[channel.MatchExpired](tb.seats[0])))
		}
	}
}

// A start that nobody is to sign any more is not signed because the chain says something of it, and
// what it says is noted.
func TestUnsignedStartIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		status  protocol.MatchStatus
		prepare channel.Input
	}{
		"void":     {protocol.MatchFinal, nil},
		"restored": {protocol.MatchUnsigned, channel.StoreRestored{}},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.locked(0, tb.proposal(100))
			if c.prepare != nil {
				tb.must(0, c.prepare)
			}
			v := tb.view(0, id)
			tb.must(0, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: protocol.Record{Status: c.status,
				Turn: 1, State: protocol.StateHash(v.State), Payouts: v.Terms.Stakes}}})
			if v = tb.view(0, id); v.Mark != 0 || v.Record == nil {
				t.Errorf("signed up to %s, record %v", upTo(v.Mark), v.Record)
			}
		})
	}
}

// TestRulesComeBack: while a seat lacks the rules, the chain says what has happened in the match.
// Told again with the rules, it goes on from there; told once more, nothing happens.
func TestRulesComeBack(t *testing.T) {
	for name, say := range map[string]func(*table, common.Hash) []onchain.Recorded{
		"a move that only the chain was told": func(tb *table, id common.Hash) []onchain.Recorded {
			tb.mustMove(1, id, Pass)
			e := tb.posted(1, id, 10)
			e.Record.Clock, e.Record.Deadline = 10, 10+tb.terms.Window
			return []onchain.Recorded{e}
		},
		"that the mover's time ran out": func(tb *table, id common.Hash) []onchain.Recorded {
			state := play(tb.t, tb.view(0, id).State, Pass)
			return []onchain.Recorded{tb.posted(0, id, 10), tb.expired(id, state)}
		},
	} {
		for _, final := range []bool{false, true} {
			tb := openTable(t, 2)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			list := say(tb, id)
			if list[len(list)-1].Support == nil && !final {
				continue // it is gone on from when it is final
			}
			tb.queue = nil
			tb.withRules(0, nil)
			for _, e := range list {
				tb.must(0, channel.ChainSeen{Event: e})
				if final {
					tb.must(0, channel.ChainSeen{Event: e, Final: true})
				}
			}
			tb.withRules(0, toyRules{})
			for range 2 {
				for _, e := range list {
					tb.must(0, channel.ChainTold{Event: e, Final: final})
				}
			}
			if v, turn := tb.view(0, id), list[len(list)-1].Record.Turn.Turn(); v.Turn != turn {
				t.Errorf("%s, final %v: turn %s, recorded %s", name, final, v.Turn, turn)
			} else if err := tb.move(0, id, Win); err != nil {
				t.Errorf("%s, final %v: %v", name, final, err)
			}
		}
	}
}
