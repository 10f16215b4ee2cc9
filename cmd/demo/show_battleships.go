package main

var battleshipsShow = show{variants: played(
	[]variant{
		{name: "answer", seat: 1, liar: "hides a ship that was hit", params: `{"trusting":1}`,
			tale: "Answers are trusted, and Mallory denies every hit. No fleet fits; opening hers proves the lie. (By default a false answer has no proof and is no move.)"},
		{name: "fleet", seat: 1, liar: "places a fleet that is none", tale: "Mallory leaves out a cell of her fleet, so that it can't all be hit. She has to open it in the end."},
	},
	[]variant{
		hush("call", "Mallory falls silent when she should place her fleet and call the coin."),
		hush("shoot", "Mallory falls silent when she should shoot."),
		hush("answer", "Mallory falls silent when she should say whether a ship is hit."),
	},
)}
