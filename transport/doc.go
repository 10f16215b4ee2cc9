// Package transport defines how nodes reach each other: what a transport tells its node (Handler),
// what it knows of a peer (Peer) and why calls fail. Package p2p implements it over libp2p, package
// memory within a process, step by step. Both pass the suite in package transporttest and encode
// messages alike (package wire).
//
// # Accounts
//
// Peers are known by Ethereum account. Before the first message each side proves its own: it signs
// a fresh challenge of the other's, together with its libp2p peer id and an expiry, as an EIP-712
// PeerBinding under the chain's and Arena's domain. So a Handler's calls name an account whose key
// the peer holds, and a peer of another chain or Arena is never admitted. The signatures in a
// message prove what it claims, not its sender: the account says whom to answer, and who is to
// blame for nonsense.
//
// # Life of a peer
//
// Keep names an account with its addresses. From then on the transport dials it whenever it isn't
// connected, with pauses that grow from half a second to a minute, and reserves a place for it.
// Without addresses it has to dial us. An account that is not kept may connect too, as long as
// there is room and it isn't silent for long: so an offer can come from a player who was unknown
// before.
//
// A peer that can't be dialled is reached through a relay. As soon as a direct connection is found,
// a new stream uses it.
//
// Each new stream is announced by Connected. Then messages flow both ways; when the last stream is
// gone Disconnected says why. Forget ends it.
//
// # What is promised
//
//   - A message arrives at most once, whole and decoded, from the account that sent it.
//   - While nothing is announced, messages arrive in the order in which they were sent, or not at
//     all if the stream breaks.
//   - Every break is announced by Connected or Disconnected; the node then syncs what may be lost.
//   - Send never waits. What can't be queued is refused with an error.
//   - One peer's flood, silence or slowness costs that peer, and nobody else.
//
// # What is not
//
//   - That a message for which Send returned nil arrives. Nothing is stored, acknowledged or sent
//     again: the protocol's messages are idempotent, and its answers are its acknowledgements.
//   - That accounts are few, or their peers honest. Accounts cost nothing.
//   - Secrecy from the network of who talks to whom, when and how much. What is said is encrypted.
package transport
