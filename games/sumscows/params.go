package sumscows

import (
	"encoding/json"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Params are what a match is played under.
type Params struct {
	N       uint8 // letters of the alphabet
	D       uint8 // letters of a list, all different
	Guesses uint8 // the most
	// Amounts, in wei or token units, below 2^128.
	Start, Fee, Prize uint256.Int // to start, for each guess, and for the right one
}

// What bounds a match: a transcript of MaxGuesses lists of MaxLetters fits into a state, and is
// judged in one call.
const (
	MaxLetters = 26
	MaxGuesses = 100
)

var numbers = games.Numbers{
	{Name: "n", Help: "letters of the alphabet", Bytes: 1, Default: 26, Min: 1, Max: MaxLetters},
	{Name: "d", Help: "letters of a list, at most n", Bytes: 1, Default: 10, Min: 1, Max: MaxLetters},
	{Name: "guesses", Help: "most guesses", Bytes: 1, Default: 12, Min: 1, Max: MaxGuesses},
	{Name: "start", Help: "fee to start, in wei or token units", Bytes: 16, Default: 1e15},
	{Name: "fee", Help: "fee for each guess, in wei or token units", Bytes: 16, Default: 1e14},
	{Name: "prize", Help: "prize for the right list, in wei or token units", Bytes: 16, Default: 15e14},
}

// fields are the numbers, of which d is at most n.
var fields games.Params = params{numbers}

type params struct{ games.Numbers }

func (f params) Encode(object json.RawMessage) ([]byte, error) {
	b, err := f.Numbers.Encode(object)
	if err != nil {
		return nil, err
	}
	return b, asParams(b)
}

func (f params) Decode(b []byte) (json.RawMessage, error) {
	if err := asParams(b); err != nil {
		return nil, err
	}
	return f.Numbers.Decode(b)
}

func asParams(b []byte) error {
	if _, err := (rules{}).DecodeParams(b); err != nil {
		return fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return nil
}

// Bytes returns the encoding.
func (p Params) Bytes() []byte {
	small := func(v uint8) *uint256.Int { return uint256.NewInt(uint64(v)) }
	return numbers.Append(nil, small(p.N), small(p.D), small(p.Guesses), &p.Start, &p.Fee, &p.Prize)
}

func (rules) DecodeParams(b []byte) (Params, error) {
	v, err := numbers.Values(b)
	if err != nil {
		return Params{}, err
	}
	p := Params{uint8(v[0].Uint64()), uint8(v[1].Uint64()), uint8(v[2].Uint64()), v[3], v[4], v[5]}
	if p.D > p.N {
		return Params{}, fmt.Errorf("%w: lists of %d different letters out of %d", games.ErrIllegal, p.D, p.N)
	}
	return p, nil
}

// fees returns what so many answered guesses cost, the start included. It cannot overflow.
func (p Params) fees(guesses int) uint256.Int {
	var sum uint256.Int
	sum.Mul(&p.Fee, uint256.NewInt(uint64(guesses)))
	sum.Add(&sum, &p.Start)
	return sum
}

// stakes returns what the seats must stake: the player all fees there may be, the server the prize.
func stakes(params []byte) ([]uint256.Int, error) {
	p, err := rules{}.DecodeParams(params)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return []uint256.Int{p.fees(int(p.Guesses)), p.Prize}, nil
}

// turns returns the most moves of a match: a commitment, guesses and answers, and an opening.
func turns(params []byte) (uint64, error) {
	p, err := rules{}.DecodeParams(params)
	if err != nil {
		return 0, err
	}
	return 2 + 2*uint64(p.Guesses), nil
}
