package main

import "github.com/holiman/uint256"

// show is how a game is put on the stage.
type show struct {
	params string        // of its matches, as JSON: what is left out takes its default
	stakes []uint256.Int // by seat, in wei; none: a tenth of an ether each
	// who sits at the table beside alice and mallory, by seat from 2: honest, too
	others []string
	// who falls silent keeps what it has: there is nobody that it would owe the rest
	keeps    bool
	risk     *uint256.Int         // the most, in wei, that alice can lose at play where she bets
	variants map[string][]variant // what mallory does, by scenario
}

// variant is one of the things that mallory does in a scenario.
type variant struct {
	name   string
	tale   string // what happens, for a newcomer
	seat   int    // mallory's; the other of the first two is alice's
	liar   string // what she does of the game's Liars
	round  uint32 // in which, from 0
	phase  string // at which she falls silent
	after  string // phase that her last word leads to, if that has to reach alice
	bets   bool   // alice's bets are played for
	earns  bool   // alice ends with more than she staked
	params string // other than the show's
}

// shows are how each game is shown, by name.
var shows = map[string]show{
	"battleships":    battleshipsShow,
	"box9":           box9Show,
	"mastermind":     mastermindShow,
	"split-or-steal": splitStealShow,
	"sums-and-cows":  sumsCowsShow,
}

// played are the variants that every game has.
func played(lies, silences []variant) map[string][]variant {
	return map[string][]variant{
		"honest": {{seat: 1, tale: "All play by the rules. The channel costs two transactions beyond the deposits: open and close."}},
		"liar":   lies,
		"silent": silences,
	}
}
