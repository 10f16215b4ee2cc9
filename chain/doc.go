// Package chain connects Ante to an EVM chain: it reads the chain, follows an Arena's logs, and
// gets transactions mined before their deadlines. It speaks plain JSON-RPC, to any node or to
// package devnet's chain in the same process.
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
// A Client checks the chain id before the first call and again after every failure. If there is a
// second endpoint, the client uses it when the first is down, stuck or refuses, sends transactions
// to both, and compares the two. One that lags raises an alarm. Nothing is final until both have
// it, unless one is down or stuck. Errors name endpoints without path and credentials.
//
// # Two endpoints
//
// An event is reported as seen as soon as one endpoint shows it. An answer to an invented one is
// refused by the other endpoint, or fails in a block and costs a fee, until so many have that the
// first one is not believed alone. Where they differ about whether one failed, the receipts of its
// block decide, which the hash that both have proves. What can't be undone waits for both:
//
//   - An opening, a posted position, an expiry, a closing or a payment is final when the second
//     endpoint has the block with the same logs, and both heads are deep enough above it. A node
//     that believed one endpoint alone could play for money that was never locked, sign in an epoch
//     that never began, or drop a channel's evidence while its money is still in the Arena.
//   - A hash that draws a round is used once both have the block. What rules draw by is used once
//     both told it, also while one is down: it is stored for ever.
//   - What is to be signed or sent before a block goes by the higher of both heads, since who is
//     late could sign bets when their draw is known. An invented one only keeps its node from it.
//   - The lower head, with the earlier time, decides which records count as signed by all and which
//     evidence is dropped. The newest head decides on answers, expiries and alarms: the chain
//     refuses what comes too early, while a missed deadline is lost.
//   - A transaction has landed when both have its receipt in one block, or one has and the other
//     was not heard for Config.MaxAge, being down or refusing receipts. Until then the transaction
//     is sent at every block, which costs nothing, and priced again as long as one says that its
//     nonce is unused.
//
// The client waits for an endpoint that is behind as long as its newest block is younger than
// Config.MaxAge, however many blocks it lacks, since whoever invents a branch can invent a longer
// one. With an older newest block the endpoint is stuck, and the other is believed alone, as when
// it is down. If the two contradict each other nothing becomes final, and what the first one shows
// is seen. Reading stops mostAhead blocks above the newest block that is final, or that both have
// no more than the window above. A second endpoint that takes long for each answer, or tells little
// at once, delays what needs both, and nothing else. If the first one does, an alarm says so.
//
// # Follower
//
// A Follower tells each event once as Seen, and later once as Final or as Undone. It asks for logs
// by block and does not rely on subscriptions, which fail on plain HTTP and overflow. It keeps
// nothing between calls: Next takes a cursor and returns the next one, which Keep stores once the
// reader has taken in everything before it. Events that a reorganisation could change are stored
// before they are reported, and after a crash reported again unchanged, whatever the chain says by
// then. So no event is missed, and none that did not happen stays. The reader recognises a repeated
// event by its log's place. The cursor remembers the hashes and logs of the newest blocks, to undo
// them when they leave the chain; Keep stores the logs beside the cursor, because only the blocks'
// gas bounds them. Blocks deeper than that are asked for in ranges. A Reach has the newest block,
// for deadlines, and the newest that both endpoints have, for what can't be undone.
//
// # Sender
//
// A Sender owns the nonces of one account. It stores a transaction before it sends it, sends it
// again at every step, raises its price as its deadline comes near, within limits, replaces it by
// an empty transfer when it has become pointless, fills gaps, and sends again what a reorganisation
// undid. Of two requests under one key it sends one. It refuses what the contract would refuse, or
// the account cannot pay, before that costs anything.
//
// The tip is the endpoint's suggestion, plus the same again for each quarter of the time to the
// deadline that has passed. If two endpoints differ, the lower suggestion counts, from the second
// quarter on, or once it has waited for long, the higher. The fee cap is twice the base fee plus
// the tip. A transaction that waits is replaced when the market is above its bid, and all versions
// that may land are kept. A transaction is as urgent as the most urgent one behind it, because the
// chain takes an account's transactions in order. The gas limit is a quarter above the chain's
// estimate, as far as a transaction may have so much; what is refused, or cancelled, is estimated
// again.
//
// # Time
//
// Deadlines are in the Arena's clock, blocks or seconds, and always compared with what the chain
// says: the local clock is used only to notice an endpoint that is stuck, and to pace polling.
//
// # Alarms
//
// Config.Alarm reports what a person must know, once when it begins and once when it is over. The
// Fault is one of the error types of this package and says what to do.
package chain
