package node

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// arrangement is what rounds of a game are like. The house has seat 0, and player i of a group seat i+1.
type arrangement interface {
	// announced returns what a house announces: parameters of a match that it does not know the players of yet.
	announced(params []byte) []byte
	// check refuses rounds that the game can't be played in.
	check(t *matchmaking.Round) error
	// params returns those of a group's match.
	params(announced []byte, players []matchmaking.Registration) ([]byte, error)
	// house returns what the house locks and stakes in a group.
	house(announced []byte, players []matchmaking.Registration) (*uint256.Int, error)
	// size is the least and the most players that a group of the game can have.
	size() (fewest, most uint8)
}

var arrangements = map[string]arrangement{splitsteal.Name: pairs{}, box9.GameName: tables{}}

func arranged(game string) (arrangement, error) {
	a, ok := arrangements[game]
	if !ok {
		return nil, fmt.Errorf("%w: there are no rounds of %q", games.ErrUnknownGame, game)
	}
	return a, nil
}

// pairs are rounds of Split or steal: shuffled, in twos, and the house pays the subsidy of each pair.
type pairs struct{}

func (pairs) size() (fewest, most uint8) { return 2, 2 }

func (pairs) announced(params []byte) []byte {
	params = slices.Clone(params)
	params[len(params)-1] = House
	return params
}

func (pairs) check(t *matchmaking.Round) error {
	if t.Table() || t.Fewest != 2 || t.Seats != 2 {
		return fmt.Errorf("%w: a round of %s is shuffled, and played in twos", protocol.ErrTerms, splitsteal.Name)
	}
	p, err := splitsteal.Codec().DecodeParams(t.Params)
	if err == nil && p.House != House {
		err = fmt.Errorf("%w: the house of a round has seat 0", games.ErrParams)
	}
	return err
}

func (pairs) params(announced []byte, _ []matchmaking.Registration) ([]byte, error) {
	return announced, nil
}

func (pairs) house(announced []byte, players []matchmaking.Registration) (*uint256.Int, error) {
	p, err := splitsteal.Codec().DecodeParams(announced)
	if err != nil || len(players) != 2 {
		return nil, fmt.Errorf("%w: %d players, want 2: %w", protocol.ErrTerms, len(players), err)
	}
	return splitsteal.Subsidy(p, &players[0].Stake, &players[1].Stake), nil
}

// tables are those of Box 9: all who register play one match, by ascending accounts, so that nobody chooses the order, and
// the house, which takes no risk, stakes nothing. Who referred whom is known when all are registered.
type tables struct{}

func (tables) size() (fewest, most uint8) { return 1, matchmaking.MaxGroup }

func (tables) announced(params []byte) []byte { return params }

func (tables) check(t *matchmaking.Round) error {
	p, err := box9.Codec().DecodeParams(t.Params)
	switch {
	case err != nil:
		return err
	case !t.Table():
		return fmt.Errorf("%w: the players of %s are not shuffled", protocol.ErrTerms, box9.GameName)
	case p.Referrers != 0:
		return fmt.Errorf("%w: players name their own referrers", games.ErrParams)
	}
	return nil
}

func (tables) params(announced []byte, players []matchmaking.Registration) ([]byte, error) {
	p, err := box9.Codec().DecodeParams(announced)
	if err != nil {
		return nil, err
	}
	seats := map[common.Address]uint8{}
	for i := range players {
		seats[players[i].Player] = uint8(i + 1) //nolint:gosec // at most matchmaking.MaxGroup
	}
	for i := range players {
		p = p.Refer(uint8(i+1), seats[players[i].Referrer]) //nolint:gosec // the house's, if the referrer did not come
	}
	return p.Bytes(), nil
}

func (tables) house([]byte, []matchmaking.Registration) (*uint256.Int, error) {
	return new(uint256.Int), nil
}

// House is the seat of a round's house.
const House = 0

// Matrix shows what everybody of a pair gets by every choice, as an account sees it.
func (r *Round) Matrix(g *RoundGroup, account common.Address) (splitsteal.View, error) {
	if r.Game != splitsteal.Name {
		return splitsteal.View{}, fmt.Errorf("%w: %s has no matrix", games.ErrUnknownGame, r.Game)
	}
	params, err := splitsteal.Codec().DecodeParams(r.Terms.Params)
	if err != nil {
		return splitsteal.View{}, err
	}
	stakes, err := r.Stakes(g)
	if err != nil {
		return splitsteal.View{}, err
	}
	seat := 1 + slices.Index(g.players(), account)
	return splitsteal.Preview(params, stakes, uint8(seat)) //nolint:gosec // 0..2
}
