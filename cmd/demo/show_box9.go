package main

import "github.com/holiman/uint256"

// box9Show is a table at which time passes. Where mallory is seat 0 she is the house; players have
// no moves.
var box9Show = show{
	params: `{"rounds":2,"margin":20}`,
	keeps:  true,
	risk:   uint256.NewInt(300_000_000_000_000), // three boxes of ten coins
	variants: played(nil, []variant{
		{name: "naming", phase: "naming", tale: "Mallory keeps the table and falls silent when she should name the round's block. The match ends, and everybody has what they had."},
		{name: "betting", phase: "betting", tale: "Mallory keeps the table and falls silent when she should close the bets. They go back."},
		{name: "draw", after: "drawing", bets: true, tale: "Mallory closes the bets and falls silent. The chain draws all the same; then the match ends."},
		{name: "bet", seat: 1, tale: "Mallory plays, and says nothing: not what she bets, nor anything else. A missing bet is a pass, and the rounds go on."},
		{name: "signature", seat: 1, after: "drawing", earns: true, tale: "Mallory bets and won't sign the bets as Alice closed them, to see first what is drawn. Alice has them noted before; they count."},
	}),
}
