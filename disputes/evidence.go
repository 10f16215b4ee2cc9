package disputes

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// lean omits from a transaction the ledger signatures that the Arena has seen, or is about to see
// in the same transaction: a contested ledger was found signed by all, so it shows its locks
// without them. That saves about 9,000 gas for each match. The contest goes first then. If somebody
// contests with a higher ledger meanwhile, the transaction fails; failed steps are sent alone, with
// all signatures.
func (p *planner) lean(o *Order) {
	posted, _ := p.Chain.Ledger()
	if i := slices.IndexFunc(o.Steps, contests); i >= 0 {
		contest := o.Steps[i]
		ledger := contest.Action.(onchain.ContestLedger).Ledger
		posted = &ledger
		o.Steps = slices.Insert(slices.Delete(o.Steps, i, i+1), 0, contest)
	} else if slices.ContainsFunc(p.steps, contests) || slices.ContainsFunc(p.plan.Underway, contests) {
		return // another transaction is about to replace it
	}
	if posted == nil {
		return
	}
	bare := &protocol.SignedLedger{Ledger: posted.Ledger}
	for i := range o.Steps {
		if a, ok := o.Steps[i].Action.(onchain.Advance); ok && a.Record == nil && posted.Lock(o.Steps[i].MatchID) != nil {
			a.Ledger = bare
			o.Steps[i].Action = a
		}
	}
}

func contests(s Step) bool {
	_, ok := s.Action.(onchain.ContestLedger)
	return ok
}
