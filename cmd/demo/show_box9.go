package main

// box9Show is a table at which time passes. Where mallory falls silent she is the house, because players have no moves.
var box9Show = show{
	params: `{"rounds":2,"margin":20}`,
	keeps:  true,
	variants: played(nil, []variant{
		{name: "naming", phase: "naming", tale: "Mallory keeps the table and falls silent when she should name the round's block. The match ends, and everybody has what they had."},
	}),
}
