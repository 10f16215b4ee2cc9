// Package house is the policy of a node that plays against anybody, unattended: which channels it opens, which matches it
// plays, and how much it risks. A Policy is data, and its decisions are pure; a House carries them out on a node, whose
// Auto and Bot then play its seat.
package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrRefused is wrapped by every reason why a policy does not let the house play. The other side is told the reason.
var ErrRefused = errors.New("refused")

// Policy says what a house plays. Amounts are in wei or in units of the asset.
type Policy struct {
	Asset    common.Address // of its channels; zero for ETH
	Channels int            // the most at once
	Exposure Amount         // the most that it may have locked in all of them
	Deposit  Amount         // the most that it locks in one
	Window   Range          // of its channels, in the Arena's clock
	Idle     Duration       // how long a channel may be without a match before it is closed; 0: for ever
	Games    map[string]Game
}

// Game is what a house plays of one game.
type Game struct {
	Seat   *uint8           // of the match, that the house takes; nil: any
	Stake  *Amount          // the most that it stakes in a match; nil: what the game asks for
	Params map[string]Range // by name; those that are not named must have their defaults
}

// Standing is how far a house's limits are used up.
type Standing struct {
	Channels int
	Locked   uint256.Int
}

// Parse reads a policy from JSON.
func Parse(text []byte, catalog games.Catalog) (*Policy, error) {
	p := new(Policy)
	if err := strict(text, p); err != nil {
		return nil, fmt.Errorf("read the house's policy: %w", err)
	}
	if len(p.Games) == 0 || p.Channels <= 0 || p.Exposure.IsZero() || p.Deposit.IsZero() {
		return nil, errors.New("the house's policy must name games, and limit channels, exposure and deposit")
	}
	for name, g := range p.Games {
		game, err := catalog.Find(name)
		if err != nil {
			return nil, err
		}
		if _, err := g.cheapest(game); err != nil {
			return nil, fmt.Errorf("the house's policy for %s: %w", name, err)
		}
	}
	return p, nil
}

// Offer says whether to open a channel with these terms, in which the house has that seat: nil, or why not.
func (p *Policy) Offer(catalog games.Catalog, t channel.Terms, seat int, now Standing) error {
	mine := &t.Deposits[seat]
	var locked uint256.Int
	_, overflow := locked.AddOverflow(&now.Locked, mine)
	switch {
	case t.Asset != p.Asset:
		return refuse("the house plays for %s only", assetName(p.Asset))
	case !p.Window.holds(uint256.NewInt(t.Window)):
		return refuse("a window of %d; the house takes %v", t.Window, p.Window)
	case mine.Gt(&p.Deposit.Int):
		return refuse("the house deposits at most %s in a channel", p.amount(&p.Deposit.Int))
	case now.Channels >= p.Channels:
		return refuse("all %d channels of the house are taken: come back later", p.Channels)
	case overflow || locked.Gt(&p.Exposure.Int):
		return refuse("the house has locked %s and risks at most %s: ask for less, or come back later", p.amount(&now.Locked), p.amount(&p.Exposure.Int))
	}
	// The deposits must do for a match of some game.
	var short error
	for _, name := range slices.Sorted(maps.Keys(p.Games)) {
		if short = p.covered(catalog, name, t, seat); short == nil {
			return nil
		}
	}
	return short
}

// Match says whether to play a match in which the house has that seat: nil, or why not.
func (p *Policy) Match(catalog games.Catalog, name string, m channel.MatchTerms, seat int) error {
	g, ok := p.Games[name]
	if !ok {
		return refuse("the house plays %v", slices.Sorted(maps.Keys(p.Games)))
	}
	game, err := catalog.Find(name)
	if err != nil {
		return refuse("%v", err)
	}
	if err := g.allowed(game, m.Params); err != nil {
		return err
	}
	if g.Seat != nil && int(*g.Seat) != seat {
		return refuse("the house takes seat %d of a match, not %d", *g.Seat, seat)
	}
	if game.Stakes == nil && g.Stake == nil {
		return refuse("the house's policy does not say what it stakes in %s", name)
	}
	most := g.Stake
	if game.Stakes != nil {
		least, err := game.Stakes(m.Params)
		if err != nil || len(least) != len(m.Stakes) {
			return refuse("%s is for %d seats, with these parameters", name, len(least))
		}
		for i := range least {
			if m.Stakes[i].Lt(&least[i]) {
				return refuse("seat %d stakes %s, which does not cover the %s that the match may cost it", i, p.amount(&m.Stakes[i]), p.amount(&least[i]))
			}
		}
		if most == nil {
			most = &Amount{least[seat]}
		}
	}
	if m.Stakes[seat].Gt(&most.Int) {
		return refuse("the house stakes at most %s in this match", p.amount(&most.Int))
	}
	return nil
}

// allowed checks a match's parameters: named ones must be in range, the others what they are by default.
func (g Game) allowed(game games.Game, params []byte) error {
	got, err := object(game, params)
	if err != nil {
		return refuse("%v", err)
	}
	for _, f := range game.Params.Fields() {
		v, err := number(got[f.Name])
		r, named := g.Params[f.Name]
		switch {
		case named && (err != nil || !r.holds(v)):
			return refuse("%s is %s; the house takes %v", f.Name, got[f.Name], r)
		case !named && string(got[f.Name]) != string(f.Default):
			return refuse("%s is %s; the house takes %s", f.Name, got[f.Name], f.Default)
		}
	}
	return nil
}

// cheapest returns the parameters with the least values that the policy allows.
func (g Game) cheapest(game games.Game) ([]byte, error) {
	values := map[string]string{}
	for name, r := range g.Params {
		values[name] = r.Least.Dec()
	}
	fields := map[string]json.RawMessage{}
	for _, f := range game.Params.Fields() {
		v, named := values[f.Name]
		if !named {
			continue
		}
		delete(values, f.Name)
		if fields[f.Name] = json.RawMessage(v); len(f.Default) > 0 && f.Default[0] == '"' {
			fields[f.Name] = json.RawMessage(`"` + v + `"`)
		}
	}
	for name := range values {
		return nil, fmt.Errorf("there is no parameter %s", name)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return game.Params.Encode(text)
}

// covered checks that a channel's deposits do for the cheapest match there is of a game.
func (p *Policy) covered(catalog games.Catalog, name string, t channel.Terms, seat int) error {
	game, err := catalog.Find(name)
	if err != nil {
		return refuse("%v", err)
	}
	if game.Stakes == nil {
		return nil
	}
	params, err := p.Games[name].cheapest(game)
	if err != nil {
		return refuse("%v", err)
	}
	least, err := game.Stakes(params)
	if err != nil {
		return refuse("%v", err)
	}
	if len(least) > len(t.Deposits) {
		return refuse("%s is for %d players", name, len(least))
	}
	for i := range least {
		if len(least) != len(t.Deposits) {
			break // who of them will play can't be known yet
		}
		if t.Deposits[i].Lt(&least[i]) {
			return refuse("%s deposits %s, which does not cover the %s that a match of %s costs at least", who(i, seat), p.amount(&t.Deposits[i]), p.amount(&least[i]), name)
		}
	}
	return nil
}

func who(i, house int) string {
	if i == house {
		return "the house"
	}
	return fmt.Sprintf("seat %d", i)
}

// amount writes money of the house's asset. The other side may know that token by another name.
func (p *Policy) amount(v *uint256.Int) string { return wei.Unit{Asset: p.Asset}.Format(v) }

func assetName(a common.Address) string {
	if a == (common.Address{}) {
		return "ETH"
	}
	return "the token " + a.Hex()
}

func refuse(format string, a ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, a...)...)
}

// Amount is an amount: in JSON a whole number, or a string such as "0.5eth", "20gwei" or "100".
type Amount struct{ uint256.Int }

// UnmarshalJSON implements json.Unmarshaler.
func (a *Amount) UnmarshalJSON(text []byte) error {
	v, err := number(text)
	if err == nil {
		a.Int = *v
	}
	return err
}

// Duration is a time: in JSON a string such as "90s", "5m" or "2h".
type Duration struct{ time.Duration }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	return err
}
