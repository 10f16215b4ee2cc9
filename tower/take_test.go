package tower

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestUnsignedStart: a turn 0 that no seat signed proves nothing, so it isn't kept.
func TestUnsignedStart(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	e := s.evidenceOf()
	e.Support = s.support()
	if r := s.give(1, e); r.Match(s.matchID).Turn != 0 {
		t.Errorf("an unsigned turn 0 is held: %+v", r)
	}
	e.Support = s.support(0, 1)
	if r := s.give(1, e); r.Match(s.matchID).Turn != protocol.MarkOf(0) {
		t.Errorf("a signed turn 0 is not held: %+v", r)
	}
}

// TestAgreementRank: of the agreements to end a match, the newest is kept.
func TestAgreementRank(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	for _, turn := range []protocol.Turn{9, 5} {
		e := s.evidenceOf()
		e.Agreement = s.agreement(turn)
		if r := s.give(1, e); r.Match(s.matchID).Agreement != protocol.MarkOf(9) {
			t.Errorf("after the agreement at turn %s: %+v", turn, r)
		}
	}
	held, _, err := s.stored(matchKey(s.id, 1, s.matchID))
	s.must(err)
	if held.Agreement == nil || held.Agreement.Turn != 9 {
		t.Errorf("held: %+v", held.Agreement)
	}
}

// TestStoreMark: the mark of a seat's store counts if the seat itself signed it, whichever way it
// comes.
func TestStoreMark(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	mark := func(k *protocol.Key, generation uint64) message.StoreMark {
		m, err := message.SignStoreMark(s.domain, s.id, generation, k)
		s.must(err)
		return m
	}
	generation := func() uint64 {
		h, err := s.holding(s.id, 1)
		s.must(err)
		return h.Mark.Generation
	}
	e := message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}, Mark: mark(s.seats[0], 7)}
	if r := s.give(1, e); !strings.Contains(r.Refusal, "store mark") || generation() != 0 {
		t.Errorf("another seat's mark: %q, generation %d", r.Refusal, generation())
	}
	e.Mark = mark(s.seats[1], 7)
	if r := s.give(1, e); r.Refusal != "" || generation() != 7 {
		t.Errorf("its own mark: %q, generation %d", r.Refusal, generation())
	}
	s.post.taken()
	handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, message.TowerAsk{Mark: mark(s.seats[0], 9)}))
	if generation() != 7 {
		t.Errorf("another seat's mark with a question: generation %d", generation())
	}
}

// TestEvidenceOutlastsADispute: evidence whose seat was silent for too long stays while something
// is due in its channel.
func TestEvidenceOutlastsADispute(t *testing.T) {
	const later = 1 << 30 // in the Arena's clock
	s := besiege(t, nil)
	s.entrust()
	// newer than what the tower holds: nothing to refute, and something to wait for
	s.contest(s.signed(3))
	s.mine(1)
	s.must(s.sweep(later))
	if s.Seats() != 1 {
		t.Error("evidence was dropped in a dispute")
	}
	quiet := besiege(t, nil)
	quiet.entrust()
	quiet.must(quiet.sweep(later))
	if quiet.Seats() != 0 {
		t.Error("evidence of a silent seat is kept for ever")
	}
}

// TestUnderway: while a transaction of the tower's waits in the pool, its channel is looked at in
// every block.
func TestUnderway(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.contest(s.first())
	s.must(s.Wait(t.Context(), func() (bool, error) { return s.Head().Block >= s.world.Chain.Head(), nil }))
	list, err := s.Transactions(10)
	s.must(err)
	if len(list) != 1 {
		t.Fatalf("%d transactions against an old ledger", len(list))
	}
	// the transaction is under way, and nothing else to order
	s.must(s.sit(t.Context(), s.id, s.Tower.now()))
	s.mu.Lock()
	c := s.disputes[s.id]
	s.mu.Unlock()
	if c == nil || !c.stirred {
		t.Error("a step that is under way is forgotten")
	}
	s.mine(2)
	if n := s.Counts().Answered; n != 1 {
		t.Errorf("%d answers landed", n)
	}
}

// TestShownWhole: a seat that asks to be shown all is told what is held after it was shown that. If
// it can't be, it is told to ask again.
func TestShownWhole(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	for _, full := range []bool{true, false} {
		s.post.taken()
		s.post.full = full
		handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, message.TowerAsk{Show: true}))
		said := s.post.taken()
		r, ok := said[len(said)-1].(message.TowerReceipt)
		if busy := strings.Contains(r.Refusal, ErrBusy.Error()); !ok || busy != full || full != (len(said) == 1) {
			t.Errorf("the queue is full: %t: it says %+v", full, said)
		}
	}
}

// TestRankedByWhatIsFinal: evidence on top of a recorded position is taken once that is final, and
// no more when it is undone.
func TestRankedByWhatIsFinal(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.contest(s.ledger)
	s.mine(2)
	from := func(moves int) string {
		e := s.evidenceOf()
		e.Support = s.played(moves)
		e.Support.Signatures = slices.DeleteFunc(e.Support.Signatures, func(sig protocol.SeatSignature) bool { return sig.At == 0 || sig.Seat == 1 })
		return s.give(1, e).Refusal
	}
	if from(1) == "" {
		t.Error("taken before anything is recorded")
	}
	s.act(0, onchain.Advance{Terms: s.terms, Match: s.match, Ledger: &s.ledger, Support: *s.support(0, 1)})
	s.mine(2)
	if why := from(1); why != "" {
		t.Error(why)
	}
	for _, e := range slices.Backward(s.events(chain.Undone)) {
		if _, recorded := e.Event.(onchain.Recorded); recorded {
			s.must(s.happened(&e))
		}
	}
	if from(2) == "" {
		t.Error("taken though nothing is recorded any more")
	}
}
