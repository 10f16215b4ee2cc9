// Package wire is how Ante's messages look on a stream: each is a protobuf message preceded by its
// length in bytes as an unsigned varint. Every byte may come from an enemy, so reading is strict:
//
//   - a length above the cap is refused before anything is allocated, and a buffer grows only as
//     bytes arrive, so that announcing much costs the announcer as much as it costs us;
//   - a message is checked against its schema before it is decoded: unknown fields, wrong wire
//     types, a field given twice that exists once, numbers too wide for theirs, nesting beyond the
//     schema's and more than MaxFields fields are refused. Protobuf would skip, merge, truncate or
//     accept them, and turn two bytes into two hundred of memory.
//
// Nothing here panics on any input, and nothing keeps state between calls but a Reader its buffer.
// The bytes are transport only: what is signed is never them (package protocol).
package wire

import (
	"errors"
	"fmt"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// MaxMessage is the most bytes of one Envelope without its length. The largest message that
	// can't be split is the SyncReply about one match among 16 seats: a ledger with 64 locks, a
	// proposal for the next one, and the match's support with a base of games.MaxState and 24 moves
	// of games.MaxMove, every position signed by every seat; that is below 256 KiB
	// (TestLargestMessage adds it up). A longer sync goes in several messages, match by match.
	MaxMessage = 256 << 10

	// MaxHandshake is the most bytes of a Handshake or a HandshakeProof: what a stranger may send
	// before it has proved an account. Most of it is the signature of a deputy by a contract
	// wallet.
	MaxHandshake = 1024

	// MaxFields is the most fields of one message, those of its parts included. It bounds what a
	// message costs to decode: a few megabytes at most, where MaxMessage bytes of empty parts would
	// cost tens.
	MaxFields = 16 << 10
)

var (
	// ErrTooLarge is wrapped by errors about messages above their cap, sent or received.
	ErrTooLarge = errors.New("message too large")

	// ErrMalformed is wrapped by errors about bytes that are no message of the schema.
	ErrMalformed = errors.New("malformed message")

	errEmpty = fmt.Errorf("%w: an Envelope without a body", ErrMalformed)
)

// Frame returns a message with its length before it, ready to be written. It fails with ErrTooLarge
// above max bytes.
func Frame(m proto.Message, max int) ([]byte, error) {
	n := proto.Size(m)
	if n > max {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, n, max)
	}
	frame, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(appendLength(make([]byte, 0, n+maxLength), n), m)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return frame, nil
}

// Envelope decodes an Envelope of at most MaxMessage bytes, and refuses one without a body.
func Envelope(b []byte) (*antev1.Envelope, error) {
	env := new(antev1.Envelope)
	if err := Unmarshal(b, env); err != nil {
		return nil, err
	}
	if env.Body == nil {
		return nil, errEmpty
	}
	return env, nil
}

// FrameEnvelope returns an Envelope with its length before it. It fails with ErrTooLarge above
// MaxMessage and with ErrMalformed when there is no body, or text that isn't UTF-8.
func FrameEnvelope(env *antev1.Envelope) ([]byte, error) {
	if env.GetBody() == nil {
		return nil, errEmpty
	}
	return Frame(env, MaxMessage)
}

// Unmarshal decodes a message without its length into m, which must be empty. It fails with
// ErrMalformed on everything that a node of this schema would not have sent. m keeps no reference
// to b.
func Unmarshal(b []byte, m proto.Message) error {
	fields := MaxFields
	if err := check(b, m.ProtoReflect().Descriptor(), &fields); err != nil {
		return err
	}
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}
