// Package tower answers on-chain for seats that are away.
//
// A seat gives its tower the newest ledger that all seats signed, and what it can prove of the
// matches that the ledger locks. The tower follows the chain. When somebody posts an older ledger
// or an older position, it posts the newer one in time, by the same planner and watcher (package
// disputes) as the seat's own node would.
//
// # What it can't do
//
// It holds no key of any seat, so it can start neither a contest nor a clock, nor make a move.
// Whatever it sends, the Arena pays the seats only. The worst that a tower can do is nothing.
//
// # What it takes, and from whom
//
// A tower takes evidence of a channel whose opening is final, from one of its seats: a peer that
// proved the account of the seat's player or signer. Each piece is verified in full, as the Arena
// would, and replaces what the same seat gave before only if it ranks higher. What one seat gives
// never replaces what another gave. Sizes, rates and the number of seats are bounded, so that
// strangers can't fill the disk. Each answer is a receipt, which the tower signs.
//
// # What it remembers
//
// Everything is in its store: the chain's logs of the channels that are open, the evidence, the
// receipts' content. In memory it holds only the channels in which something is due. When a
// channel's payout is final, the tower drops it.
package tower
