package tower

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAttack_Reorg_Reopened: a reorganisation deeper than the confirmations takes the opening of a
// channel back. Before a seat opens it again it posts an old position, for which the Arena asks no
// opening, and starts the other seat's clock. The tower answers, and goes on taking evidence.
func TestAttack_Reorg_Reopened(t *testing.T) {
	s := besiege(t, nil)
	s.deposit()
	s.mine(2)
	s.start()
	s.entrust()
	e := s.evidenceOf()
	e.Support = s.played(1)
	if r := s.give(1, e); r.Refusal != "" {
		t.Fatal(r.Refusal)
	}
	s.must(s.world.Chain.Rewind(6))
	demand := s.sign(s.seats[1], protocol.Demand{MatchID: s.matchID}.Digest(s.domain))
	s.act(0, onchain.Advance{Terms: s.terms, Match: s.match, Ledger: &s.ledger, Support: *s.support(0, 1), Demand: &demand})
	s.must(s.world.Chain.Mine(4))
	s.act(0, s.toOpen())
	for range 4 {
		s.mine(1)
	}
	if r := s.give(1, message.TowerEvidence{Ledger: s.signed(3), Matches: []protocol.MatchTerms{s.match}}); r.Refusal != "" {
		t.Error(r.Refusal)
	}
	defer s.lock(s.id)()
	settled, err := s.settled(s.id)
	s.must(err)
	if r := settled.Record(s.matchID); r.Turn != protocol.MarkOf(1) {
		t.Errorf("recorded: %+v", r)
	}
}
