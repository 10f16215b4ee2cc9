// Package protocol is what the seats of a channel sign, and what that is worth: the terms of a
// channel and of a match, the ledger, the position, their EIP-712 digests, and the Judge, who says
// about a Support what the Arena would say. It has no state, does no I/O and reads no clock. Chain,
// transport, tower and the machine of a seat (package channel) all build on it.
//
// Beside it: message is what peers say to each other, encoding how what is signed is written in
// protobuf, onchain what is asked of the Arena and what it logs, matchmaking what players sign to
// find each other.
//
// # Turns, marks and ranks
//
// A Turn counts the moves of a match; every expiry on-chain begins a new epoch. A Mark is a turn
// plus one, 0 for none: it is how the Arena stores turns. A Rank orders supported positions by the
// highest turn that all seats agreed to, and then by their own turn: see Rank.Outranks, and the
// Solidity twin Ranks.outranks.
//
// # Errors
//
// Errors about terms and ledgers wrap ErrTerms, about signatures ErrSignature, about evidence
// ErrSupport; what breaks a game's rules wraps games.ErrIllegal.
package protocol
