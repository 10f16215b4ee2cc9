package main

import "github.com/holiman/uint256"

// splitStealShow seats alice and mallory with a house, which stakes what it adds if both split.
var splitStealShow = show{
	others: []string{"the house"},
	stakes: []uint256.Int{*stake, *stake, *uint256.NewInt(50_000_000_000_000_000)},
	variants: played(nil, []variant{
		hush("commit", "Mallory falls silent when she should choose. She is out, and her bet is alice's."),
		hush("open", "Mallory falls silent when she should open her choice, because she has seen alice's. It is the same."),
	}),
}
