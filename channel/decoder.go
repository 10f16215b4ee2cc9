package channel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrMessage is wrapped by every error about a message that no honest peer sends: wrong lengths, leading zeros, too many
// of something.
var ErrMessage = errors.New("malformed message")

// Caps of what one message may hold. They keep every message below 256 KiB.
const (
	// MaxLocks is the most matches that a ledger may lock at once.
	MaxLocks = 64
	// MaxNew is the most matches that one ledger may lock anew.
	MaxNew = 16
	// MaxText is the most bytes of a text for people.
	MaxText = 200
	// MaxRun is the most moves that a match goes on while a seat has signed none of them. In a match of two it goes on for as
	// many again from each position that the Arena has recorded for good.
	MaxRun = 32

	maxPlayerSignature = 4096 // of an ERC-1271 wallet
)

// decoder turns wire fields into values and keeps the first error, so that a message reads as a list of its fields.
type decoder struct{ err error }

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: "+format, append([]any{ErrMessage}, args...)...)
	}
}

// need reports whether a submessage is there.
func (d *decoder) need(there bool, what string) bool {
	if !there {
		d.fail("%s is missing", what)
	}
	return there && d.err == nil
}

func (d *decoder) hash(b []byte, what string) (h common.Hash) {
	if len(b) != len(h) {
		d.fail("%s has %d bytes, want 32", what, len(b))
		return h
	}
	return common.Hash(b)
}

func (d *decoder) address(b []byte, what string) (a common.Address) {
	if len(b) != len(a) {
		d.fail("%s has %d bytes, want 20", what, len(b))
		return a
	}
	return common.Address(b)
}

func (d *decoder) amount(b []byte, what string) (v uint256.Int) {
	if len(b) > 32 || len(b) > 0 && b[0] == 0 {
		d.fail("%s is not an amount of at most 32 bytes without leading zeros", what)
		return v
	}
	v.SetBytes(b)
	return v
}

func (d *decoder) amounts(list [][]byte, what string) []uint256.Int {
	return decodeAll(d, list, games.MaxSeats, what, d.amount)
}

func (d *decoder) addresses(list [][]byte, what string) []common.Address {
	return decodeAll(d, list, games.MaxSeats, what, d.address)
}

func (d *decoder) signature(b []byte, what string) (s Signature) {
	s, err := ParseSignature(b)
	if err != nil {
		d.fail("%s: %w", what, err)
	}
	return s
}

// signatures reads signatures of which some may be missing.
func (d *decoder) signatures(list [][]byte, what string) []Signature {
	return decodeAll(d, list, games.MaxSeats, what, func(b []byte, what string) Signature {
		if len(b) == 0 {
			return Signature{}
		}
		return d.signature(b, what)
	})
}

func (d *decoder) seat(v uint32) uint8 {
	if v >= games.MaxSeats {
		d.fail("seat %d, at most %d", v, games.MaxSeats-1)
	}
	return uint8(v)
}

func (d *decoder) mask(v uint32) uint16 {
	if v > math.MaxUint16 {
		d.fail("mask %#x names more than %d seats", v, games.MaxSeats)
	}
	return uint16(v)
}

func (d *decoder) bytes(b []byte, most int, what string) []byte {
	if len(b) > most {
		d.fail("%s has %d bytes, at most %d", what, len(b), most)
		return nil
	}
	return b
}

func (d *decoder) text(s, what string) string {
	if len(s) > MaxText || !utf8.ValidString(s) {
		d.fail("%s is not at most %d bytes of UTF-8", what, MaxText)
		return ""
	}
	return s
}

func decodeAll[P, T any](d *decoder, list []P, most int, what string, decode func(P, string) T) []T {
	if len(list) > most {
		d.fail("%d of %s, at most %d", len(list), what, most)
	}
	out := slices.Grow([]T(nil), min(len(list), most))
	for i := 0; i < len(list) && d.err == nil; i++ {
		out = append(out, decode(list[i], what))
	}
	return out
}
