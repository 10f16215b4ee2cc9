// Package transport is how nodes reach each other. It names what a transport tells its node
// (Handler), what it knows of a peer (Peer) and why things fail; the transports themselves are
// package p2p, over libp2p, and package memory, within a process and step by step. Both pass the
// suite in package transporttest. Messages look the same on both (package wire).
//
// # Accounts
//
// Peers are known by Ethereum account. Before the first message each side proves its own: it signs
// a fresh challenge of the other's, together with its libp2p peer id and an expiry, as an EIP-712
// PeerBinding under the chain's and Arena's domain. So an account in a Handler's call is one whose
// key the peer holds, and a peer of another chain or Arena is never let in. What a message claims
// is proved by the signatures in it, not by who brought it: the account says whom to answer, and
// whose fault nonsense is.
//
// # Life of a peer
//
// Keep names an account with its addresses. From then on it is dialled whenever it isn't connected,
// with pauses that grow from half a second to a minute, and it has a place that strangers can't
// take. Without addresses it has to dial us. An account that nobody keeps may connect too, as long
// as there is room and it isn't silent for long: that is how an offer reaches a player who has
// never heard of its maker.
//
// Who can't be dialled is reached through a relay. As soon as a direct way is found a new stream
// takes it.
//
// Each new stream is announced by Connected. Then messages flow both ways; when the last stream is
// gone Disconnected says why. Forget ends it.
//
// # What is promised
//
//   - A message arrives at most once, whole and decoded, from the account that sent it.
//   - While nothing is announced, messages arrive in the order in which they were sent, or not at
//     all if the stream breaks.
//   - Whatever breaks is announced by Connected or Disconnected: there the node syncs what may be
//     lost.
//   - Send never waits. What can't be queued is refused with an error.
//   - One peer's flood, silence or slowness costs that peer, and nobody else.
//
// # What is not
//
//   - That a message for which Send returned nil arrives. Nothing is stored, acknowledged or sent
//     again: the protocol's
//     messages are idempotent, and its answers are its acknowledgements.
//   - That accounts are few, or their peers honest. Accounts cost nothing.
//   - Secrecy from the network of who talks to whom, when and how much. What is said is encrypted.
package transport
