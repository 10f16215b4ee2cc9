package disputes

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// Every price that the planner reckons with is measured by the contracts' tests, under the name it
// asks for.
func TestGasIsMeasured(t *testing.T) {
	for i, gas := range []uint64{gasContest, gasSettle, gasClose, gasStart, gasRefute, gasDemand, gasAgree, gasExpire, gasConvict,
		gasConvictNew, gasDispute} {
		if gas <= gasTransaction {
			t.Errorf("price %d is %d: contracts/gas.json doesn't have it", i, gas)
		}
	}
}

// Each move and each lock beyond the first, and each signature beyond the second, adds to what a
// step is expected to cost, and so does proving what nothing is recorded of, and each byte beyond
// the usual.
func TestPricesGrow(t *testing.T) {
	for moves, more := range []uint64{0, 0, gasMove, 2 * gasMove} {
		a := onchain.Advance{Support: protocol.Support{Moves: make([][]byte, moves)}, Ledger: &protocol.SignedLedger{}}
		if got := gasOfAdvance(&a); got != gasStart+more {
			t.Errorf("%d moves: %d gas", moves, got)
		}
		a.Ledger.Signatures, a.Support.Signatures = make([]protocol.Signature, 4), make([]protocol.SeatSignature, 3)
		if got := gasOfAdvance(&a); got != gasStart+more+3*gasSignature {
			t.Errorf("%d moves and 7 signatures: %d gas", moves, got)
		}
		a.Support.Signatures = nil
		a.Record = &protocol.Record{}
		if got := gasOfAdvance(&a); got != gasRefute+more {
			t.Errorf("%d moves beyond a record: %d gas", moves, got)
		}
		a.Support.Base = make([]byte, usualSize+3)
		if got := gasOfAdvance(&a); got != gasRefute+more+3*gasByte {
			t.Errorf("%d moves and %d bytes: %d gas", moves, len(a.Support.Base), got)
		}
	}
}
