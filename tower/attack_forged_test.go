package tower

import (
	"math"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAttack_ForgedEvidence_Agreement: both seats agreed to a draw. One of them gives the tower an
// agreement of a turn that there can't be, which nobody signed, with evidence that is valid, and
// starts the other one's clock. The tower answers with what both signed.
func TestAttack_ForgedEvidence_Agreement(t *testing.T) {
	s := besiege(t, nil)
	honest, forged := s.evidenceOf(), s.evidenceOf()
	honest.Support, honest.Agreement = s.support(0, 1), s.agreement(0)
	forged.Support = s.support(0, 1)
	forged.Agreement = &protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: s.matchID, Turn: math.MaxUint64, Payouts: s.match.Stakes}}
	for seat, e := range []message.TowerEvidence{honest, forged} {
		if r := s.give(seat, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); r.Refusal != "" {
			t.Fatal(r.Refusal)
		}
		if r := s.give(seat, e); (seat == 1) != strings.Contains(r.Refusal, ErrRefused.Error()) {
			t.Errorf("seat %d is told %q", seat, r.Refusal)
		}
	}
	demand := s.sign(s.seats[1], protocol.Demand{MatchID: s.matchID}.Digest(s.domain))
	s.act(1, onchain.Advance{Terms: s.terms, Match: s.match, Ledger: &s.ledger, Support: *s.support(0, 1), Demand: &demand})
	for range 3 {
		s.mine(1)
	}
	defer s.lock(s.id)()
	settled, err := s.settled(s.id)
	s.must(err)
	if r := settled.Record(s.matchID); r.Status != protocol.MatchAgreed {
		t.Errorf("the match's status is %d", r.Status)
	}
}

// TestAttack_ForgedEvidence_Endless: an agreement of a turn that there can't be is refused, though
// both seats signed it: the Arena doesn't take it.
func TestAttack_ForgedEvidence_Endless(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	e := s.evidenceOf()
	e.Agreement = s.agreement(math.MaxUint64)
	if r := s.give(1, e); !strings.Contains(r.Refusal, ErrRefused.Error()) {
		t.Errorf("answered %q", r.Refusal)
	}
}
