// Package chain is everything that Ante asks of an EVM chain: it reads it, follows what an Arena
// says, and gets transactions mined before their deadlines. It speaks plain JSON-RPC, to a node
// anywhere or to package devnet's chain in the same process; there is no difference.
//
// # Life cycle
//
//	client, err := chain.Dial(ctx, chain.Config{URL: "https://…", Second: "https://…", ChainID: 1})
//	arena, err := chain.OpenArena(ctx, client, address)
//	follower, err := chain.NewFollower(client, chain.FollowConfig{Arena: address, From: birth, Decode: codec.Decode})
//	sender, err := chain.NewSender(client, chain.SenderConfig{Signer: signer, Store: store, Now: arena.Now, Explain: codec.Explain})
//	err = follower.Keep(ctx, store, "cursor", chain.Reader{Happened: …, Reached: …}) // Reached calls sender.Step
//
// # Client
//
// A Client checks the chain id before the first call and again after every failure. With a second
// endpoint it falls back on it when the first is down, stuck or refuses, sends transactions to
// both, and compares: one that lags raises an alarm; nothing is final that not both have, unless
// one is down or stuck. Errors name endpoints without path and credentials.
//
// # Two endpoints
//
// What is seen is reported on the word of the endpoint that is read: an answer to nothing costs
// nothing, because the chain refuses it. What can't be taken back waits for both:
//
//   - An opening, a posted position, an expiry, a closing, a payment is final when the second
//     endpoint has the block with the
//     same logs, and both heads are deep enough above it. Believing one alone could lose a game for
//     money that was never
//     locked, a signature in an epoch that nobody began, or a channel's evidence while its money
//     still lies in the Arena.
//   - The hash that draws a chance move or a round is used when both have the block.
//   - The lower head, with the earlier time, decides what all are held to have signed and what
//     evidence is dropped. The newest
//     head decides on answers, expiries and alarms: what comes too early is refused, and a deadline
//     that passes is lost.
//   - A transaction has landed when both have its receipt in one block. One that refuses receipts
//     is not asked. Until then it
//     is sent at every block, which costs nothing.
//
// An endpoint that is behind is awaited for as long as its newest block is younger than
// Config.MaxAge: no number of blocks ends that, since whoever invents a branch can invent a longer
// one. An older one is stuck, and the other is believed alone, as when it is down. If the two
// contradict each other nothing becomes final. Reading goes no further than mostAhead blocks above
// the newest that is final or at both.
//
// # Follower
//
// A Follower tells each event once as Seen, and later once as Final or as Undone. It asks for logs
// by block, never relying on subscriptions, which fail on plain HTTP and overflow. It keeps nothing
// in memory or on disk: Next takes a cursor and returns the next one, which Keep stores once
// everything before it is taken in. What it is about to tell is durable before, and told again as
// it was after a crash, whatever the chain says by then: so no event is missed, and none stands
// that did not happen. What is told again is known by its log's place. The cursor remembers the
// hashes and logs of the newest blocks, to undo them when they leave the chain; Keep has the logs
// beside it in its store, for nothing but the blocks' gas bounds them. Blocks deeper than that are
// asked for in ranges. A Reach tells the newest block, for what must be in time, and the newest
// that both endpoints have, for what can't be taken back.
//
// # Sender
//
// A Sender owns the nonces of one account. It stores a transaction before it sends it, sends it
// again at every step, raises its price as its deadline comes near, within limits, replaces it by
// an empty transfer when it has become pointless, fills gaps, and sends again what a reorganisation
// undid. Asked twice under one key it sends once. What the contract would refuse, or the account
// cannot pay, is refused before it costs anything.
//
// The tip is the one that the endpoint suggests, once more for each quarter of the time to the
// deadline that has passed; of two endpoints' tips the lower, and the higher from the second
// quarter on. The fee cap is twice the base fee plus the tip. A transaction that waits is replaced
// when the market is above its bid, and all versions that may land are kept. It is as urgent as the
// most urgent one behind it, because the chain takes an account's transactions in order.
//
// # Time
//
// Deadlines are in the Arena's clock, blocks or seconds, and always compared with what the chain
// says: the local clock is used only to notice an endpoint that is stuck, and to pace polling.
//
// # Alarms
//
// What a person must know is told through Config.Alarm, once when it begins and once when it is
// over. The Fault is one of the error types of this package and says what to do.
package chain
