// Package message is what nodes say to each other: the messages of a channel's seats, of openings,
// invites and rounds, and between a seat and a tower. Each is plain data. Envelope writes one as
// the protobuf message that the transport carries; FromEnvelope reads it strictly, within the caps
// of package protocol, and shares memory with it.
package message
