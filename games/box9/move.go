package box9

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Move is one of the moves below. Which of them a move's bytes are follows from the phase.
type Move interface {
	encode() []byte
	play(c *games.Context, p Params, s State) (State, error)
}

// The moves, in the order of their phases.
type (
	// Name names the round's block: its number ends in 0 and is above the last round's. 0 ends the
	// match.
	Name uint64
	// Close ends the betting with these bets, by ascending seat.
	Close []Bet
	// Reveal is the draw: the hash of the round's block, and the bets that are played.
	Reveal struct {
		Counts Counts
		Hash   common.Hash
		Bets   Masks
	}
)

// Bet is what a seat bets in a round, and its session signer's signature of that.
type Bet struct {
	Seat      uint8
	Mask      Mask
	Signature eip712.Signature
}

// Masks are bets by seat, 0 for none.
type Masks [games.MaxSeats]Mask

// Counts is how a round's draw counts, by what was noted of its bets, and who is known to have
// signed the position that closed them.
type Counts uint8

// How a draw counts.
const (
	Void Counts = iota // bets go back: it can't be shown that they were closed in time
	// noted by the contract before the block, or, if the chain's clock ran out, signed by the house
	// and all who bet
	Counted
	Whole // signed by every seat: what was rolled is played for too
)

const betSize = 1 + 2 + 65

var betType = crypto.Keccak256Hash([]byte("Bet(bytes32 matchId,uint32 round,uint16 mask)"))

// BetDigest returns what a seat's session signer signs to bet.
func BetDigest(c *games.Context, round uint8, m Mask) common.Hash {
	var b [4 * 32]byte
	copy(b[:], betType[:])
	copy(b[32:], c.MatchID[:])
	b[95] = round
	binary.BigEndian.PutUint16(b[126:], uint16(m))
	return eip712.Digest(c.Domain, crypto.Keccak256Hash(b[:]))
}

func (m Name) encode() []byte { return binary.BigEndian.AppendUint64(nil, uint64(m)) }

func (m Close) encode() []byte {
	b := []byte{}
	for i := range m {
		b = append(b, m[i].encode()...)
	}
	return b
}

func (m Reveal) encode() []byte {
	bets := m.Bets.word()
	return append(append([]byte{byte(m.Counts)}, m.Hash[:]...), bets[:]...)
}

// word has seat i's mask in bits 16i..16i+15.
func (m *Masks) word() (w common.Hash) {
	for seat, mask := range m {
		binary.BigEndian.PutUint16(w[30-2*seat:], uint16(mask))
	}
	return w
}

func masksOf(word common.Hash) (m Masks) {
	for seat := range m {
		m[seat] = Mask(binary.BigEndian.Uint16(word[30-2*seat:]))
	}
	return m
}

// encode is also what a player tells the house.
func (b *Bet) encode() []byte {
	out := binary.BigEndian.AppendUint16([]byte{b.Seat}, uint16(b.Mask))
	return append(out, b.Signature[:]...)
}

func decodeBet(b []byte) Bet {
	return Bet{b[0], Mask(binary.BigEndian.Uint16(b[1:])), eip712.Signature(b[3:])}
}

func (rules) EncodeMove(m Move) []byte { return m.encode() }

func (rules) DecodeMove(s State, b []byte) (Move, error) {
	switch {
	case s.Phase == Naming && len(b) == 8:
		return Name(binary.BigEndian.Uint64(b)), nil
	case s.Phase == Betting && len(b)%betSize == 0:
		m := Close{}
		for ; len(b) > 0; b = b[betSize:] {
			m = append(m, decodeBet(b[:betSize]))
		}
		return m, nil
	case s.Phase == Drawing && len(b) == 65:
		return Reveal{Counts(b[0]), common.Hash(b[1:33]), masksOf(common.Hash(b[33:]))}, nil
	}
	return nil, games.BadMove("%d bytes in phase %d", len(b), s.Phase)
}
