// Package house is the policy of a node that plays against anybody, unattended: which channels it
// opens, which matches it plays, and how much it risks. A Policy is data, and its decisions are
// pure; a House carries them out on a node, whose Auto and Bot then play its seat.
package house

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node/wei"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrRefused is wrapped by every reason why a policy does not let the house play. The other side is
// told the reason.
var ErrRefused = errors.New("refused")

// Policy says what a house plays. Amounts are in wei or in units of the asset.
type Policy struct {
	Asset    common.Address // of its channels; zero for ETH
	Channels int            // the most at once
	// of them, the most that are accepted and not on the chain yet; 0: half of them
	Opening  int
	Exposure Amount // the most that it may have locked in all of them
	Deposit  Amount // the most that it locks in one
	Window   Range  // of its channels, in the Arena's clock
	// how long a channel may be without a match before it is closed; 0: for ever
	Idle  Duration
	Games map[string]Game
}

// Game is what a house plays of one game.
type Game struct {
	Seat   *uint8           // of the match, that the house takes; nil: any
	Stake  *Amount          // the most that it stakes in a match; nil: what the game asks for
	Params map[string]Range // by name; those that are not named must have their defaults
}

// inEther matches an amount that is not written in the smallest units.
var inEther = regexp.MustCompile(`(?i)"[\s0-9.]+(eth|gwei)\s*"`)

// Parse reads a policy from JSON.
func Parse(text []byte, catalog games.Catalog) (*Policy, error) {
	p := new(Policy)
	if err := strict(text, p); err != nil {
		return nil, fmt.Errorf("read the house's policy: %w", err)
	}
	if written := inEther.Find(text); written != nil && p.Asset != (common.Address{}) {
		return nil, fmt.Errorf("the house's policy: %s is no amount of token %s: write a whole number of its smallest units", written, p.Asset)
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

// each is how many channels a player may let a house wait for at once.
const each = 2

// limits returns what the house lends at most.
func (p *Policy) limits() money.House {
	h := money.House{Channels: p.Channels, Opening: p.Opening, Each: each, Exposure: p.Exposure.Int, Deposit: p.Deposit.Int}
	h.Opening = cmp.Or(h.Opening, (p.Channels+1)/2)
	return h
}

// Offer says whether to open a channel with these terms, in which the house has that seat: nil, or
// why not. Of the loan, it needs how far the limits are used up, what the player has, and for how
// long the channel may be opened.
func (p *Policy) Offer(catalog games.Catalog, t protocol.Terms, seat int, now money.Loan) error {
	if t.Asset != p.Asset {
		return refuse("the house plays for %s only", assetName(p.Asset))
	}
	if !p.Window.holds(uint256.NewInt(t.Window)) {
		return refuse("a window of %d; the house takes %v", t.Window, p.Window)
	}
	now.Deposit, now.Theirs, now.Window = t.Deposits[seat], t.Deposits[0], t.Window
	if err := p.refusal(p.limits().Lend(now), &now); err != nil {
		return err
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

// refusal puts a reason into words.
func (p *Policy) refusal(why money.Refusal, l *money.Loan) error {
	switch why {
	case money.Lent:
		return nil
	case money.TooMuch:
		return refuse("the house deposits at most %s in a channel", p.amount(&p.Deposit.Int))
	case money.TooLate:
		return refuse("the channel could be opened for %d of the Arena's clock; the house waits for at most %d", l.Left, money.OpenWithin(l.Window))
	case money.Full:
		return refuse("all %d channels of the house are taken: come back later", p.Channels)
	case money.Waiting:
		return refuse("open the %d channels first that the house has accepted", l.Each)
	case money.Crowded:
		return refuse("the house waits for %d channels to be opened: come back in a moment", l.Opening)
	case money.Penniless:
		return refuse("seat 0 has %s, and has to deposit %s", p.amount(&l.Has), p.amount(&l.Theirs))
	default:
		return refuse("the house has locked %s and risks at most %s: ask for less, or come back later", p.amount(&l.Locked), p.amount(&p.Exposure.Int))
	}
}

// Match says whether to play a match in which the house has that seat: nil, or why not.
func (p *Policy) Match(catalog games.Catalog, name string, m protocol.MatchTerms, seat int) error {
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
	var least []uint256.Int
	if game.Stakes != nil {
		least, err = game.Stakes(m.Params)
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
	return p.met(m.Stakes, least, seat, "stakes")
}

// met refuses to play against those who put in less than the house does, or than their part of what
// the game asks for.
func (p *Policy) met(of, least []uint256.Int, house int, what string) error {
	short, is := errors.AsType[*money.Short](money.Met(of, least, house))
	if !is {
		return nil
	}
	return refuse("seat %d %s %s, and not the %s that it has to put in against the house", short.Seat, what, p.amount(&short.Has), p.amount(&short.Want))
}

// allowed checks a match's parameters: named ones must be in range, the others what they are by
// default.
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
	left := maps.Clone(g.Params)
	fields := map[string]json.RawMessage{}
	for _, f := range game.Params.Fields() {
		if r, named := left[f.Name]; named {
			least, _ := r.within(f)
			fields[f.Name] = written(f, least)
			delete(left, f.Name)
		}
	}
	for name := range left {
		return nil, fmt.Errorf("there is no parameter %s", name)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return game.Params.Encode(text)
}

// written writes a number as a parameter's default is written.
func written(f games.Field, v *uint256.Int) json.RawMessage {
	if len(f.Default) > 0 && f.Default[0] == '"' {
		return json.RawMessage(`"` + v.Dec() + `"`)
	}
	return json.RawMessage(v.Dec())
}

// covered checks that a channel's deposits do for the cheapest match there is of a game.
func (p *Policy) covered(catalog games.Catalog, name string, t protocol.Terms, seat int) error {
	game, err := catalog.Find(name)
	if err != nil {
		return refuse("%v", err)
	}
	if game.Stakes == nil {
		return p.matched(&t, p.Games[name].Stake, seat)
	}
	params, err := p.Games[name].cheapest(game)
	if err != nil {
		return refuse("%v", err)
	}
	least, err := game.Stakes(params)
	if err != nil {
		return refuse("%v", err)
	}
	if len(least) != len(t.Deposits) { // who of them will play can't be known
		return refuse("%s is for %d players", name, len(least))
	}
	if !slices.ContainsFunc(least, func(v uint256.Int) bool { return !v.IsZero() }) {
		return p.matched(&t, p.Games[name].Stake, seat)
	}
	for i := range least {
		if t.Deposits[i].Lt(&least[i]) {
			return refuse("%s deposits %s, which does not cover the %s that a match of %s costs at least", who(i, seat), p.amount(&t.Deposits[i]), p.amount(&least[i]), name)
		}
	}
	return nil
}

// least returns the least that the house needs free, not to decline everything: what it stakes in
// the cheapest match of all, and more than nothing.
func (p *Policy) least(catalog games.Catalog) uint256.Int {
	var all *uint256.Int
	for name, g := range p.Games {
		if v := g.least(catalog, name); all == nil || v.Lt(all) {
			all = v
		}
	}
	return *all // Parse wants a game
}

// least returns what the house stakes in the cheapest match of a game, and more than nothing.
func (g Game) least(catalog games.Catalog, name string) *uint256.Int {
	one := uint256.NewInt(1)
	game, err := catalog.Find(name)
	if err != nil || game.Stakes == nil {
		return one
	}
	params, err := g.cheapest(game)
	if err != nil {
		return one
	}
	stakes, err := game.Stakes(params)
	if err != nil || len(stakes) == 0 {
		return one
	}
	v := &stakes[0]
	for i := range stakes {
		if g.Seat != nil && int(*g.Seat) == i || g.Seat == nil && stakes[i].Lt(v) {
			v = &stakes[i]
		}
	}
	if v.IsZero() {
		return one
	}
	return v
}

// matched checks that the others deposit what a match at the house's stake takes, where the game
// asks nothing of anybody: at least that, or as much as the house deposits.
func (p *Policy) matched(t *protocol.Terms, stake *Amount, seat int) error {
	need := t.Deposits[seat]
	if stake != nil && need.Gt(&stake.Int) {
		need = stake.Int
	}
	if need.IsZero() {
		return refuse("the house deposits nothing, so there is nothing to play for")
	}
	in := slices.Clone(t.Deposits)
	in[seat] = need
	return p.met(in, nil, seat, "deposits")
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

// Amount is an amount: in JSON a whole number, or a string such as "100" or, of ETH, "0.5eth" or
// "20gwei".
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
