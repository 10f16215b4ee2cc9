package splitsteal

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// rounds are shuffled and played in pairs; the house pays the subsidy of each.
type rounds struct{}

func (rounds) Groups() games.Groups { return games.Groups{Fewest: 2, Most: 2, Shuffled: true} }

func (rounds) Announce(params []byte) []byte {
	params = slices.Clone(params)
	params[len(params)-1] = games.House
	return params
}

func (rounds) Check(announced []byte) error {
	p, err := rules{}.DecodeParams(announced)
	if err == nil && p.House != games.House {
		err = fmt.Errorf("%w: the house of a round has seat %d", games.ErrParams, games.House)
	}
	return err
}

func (rounds) Params(announced []byte, _ []uint8) ([]byte, error) { return announced, nil }

func (rounds) House(announced []byte, stakes []uint256.Int) (*uint256.Int, error) {
	p, err := rules{}.DecodeParams(announced)
	if err != nil {
		return nil, err
	}
	if len(stakes) != 2 {
		return nil, fmt.Errorf("%w: a group of %d players, want 2", games.ErrParams, len(stakes))
	}
	return Subsidy(p, &stakes[0], &stakes[1]), nil
}

// Preview shows the matrix of what everybody gets by every choice.
func (rounds) Preview(announced []byte, stakes []uint256.Int, seat uint8) (games.View, error) {
	p, err := rules{}.DecodeParams(announced)
	if err != nil {
		return nil, err
	}
	return preview(p, stakes, seat)
}
