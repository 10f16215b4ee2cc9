package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// copied is a channel of two with a match in which it is seat 0's turn, at turn 2.
type copied struct {
	*table
	id    common.Hash
	start channel.MatchView
}

func newCopied(t *testing.T) copied {
	tb := openTable(t, 2)
	id := tb.match(0)
	for seat := range 2 {
		tb.mustMove(seat, id, Pass)
		tb.deliverAll()
	}
	return copied{tb, id, tb.view(0, id)}
}

// moved is the state after a move from turn 2, and what seat 0's other copy signed of it.
func (c copied) moved(move byte) ([]byte, protocol.Signature) {
	state := play(c.t, c.start.State, move)
	return state, c.signPosition(0, c.id, 3, state)
}

// support shows that move, from the position that both signed before it.
func (c copied) support(move byte) *protocol.Support {
	_, sig := c.moved(move)
	s := *c.start.Support
	s.Moves = append(append([][]byte(nil), s.Moves...), []byte{move})
	s.Signatures = append(append([]protocol.SeatSignature(nil), s.Signatures...), protocol.SeatSignature{At: uint16(len(s.Moves)), Signature: sig})
	return &s
}

// ledger is the next one of seat 1, signed by both, of which seat 0's records know nothing.
func (c copied) ledger() *protocol.SignedLedger {
	l := c.seats[0].m.Ledger().Ledger
	l.Version += 3
	return c.signedByAll(l)
}

// shownCopies are all the ways by which seat 0 can come to see what another copy of it signed.
func (c copied) shownCopies() map[string]channel.Input {
	state, sig := c.moved(Keep)
	hash, l, seen := protocol.StateHash(state), c.ledger(), c.seats[0].m.Ledger()
	says := func(m message.Message) channel.Input { return channel.Received{From: 1, Message: m} }
	a := protocol.Agreement{MatchID: c.id, Turn: 2, Payouts: c.start.Terms.Stakes}
	consent := message.AgreementSignature{Agreement: a, Signature: c.sign(0, a.Digest(c.domain))}
	agreed := c.signedAgreement(a, 0, 1)
	counter := message.Countersign{MatchID: c.id, Turn: 3, State: hash, Signature: sig}
	approved := l.Digest(c.domain)
	recorded := protocol.Record{Status: protocol.MatchLive, Turn: 4, State: hash, Mover: 0, Marks: []protocol.Mark{4, 3}}
	evidence := message.TowerEvidence{Ledger: seen, MatchID: c.id}
	with := func(f func(*message.TowerEvidence)) channel.Input {
		e := evidence
		f(&e)
		return channel.Shown{Evidence: e}
	}
	other, fork := c.moved(Pass)
	return map[string]channel.Input{
		"a sync, with a support":    says(message.SyncReply{MatchID: c.id, Support: c.support(Keep)}),
		"a sync, with a ledger":     says(message.SyncReply{Ledger: l}),
		"a sync, with a proposal":   says(message.SyncReply{Pending: &message.Propose{Ledger: l.Ledger, Signatures: l.Signatures, Base: seen.Version}}),
		"a sync, with an agreement": says(message.SyncReply{MatchID: c.id, Support: c.start.Support, Agreements: []message.AgreementSignature{consent}}),
		"a proposal":                says(message.Propose{Ledger: l.Ledger, Signatures: l.Signatures, Base: seen.Version}),
		"a booking":                 says(c.booking(l.Version, protocol.Booking{MatchID: c.id, Turn: 2, Payouts: a.Payouts, Agreement: agreed})),
		"an approval":               says(message.Approve{Version: l.Version, Digest: approved, Signature: c.sign(0, approved)}),
		"an approval, with a start": says(message.Approve{Version: l.Version, Digest: approved, Signature: c.sign(1, approved), Starts: []message.Countersign{counter}}),
		"a move":                    says(message.Move{MatchID: c.id, Turn: 3, Move: []byte{Keep}, State: hash, Signature: sig}),
		"a move, with a first word": says(message.Move{MatchID: c.id, Turn: 3, Move: []byte{Keep}, State: hash, Signature: c.sign(1, approved), First: &counter}),
		"a countersignature":        says(counter),
		"an offer":                  says(consent),
		"a tower's support":         with(func(e *message.TowerEvidence) { e.Support = c.support(Keep) }),
		"a tower's ledger":          channel.Shown{Evidence: message.TowerEvidence{Ledger: *l}},
		"a tower's agreement":       with(func(e *message.TowerEvidence) { e.Agreement = agreed }),
		"a tower's proof": with(func(e *message.TowerEvidence) {
			e.Proofs = []protocol.Equivocation{{MatchID: c.id, Turn: 3, States: [2]common.Hash{hash, protocol.StateHash(other)}, Signatures: [2]protocol.Signature{sig, fork}}}
		}),
		"a contest":            channel.ChainSeen{Event: onchain.Contested{ChannelID: c.id0(), Ledger: *l, Deadline: 100}},
		"a record":             channel.ChainSeen{Event: onchain.Recorded{ChannelID: c.id0(), MatchID: c.id, Support: c.support(Keep), Record: recorded}},
		"a recorded agreement": channel.ChainSeen{Event: onchain.Recorded{ChannelID: c.id0(), MatchID: c.id, Agreement: agreed, Record: recorded}},
		"a conviction": channel.ChainSeen{Final: true, Event: onchain.Recorded{ChannelID: c.id0(), MatchID: c.id, Guilty: 1, Reason: onchain.Equivocated,
			Record: protocol.Record{Status: protocol.MatchFinal, Turn: 4, Flagged: 1, Payouts: numbers(0, 200)}}},
	}
}

func (c copied) id0() common.Hash { return c.table.id }

// TestAttack_OldBackup_Recognised: whatever shows that another copy of a seat's records signed
// something freezes the channel for good, also where the input itself is refused. The seat is told
// once, signs nothing more, not after a restart either, and takes over what all signed.
func TestAttack_OldBackup_Recognised(t *testing.T) {
	for name := range newCopied(t).shownCopies() {
		t.Run(name, func(t *testing.T) {
			c := newCopied(t)
			in := c.shownCopies()[name]
			shown := c.ledger().Version
			mark, was := c.view(0, c.id).Mark, c.seats[0].m.Ledger().Version
			c.must(0, in)
			found := happened[channel.OldCopyFound](c.seats[0])
			if len(found) != 1 || found[0] == (channel.OldCopyFound{}) || !c.seats[0].m.Restored() {
				t.Fatalf("told %+v, frozen %v", found, c.seats[0].m.Restored())
			}
			_ = c.step(0, in)
			c.restart(0)
			for _, try := range []channel.Input{channel.MakeMove{MatchID: c.id, Turn: 2, Move: []byte{Pass}}, c.proposal(1), channel.CloseChannel{},
				channel.Concede{MatchID: c.id, Turn: 2}, channel.Idle{}, channel.Tick{}} {
				_ = c.step(0, try)
			}
			m, l := c.view(0, c.id), c.seats[0].m.Ledger()
			if v, _ := c.seats[0].m.Signed(); m.Mark != mark || v > was || len(happened[channel.OldCopyFound](c.seats[0])) != 1 {
				t.Errorf("signed up to %s and ledger %d, told %d times", upTo(m.Mark), v, len(happened[channel.OldCopyFound](c.seats[0])))
			}
			if l.Version != was && l.Version != shown {
				t.Errorf("ledger %d", l.Version)
			}
		})
	}
}

// TestAttack_OldBackup_Adopted: what comes with such a proof is held as evidence, where it is
// signed by all.
func TestAttack_OldBackup_Adopted(t *testing.T) {
	c := newCopied(t)
	full := c.ledger()
	c.must(0, c.shownCopies()["a sync, with a ledger"])
	c.must(0, c.shownCopies()["a sync, with a support"])
	if v, l := c.view(0, c.id), c.seats[0].m.Ledger(); v.Turn != 3 || l.Version != full.Version {
		t.Errorf("turn %s, ledger %d", v.Turn, l.Version)
	}
}

// TestAttack_OldBackup_RecognisedLater: the seat has gone on since, at the very turn at which its
// other copy signed something else, or past it; or it can't follow the match without its rules.
func TestAttack_OldBackup_RecognisedLater(t *testing.T) {
	for name, x := range map[string]struct {
		before func(copied)
		in     func(copied) channel.Input
	}{
		"an older move": {
			func(c copied) { c.mustMove(0, c.id, Keep); c.mustMove(0, c.id, Keep) },
			func(c copied) channel.Input {
				return channel.Received{From: 1, Message: message.SyncReply{MatchID: c.id, Support: c.support(Pass)}}
			},
		},
		"another agreement of the turn": {
			func(c copied) {
				c.must(0, channel.OfferAgreement{MatchID: c.id, Turn: 2, Payouts: numbers(60, 140)})
			},
			func(c copied) channel.Input { return channel.Received{From: 1, Message: c.agreed(c.id, 2, 0, 70, 130)} },
		},
		"the base, without the rules": {
			func(c copied) { c.withRules(0, nil) },
			func(c copied) channel.Input {
				state, sig := c.moved(Pass)
				s := &protocol.Support{Turn: 3, Base: state, Signatures: []protocol.SeatSignature{{Signature: sig}}}
				return channel.Received{From: 1, Message: message.SyncReply{MatchID: c.id, Support: s}}
			},
		},
	} {
		c := newCopied(t)
		x.before(c)
		c.must(0, x.in(c))
		if len(happened[channel.OldCopyFound](c.seats[0])) != 1 || !c.seats[0].m.Restored() {
			t.Errorf("%s: the other copy is not seen", name)
		}
	}
}

// TestAttack_OldBackup_OtherFork: a peer moved twice, and we hold the move that outranks the one
// that we signed. Our signature of the one that we hold is another copy's.
func TestAttack_OldBackup_OtherFork(t *testing.T) {
	e, v := waitingThree(t)
	tb, id := e.table, v.ID
	shows := func(moves ...signedMove) {
		s := e.support(1, v.State, []int{0, 1, 2}, moves...)
		tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: s}})
	}
	shows(by(Keep, 1))
	tb.must(0, channel.Idle{})
	shows(signedMove{[]byte{Keep, 1}, []int{1}}, by(Pass, 1))
	if got := tb.view(0, id); got.Turn != 3 || got.Mark != protocol.MarkOf(2) {
		t.Fatalf("turn %s, signed up to %s", got.Turn, upTo(got.Mark))
	}
	other := play(t, v.State, Keep, 1)
	tb.must(0, channel.Received{From: 1, Message: message.Countersign{MatchID: id, Turn: 2, State: protocol.StateHash(other),
		Signature: tb.signPosition(0, id, 2, other)}})
	if !tb.seats[0].m.Restored() {
		t.Error("the other copy is not seen")
	}
}

// TestAttack_OldBackup_NeverFollowed: a match whose rules were gone before all had signed that it
// begins has no positions here. Another copy that has the rules plays in it all the same.
func TestAttack_OldBackup_NeverFollowed(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(100))
	p := only[message.Propose](tb.answers(0))[0]
	if err := tb.says(0, 1, p); err != nil {
		t.Fatal(err)
	}
	tb.withRules(1, nil)
	if err := tb.says(0, 1, tb.completed(p)); err != nil {
		t.Fatal(err)
	}
	e := tb.evidenceOf(p.Matches[0])
	id := e.judge.MatchID()
	tb.heard("all signed that it begins", 0, 1, message.SyncReply{MatchID: id, Support: e.support(0, e.start, []int{0, 2})}, nil)
	if v := tb.view(1, id); v.State != nil || tb.seats[1].m.Restored() {
		t.Fatalf("follows it to %x", v.State)
	}
	tb.must(1, channel.Received{Message: message.SyncReply{MatchID: id, Support: e.support(1, play(t, e.start, Pass), both)}})
	if !tb.seats[1].m.Restored() {
		t.Error("the other copy is not seen")
	}
}

// TestOwnSignaturesAreKnown: a seat's own signatures, shown to it, say nothing as long as its
// records account for them.
func TestOwnSignaturesAreKnown(t *testing.T) {
	c := newCopied(t)
	old := c.start.Support
	for range 4 {
		c.must(0, channel.OfferAgreement{MatchID: c.id, Turn: c.view(0, c.id).Turn, Payouts: numbers(60, 140)})
		offer := only[message.AgreementSignature](c.answers(0))[0]
		// which takes its place
		c.must(0, channel.OfferAgreement{MatchID: c.id, Turn: c.view(0, c.id).Turn, Payouts: numbers(70, 130)})
		for _, msg := range []message.Message{offer, message.SyncReply{MatchID: c.id, Support: old}, message.SyncReply{MatchID: c.id, Support: c.view(1, c.id).Support}} {
			c.must(0, channel.Received{From: 1, Message: msg})
		}
		for seat := range 2 {
			c.mustMove(seat, c.id, Pass)
			c.deliverAll()
		}
		c.must(0, channel.Received{From: 1, Message: offer})
		c.restart(0)
	}
	full := c.seats[0].m.Ledger()
	c.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: full, MatchID: c.id, Support: c.view(1, c.id).Support}})
	c.must(0, channel.ChainSeen{Event: onchain.Contested{ChannelID: c.table.id, Ledger: full, Deadline: 100}, Final: true})
	if c.seats[0].m.Restored() {
		t.Error("frozen")
	}
}

// TestKnownSupportIsNotReplayed: evidence of what a seat holds costs it no replay, whoever signed
// it and however often it comes.
func TestKnownSupportIsNotReplayed(t *testing.T) {
	c := newCopied(t)
	var plays int
	c.withRules(0, played{n: &plays})
	c.mustMove(0, c.id, Keep)
	c.deliverAll()
	c.must(1, channel.Idle{})
	c.deliverAll() // seat 1 signed it, too
	c.mustMove(0, c.id, Keep)
	s := c.view(0, c.id).Support
	if len(s.Moves) == 0 || plays == 0 {
		t.Fatalf("%d moves to play, %d played", len(s.Moves), plays)
	}
	plays = 0
	c.heard("known", 1, 0, message.SyncReply{MatchID: c.id, Support: s}, nil)
	if plays > 0 {
		t.Errorf("played %d times", plays)
	}
}

// TestAttack_OldBackup_PlaysOn: an old copy of a seat's data makes another move at a turn that the
// peer has already. When the peer hears of it, it says what it has, and the copy stops.
func TestAttack_OldBackup_PlaysOn(t *testing.T) {
	for _, seats := range []int{2, 3} {
		tb := openTable(t, seats)
		id := tb.match(0)
		old := tb.records(0)
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		tb.reload(0, old)
		tb.audit = newAuditor() // which would say that seat 0 signs twice
		tb.mustMove(0, id, Keep)
		tb.deliverAll()
		tb.must(0, channel.Connected{Seat: 1})
		tb.deliverAll()
		if !tb.seats[0].m.Restored() || len(happened[channel.OldCopyFound](tb.seats[0])) != 1 {
			t.Errorf("%d seats: the copy plays on", seats)
		}
	}
}

// TestAttack_BadRules_Equivocation: a stranger's rules end a match by a verdict in the very words
// in which the Arena convicts. It freezes no channel, nor the other matches in it.
func TestAttack_BadRules_Equivocation(t *testing.T) {
	c := newCopied(t)
	c.mustMove(0, c.id, Pass)
	c.deliverAll()
	c.mustMove(1, c.id, Win)
	e := c.posted(1, c.id, 10)
	e.Record.Status, e.Record.Payouts, e.Guilty, e.Reason = protocol.MatchFinal, numbers(0, 200), 1, onchain.Equivocated
	c.chain(e, 0)
	if c.seats[0].m.Restored() {
		t.Error("the channel signs nothing any more")
	}
}
