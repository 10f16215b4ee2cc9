package box9

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Mask is a bet: bit i for box i+1. A legal one names 1 to 6 boxes.
type Mask uint16

// Boxes is how many boxes there are, and MostBoxes how many of them one bet may name.
const (
	Boxes     = 9
	MostBoxes = 6
)

// Size returns how many boxes the mask names.
func (m Mask) Size() int { return bits.OnesCount16(uint16(m)) }

// Legal reports whether the mask is a bet.
func (m Mask) Legal() bool { return m != 0 && m>>Boxes == 0 && m.Size() <= MostBoxes }

func (m Mask) has(box uint8) bool { return m>>(box-1)&1 == 1 }

// Numbers returns the boxes that the mask names, from 1.
func (m Mask) Numbers() []int {
	list := []int{}
	for box := uint8(1); box <= Boxes; box++ {
		if m.has(box) {
			list = append(list, int(box))
		}
	}
	return list
}

func (m Mask) String() string { return strings.Trim(fmt.Sprint(m.Numbers()), "[]") }

// parseMask reads boxes as people type them: digits, with spaces or commas between them or not.
func parseMask(text string) (m Mask, err error) {
	for _, r := range text {
		switch {
		case r == ' ' || r == ',':
		case r < '1' || r > '9':
			return 0, fmt.Errorf("%w: %q is no box, want 1..9, such as 1 4 7", games.ErrText, r)
		case m.has(uint8(r - '0')):
			return 0, fmt.Errorf("%w: box %c is named twice", games.ErrText, r)
		default:
			m |= 1 << (r - '1')
		}
	}
	if !m.Legal() {
		return 0, fmt.Errorf("%w: want one to %d different boxes of 1..9, such as 1 4 7", games.ErrText, MostBoxes)
	}
	return m, nil
}

// Result is what a block's hash makes of the boxes.
type Result struct {
	Rehash common.Hash // keccak256(hash + price in coins, wrapping)
	Parts  [Boxes]uint32
	Gold   uint8 // box, from 1
	Silver [2]uint8
}

// Draw returns the result of a round at a table whose boxes cost so many coins. Anybody can check a
// round by it, from the hash of its block alone: the hash plus the price is hashed again; of the 64
// hex digits the last is dropped, and the rest are the boxes' numbers, seven digits each. The
// lowest is gold, the next two are silver; ties go to the lower box.
func Draw(hash common.Hash, coins uint32) Result {
	word := new(uint256.Int).SetBytes32(hash[:])
	sum := word.AddUint64(word, uint64(coins)).Bytes32()
	r := Result{Rehash: crypto.Keccak256Hash(sum[:])}
	r.Parts = parts(r.Rehash)
	order := rank(r.Parts)
	r.Gold, r.Silver = order[0], [2]uint8{order[1], order[2]}
	return r
}

// parts cuts a word's first 63 hex digits into nine numbers.
func parts(word common.Hash) (p [Boxes]uint32) {
	digits := word.Hex()[2:]
	for i := range p {
		for _, d := range digits[7*i : 7*i+7] {
			p[i] = p[i]<<4 | uint32(strings.IndexRune("0123456789abcdef", d))
		}
	}
	return p
}

// rank returns the boxes from the lowest number to the highest.
func rank(p [Boxes]uint32) []uint8 {
	order := []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9}
	slices.SortStableFunc(order, func(a, b uint8) int { return int(p[a-1]) - int(p[b-1]) })
	return order
}

// roundEvery is how far apart the blocks are that rounds may draw from: their numbers end in 0.
const roundEvery = 10

// NextRound returns the first block after a given one that a round may draw from.
func NextRound(block uint64) uint64 { return (block/roundEvery + 1) * roundEvery }
