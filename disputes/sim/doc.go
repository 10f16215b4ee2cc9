// Package sim plays histories of hostile games: channels in which some seats cheat, in all ways
// there are, and the others are run by the real core (package channel), the real planner and
// watcher (package disputes) and a game's own player side, against the real contracts in a real
// EVM. Nobody honest may lose anything.
//
// A game's own test makes one call:
//
//	func TestHostile(t *testing.T) { sim.Run(t, sim.Config{Game: mygame.Game()}) }
//
// A failure names the seed of its history, who cheated and how, the last step, and what was lost.
// go test -sim.seed=N plays that history alone, step for step as it was, and tells it.
//
// # What a history is
//
// One channel, from its opening to its last payment, with one to some matches in it. Everything is
// in one process and in virtual time: seats talk over package transport/memory, which delays,
// loses, repeats and reorders; blocks are made by package minichain, and the adversary decides what
// comes first in them. All chance comes from the seed: which seats cheat and with what strategies,
// what the network and the chain are like (a reorganisation in some), and what befalls honest
// seats: a crash at some write, some blocks of absence, or a store that is restored from an old
// copy (such a seat signs nothing more, and may lose what it can't answer, but it is never
// convicted). One seed is one history, whatever was played before.
//
// A seat that cheats is an honest seat with hooks: it moves, signs, talks and defends itself as all
// do, but for its one to three strategies (see All). Those that cheat share all that they hold, old
// ledgers and positions and forks above all, and post any of it whenever they like, in front of
// honest transactions, which they see before they are mined and may hold back a little.
//
// # What is checked
//
// After every transaction: the Arena is solvent to the wei (package audit). At the end:
//
//   - nothing is left locked, and no honest seat had to wait for its money until those that cheat
//     fetched theirs;
//   - each honest seat has at least what is due to it, in sum and from the chain for each match:
//     its deposit, and for each match
//     that began, instead of its stake, what the rules give it where the match ended, or, where it
//     did not, what they give it from
//     the last position it knew against opponents who never move again. The rules are asked;
//     nothing is assumed. In matches of
//     three seats or more the newest position that all signed counts if it is worth less, or what
//     others made of that by moves
//     that the seat held nothing better against; and what a seat agreed to counts where it did;
//   - no honest seat was convicted, let its own time run out, or signed two positions of one turn,
//     whoever saw that;
//   - whoever signed two positions of one turn was convicted, where an honest seat held the proof
//     in time;
//   - no match went back behind a position that all its seats had signed, or on for more turns than
//     the game says;
//   - honest transactions are bounded by the seat's own moves on the chain, the clocks that ran out
//     (each costs the expiry, and the
//     Demand after it where the match goes on), and a constant;
//   - nothing panicked, and nobody's records failed to restore.
//
// # Every schedule
//
// Explore leaves nothing to chance: in a small match it tries every order of messages, moves,
// transactions, front-runs, time and crashes up to a number of steps, and checks the same after
// each step, and where a schedule ends, once it is played to the last payment: then no message
// arrives any more and those that cheat fall silent. States that are met again are not tried again.
// A state is the records of every seat, byte for byte, what its process remembers, what waits, the
// block, all that the Arena said and when, and what the adversary and the referee know.
//
//   - deliver A>B, lose A>B: the oldest message of a link;
//   - move S WHAT, think S (countersign), offer, accept, propose, close, tick: players;
//   - ask S (patience is over), exit S: an honest user;
//   - crash S: an honest process dies and comes back from its store;
//   - include S's X: a transaction goes into the block at hand; block ends it; honest transactions
//     wait two blocks at most;
//   - wait until B: to before, at and after each deadline, and to when something is final;
//   - fork K WHAT, show K to S, post K, demand K, contest V, agree K, convict, expire, settle,
//     steal: those that cheat, at once.
//
// In matches of three two may collude. What could be done for ever has an allowance, which is part
// of the state (newNode). The adversary signs with its own keys only: guards against forged
// signatures are held by other tests.
package sim
