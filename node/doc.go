// Package node is the SDK's front door: it composes a channel's core, the network, the chain, the
// disputes and the store into a Node, which a program starts, commands and listens to.
//
// A Node plays for one player. It keeps every channel in a session, which feeds the channel's pure
// core (package channel) one input at a time, makes what the core decided durable in one commit,
// and only then releases messages and events. So a node that is killed at any instant continues,
// after Start on the same store, as if the last input had come or had not.
//
//	n, err := node.Start(ctx, config)   // restores its channels, joins the network, follows the chain
//	id, err := n.Offer(ctx, request)    // the other player accepts; the opening is one transaction
//	err = n.Propose(channelID, match)   // the others approve; the match starts when all have signed its turn 0
//	err = n.Play(matchID, "guess 0123") // one message, one signature
//	err = n.CloseChannel(channelID)     // one transaction pays everybody out
//
// The node reports what happens as durable, numbered Events. When a peer is silent for longer than
// the policy's patience, the node starts its clock on-chain. It sends forced on-chain responses by
// itself, unless they need the player's choice.
//
// All methods are safe for concurrent use and return without waiting for peers or the chain, unless
// they say so.
package node
