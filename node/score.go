package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

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

var scoreboard = sync.OnceValue(bindings.NewScoreboard)

// scores are of the matches that count on the score board, and of the player's own.
type scores struct {
	*core
	channels *channels
}

// OwnScore returns how the node's own matches went, by game, as the node itself remembers them.
func (n *scores) OwnScore() ([]Score, error) {
	results, err := n.channels.Results()
	if err != nil {
		return nil, err
	}
	byRules, err := n.tallies()
	if err = n.readable(tallyPrefix, err); err != nil {
		return nil, err
	}
	for i := range results {
		s := byRules[results[i].Terms.Rules]
		s.add(results[i].Won())
		byRules[results[i].Terms.Rules] = s
	}
	var list []Score
	for rules, s := range byRules {
		s.Game = n.gameName(rules)
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Score) int { return cmp.Compare(a.Game, b.Game) })
	return list, nil
}

// add counts a match: 1 won, 0 drawn, -1 lost.
func (s *Score) add(won int) {
	switch won {
	case 1:
		s.Wins++
	case -1:
		s.Losses++
	default:
		s.Draws++
	}
}

// BoardScore returns what the score board counts of a player, by game. It fails with
// ErrNoScoreboard.
func (n *scores) BoardScore(ctx context.Context, player common.Address) ([]Score, error) {
	var list []Score
	for _, name := range slices.Sorted(maps.Keys(n.config.Rules)) {
		out, err := n.askBoard(ctx, scoreboard().PackScoreOf(player, n.config.Rules[name]))
		if err != nil {
			return nil, err
		}
		s, err := scoreboard().UnpackScoreOf(out)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoScoreboard, err)
		}
		if s.Wins+s.Losses+s.Draws > 0 {
			list = append(list, Score{name, s.Wins, s.Losses, s.Draws})
		}
	}
	return list, nil
}

func (n *scores) askBoard(ctx context.Context, call []byte) ([]byte, error) {
	if n.config.Scoreboard == (common.Address{}) {
		return nil, ErrNoScoreboard
	}
	return n.drive.Client.Call(ctx, n.config.Scoreboard, call)
}

// tallies returns the scores of the matches that are forgotten, by rules. With all that can be read
// it fails with errUnreadable, if some can't.
func (n *scores) tallies() (map[common.Address]Score, error) {
	list := map[common.Address]Score{}
	err := allStored(n.config.Store, tallyPrefix, func(rules string, s Score) { list[common.HexToAddress(rules)] = s })
	return list, err
}
