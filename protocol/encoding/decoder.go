package encoding

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrMessage is wrapped by every error about a message that no honest peer sends: wrong lengths,
// leading zeros, too many of something.
var ErrMessage = errors.New("malformed message")

// Decoder turns wire fields into values and keeps the first error, so that a message reads as a
// list of its fields.
type Decoder struct{ Err error }

// Fail notes an error, unless one is noted already.
func (d *Decoder) Fail(format string, args ...any) {
	if d.Err == nil {
		d.Err = fmt.Errorf("%w: "+format, append([]any{ErrMessage}, args...)...)
	}
}

// Need reports whether a submessage is there.
func (d *Decoder) Need(there bool, what string) bool {
	if !there {
		d.Fail("%s is missing", what)
	}
	return there && d.Err == nil
}

// Hash reads a hash of exactly 32 bytes.
func (d *Decoder) Hash(b []byte, what string) (h common.Hash) {
	if len(b) != len(h) {
		d.Fail("%s has %d bytes, want 32", what, len(b))
		return h
	}
	return common.Hash(b)
}

// Address reads an address of exactly 20 bytes.
func (d *Decoder) Address(b []byte, what string) (a common.Address) {
	if len(b) != len(a) {
		d.Fail("%s has %d bytes, want 20", what, len(b))
		return a
	}
	return common.Address(b)
}

// Amount reads an amount of at most 32 bytes without leading zeros.
func (d *Decoder) Amount(b []byte, what string) (v uint256.Int) {
	if len(b) > 32 || len(b) > 0 && b[0] == 0 {
		d.Fail("%s is not an amount of at most 32 bytes without leading zeros", what)
		return v
	}
	v.SetBytes(b)
	return v
}

// Amounts reads at most one amount a seat.
func (d *Decoder) Amounts(list [][]byte, what string) []uint256.Int {
	return DecodeAll(d, list, games.MaxSeats, what, d.Amount)
}

// Addresses reads at most one address a seat.
func (d *Decoder) Addresses(list [][]byte, what string) []common.Address {
	return DecodeAll(d, list, games.MaxSeats, what, d.Address)
}

// Signature reads a signature in its strict form.
func (d *Decoder) Signature(b []byte, what string) (s protocol.Signature) {
	s, err := protocol.ParseSignature(b)
	if err != nil {
		d.Fail("%s: %w", what, err)
	}
	return s
}

// Signatures reads signatures of which some may be missing.
func (d *Decoder) Signatures(list [][]byte, what string) []protocol.Signature {
	return DecodeAll(d, list, games.MaxSeats, what, func(b []byte, what string) protocol.Signature {
		if len(b) == 0 {
			return protocol.Signature{}
		}
		return d.Signature(b, what)
	})
}

// Seat reads the number of a seat.
func (d *Decoder) Seat(v uint32) uint8 {
	if v >= games.MaxSeats {
		d.Fail("seat %d, at most %d", v, games.MaxSeats-1)
	}
	return uint8(v)
}

// Mask reads a bit mask of seats.
func (d *Decoder) Mask(v uint32) uint16 {
	if v > math.MaxUint16 {
		d.Fail("mask %#x names more than %d seats", v, games.MaxSeats)
	}
	return uint16(v)
}

// Bytes reads at most so many bytes.
func (d *Decoder) Bytes(b []byte, most int, what string) []byte {
	if len(b) > most {
		d.Fail("%s has %d bytes, at most %d", what, len(b), most)
		return nil
	}
	return b
}

// Text reads a text for people.
func (d *Decoder) Text(s, what string) string {
	if len(s) > protocol.MaxText || !utf8.ValidString(s) {
		d.Fail("%s is not at most %d bytes of UTF-8", what, protocol.MaxText)
		return ""
	}
	return s
}

// DecodeAll reads a list of at most so many values, each by decode.
func DecodeAll[P, T any](d *Decoder, list []P, most int, what string, decode func(P, string) T) []T {
	if len(list) > most {
		d.Fail("%d of %s, at most %d", len(list), what, most)
	}
	out := slices.Grow([]T(nil), min(len(list), most))
	for i := 0; i < len(list) && d.Err == nil; i++ {
		out = append(out, decode(list[i], what))
	}
	return out
}
