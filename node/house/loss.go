package house

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Loss is what a house's policy may cost it in a game.
type Loss struct {
	Game string
	// the most that a match loses on average, whoever plays: wei or token units
	Average uint256.Int
	// with which it does; nil: nothing is known of the game, and Average is the stake
	Params json.RawMessage
}

// Losses returns, by game, what a policy may lose in the long run; games in which it loses nothing
// are left out.
func (p *Policy) Losses(catalog games.Catalog) (list []Loss, err error) {
	for _, name := range slices.Sorted(maps.Keys(p.Games)) {
		game, err := catalog.Find(name)
		if err != nil {
			return nil, err
		}
		l, err := p.Games[name].loss(game)
		if err != nil {
			return nil, fmt.Errorf("the house's policy for %s: %w", name, err)
		}
		if !l.Average.IsZero() {
			list = append(list, l)
		}
	}
	return list, nil
}

// warning says for people what a policy may lose in a game.
func (p *Policy) warning(l *Loss) string {
	if l.Params == nil {
		return fmt.Sprintf("%s: nothing is known of what the house's bot loses against a better player, at most its stake of %s a match",
			l.Game, p.amount(&l.Average))
	}
	return fmt.Sprintf("%s: with %s the house may lose %s a match on average: raise the fees, or lower the prize", l.Game, l.Params, p.amount(&l.Average))
}

// loss finds the allowed parameters with which a house loses most.
func (g Game) loss(game games.Game) (worst Loss, err error) {
	worst.Game = game.Name
	if game.Loss == nil {
		if g.Stake != nil {
			worst.Average = g.Stake.Int
		}
		return worst, nil
	}
	seats := []uint8{0, 1}
	if g.Seat != nil {
		seats = []uint8{*g.Seat}
	}
	values := map[string]json.RawMessage{}
	var try func(fields []games.Field) error
	try = func(fields []games.Field) error {
		if len(fields) == 0 {
			return g.compare(game, seats, values, &worst)
		}
		f := fields[0]
		r, named := g.Params[f.Name]
		if !named {
			return try(fields[1:])
		}
		for _, v := range r.samples(f) {
			values[f.Name] = written(f, v)
			if err := try(fields[1:]); err != nil {
				return err
			}
		}
		return nil
	}
	return worst, try(game.Params.Fields())
}

// compare notes parameters with which a house loses more than with those that were tried before.
// Values that don't go together are none.
func (g Game) compare(game games.Game, seats []uint8, values map[string]json.RawMessage, worst *Loss) error {
	text, err := json.Marshal(values)
	if err != nil {
		return err
	}
	params, err := game.Params.Encode(text)
	if err != nil {
		return nil //nolint:nilerr // nobody can play under these
	}
	for _, seat := range seats {
		average, err := game.Loss(params, seat)
		if err != nil {
			return err
		}
		if average.Gt(&worst.Average) {
			worst.Average, worst.Params = average, text
		}
	}
	return nil
}

// few is how many values of a parameter are all tried.
const few = 32

// samples are the values of a range that a loss is looked for at: all of them, if they are few,
// else the least and the most.
func (r Range) samples(f games.Field) (list []*uint256.Int) {
	least, most := r.within(f)
	if span := new(uint256.Int).Sub(most, least); !span.LtUint64(few) {
		return []*uint256.Int{least, most}
	}
	for v := least; !v.Gt(most); v = new(uint256.Int).AddUint64(v, 1) {
		list = append(list, v)
	}
	return list
}

// within returns the least and the most of a range that its parameter can have.
func (r Range) within(f games.Field) (least, most *uint256.Int) {
	least, most = r.Least.Clone(), r.Most
	if f.Least != nil && least.Lt(f.Least) {
		least = f.Least.Clone()
	}
	if most == nil || f.Most != nil && most.Gt(f.Most) {
		most = f.Most
	}
	if most == nil {
		most = least
	}
	return least, most
}
