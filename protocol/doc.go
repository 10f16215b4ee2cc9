// Package protocol defines what the seats of a channel sign and how it is judged: the terms of a
// channel and of a match, the ledger, the position, their EIP-712 digests, and the Judge, which
// judges a Support as the Arena does. It has no state, does no I/O and reads no clock. Chain,
// transport, tower and the machine of a seat (package channel) all build on it.
//
// Its subpackages: message has the messages between peers, encoding the protobuf form of what is
// signed, onchain the Arena's calls and logs, matchmaking what players sign to find each other.
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
