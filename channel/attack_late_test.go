package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/holiman/uint256"
)

func TestAttack_WithheldApproval(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	held := only[message.Propose](tb.answers(0))[0]
	old := held.Ledger.Locks[0].MatchID
	// The other seat proposes something else, with a higher version that it gets signed.
	l, terms := tb.lockLedger(tb.seats[1].m.Ledger().Ledger, 3, 50)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if v := tb.seats[0].m.Ledger().Version; v != 3 {
		t.Fatalf("newest ledger is %d, want 3", v)
	}
	sig := tb.sign(1, held.Ledger.Digest(tb.domain))
	full := protocol.SignedLedger{Ledger: held.Ledger, Signatures: []protocol.Signature{held.Signatures[0], sig}}
	for _, late := range []message.Message{
		message.Approve{Version: held.Ledger.Version, Digest: held.Ledger.Digest(tb.domain), Signature: sig},
		message.SyncReply{Ledger: &full, Matches: held.Matches},
	} {
		if err := tb.says(1, 0, late); err != nil {
			t.Fatal(err)
		}
		if v, ok := tb.seats[0].m.Match(old); ok && v.Mark != 0 {
			t.Fatal("turn 0 of a match locked late is signed")
		}
		if v := tb.seats[0].m.Ledger().Version; v != 3 {
			t.Fatalf("newest ledger is %d, want 3", v)
		}
	}
}

func TestAttack_AbandonedClosing(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, channel.CloseChannel{})
	held := only[message.Propose](tb.answers(0))[0]
	if !held.Ledger.Closing {
		t.Fatal("no closing ledger is proposed")
	}
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 50)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	rejected := only[message.Reject](tb.answers(0))
	if len(rejected) != 1 || rejected[0].Code != message.LedgerFrozen {
		t.Fatalf("answered %v", rejected)
	}
	if err := tb.step(0, tb.proposal(10)); !errors.Is(err, channel.ErrFrozen) {
		t.Fatalf("a match after closing: %v", err)
	}
	for range 3 {
		tb.must(0, channel.Tick{})
	}
	if wanted, done := tb.seats[0].m.Closing(); !wanted || done != nil {
		t.Fatal("the machine doesn't say that its closing is unanswered")
	}
	// A closing ledger with other balances isn't signed either, not even through a late ledger
	// below it.
	other := protocol.Ledger{ChannelID: tb.id, Version: 5, Closing: true, Balances: []uint256.Int{*uint256.NewInt(900), *uint256.NewInt(1100)}}
	if err := tb.says(1, 0, tb.propose(other, 1, nil, nil)); err != nil {
		t.Fatal(err)
	}
	if rejected = only[message.Reject](tb.answers(0)); len(rejected) != 1 {
		t.Fatalf("answered %v", rejected)
	}
	// The same balances are fine, with whatever version.
	other.Balances = held.Ledger.Balances
	other.Version = 7
	if err := tb.says(1, 0, tb.propose(other, 1, nil, nil)); err != nil {
		t.Fatal(err)
	}
	if _, done := tb.seats[0].m.Closing(); done == nil {
		t.Fatal("a closing ledger with the same balances isn't completed")
	}
}

func TestAttack_LateBooking(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	full := tb.seats[0].m.Ledger().Ledger
	steal := protocol.Ledger{ChannelID: tb.id, Version: 3, Balances: []uint256.Int{*uint256.NewInt(900), *uint256.NewInt(1100)}}
	booking := []protocol.Booking{{MatchID: id, Turn: 1, Payouts: []uint256.Int{*uint256.NewInt(0), *uint256.NewInt(200)}}}
	if err := tb.says(1, 0, tb.propose(steal, full.Version, nil, booking)); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.UnknownMatch {
		t.Fatalf("a booking of a running match: %v", r)
	}
	if v := tb.seats[0].m.Ledger().Version; v != full.Version {
		t.Fatalf("ledger %d is signed", v)
	}
	// Over, but booked otherwise than the rules say.
	tb.mustMove(1, id, Draw)
	for _, m := range tb.answers(1) {
		if err := tb.says(1, 0, m); err != nil {
			t.Fatal(err)
		}
	}
	tb.answers(0)
	steal.Version, booking[0].Turn = 11, 2
	if err := tb.says(1, 0, tb.propose(steal, full.Version, nil, booking)); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 {
		t.Fatalf("a false booking: %v", r)
	}
}

func TestAttack_AbandonedClosing_LateLock(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	late := only[message.Propose](tb.answers(0))[0]
	tb.must(0, channel.CloseChannel{})
	instead := only[message.Propose](tb.answers(0))
	if len(instead) != 1 || instead[0].Ledger.Closing || len(instead[0].Ledger.Locks) > 0 {
		t.Fatalf("instead of a match that the peer may have approved: %v", instead)
	}
	digest := instead[0].Ledger.Digest(tb.domain)
	if err := tb.says(1, 0, message.Reject{Version: instead[0].Ledger.Version, Digest: digest, Code: message.Superseded, Signed: 9}); err != nil {
		t.Fatal(err)
	}
	tb.must(0, channel.Tick{})
	instead = only[message.Propose](tb.answers(0))
	if len(instead) != 1 || instead[0].Ledger.Closing || instead[0].Ledger.Version != 10 {
		t.Fatalf("while the match can still be locked: %v", instead)
	}
	digest = instead[0].Ledger.Digest(tb.domain)
	if err := tb.says(1, 0, message.Approve{Version: instead[0].Ledger.Version, Digest: digest, Signature: tb.sign(1, digest)}); err != nil {
		t.Fatal(err)
	}
	closing := only[message.Propose](tb.answers(0))
	if len(closing) != 1 || !closing[0].Ledger.Closing {
		t.Fatalf("no closing ledger once the match is impossible: %v", closing)
	}
	digest = late.Ledger.Digest(tb.domain)
	full := protocol.SignedLedger{Ledger: late.Ledger, Signatures: []protocol.Signature{late.Signatures[0], tb.sign(1, digest)}}
	if err := tb.says(1, 0, message.SyncReply{Ledger: &full, Matches: late.Matches}); err != nil {
		t.Fatal(err)
	}
	id := late.Matches[0].ID(tb.domain)
	if _, locked := tb.seats[0].m.Match(id); locked {
		t.Fatal("a match is locked after a closing ledger was signed")
	}
	tb.answers(0)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 13, 50)
	if err := tb.says(1, 0, tb.propose(l, instead[0].Ledger.Version, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.LedgerFrozen {
		t.Fatalf("a ledger after the closing one: %v", r)
	}
	if v, _ := tb.seats[0].m.Signed(); v != closing[0].Ledger.Version {
		t.Fatalf("version %d is signed after the closing one", v)
	}
}

// A proposal is left unanswered, taken back, and completed when that suits the peer. The match is
// not started, neither at once nor after a restart, and its stakes are offered back.
func TestAttack_WithheldApproval_Withdrawn(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	late := only[message.Propose](tb.answers(0))[0]
	tb.must(0, channel.WithdrawMatches{})
	instead := only[message.Propose](tb.answers(0))
	if len(instead) != 1 || instead[0].Ledger.Version != 4 || len(instead[0].Ledger.Locks) > 0 {
		t.Fatalf("proposed %+v", instead)
	}
	if err := tb.step(0, channel.WithdrawMatches{}); !errors.Is(err, channel.ErrStale) {
		t.Fatalf("taken back twice: %v", err)
	}
	tb.restart(0)
	tb.must(0, channel.Tick{})
	for _, p := range only[message.Propose](tb.answers(0)) {
		if len(p.Matches) > 0 {
			t.Fatalf("proposed again: %+v", p)
		}
	}
	digest := late.Ledger.Digest(tb.domain)
	start, err := tb.judge(late.Matches[0]).Start()
	if err != nil {
		t.Fatal(err)
	}
	id := late.Matches[0].ID(tb.domain)
	full := protocol.SignedLedger{Ledger: late.Ledger, Signatures: []protocol.Signature{late.Signatures[0], tb.sign(1, digest)}}
	zero := protocol.Support{Base: start, Signatures: []protocol.SeatSignature{{Seat: 1, Signature: tb.signPosition(1, id, 0, start)}}}
	if err := tb.says(1, 0, message.SyncReply{Ledger: &full, MatchID: id, Support: &zero}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		tb.must(0, channel.Idle{})
		tb.must(0, channel.Tick{})
		if v := tb.view(0, id); v.Mark != 0 || v.MayMove || len(v.Offers) != 1 {
			t.Fatalf("mark %d, may move %v, offers %v", v.Mark, v.MayMove, v.Offers)
		}
		if err := tb.move(0, id, Win); !errors.Is(err, channel.ErrRefused) {
			t.Fatalf("a move in a match that was taken back: %v", err)
		}
		if tb.restart(0); len(only[message.Propose](tb.answers(0))) > 0 {
			t.Fatal("a match that was taken back is locked again")
		}
	}
}

// A proposal is left unanswered until the channel is being closed one-sidedly, and completed then,
// by a contest: its proposer may have left. What another seat approved is no better.
func TestAttack_WithheldApproval_Contested(t *testing.T) {
	for _, seats := range []int{2, 3} {
		for _, told := range []bool{true, false} {
			tb := openTable(t, seats)
			first := tb.seats[0].m.Ledger()
			tb.must(seats-1, tb.proposal(100))
			late := only[message.Propose](tb.answers(seats - 1))[0]
			if seats == 3 {
				if err := tb.says(2, 1, late); err != nil {
					t.Fatal(err)
				}
			}
			id := late.Matches[0].ID(tb.domain)
			if told {
				tb.must(1, channel.ChainSeen{Event: onchain.Contested{ChannelID: tb.id, Ledger: first, Deadline: 500}})
			}
			tb.restart(1)
			tb.must(1, channel.ChainSeen{Event: onchain.Contested{ChannelID: tb.id, Ledger: *tb.signedByAll(late.Ledger), Deadline: 500}})
			tb.must(1, channel.Idle{})
			tb.must(1, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: protocol.Record{Status: protocol.MatchUnsigned,
				Turn: 1, State: protocol.StateHash(tb.view(1, id).State), Marks: make([]protocol.Mark, seats), Since: 10, Clock: 10, Deadline: 110}}})
			if v := tb.view(1, id); !v.Locked || v.Mark != 0 {
				t.Errorf("%d seats, contested before: %v: locked %v, signed up to mark %d", seats, told, v.Locked, v.Mark)
			}
		}
	}
}

// Two of three seats complete what the third approved, once it wants to close the channel.
func TestAttack_WithheldApproval_Closing(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(2, tb.proposal(100))
	late := only[message.Propose](tb.answers(2))[0]
	if err := tb.says(2, 1, late); err != nil {
		t.Fatal(err)
	}
	tb.must(1, channel.CloseChannel{})
	if err := tb.says(2, 1, tb.completed(late)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		tb.must(1, channel.Tick{})
		for _, p := range only[message.Propose](tb.answers(1)) {
			if err := tb.says(2, 1, tb.completed(p)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, v := range tb.seats[1].m.Matches() {
		if v.Mark != 0 {
			t.Errorf("signed up to mark %d of a match, and wants to close", v.Mark)
		}
	}
}

func TestAttack_WithheldApproval_Refused(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	digest := p.Ledger.Digest(tb.domain)
	if err := tb.says(1, 0, message.Reject{Version: 2, Digest: digest, Code: message.Refused}); err != nil {
		t.Fatal(err)
	}
	tb.restart(0)
	full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: []protocol.Signature{p.Signatures[0], tb.sign(1, digest)}}
	id := p.Matches[0].ID(tb.domain)
	state, err := tb.judge(p.Matches[0]).Start()
	if err != nil {
		t.Fatal(err)
	}
	start := protocol.Support{Base: state, Signatures: []protocol.SeatSignature{{Seat: 1, Signature: tb.signPosition(1, id, 0, state)}}}
	if err := tb.says(1, 0, message.SyncReply{Ledger: &full, Matches: p.Matches, MatchID: id, Support: &start}); err != nil {
		t.Fatal(err)
	}
	tb.restart(0)
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Mark != 0 || v.MayMove || len(happened[channel.YourTurn](tb.seats[0])) != 0 {
		t.Fatal("a refused match is started")
	}
	if err := tb.move(0, id, Pass); !errors.Is(err, channel.ErrRefused) {
		t.Fatalf("a move in a refused match: %v", err)
	}
	// The stakes can still be given back by consent.
	tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: p.Matches[0].Stakes})
}

// The same from the other side: the seat that refused moves first, and moves. Its position is of no
// match that exists.
func TestAttack_WithheldStart_Refused(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(1, tb.proposal(10))
	p := only[message.Propose](tb.answers(1))[0]
	digest := p.Ledger.Digest(tb.domain)
	if err := tb.says(0, 1, message.Reject{Version: p.Ledger.Version, Digest: digest, Code: message.Refused}); err != nil {
		t.Fatal(err)
	}
	full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: []protocol.Signature{tb.sign(0, digest), p.Signatures[1]}}
	id := p.Matches[0].ID(tb.domain)
	start, err := tb.judge(p.Matches[0]).Start()
	if err != nil {
		t.Fatal(err)
	}
	next := play(t, start, Pass)
	zero, one := tb.signPosition(0, id, 0, start), tb.signPosition(0, id, 1, next)
	support := protocol.Support{Base: start, Moves: [][]byte{{Pass}},
		Signatures: []protocol.SeatSignature{{Signature: zero}, {At: 1, Signature: one}}}
	for _, msg := range []message.Message{
		message.SyncReply{Ledger: &full, Matches: p.Matches, MatchID: id, Support: &support},
		message.Move{MatchID: id, Turn: 1, Move: []byte{Pass}, State: protocol.StateHash(next), Signature: one,
			First: &message.Countersign{MatchID: id, State: protocol.StateHash(start), Signature: zero}},
	} {
		if err := tb.says(0, 1, msg); err != nil {
			t.Fatal(err)
		}
		tb.must(1, channel.Idle{})
		if v := tb.view(1, id); v.Turn != 0 || v.Mark != 0 {
			t.Fatalf("%T: at turn %s with mark %d", msg, v.Turn, v.Mark)
		}
	}
}

// A draw is accepted and its booking signed, and the other side moves on: while it can still
// complete the booking it would only wait and see how the match goes. So nothing is signed in the
// match before a higher ledger has made that impossible.
func TestAttack_LateBooking_Agreement(t *testing.T) {
	tb, id := brokenAgreement(t)
	tb.restart(0)
	if err := tb.move(0, id, Pass); !errors.Is(err, channel.ErrBound) {
		t.Fatalf("a move while the draw can still be booked: %v", err)
	}
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Turn != 2 || v.Mark != protocol.MarkOf(1) || v.MayMove {
		t.Fatalf("turn %s, mark %d", v.Turn, v.Mark)
	}
	again := only[message.Propose](tb.answers(0))
	if len(again) == 0 || len(again[0].Bookings) != 0 || again[0].Ledger.Lock(id) == nil || again[0].Ledger.Version <= tb.seats[0].m.Ledger().Version+1 {
		t.Fatalf("proposed %+v", again)
	}
	digest := again[0].Ledger.Digest(tb.domain)
	for _, seat := range []int{1, 2} {
		if err := tb.says(seat, 0, message.Approve{Version: again[0].Ledger.Version, Digest: digest, Signature: tb.sign(seat, digest)}); err != nil {
			t.Fatal(err)
		}
	}
	tb.mustMove(0, id, Pass)
}

// A seat completes two of the ledgers that its peer proposed in its place, and shows the newest,
// which locks the second match only, by a contest. The first, which was never started, is kept for
// an older ledger that may be paid out; that keeps nobody from learning what is posted.
func TestAttack_WithheldLedger_Released(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(1, tb.proposal(10))
	var last message.Propose
	next := func() message.Propose {
		list := only[message.Propose](tb.answers(1))
		if len(list) == 0 {
			t.Fatal("nothing is proposed")
		}
		last = list[len(list)-1]
		return last
	}
	first := next()
	if err := tb.says(0, 1, message.Reject{Version: 3, Digest: first.Ledger.Digest(tb.domain), Code: message.Superseded, Signed: 4}); err != nil {
		t.Fatal(err)
	}
	tb.must(1, channel.Tick{})
	second := next()
	for _, p := range []message.Propose{first, second} {
		if err := tb.says(0, 1, tb.completed(p)); err != nil {
			t.Fatal(err)
		}
		next()
	}
	posted := onchain.Contested{ChannelID: tb.id, Ledger: *tb.signedByAll(last.Ledger), Deadline: 100}
	for _, final := range []bool{false, true} {
		tb.must(1, channel.ChainSeen{Event: posted, Final: final})
	}
	tb.restart(1)
	tb.must(1, channel.Hold{On: true})
	tb.must(1, channel.Hold{})
	if m := tb.seats[1].m; m.Phase() != channel.InContest || m.Ledger().Version != last.Ledger.Version {
		t.Fatalf("phase %d, ledger %d; %d is posted", m.Phase(), m.Ledger().Version, last.Ledger.Version)
	}
	for _, p := range []message.Propose{first, second} {
		v := tb.view(1, p.Matches[0].ID(tb.domain))
		if locked := last.Ledger.Lock(v.ID) != nil; v.Locked != locked || (v.Mark != 0) != locked {
			t.Errorf("match %v is locked %v, mark %d", p.Ledger.Version, v.Locked, v.Mark)
		}
	}
	unsigned := protocol.Record{Status: protocol.MatchUnsigned, Turn: 1, Clock: 10, Deadline: 110, Marks: make([]protocol.Mark, 2), Spent: make([]uint64, 2)}
	v := tb.view(1, first.Matches[0].ID(tb.domain))
	unsigned.State = protocol.StateHash(v.State)
	tb.must(1, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: v.ID, Record: unsigned}})
}
