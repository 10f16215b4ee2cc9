package main

import "github.com/holiman/uint256"

// sumsCowsShow has alice guess (seat 0), and mallory serve (seat 1) where she lies.
var sumsCowsShow = show{
	params: `{"n":6,"d":3,"guesses":6,"start":"10000000000000000","fee":"5000000000000000","prize":"60000000000000000"}`,
	stakes: []uint256.Int{*uint256.NewInt(40_000_000_000_000_000), *uint256.NewInt(60_000_000_000_000_000)},
	variants: played(
		[]variant{
			{name: "result", seat: 1, liar: "answers falsely", tale: "Mallory, the server, answers the first guess falsely. She has to open her list in the end."},
			{name: "found", seat: 1, liar: "hides that the list is found", params: `{"n":2,"d":2,"guesses":1,"prize":"2000000000000000"}`,
				tale: "Mallory says of the hidden list that its letters are in another order."},
			{name: "rubbish", seat: 1, liar: "commits to what is no list", tale: "Mallory commits to what is no list of letters. She has to open it in the end."},
		},
		[]variant{
			hush("commit", "Mallory, the server, never hides a list. She loses all that she staked."),
			hush("answer", "Mallory, the server, does not answer a guess. The player claims failure on-chain, and wins."),
			hush("open", "Mallory, the server, won't open her list. She loses, whatever she has answered."),
			{name: "guess", seat: 0, phase: "guess", tale: "Mallory, the player, disappears. The server opens its list on-chain, and keeps the fees so far."},
		},
	),
}
