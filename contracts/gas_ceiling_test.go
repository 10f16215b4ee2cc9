package contracts_test

import "testing"

// ceilings are the most gas that each step may use under Osaka, whatever else changes.
var ceilings = map[string]uint64{
	"deposit_eth_first": 47_000,
	"open_2":            72_000, // both from the bank
	"open_2_value":      67_000, // the sender's stake comes with the call
	"close_2_bank":      62_000,
	"close_2_push":      68_000,
	"resize_2":          102_000, // a close and an open
	"contest":           63_000,
	"settle":            60_000,  // one lock
	"advance_start":     112_000, // with ledger evidence and Demand
	"advance_refute":    70_000,
	"advance_forced":    61_000,
	"advance_over":      79_000, // a reveal after twelve guesses
	"expire":            46_000,
	"convict":           56_000,
	"happy_cold":        182_000, // one deposits, the other opens with value, pushed close
	"happy_warm":        133_000, // from and to the bank
	"exit_onesided":     110_000, // contest and settle
	"dispute_full":      235_000, // batched: contest, advance, expire, settle
}

func TestGasCeilings(t *testing.T) {
	used := measureGas(t)
	for name, most := range ceilings {
		got, ok := used[name]
		if !ok {
			t.Errorf("%s is not measured", name)
		}
		if got > most {
			t.Errorf("%s uses %d gas, %d more than its ceiling of %d", name, got, got-most, most)
		}
	}
}
