package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/contracts"
)

// TestChecklist_Mastermind_17_TotalGas: what a match costs when a channel is opened and closed for
// it alone, against the totals of EtherMind's report (its table of a whole match). The moves
// themselves cost nothing, however many there are. TestGas holds the numbers to what the contracts
// use.
func TestChecklist_Mastermind_17_TotalGas(t *testing.T) {
	const (
		sixGuesses    = 3_492_864 // four rounds of 6 guesses: 62 transactions
		twelveGuesses = 5_951_880 // four rounds of 12: 110 transactions
	)
	gas := contracts.Gas
	for name, c := range map[string]struct {
		uses, original, least uint64
	}{
		"money in the bank before and after, 6 guesses":  {gas["open_2"] + gas["close_2_bank"], sixGuesses, 20},
		"money in the bank before and after, 12 guesses": {gas["open_2"] + gas["close_2_bank"], twelveGuesses, 40},
		"from two wallets into the bank, 6 guesses":      {gas["deposit_eth_first"] + gas["open_2_value"] + gas["close_2_bank"], sixGuesses, 20},
		"from two wallets into two wallets, 6 guesses":   {gas["happy_cold"], sixGuesses, 19},
		"a match that ends in a dispute, 6 guesses":      {gas["open_2"] + gas["dispute_full"] + gas["settle"], sixGuesses, 10},
	} {
		if c.uses == 0 || c.uses*c.least > c.original {
			t.Errorf("%s: %d gas, %d / %d of the original's", name, c.uses, c.original, c.uses)
		}
		t.Logf("%s: %d gas, the original's is %d.%d times that", name, c.uses, c.original/c.uses, c.original*10/c.uses%10)
	}
}
