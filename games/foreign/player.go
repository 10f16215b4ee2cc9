package foreign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/holiman/uint256"
)

// NewPlayer returns a player side for rules that hide nothing, by a manifest: people type its
// moves, views show its fields, and the bot looks two moves ahead. Such a game needs none of its
// own, whatever its rules are written in.
func NewPlayer(m *Manifest, rules games.Rules) games.Player { return player{m, rules} }

// player implements games.Player for rules that it knows nothing about: legal is what they accept.
type player struct {
	m     *Manifest
	rules games.Rules
}

// What one question (Ask, Bot, Moves) may try out, over all kinds of moves: a tenth of a second or
// so.
const (
	maxTries = 4096       // moves
	maxGas   = 40_000_000 // of all calls of the rules together
)

// search tries moves out for one question.
type search struct {
	player
	tries int  // that are left
	cut   bool // gas or tries were used up before all moves had been tried
}

func (p player) search() *search {
	p.rules = evm.Within(p.rules, maxGas)
	return &search{player: p, tries: maxTries}
}

// try plays a move. It fails with evm.ErrSpent when nothing is left to try moves with.
func (s *search) try(c *games.Context, state, move []byte) ([]byte, error) {
	if s.tries == 0 {
		s.cut = true
		return nil, evm.ErrSpent
	}
	s.tries--
	next, err := s.rules.Play(c, state, move)
	s.cut = errors.Is(err, evm.ErrSpent) // and so will all that follow
	return next, err
}

// legal lists the moves that the rules accept, of those that the manifest can say and the search
// can try.
func (s *search) legal(c *games.Context, state []byte) ([][]byte, error) {
	mover, err := s.rules.Mover(state)
	if err != nil || mover >= games.MaxSeats {
		return nil, err
	}
	var list [][]byte
	seen := map[string]bool{} // two kinds may have the same move
	for move := range s.m.choices {
		if seen[string(move)] {
			continue
		}
		seen[string(move)] = true
		if _, err := s.try(c, state, move); err == nil {
			list = append(list, move)
		} else if s.cut {
			break
		}
	}
	return list, nil
}

// Auto leaves everything to people.
func (p player) Auto(t games.Table) (*games.Decision, error) { return nil, p.onMove(t) }

func (p player) onMove(t games.Table) error {
	mover, err := p.rules.Mover(t.State)
	if err == nil && mover != t.Seat {
		err = fmt.Errorf("%w, not that of seat %d", games.ErrNotYourTurn, t.Seat)
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
		refused := fmt.Errorf("%w move: the rules refuse %s", games.ErrIllegal, p.m.describe(move))
		if _, why, said := strings.Cut(err.Error(), games.ErrIllegal.Error()+" move: "); said {
			return nil, fmt.Errorf("%w: %s", refused, why)
		}
		return nil, refused
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
	ask := "Your move: " + cutText(p.m.usage())
	if len(legal) > 0 {
		ask += ", such as: " + p.m.typed(legal[len(legal)/2])
	}
	return ask + "?", nil
}

// maxUsage is how much of what can be typed is told when a move is asked for, in bytes.
const maxUsage = 1024

func cutText(s string) string {
	if len(s) <= maxUsage {
		return s
	}
	return strings.ToValidUTF8(s[:maxUsage], "") + "…"
}

// Recall has nothing to tell: these games hide nothing.
func (player) Recall(games.Table) (string, error) { return "", nil }

func (p player) Describe(_ *games.Context, _, move []byte) (string, error) {
	return p.m.describe(move), nil
}

// Moves lists, of the moves that the manifest can say, those that the rules accept; not all, where
// that takes more than a question may.
func (p player) Moves(c *games.Context, state []byte) ([][]byte, error) {
	return p.search().legal(c, state)
}

// Bot makes a move that wins at once if there is one, else any that no reply wins against, else
// any; as far as it gets with what it may try out.
func (p player) Bot(t games.Table) (*games.Decision, error) {
	if err := p.onMove(t); err != nil {
		return nil, err
	}
	s := p.search()
	list, err := s.legal(t.Context, t.State)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("the manifest names no move that is found to be legal here: write it as 0x and its bytes")
	}
	start, err := games.Below(t.Random, len(list))
	if err != nil {
		return nil, err
	}
	best, safe := list[start], false
	for i := range list {
		move := list[(start+i)%len(list)]
		next, err := s.try(t.Context, t.State, move)
		if s.cut {
			break
		}
		if err != nil {
			return nil, err
		}
		if s.gains(t.Context, next, t.Seat) > 0 {
			best = move
			break
		}
		if !safe && !s.loses(t, next) {
			best, safe = move, true
		}
	}
	return &games.Decision{Move: best, Secrets: t.Secrets}, nil
}

// loses reports whether a move was a loss, or lets the next seat win at once.
func (s *search) loses(t games.Table, state []byte) bool {
	if s.gains(t.Context, state, t.Seat) < 0 {
		return true
	}
	mover, err := s.rules.Mover(state)
	if err != nil || mover >= games.MaxSeats || mover == t.Seat {
		return false
	}
	for move := range s.m.choices {
		if next, err := s.try(t.Context, state, move); err == nil && s.gains(t.Context, next, mover) > 0 {
			return true
		}
	}
	return false
}

// gains tells whether a seat gets more than it staked (1), less (-1) or the same in a state that is
// over; 0 in any other. Where nothing is staked, it is judged as if everybody had staked the same.
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
	v := view{Phase: "play", Seat: int(t.Seat), Mover: int(mover), State: fmt.Sprintf("0x%x", t.State), Moves: p.m.Moves}
	var raw map[string][]byte
	if v.Position, raw = p.m.read(t.State); p.m.Board != nil {
		v.Board, v.Upwards = p.m.Board.draw(raw[p.m.Board.Field]), p.m.Board.Upwards
	}
	if mover == t.Seat {
		legal, err := p.Moves(t.Context, t.State)
		if err != nil {
			return nil, err
		}
		for _, move := range legal {
			v.Legal = append(v.Legal, p.m.typed(move))
		}
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
