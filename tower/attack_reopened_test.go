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

// TestAttack_Reorg_Closed: a reorganisation deeper than the confirmations takes back what closed a
// channel, while its seat is away, and the other one contests with the first ledger. The tower
// still holds the last, and answers. It forgets the channel a window after it is paid out, or at
// once where there is no room for another seat.
func TestAttack_Reorg_Closed(t *testing.T) {
	for _, full := range []bool{false, true} {
		s := besiege(t, func(c *Config) {
			if full {
				c.Limits.Seats = 1
			}
		})
		s.entrust()
		s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
		s.mine(4)
		if (s.Seats() == 0) != full {
			t.Fatalf("full %t: %d seats", full, s.Seats())
		}
		if full {
			continue
		}
		s.must(s.world.Chain.Rewind(5))
		s.contest(s.first())
		s.mine(4)
		for range 4 {
			s.mine(1)
		}
		unlock := s.lock(s.id)
		settled, err := s.settled(s.id)
		unlock()
		s.must(err)
		if l, _ := settled.Ledger(); l == nil || l.Version != s.ledger.Version {
			t.Fatalf("contested: %+v", l)
		}
		s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
		s.mine(4)
		s.mine(int(s.terms.Window))
		if n := len(s.all()); n != 0 || s.Seats() != 0 {
			t.Errorf("%d things are stored", n)
		}
	}
}
