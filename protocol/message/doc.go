// Package message is what nodes say to each other: the messages of a channel's seats, of openings,
// invites and rounds, and between a seat and a tower. Each is plain data. Envelope writes one as
// the protobuf message that the transport carries; FromEnvelope reads it strictly, within the caps
// of package protocol, and shares memory with it.
//
// One more field or kind begins in wire.proto (make proto). Then come message.go, encode.go,
// decode.go, the test's wholeMessages, and who takes it: package channel, or node/route.go with its
// row in node/budgets.go. Older peers refuse it and ban its sender, so the number in
// transport/p2p's protocolID grows, and the one in docs/protocol.md. What records.proto imports,
// and TowerEvidence, also lies in stores: see store/lineage.go.
package message
