package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
)

// ErrNoScoreboard says that the node was told of no score board on this chain.
var ErrNoScoreboard = errors.New("the node was told of no score board")

// Score is how often a player won, lost and drew at a game.
type Score struct {
	Game                string // by name, or the rules' address where the program doesn't know them
	Wins, Losses, Draws uint64
}

var scoreboard = bindings.NewScoreboard()

// OwnScore returns how the node's own matches went, by game, as the node itself remembers them.
func (n *Node) OwnScore() ([]Score, error) {
	results, err := n.Results()
	if err != nil {
		return nil, err
	}
	byGame := map[string]*Score{}
	for i := range results {
		r := &results[i]
		name := r.Terms.Rules.Hex()
		if g, err := n.gameAt(r.Terms.Rules); err == nil {
			name = g.Name
		}
		if byGame[name] == nil {
			byGame[name] = &Score{Game: name}
		}
		switch s := byGame[name]; r.Won() {
		case 1:
			s.Wins++
		case -1:
			s.Losses++
		default:
			s.Draws++
		}
	}
	var list []Score
	for _, name := range slices.Sorted(maps.Keys(byGame)) {
		list = append(list, *byGame[name])
	}
	return list, nil
}

// BoardScore returns what the score board counts of a player, by game. It fails with ErrNoScoreboard.
func (n *Node) BoardScore(ctx context.Context, player common.Address) ([]Score, error) {
	var list []Score
	for _, name := range slices.Sorted(maps.Keys(n.config.Rules)) {
		out, err := n.askBoard(ctx, scoreboard.PackScoreOf(player, n.config.Rules[name]))
		if err != nil {
			return nil, err
		}
		s, err := scoreboard.UnpackScoreOf(out)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoScoreboard, err)
		}
		if s.Wins+s.Losses+s.Draws > 0 {
			list = append(list, Score{name, s.Wins, s.Losses, s.Draws})
		}
	}
	return list, nil
}

func (n *Node) askBoard(ctx context.Context, call []byte) ([]byte, error) {
	if n.config.Scoreboard == (common.Address{}) {
		return nil, ErrNoScoreboard
	}
	return n.client.Call(ctx, n.config.Scoreboard, call)
}
