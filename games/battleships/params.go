package battleships

import "github.com/ante-games/ante/games"

// Params are what a match is played under: one byte.
type Params struct {
	Trusting uint8 // 1: answers carry no proof, and are judged when their author opens its board
}

var fields = games.Numbers{
	{Name: "trusting", Help: "1: answers are believed until the boards are opened", Bytes: 1, Max: 1},
}

// Bytes returns the encoding.
func (p Params) Bytes() []byte { return []byte{p.Trusting} }

func (rules) DecodeParams(b []byte) (Params, error) {
	if _, err := fields.Values(b); err != nil {
		return Params{}, err
	}
	return Params{b[0]}, nil
}

// maxMoves is three for the coin, two for each of 128 shots, and two opened boards.
const maxMoves = 3 + 2*128 + 2

func turns(params []byte) (uint64, error) {
	_, err := rules{}.DecodeParams(params)
	return maxMoves, err
}
