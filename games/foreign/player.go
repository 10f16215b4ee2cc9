package foreign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// NewPlayer returns a player side for rules that hide nothing, by a manifest: people type its moves, views show its fields, and
// the bot looks two moves ahead. Such a game needs none of its own, whatever its rules are written in.
func NewPlayer(m *Manifest, rules games.Rules) games.Player { return player{m, rules} }

// player implements games.Player for rules that it knows nothing about: legal is what they accept.
type player struct {
	m     *Manifest
	rules games.Rules
}

// Auto leaves everything to people.
func (p player) Auto(t games.Table) (*games.Decision, error) { return nil, p.onMove(t) }

func (p player) onMove(t games.Table) error {
	mover, err := p.rules.Mover(t.State)
	if err == nil && mover != t.Seat {
		err = fmt.Errorf("%w: seat %d, mover %d", games.ErrNotYourTurn, t.Seat, mover)
	}
	return err
}

// Choose reads a move that a person typed.
func (p player) Choose(t games.Table, typed string) (*games.Decision, error) {
	if err := p.onMove(t); err != nil {
		return nil, err
	}
	move, err := p.m.parseMove(typed)
	if err != nil {
		return nil, err
	}
	if _, err := p.rules.Play(t.Context, t.State, move); err != nil {
		return nil, fmt.Errorf("%w: the rules refuse %s", games.ErrText, p.m.describe(move))
	}
	return &games.Decision{Move: move, Secrets: t.Secrets}, nil
}

// Ask names the kinds of moves.
func (p player) Ask(t games.Table) (string, error) {
	mover, err := p.rules.Mover(t.State)
	if err != nil || mover != t.Seat {
		return "", err
	}
	legal, err := p.Moves(t.Context, t.State)
	if err != nil {
		return "", err
	}
	ask := "Your move: " + p.m.usage()
	if len(legal) > 0 {
		ask += ", such as: " + p.m.describe(legal[len(legal)/2])
	}
	return ask + "?", nil
}

// Recall has nothing to tell: these games hide nothing.
func (player) Recall(games.Table) (string, error) { return "", nil }

// Describe implements games.Player.
func (p player) Describe(_ *games.Context, _, move []byte) (string, error) {
	return p.m.describe(move), nil
}

// Moves lists, of the moves that the manifest can say, those that the rules accept.
func (p player) Moves(c *games.Context, state []byte) ([][]byte, error) {
	mover, err := p.rules.Mover(state)
	if err != nil || mover >= games.MaxSeats {
		return nil, err
	}
	var list [][]byte
	for move := range p.m.choices {
		if _, err := p.rules.Play(c, state, move); err == nil {
			list = append(list, move)
		}
	}
	return list, nil
}

// maxReplies is how many replies the bot looks at, in all; each takes some ten microseconds.
const maxReplies = 2000

// Bot makes a move that wins at once if there is one, else any that no reply wins against, else any.
func (p player) Bot(t games.Table) (*games.Decision, error) {
	if err := p.onMove(t); err != nil {
		return nil, err
	}
	list, err := p.Moves(t.Context, t.State)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("the manifest names no move that is legal here: write it as 0x and its bytes")
	}
	start, err := games.Below(t.Random, len(list))
	if err != nil {
		return nil, err
	}
	best, safe := list[start], false
	replies := maxReplies
	for i := range list {
		move := list[(start+i)%len(list)]
		next, err := p.rules.Play(t.Context, t.State, move)
		if err != nil {
			return nil, err
		}
		if p.gains(t.Context, next, t.Seat) > 0 {
			best = move
			break
		}
		if !safe && !p.loses(t, next, &replies) {
			best, safe = move, true
		}
	}
	return &games.Decision{Move: best, Secrets: t.Secrets}, nil
}

// loses reports whether a move was a loss, or lets the next seat win at once.
func (p player) loses(t games.Table, state []byte, replies *int) bool {
	if p.gains(t.Context, state, t.Seat) < 0 {
		return true
	}
	mover, err := p.rules.Mover(state)
	if err != nil || mover >= games.MaxSeats || mover == t.Seat {
		return false
	}
	for move := range p.m.choices {
		if *replies--; *replies < 0 {
			return false
		}
		if next, err := p.rules.Play(t.Context, state, move); err == nil && p.gains(t.Context, next, mover) > 0 {
			return true
		}
	}
	return false
}

// gains tells whether a seat gets more than it staked (1), less (-1) or the same in a state that is over; 0 in any other.
// Where nothing is staked, it is judged as if everybody had staked the same.
func (p player) gains(c *games.Context, state []byte, seat uint8) int {
	stakes := c.Stakes
	var pot uint256.Int
	for i := range stakes {
		pot.Or(&pot, &stakes[i])
	}
	if pot.IsZero() {
		stakes = make([]uint256.Int, len(stakes))
		for i := range stakes {
			stakes[i].SetUint64(1 << 16)
		}
	}
	if mover, err := p.rules.Mover(state); err != nil || mover != games.Nobody {
		return 0
	}
	o, err := p.rules.Outcome(state, stakes)
	if err != nil {
		return 0
	}
	return o.Payouts[seat].Cmp(&stakes[seat])
}

// View shows the position as far as the manifest explains it.
func (p player) View(t games.Table) (games.View, error) {
	mover, err := p.rules.Mover(t.State)
	if err != nil {
		return nil, err
	}
	v := view{Phase: "play", Seat: int(t.Seat), Mover: int(mover), State: fmt.Sprintf("0x%x", t.State)}
	var raw map[string][]byte
	if v.Position, raw = p.m.read(t.State); raw != nil && p.m.Board != nil {
		v.Board = p.m.Board.draw(raw[p.m.Board.Field])
	}
	switch mover {
	case games.Chance:
		v.Phase, v.Mover = "chance", -1
	case games.Nobody:
		v.Phase, v.Mover = "over", -1
		v.Ending = [...]string{"loss", "draw", "win"}[1+p.gains(t.Context, t.State, t.Seat)]
		if o, err := p.rules.Outcome(t.State, t.Context.Stakes); err == nil {
			v.Reason = strings.Map(printable, o.ReasonText())
		}
	}
	return v, nil
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}
