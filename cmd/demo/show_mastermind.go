package main

import "maps"

// mastermindShow has, besides what mastermind is about, what is the same for all games.
var mastermindShow = show{variants: with(played(
	[]variant{
		answers("round 1", 0, "Mallory lies about a guess in round 1 and, when her code is opened, hides. The opening proves the lie."),
		answers("round 2", 1, "The same in round 2."),
		answers("round 3", 2, "The same in round 3."),
		answers("round 4", 3, "The same in round 4, the last: the original could not dispute it."),
		{name: "rubbish", seat: 1, liar: "commits to what is no code", tale: "Mallory commits to what is no code. She has to open it in the end."},
		{name: "accuser", seat: 1, liar: "disputes a true answer", params: `{"dispute":1,"rounds":1}`,
			tale: "Answers convict only if they are disputed, and Mallory disputes a true one."},
	},
	[]variant{
		{name: "ready", seat: 1, tale: "Mallory agrees to play but never says that she is there. Nobody can lose what was not begun: stakes go back."},
		hush("commit", "Mallory falls silent when she should hide a code. Her clock is started on-chain and runs out."),
		hush("guess", "Mallory falls silent when she should guess."),
		hush("feedback", "Mallory falls silent when she should answer."),
		hush("reveal", "Mallory falls silent when she should open her code."),
		{name: "settlement", seat: 1, tale: "The match is over, and Mallory won't sign the ledger that books it."},
		{name: "closing", seat: 1, tale: "All is booked, and Mallory won't sign the closing ledger."},
	},
), map[string][]variant{
	"stale": {
		{name: "ledger", seat: 1, tale: "Mallory loses, disappears, and posts the ledger from before her loss."},
		{name: "position", seat: 1, tale: "Mallory posts an old position of the match and starts Alice's clock on it."},
	},
	"equivocator": {{seat: 1, tale: "Mallory signs two different moves at one turn. The two signatures are the proof."}},
	"crash":       {{seat: 1, tale: "Bob's node is another process. It is killed with SIGKILL in the middle of the match, started again, and goes on."}},
})}

func answers(name string, round uint32, tale string) variant {
	return variant{name: name, seat: 1, liar: "hides that the code was found", round: round, tale: tale}
}

// hush is the silence of seat 1 at a phase of the game.
func hush(phase, tale string) variant { return variant{name: phase, seat: 1, phase: phase, tale: tale} }

func with(a, b map[string][]variant) map[string][]variant {
	maps.Copy(a, b)
	return a
}
