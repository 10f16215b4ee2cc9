package splitsteal

import (
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

type seat = games.Seat[Params, State]

// player implements games.TypedPlayer.
type player struct{}

// Auto opens what was committed to, and commits again to what was chosen before. When the other is
// disqualified already, the choice decides nothing, and any will do. People choose everything else.
func (player) Auto(t seat) (Move, bool, error) {
	number, salt, err := t.Vault.Secret(Tag, 0)
	switch s := t.State; {
	case s.Phase == OpenX || s.Phase == OpenY:
		return Open{number, salt}, true, err
	case err == nil:
		m, err := keep(t, number)
		return m, true, err
	case s.Out != 0:
		m, err := choose(t, Split)
		return m, true, err
	default:
		return nil, false, nil
	}
}

// Choose reads a choice, or the number that stands for it.
func (player) Choose(t seat, text string) (Move, error) {
	if t.State.Phase > CommitY {
		return nil, fmt.Errorf("%w: nothing to choose here", games.ErrText)
	}
	switch text = strings.ToLower(strings.TrimSpace(text)); text {
	case "split":
		return choose(t, Split)
	case "steal":
		return choose(t, Steal)
	}
	number := new(uint256.Int)
	if text == "" || len(text) > 78 || text[0] < '0' || text[0] > '9' || number.SetFromDecimal(text) != nil {
		return nil, fmt.Errorf("%w: %s", games.ErrText, question)
	}
	return keep(t, number.Bytes32())
}

const question = "split or steal? A number will do too: odd to split, even to steal"

func (player) Ask(t seat) string {
	if t.State.Phase > CommitY {
		return ""
	}
	return question
}

// Recall tells a player its choice until it is opened.
func (player) Recall(t seat) (string, error) {
	if !t.Vault.Has(Tag, 0) || t.State.Phase == Over {
		return "", nil
	}
	number, _, err := t.Vault.Secret(Tag, 0)
	return "you chose to " + ChoiceOf(number).String(), err
}

// Moves implements games.TypedPlayer: neither commitments nor openings can be listed.
func (player) Moves(Params, State) []Move { return nil }

func (player) Describe(_ Params, s State, m Move) string {
	switch m := m.(type) {
	case Commit:
		if s.Out != 0 {
			return "is there, and takes both bets"
		}
		return "commits to a choice"
	case Open:
		return fmt.Sprintf("opens the choice: %s", ChoiceOf(m.Number))
	default:
		return ""
	}
}

// choose commits to a random number that stands for a choice.
func choose(t seat, c Choice) (Move, error) {
	if number, _, err := t.Vault.Secret(Tag, 0); err == nil && ChoiceOf(number) == c {
		return keep(t, number)
	}
	var number common.Hash
	if _, err := io.ReadFull(t.Random, number[:]); err != nil {
		return nil, fmt.Errorf("read a random number: %w", err)
	}
	number[31] = number[31]&^1 | byte(c)
	return keep(t, number)
}

// keep commits to a number.
func keep(t seat, number common.Hash) (Move, error) {
	m, err := t.Vault.Commit(Tag, 0, number)
	return Commit(m), err
}
