package box9

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// rounds are tables: all who register play one match, by ascending accounts, so that nobody chooses
// the order. The house takes no risk and stakes nothing. Who referred whom is known when all are
// registered.
type rounds struct{}

func (rounds) Groups() games.Groups { return games.Groups{Fewest: 1, Most: games.MaxSeats - 1} }

func (rounds) Announce(params []byte) []byte { return params }

func (rounds) Check(announced []byte) error {
	p, err := rules{}.DecodeParams(announced)
	if err == nil && p.Referrers != 0 {
		err = fmt.Errorf("%w: players name their own referrers", games.ErrParams)
	}
	return err
}

func (rounds) Params(announced []byte, referrers []uint8) ([]byte, error) {
	p, err := rules{}.DecodeParams(announced)
	if err != nil {
		return nil, err
	}
	for i, referrer := range referrers {
		p = p.Refer(uint8(i+1), referrer) //nolint:gosec // at most games.MaxSeats
	}
	return p.Bytes(), nil
}

func (rounds) House([]byte, []uint256.Int) (*uint256.Int, error) { return new(uint256.Int), nil }

func (rounds) Preview([]byte, []uint256.Int, uint8) (games.View, error) { return nil, nil }
