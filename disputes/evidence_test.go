package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol/onchain"
)

// What the Arena has seen, or sees earlier in the same transaction, is not proved again: a match is
// posted beside the contest of the ledger that locks it, or after it, without that ledger's
// signatures. What must hold by itself keeps them.
func TestLedgerIsProvedOnce(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*disputes.Case, disputes.Plan)
		bare   bool
	}{
		{"in one transaction", func(*disputes.Case, disputes.Plan) {}, true},
		{"contested before", func(c *disputes.Case, _ disputes.Plan) {
			c.Chain.Happened(2, onchain.Contested{ChannelID: c.Ledger.ChannelID, Ledger: *c.Ledger, Deadline: 1_000_000})
		}, true},
		{"failed before", func(c *disputes.Case, last disputes.Plan) {
			c.Failed = map[string]bool{}
			for _, o := range last.Orders {
				for _, k := range o.Keys() {
					c.Failed[k] = true
				}
			}
		}, false},
		{"with a contest on its way", func(c *disputes.Case, last disputes.Plan) {
			c.Pending = map[string]bool{}
			for _, s := range last.Orders[0].Steps {
				if _, ok := s.Action.(onchain.ContestLedger); ok {
					c.Pending[s.Key] = true
				}
			}
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := overCase(t, 1)
			tc.change(c, c.Plan())
			posted := 0
			for _, o := range c.Plan().Orders {
				for i, s := range o.Steps {
					switch a := s.Action.(type) {
					case onchain.ContestLedger:
						if i > 0 || len(a.Ledger.Signatures) == 0 {
							t.Errorf("the contest is step %d, with %d signatures", i, len(a.Ledger.Signatures))
						}
					case onchain.Advance:
						posted++
						if bare := len(a.Ledger.Signatures) == 0; bare != tc.bare {
							t.Errorf("the ledger comes with %d signatures", len(a.Ledger.Signatures))
						}
					}
				}
			}
			if posted != 1 {
				t.Errorf("the match is posted %d times", posted)
			}
		})
	}
}
