package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// shows gives a seat a ledger that every seat signed, as its records say of itself, with the terms
// of matches.
func (tb *table) shows(i int, l protocol.Ledger, matches ...protocol.MatchTerms) {
	tb.t.Helper()
	if v, _ := tb.seats[i].m.Signed(); l.Version > v {
		tb.remembers(i, &l)
	}
	tb.must(i, channel.Received{From: (i + 1) % len(tb.seats), Message: tb.completed(message.Propose{Ledger: l, Matches: matches})})
}

// A ledger of another channel between the same seats, with the same keys and deposits, is none of
// ours.
func TestLedgersOfOtherChannels(t *testing.T) {
	tb := openTable(t, 2)
	other := tb.signedByAll(protocol.Ledger{ChannelID: common.Hash{9}, Version: 5, Balances: []uint256.Int{*uint256.NewInt(2 * deposit), {}}})
	tb.refuses(0, channel.Received{From: 1, Message: message.SyncReply{Ledger: other}}, channel.ErrPeer)
	tb.refuses(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: *other}}, channel.ErrPeer)
}

// Records from an old copy take the newest ledger that anybody shows, and never one below it,
// though they signed neither.
func TestLedgersNeverGoBack(t *testing.T) {
	tb := openTable(t, 2)
	tb.match(0)
	forgotten := protocol.Ledger{ChannelID: tb.id, Version: 5, Balances: tb.terms.Deposits}
	tb.must(0, channel.Received{From: 1, Message: tb.completed(message.Propose{Ledger: forgotten})})
	told := len(happened[channel.LedgerSigned](tb.seats[0]))
	for _, version := range []uint64{4, 5} {
		l := tb.signedByAll(protocol.Ledger{ChannelID: tb.id, Version: version, Balances: tb.terms.Deposits})
		tb.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: *l}})
		if got := tb.seats[0].m.Ledger().Version; got != 5 || len(happened[channel.LedgerSigned](tb.seats[0])) != told {
			t.Errorf("version %d is shown: ledger %d", version, got)
		}
	}
	if !tb.seats[0].m.Restored() {
		t.Error("the records don't count as an old copy")
	}
}

// A ledger counts though nobody tells the terms of what it locks: only its money is known then.
func TestLockOfUnknownTerms(t *testing.T) {
	tb := openTable(t, 2)
	l, _ := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 2, 100)
	tb.shows(0, l)
	if got := tb.seats[0].m.Ledger().Version; got != 2 || len(tb.seats[0].m.Matches()) > 0 {
		t.Errorf("ledger %d, %d matches", got, len(tb.seats[0].m.Matches()))
	}
}

// That a match is released is told once, also when it is kept because another ledger may still lock
// it.
func TestReleasedOnce(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.letGo()
	// below what was signed since
	tb.shows(0, protocol.Ledger{ChannelID: tb.id, Version: 5, Balances: tb.terms.Deposits})
	if v := tb.view(0, id); v.Locked || len(happened[channel.MatchReleased](tb.seats[0])) != 1 {
		t.Errorf("locked %v, released %d times", v.Locked, len(happened[channel.MatchReleased](tb.seats[0])))
	}
}

// When the last of the ledgers that could still be completed is, its match starts, and what it
// doesn't lock is forgotten.
func TestLooseLedgerCompleted(t *testing.T) {
	tb := openTable(t, 3)
	first := tb.seats[0].m.Ledger().Ledger
	x := protocol.MatchTerms{ChannelID: tb.id, Nonce: 4 << 8, Rules: toyAddress, Seats: []uint8{1, 2},
		Stakes: []uint256.Int{*uint256.NewInt(10), *uint256.NewInt(10)}}
	locksX := protocol.Ledger{ChannelID: tb.id, Version: 4, Locks: []protocol.Lock{{MatchID: x.ID(tb.domain), Stakes: x.Stakes}},
		Balances: []uint256.Int{*uint256.NewInt(deposit), *uint256.NewInt(deposit - 10), *uint256.NewInt(deposit - 10)}}
	locksY, y := tb.lockLedger(first, 5, 10)
	for _, p := range []message.Propose{tb.propose(locksX, 1, []protocol.MatchTerms{x}, nil), tb.propose(locksY, 1, []protocol.MatchTerms{y}, nil)} {
		if err := tb.says(int(p.Ledger.Version)%3, 0, p); err != nil {
			t.Fatal(err)
		}
	}
	tb.shows(0, locksX)
	if got, _ := tb.seats[0].m.Signed(); got != 5 || tb.seats[0].m.Ledger().Version != 4 {
		t.Fatalf("ledger %d, signed %d", tb.seats[0].m.Ledger().Version, got)
	}
	tb.shows(0, locksY)
	list := tb.seats[0].m.Matches()
	if len(list) != 1 || list[0].ID != y.ID(tb.domain) || list[0].Mark != protocol.MarkOf(0) {
		t.Errorf("matches %+v", list)
	}
}

// A seat has no judge of matches in which it doesn't play.
func TestJudgeOfOurMatches(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(100, 0, 1))
	for i, want := range []bool{true, true, false} {
		if got := tb.seats[i].m.Judge(id) != nil; got != want {
			t.Errorf("seat %d has a judge: %v", i, got)
		}
	}
}

// aimless are toy rules by which a seat moves that there isn't.
type aimless struct{ toyRules }

func (aimless) Mover([]byte) (uint8, error) { return 9, nil }

// No money goes into a match that its rules can't start, or can't say of who moves first.
func TestMatchesThatCannotStart(t *testing.T) {
	for _, rules := range []games.Rules{faulty{}, aimless{}} {
		tb := openTable(t, 2)
		tb.rules(rules)
		tb.refuses(0, tb.proposal(100), games.ErrIllegal)
	}
}

// When the key can't sign just then, a ledger is neither approved nor taken over by half.
func TestLedgersWithoutTheKey(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	for after := range 2 { // the approval; the start of its match
		tb.loseSigner(1, after)
		tb.refuses(1, channel.Received{From: 0, Message: p}, errNoSigner)
	}
	tb.must(1, channel.Received{From: 0, Message: p})
	tb.must(0, channel.WithdrawMatches{})
	tb.loseSigner(0, 0) // its stakes are to be offered back
	late := tb.completed(p)
	tb.refuses(0, channel.Received{From: 1, Message: late}, errNoSigner)
	tb.must(0, channel.Received{From: 1, Message: late})
	if v := tb.view(0, newest(tb.seats[0].m)); len(v.Offers) != 1 {
		t.Errorf("offers %+v", v.Offers)
	}
}

// A match that the Arena has decided before we signed its start is not started by the next ledger.
func TestDecidedMatchIsNotStarted(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.locked(0, tb.proposal(100))
	tb.must(0, channel.ChainSeen{Event: tb.decided(id)})
	tb.must(1, tb.proposal(10))
	tb.deliverAll()
	if v := tb.view(0, id); len(tb.seats[0].m.Ledger().Locks) != 2 || v.Mark != 0 {
		t.Errorf("%d locks, signed up to %s", len(tb.seats[0].m.Ledger().Locks), upTo(v.Mark))
	}
}

// A restored store takes over a ledger with a new match, and starts nothing.
func TestRestoredTakesLedgers(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(1, channel.StoreRestored{})
	l, terms := tb.lockLedger(tb.seats[1].m.Ledger().Ledger, 2, 100)
	tb.shows(1, l, terms)
	if v := tb.view(1, terms.ID(tb.domain)); !v.Locked || v.Mark != 0 || len(tb.answers(1)) > 0 {
		t.Errorf("locked %v, signed up to %s", v.Locked, upTo(v.Mark))
	}
}
