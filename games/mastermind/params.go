package mastermind

import "github.com/ante-games/ante/games"

// Params are what a match is played under: six bytes, in this order.
type Params struct {
	Pegs    uint8 // of a code
	Colours uint8
	Rounds  uint8
	Guesses uint8 // the most in a round
	Bonus   uint8 // points for a code that was not found
	Dispute uint8 // 1: a false answer convicts only if the breaker disputes it
}

// MaxGuesses is the largest value of Params.Guesses.
const MaxGuesses = 32

var fields = games.Numbers{
	{Name: "pegs", Help: "pegs of a code", Bytes: 1, Default: 4, Min: 1, Max: 5},
	{Name: "colours", Help: "colours of a peg", Bytes: 1, Default: 6, Min: 2, Max: 8},
	{Name: "rounds", Help: "rounds, the roles alternate", Bytes: 1, Default: 4, Min: 1, Max: 16},
	{Name: "guesses", Help: "most guesses in a round", Bytes: 1, Default: 12, Min: 1, Max: MaxGuesses},
	{Name: "bonus", Help: "points for a code that was not found", Bytes: 1, Default: 6, Max: 255},
	{Name: "dispute", Help: "1: false answers convict only if disputed", Bytes: 1, Max: 1},
}

// Bytes returns the encoding.
func (p Params) Bytes() []byte {
	return []byte{p.Pegs, p.Colours, p.Rounds, p.Guesses, p.Bonus, p.Dispute}
}

func (rules) DecodeParams(b []byte) (Params, error) {
	if _, err := fields.Values(b); err != nil {
		return Params{}, err
	}
	return Params{b[0], b[1], b[2], b[3], b[4], b[5]}, nil
}

// turns returns the most moves of a match: three for the coin, and in each round a commitment,
// guesses and answers, an opening, and a dispute or pass.
func turns(params []byte) (uint64, error) {
	p, err := rules{}.DecodeParams(params)
	if err != nil {
		return 0, err
	}
	return 3 + uint64(p.Rounds)*(2+2*uint64(p.Guesses)+uint64(p.Dispute)), nil
}
