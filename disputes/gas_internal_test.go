package disputes

import "testing"

// Every price that the planner reckons with is measured by the contracts' tests, under the name it asks for.
func TestGasIsMeasured(t *testing.T) {
	for i, gas := range []uint64{gasContest, gasSettle, gasClose, gasStart, gasRefute, gasDemand, gasAgree, gasExpire, gasConvict,
		gasConvictNew, gasDispute} {
		if gas <= gasTransaction {
			t.Errorf("price %d is %d: contracts/gas.json doesn't have it", i, gas)
		}
	}
}
