package house

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A policy limits its channels, exposure and deposit, each of them, and one channel is enough.
func TestParseWantsEachLimit(t *testing.T) {
	const whole = `{"channels":1,"exposure":2,"deposit":1,"games":{"mastermind":{"stake":50}}}`
	if _, err := Parse([]byte(whole), catalog.Standard()); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"channels":1`, `"exposure":2`, `"deposit":1`, `"mastermind":{"stake":50}`} {
		less := strings.Replace(whole, part, "", 1)
		less = strings.Replace(strings.Replace(less, ",,", ",", 1), "{,", "{", 1)
		if _, err := Parse([]byte(less), catalog.Standard()); err == nil || !strings.Contains(err.Error(), "must name games") {
			t.Errorf("%s: %v", less, err)
		}
	}
}

// Where a game asks for no stakes, the policy says what the house stakes, or it doesn't play.
func TestNoStakeNoMatch(t *testing.T) {
	p := &Policy{Games: map[string]Game{"mastermind": {}}}
	params, err := mastermind.Game().Params.Encode([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, p.Match(games.Catalog{mastermind.Game()}, "mastermind", protocol.MatchTerms{Params: params, Stakes: amounts(1, 1)}, 1), "does not say what it stakes")
}

// A channel must have as many seats as the cheapest match needs; who pays too little is named, the
// house as such; and it must put in what the house does, at most its stake.
func TestDepositsAreMatched(t *testing.T) {
	p := parsed(t)
	for _, c := range []struct {
		game     string
		deposits []uint64
		part     string
	}{
		{"sums-and-cows", []uint64{17}, "is for 2 players"}, {"sums-and-cows", []uint64{17, 0}, ""}, {"sums-and-cows", []uint64{16, 100}, "seat 0 deposits 16"},
		{"mastermind", []uint64{50, 100}, ""}, {"mastermind", []uint64{49, 100}, "seat 0 deposits 49"}, {"mastermind", []uint64{40, 40}, ""},
		{"mastermind", []uint64{39, 40}, "seat 0 deposits 39"}, {"mastermind", []uint64{9, 0}, "nothing to play for"},
	} {
		err := p.covered(catalog.Standard(), c.game, protocol.Terms{Deposits: amounts(c.deposits...)}, len(c.deposits)-1)
		if c.part != "" {
			refused(t, err, c.part)
		} else if err != nil {
			t.Errorf("%s, %d: %v", c.game, c.deposits, err)
		}
	}
	if who(1, 1) != "the house" || who(0, 1) != "seat 0" {
		t.Errorf("%q, %q", who(1, 1), who(0, 1))
	}
	g := p.Games["mastermind"]
	g.Stake = nil
	p.Games["mastermind"] = g
	if err := p.covered(catalog.Standard(), "mastermind", protocol.Terms{Deposits: amounts(40, 40)}, 1); err != nil {
		t.Error(err)
	}
}

// A range begins and ends where it says or where its parameter does, and a value is written as the
// parameter's default is.
func TestRangesEnd(t *testing.T) {
	five, nine := uint256.NewInt(5), uint256.NewInt(9)
	for i, c := range []struct {
		r           Range
		f           games.Field
		least, most uint64
	}{
		{Range{Least: *uint256.NewInt(2)}, games.Field{}, 2, 2}, {Range{Least: *uint256.NewInt(2)}, games.Field{Least: five, Most: nine}, 5, 9},
		{Range{Least: *uint256.NewInt(6), Most: uint256.NewInt(7)}, games.Field{Least: five, Most: nine}, 6, 7},
		{Range{Least: *uint256.NewInt(6), Most: uint256.NewInt(12)}, games.Field{Most: nine}, 6, 9},
		{Range{Least: *uint256.NewInt(6), Most: uint256.NewInt(12)}, games.Field{}, 6, 12},
	} {
		if least, most := c.r.within(c.f); least.Uint64() != c.least || most.Uint64() != c.most {
			t.Errorf("%d: %d to %d", i, least.Uint64(), most.Uint64())
		}
	}
	for text, want := range map[string]string{"": "7", `"`: `"7"`, "1": "7", `"1"`: `"7"`} {
		if got := string(written(games.Field{Default: []byte(text)}, uint256.NewInt(7))); got != want {
			t.Errorf("like %q: %s, want %s", text, got, want)
		}
	}
	if err := new(Range).UnmarshalJSON(nil); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("no range: %v", err)
	}
	if _, err := number([]byte(`""`)); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("no number: %v", err)
	}
}

// A promise counts until the time is past by which it can be kept.
func TestPromisesLapse(t *testing.T) {
	o := node.Offer{State: node.OfferAccepted, Seat: 1, Terms: protocol.Terms{Players: []common.Address{{1}, {2}}, Deposits: amounts(1, 10), OpenBy: 100}}
	for clock, want := range map[uint64]int{100: 1, 101: 0} {
		if l := (tally{clock: clock}).sum([]node.Offer{o}, nil); l.Channels != want {
			t.Errorf("at %d: %+v", clock, l)
		}
	}
}

// A house needs what it stakes at least in some match: in the cheapest of its games, at its seat or
// at any; and something.
func TestLeastNeeded(t *testing.T) {
	seat := func(s uint8) *uint8 { return &s }
	game := func(name string, err error, least ...uint64) games.Game {
		g := mastermind.Game()
		g.Name, g.Stakes = name, func([]byte) ([]uint256.Int, error) { return amounts(least...), err }
		return g
	}
	free := mastermind.Game()
	for name, c := range map[string]struct {
		games games.Catalog
		seats map[string]*uint8
		want  uint64
	}{
		"any seat":         {games.Catalog{game("a", nil, 7, 5, 6)}, map[string]*uint8{"a": nil}, 5},
		"any, the first":   {games.Catalog{game("a", nil, 5, 7)}, map[string]*uint8{"a": nil}, 5},
		"its seat":         {games.Catalog{game("a", nil, 7, 5, 6)}, map[string]*uint8{"a": seat(2)}, 6},
		"one seat":         {games.Catalog{game("a", nil, 7)}, map[string]*uint8{"a": nil}, 7},
		"nothing":          {games.Catalog{game("a", nil, 0, 5)}, map[string]*uint8{"a": nil}, 1},
		"asked of nobody":  {games.Catalog{game("a", nil)}, map[string]*uint8{"a": nil}, 1},
		"not known":        {games.Catalog{game("a", protocol.ErrTerms, 7, 5)}, map[string]*uint8{"a": nil}, 1},
		"no such game":     {nil, map[string]*uint8{"a": nil}, 1},
		"free":             {games.Catalog{free}, map[string]*uint8{free.Name: nil}, 1},
		"the cheaper game": {games.Catalog{game("a", nil, 7), game("b", nil, 5), game("c", nil, 6)}, map[string]*uint8{"a": nil, "b": nil, "c": nil}, 5},
	} {
		p := &Policy{Games: map[string]Game{}}
		for name, s := range c.seats {
			p.Games[name] = Game{Seat: s}
		}
		for range 50 { // whichever game comes first
			if v := p.least(c.games); v.Uint64() != c.want {
				t.Fatalf("%s: %d", name, v.Uint64())
			}
		}
	}
}

// What a match may cost has to be known for it to be played.
func TestUnknownStakes(t *testing.T) {
	g := mastermind.Game()
	g.Stakes = func([]byte) ([]uint256.Int, error) { return amounts(1, 1), protocol.ErrTerms }
	params, err := g.Params.Encode([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	p := &Policy{Games: map[string]Game{g.Name: {Stake: &Amount{*uint256.NewInt(5)}}}}
	refused(t, p.Match(games.Catalog{g}, g.Name, protocol.MatchTerms{Params: params, Stakes: amounts(1, 1)}, 1), "is for 2 seats")
}
