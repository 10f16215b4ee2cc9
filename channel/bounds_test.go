package channel_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// lenient are toy rules that take an empty state for one in which seat 0 moves.
type lenient struct{ toyRules }

func (l lenient) Mover(state []byte) (uint8, error) {
	if len(state) == 0 {
		return 0, nil
	}
	return l.toyRules.Mover(state)
}

// An illegal move leads nowhere, even if the rules would go on from nothing.
func TestIllegalMovesLeadNowhere(t *testing.T) {
	tb := openTable(t, 2)
	tb.withRules(0, lenient{})
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	move := message.Move{MatchID: id, Turn: 2, Move: []byte{99}, State: protocol.StateHash(nil), Signature: tb.signPosition(1, id, 2, nil)}
	if err := tb.says(1, 0, move); !errors.Is(err, games.ErrIllegal) {
		t.Fatal(err)
	}
}

// faulty are such rules that share out a unit less than there is, and cannot start.
type faulty struct{ lenient }

func (faulty) Start(*games.Context) ([]byte, error) { return nil, games.ErrIllegal }

func (f faulty) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	out, err := f.toyRules.Outcome(state, stakes)
	if err == nil {
		out.Payouts[0].SubUint64(&out.Payouts[0], 1)
	}
	return out, err
}

// What rules get wrong is an error, as it is to the Arena: an outcome that shares out other than
// the stakes, and a match that they cannot start, even if somebody shows an empty state for its
// start.
func TestFaultyRulesAreJudged(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	v := tb.view(0, id)
	judge, err := protocol.NewJudge(tb.domain, &tb.terms, &v.Terms, faulty{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := judge.Outcome(play(t, v.State, Draw)); !errors.Is(err, games.ErrIllegal) {
		t.Errorf("payouts %v of stakes %v: %v", out.Payouts, v.Terms.Stakes, err)
	}
	if _, err := judge.Replay(&protocol.Support{}, nil, 0); !errors.Is(err, protocol.ErrSupport) {
		t.Errorf("the start of a match that the rules cannot start: %v", err)
	}
}

// A draw that shares out more or less than the stakes is offered by nobody, and not taken from
// anybody.
func TestAgreementsShareOutTheStakes(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	turn := tb.view(0, id).Turn
	for _, second := range []uint64{99, 101} {
		payouts := []uint256.Int{*uint256.NewInt(100), *uint256.NewInt(second)}
		if err := tb.step(0, channel.OfferAgreement{MatchID: id, Turn: turn, Payouts: payouts}); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%d offered: %v", second, err)
		}
		a := protocol.Agreement{MatchID: id, Turn: turn, Payouts: payouts}
		sig := tb.sign(1, a.Digest(tb.domain))
		if err := tb.says(1, 0, message.AgreementSignature{Agreement: a, Seat: 1, Signature: sig}); err == nil {
			t.Errorf("%d taken from a peer", second)
		}
	}
}

// A move may be as long as the Arena takes, and no longer.
func TestMovesAreAsLongAsTheArenaTakes(t *testing.T) {
	tb := openTable(t, 2)
	v := tb.view(0, tb.match(0))
	judge := tb.judge(v.Terms)
	for size, want := range map[int]error{games.MaxMove: nil, games.MaxMove + 1: games.ErrIllegal} {
		if _, err := judge.Play(v.State, make([]byte, size), 0, 0); !errors.Is(err, want) {
			t.Errorf("a move of %d bytes: %v", size, err)
		}
	}
}

// A peer that goes on moving while we can sign nothing, as a clock runs or a third seat is silent,
// is heard for as many moves as can be kept and posted, however long they are.
func TestAttack_LongFork_Heard(t *testing.T) {
	for size, run := range runs {
		hear(t, 2, size, run)
		hear(t, 3, size, run)
	}
}

func hear(t *testing.T, seats, size, run int) {
	tb := openTable(t, seats)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	for i := range tb.seats {
		tb.must(i, channel.Idle{})
	}
	tb.deliverAll()
	if seats == 2 {
		tb.must(0, channel.ChainSeen{Event: withClock(tb.posted(0, id, 10), 10, tb.terms.Window)})
	}
	v := tb.view(0, id)
	heard := 0
	for {
		v.Turn, v.State = v.Turn+1, play(t, v.State, keep(size)...)
		move := message.Move{MatchID: id, Turn: v.Turn, Move: keep(size), State: protocol.StateHash(v.State), Signature: tb.signPosition(1, id, v.Turn, v.State)}
		if err := tb.says(1, 0, move); err != nil {
			if !errors.Is(err, channel.ErrPeer) {
				t.Fatal(err)
			}
			break
		}
		tb.queue = nil
		if heard++; heard > 2*protocol.MaxRun {
			break
		}
	}
	if heard != run {
		t.Errorf("%d seats: heard %d moves of %d bytes, want %d", seats, heard, size, run)
	}
	if v = tb.view(0, id); v.Support.Last() != v.Turn {
		t.Errorf("%d seats: at turn %s it can post turn %s", seats, v.Turn, v.Support.Last())
	}
	tb.restart(0)
}

// Only the other seats of the channel can be reached.
func TestConnectedToOthersOnly(t *testing.T) {
	tb := openTable(t, 2)
	for seat, want := range map[int]error{-1: protocol.ErrTerms, 0: protocol.ErrTerms, 1: nil, 2: protocol.ErrTerms} {
		if err := tb.step(0, channel.Connected{Seat: seat}); !errors.Is(err, want) {
			t.Errorf("seat %d: %v", seat, err)
		}
	}
}

// A seat that does not play in a match has nothing to say in it.
func TestNotesOfPlayersOnly(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(100, 0, 1))
	if err := tb.step(2, channel.SayNote{MatchID: id, Turn: tb.view(0, id).Turn, To: 0, Text: []byte("hello")}); !errors.Is(err, channel.ErrNoMatch) {
		t.Error(err)
	}
}

// A refusal is of one proposal: another one that it does not name stays pending.
func TestRefusalOfAnotherProposal(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	p := tb.seats[0].m.Proposal()
	refusal := message.Reject{Version: p.Ledger.Version, Digest: common.Hash{1}, Code: message.Refused}
	if err := tb.says(1, 0, refusal); err != nil {
		t.Fatal(err)
	}
	if tb.seats[0].m.Proposal() == nil || len(happened[channel.ProposalRefused](tb.seats[0])) > 0 {
		t.Fatal("it is gone")
	}
	tb.deliverAll()
	if len(tb.seats[0].m.Ledger().Locks) != 1 {
		t.Fatal("it was not locked")
	}
}

// A proposal may lie so far ahead, and no further.
func TestVersionsFarAhead(t *testing.T) {
	const most = 1<<16 + 1 // above version 1
	for version, want := range map[uint64]error{most: nil, most + 2: channel.ErrPeer} {
		tb := openTable(t, 2)
		l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, version, 10)
		if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); !errors.Is(err, want) {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// A seat signs so many locks that are not decided about, and no more: each has to be remembered.
func TestAttack_QueueFlood_Undecided(t *testing.T) {
	const most = 64
	tb := openTable(t, 3) // seat 2 never answers
	first := tb.seats[0].m.Ledger().Ledger
	for n := 0; n <= most; n++ {
		l, terms := tb.lockLedger(first, uint64(4+3*n), 10)
		if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
			t.Fatal(err)
		}
		if signed, _ := tb.seats[0].m.Signed(); (signed == l.Version) != (n < most) {
			t.Fatalf("lock %d: signed up to version %d", n+1, signed)
		}
		tb.queue = nil
	}
}

// A tower that shows what we know, with signatures that we remember, is no sign of an old copy.
func TestTowerShowsWhatWeKnow(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: tb.seats[0].m.Ledger(), MatchID: id, Support: tb.view(0, id).Support}})
	if got := fmt.Sprint(happened[channel.OldCopyFound](tb.seats[0])); got != "[]" {
		t.Fatal("the store is taken for an old copy")
	}
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	tb.mustMove(0, id, Pass)
}

// What a tower verifies by itself: an agreement counts when it is of the match, shares out its
// stakes, and all its seats signed.
func TestAgreementsAreVerified(t *testing.T) {
	tb := openTable(t, 2)
	terms := tb.view(0, tb.match(0)).Terms
	for name, c := range map[string]struct {
		change func(*protocol.Agreement)
		seats  []int // that sign it
		want   error
	}{
		"as it is":      {func(*protocol.Agreement) {}, []int{0, 1}, nil},
		"too little":    {func(a *protocol.Agreement) { a.Payouts[1].SetOne() }, []int{0, 1}, protocol.ErrTerms},
		"another match": {func(a *protocol.Agreement) { a.MatchID[0]++ }, []int{0, 1}, protocol.ErrTerms},
		"three payouts": {func(a *protocol.Agreement) { a.Payouts = append(a.Payouts, uint256.Int{}) }, []int{0, 1}, protocol.ErrTerms},
		"one signature": {func(*protocol.Agreement) {}, []int{0}, protocol.ErrSignature},
	} {
		agreement := protocol.Agreement{MatchID: terms.ID(tb.domain), Payouts: slices.Clone(terms.Stakes)}
		c.change(&agreement)
		a := tb.signedAgreement(agreement, c.seats...)
		if err := a.Verify(tb.domain, &tb.terms, &terms); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A round's times may be as late as the Arena's deadlines.
func TestRoundsAreAsLateAsDeadlines(t *testing.T) {
	round := matchmaking.Round{House: common.Address{1}, Rules: common.Address{2}, Fewest: 2, Seats: 2, Window: protocol.MaxDeadline,
		Closes: 100, Shuffle: protocol.MaxDeadline}
	if err := round.Check(); err != nil {
		t.Error(err)
	}
	studied := round
	studied.Shuffle, studied.Study = protocol.MaxDeadline-5, 5
	if err := studied.Check(); err != nil {
		t.Error(err)
	}
	table := round
	table.Shuffle, table.Closes = 0, protocol.MaxDeadline
	if err := table.Check(); err != nil {
		t.Error(err)
	}
}

// What a tower verifies of a ledger: all seats may have signed it, but it shares out the deposits.
func TestLedgersAreVerified(t *testing.T) {
	tb := openTable(t, 2)
	for balance, want := range map[uint64]error{deposit: nil, deposit + 1: protocol.ErrTerms} {
		l := tb.signedByAll(protocol.Ledger{ChannelID: tb.id, Version: 2, Balances: numbers(deposit, balance)})
		if err := l.Verify(tb.domain, &tb.terms); !errors.Is(err, want) {
			t.Errorf("%d: %v", balance, err)
		}
	}
}

// A tower's agreement counts when all seats of the match signed it.
func TestAttack_LyingTower_ForgedAgreement(t *testing.T) {
	for signer, reached := range map[int]int{0: 0, 1: 1} {
		tb := openTable(t, 2)
		id := tb.match(0)
		v := tb.view(0, id)
		a := protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: id, Turn: v.Turn, Payouts: v.Terms.Stakes}}
		digest := a.Digest(tb.domain)
		a.Signatures = []protocol.Signature{tb.sign(0, digest), tb.sign(signer, digest)}
		tb.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: tb.seats[0].m.Ledger(), MatchID: id, Agreement: &a}})
		if got := len(happened[channel.AgreementReached](tb.seats[0])); got != reached {
			t.Errorf("signed for seat 1 by seat %d: reached %d agreements", signer, got)
		}
	}
}

// Somebody has an unsigned turn 0 recorded of a match that has gone on: we have signed it, and hold
// what outranks it.
func TestAttack_FalseStart_GoneOn(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	start := tb.view(0, id)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	e := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: &protocol.Support{Base: start.State}, Record: protocol.Record{
		Status: protocol.MatchUnsigned, Turn: protocol.MarkOf(0), State: protocol.StateHash(start.State), Marks: make([]protocol.Mark, 2),
		Spent: make([]uint64, 2), Since: 10, Block: 10, Clock: 10, Deadline: 10 + tb.terms.Window}}
	for _, final := range []bool{false, true} {
		tb.must(0, channel.ChainSeen{Event: e, Final: final})
	}
	if v := tb.view(0, id); v.Turn != 2 || !v.OnChain {
		t.Errorf("turn %s, on-chain %v", v.Turn, v.OnChain)
	}
}

// A booking of more or fewer payouts than the match has seats is refused.
func TestAttack_Garbage_BookingPayouts(t *testing.T) {
	for _, payouts := range [][]uint64{{200}, {100, 0, 100}} {
		tb := openTable(t, 2)
		id := tb.match(0)
		tb.mustMove(0, id, Win)
		for _, p := range tb.queue {
			if m, ok := p.msg.(message.Move); ok {
				if err := tb.says(0, 1, m); err != nil {
					t.Fatal(err)
				}
			}
		}
		tb.queue = nil
		b := protocol.Booking{MatchID: id, Turn: tb.view(1, id).Turn}
		for _, v := range payouts {
			b.Payouts = append(b.Payouts, *uint256.NewInt(v))
		}
		full := tb.seats[1].m.Ledger()
		l := protocol.Ledger{ChannelID: tb.id, Version: full.Version + 2, Balances: []uint256.Int{*uint256.NewInt(deposit + 100), *uint256.NewInt(deposit - 100)}}
		if err := tb.says(0, 1, tb.propose(l, full.Version, nil, []protocol.Booking{b})); err != nil {
			t.Fatal(err)
		}
		if refused := only[message.Reject](tb.answers(1)); len(refused) != 1 {
			t.Errorf("payouts %v: answered with %d refusals", payouts, len(refused))
		}
	}
}

// A note is as long as a note may be, and to another seat of the match.
func TestNotesOfALength(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		to   uint8
		want error
	}{
		"longest":    {games.MaxNote, 1, nil},
		"too long":   {games.MaxNote + 1, 1, games.ErrIllegal},
		"to oneself": {1, 0, games.ErrIllegal},
		"to seat 2":  {1, 2, games.ErrIllegal},
	} {
		tb := openTable(t, 2)
		id := tb.match(0)
		note := channel.SayNote{MatchID: id, Turn: tb.view(0, id).Turn, To: c.to, Text: make([]byte, c.size)}
		if err := tb.step(0, note); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The times of a channel are such as the Arena can hold.
func TestTermsOfTimes(t *testing.T) {
	tb := newTable(t, 2)
	for _, c := range []struct {
		window, openBy uint64
		want           error
	}{
		{protocol.MaxDeadline, math.MaxUint64, nil},
		{0, 1, protocol.ErrTerms},
		{protocol.MaxDeadline + 1, 1, protocol.ErrTerms},
	} {
		terms := tb.terms
		terms.Window, terms.OpenBy = c.window, c.openBy
		if err := terms.Check(); !errors.Is(err, c.want) {
			t.Errorf("window %d, open by %d: %v", c.window, c.openBy, err)
		}
	}
}
