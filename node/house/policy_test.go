package house

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const usual = `{
	"channels": 3, "exposure": "2eth", "deposit": "1eth", "window": {"least": 10, "most": 100}, "idle": "10m",
	"games": {
		"sums-and-cows": {"seat": 1, "params": {"n": 6, "d": 3, "guesses": {"least": 1, "most": 9}, "start": "10", "fee": {"least": "7"}, "prize": {"most": 100}}},
		"mastermind": {"stake": 50}
	}
}`

func parsed(t *testing.T) *Policy {
	t.Helper()
	p, err := Parse([]byte(usual), catalog.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func refused(t *testing.T, err error, part string) {
	t.Helper()
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), part) {
		t.Errorf("%v, want a refusal about %q", err, part)
	}
}

func amounts(v ...uint64) []uint256.Int {
	list := make([]uint256.Int, len(v))
	for i := range v {
		list[i].SetUint64(v[i])
	}
	return list
}

func TestParse(t *testing.T) {
	for text, part := range map[string]string{
		`{}`: "must name games", `{"chanels":1}`: "chanels", `[]`: "cannot unmarshal", usual + "1": "more than one",
		strings.Replace(usual, "mastermind", "chess", 1):              "chess",
		strings.Replace(usual, `"n": 6`, `"m": 6`, 1):                 "no parameter m",
		strings.Replace(usual, `"n": 6`, `"n": 27`, 1):                "n is 27",
		strings.Replace(usual, `"2eth"`, `"lots"`, 1):                 "lots",
		strings.Replace(usual, `"channels": 3,`, "", 1):               "must name games, and limit",
		strings.Replace(usual, `"most": 9}`, `"most": 0}`, 1):         "no number is",
		strings.Replace(usual, `{"most": 100}`, `{"most": null}`, 1):  "null",
		strings.Replace(usual, `{"most": 100}`, `{"least": null}`, 1): "null",
	} {
		if _, err := Parse([]byte(text), catalog.Standard()); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", text, err, part)
		}
	}
}

// TestParse_Token: a token has decimals of its own. In a policy for one no amount is written in
// ether: that of most tokens would be no limit.
func TestParse_Token(t *testing.T) {
	token := strings.Replace(usual, `"channels"`, `"asset": "0x5FbDB2315678afecb367f032d93F642f64180aa3", "channels"`, 1)
	whole := strings.NewReplacer(`"2eth"`, `"2000000"`, `"1eth"`, "1000000").Replace(token)
	for text, part := range map[string]string{
		token: `"2eth"`, strings.Replace(whole, `"10"`, `" 0.5 GWei"`, 1): `" 0.5 GWei"`, strings.Replace(whole, "50", `"7ETH"`, 1): `"7ETH"`, whole: "",
	} {
		if _, err := Parse([]byte(text), catalog.Standard()); (err != nil) != (part != "") || err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", text, err, part)
		}
	}
}

// Each limit is exact: what just fits is taken, one more is refused with that reason.
func TestPolicy_Offer(t *testing.T) {
	p := parsed(t)
	const eth = 1_000_000_000_000_000_000
	terms := func(change func(*protocol.Terms)) protocol.Terms {
		t := protocol.Terms{Window: 10, Deposits: amounts(17, eth)}
		if change != nil {
			change(&t)
		}
		return t
	}
	full := money.Loan{Channels: 2, Locked: *uint256.NewInt(eth), Has: *uint256.NewInt(17)}
	if err := p.Offer(catalog.Standard(), terms(nil), 1, full); err != nil {
		t.Error(err)
	}
	for part, c := range map[string]struct {
		terms protocol.Terms
		now   money.Loan
	}{
		"plays for ETH only":        {terms(func(t *protocol.Terms) { t.Asset = common.Address{1} }), money.Loan{}},
		"window of 9":               {terms(func(t *protocol.Terms) { t.Window = 9 }), money.Loan{}},
		"window of 101":             {terms(func(t *protocol.Terms) { t.Window = 101 }), money.Loan{}},
		"deposits at most":          {terms(func(t *protocol.Terms) { t.Deposits[1].SetUint64(eth + 1) }), money.Loan{}},
		"all 3 channels":            {terms(nil), money.Loan{Channels: 3}},
		"seat 0 has 16 wei":         {terms(nil), money.Loan{Has: *uint256.NewInt(16)}},
		"could be opened for 31":    {terms(nil), money.Loan{Left: 31}},
		"open the 2 channels first": {terms(nil), money.Loan{Each: 2, Opening: 2, Channels: 2}},
		"waits for 2 channels":      {terms(nil), money.Loan{Opening: 2, Channels: 2}},
		"risks at most":             {terms(nil), money.Loan{Locked: *uint256.NewInt(eth + 1)}},
	} {
		refused(t, p.Offer(catalog.Standard(), c.terms, 1, c.now), part)
	}
	var most uint256.Int
	refused(t, p.Offer(catalog.Standard(), terms(nil), 1, money.Loan{Locked: *most.SetAllOne()}), "risks at most")
}

// A player that can't pay for the cheapest match is refused, and so is a channel in which the house
// could not.
func TestPolicy_TooPoor(t *testing.T) {
	p := parsed(t)
	delete(p.Games, "mastermind") // which any stake will do for
	for deposits, part := range map[[2]uint64]string{
		{17, 100}: "", {17, 0}: "", {16, 100}: "seat 0 deposits 16 wei, which does not cover the 17 wei that a match of sums-and-cows costs at least",
	} {
		err := p.Offer(catalog.Standard(), protocol.Terms{Window: 10, Deposits: amounts(deposits[:]...)}, 1, money.Loan{Has: *uint256.NewInt(deposits[0])})
		if part == "" && err != nil {
			t.Error(err)
		} else if part != "" {
			refused(t, err, part)
		}
	}
}

func TestPolicy_Match(t *testing.T) {
	p := parsed(t)
	type match struct {
		game   string
		params string
		stakes []uint256.Int
		seat   int
	}
	const sums = "sums-and-cows"
	ok := `{"n":6,"d":3,"guesses":9,"start":10,"fee":7,"prize":100}`
	for _, c := range []struct {
		match
		part string
	}{
		{match{sums, ok, amounts(73, 100), 1}, ""},
		{match{sums, ok, amounts(80, 100), 1}, ""},
		{match{sums, ok, amounts(72, 100), 1}, "seat 0 stakes 72 wei, which does not cover the 73 wei"},
		{match{sums, ok, amounts(73, 101), 1}, "stakes at most 100"},
		{match{sums, ok, amounts(100, 73), 0}, "takes seat 1"},
		{match{sums, ok, amounts(73, 100, 1), 1}, "is for 2 seats"},
		{match{sums, strings.Replace(ok, `:100`, `:101`, 1), amounts(73, 101), 1}, "prize is \"101\"; the house takes 0..100"},
		{match{sums, strings.Replace(ok, `:7`, `:6`, 1), amounts(64, 100), 1}, "fee is \"6\"; the house takes at least 7"},
		{match{sums, strings.Replace(ok, `:9`, `:10`, 1), amounts(80, 100), 1}, "guesses is 10; the house takes 1..9"},
		{match{sums, strings.Replace(ok, `:3`, `:2`, 1), amounts(73, 100), 1}, "d is 2; the house takes 3"},
		{match{"mastermind", `{}`, amounts(1000, 50), 1}, ""},
		{match{"mastermind", `{}`, amounts(50, 1000), 0}, ""},
		{match{"mastermind", `{}`, amounts(50, 51), 1}, "stakes at most 50"},
		{match{"mastermind", `{"rounds":3}`, amounts(50, 50), 1}, "rounds is 3; the house takes 4"},
		{match{"battleships", `{}`, amounts(50, 50), 1}, "the house plays [mastermind sums-and-cows]"},
		{match{"", `{}`, amounts(50, 50), 1}, "the house plays"},
	} {
		game, err := catalog.Standard().Find(c.game)
		if err != nil {
			game = mastermind.Game()
		}
		params, err := game.Params.Encode([]byte(c.params))
		if err != nil {
			t.Fatal(err)
		}
		err = p.Match(catalog.Standard(), c.game, protocol.MatchTerms{Params: params, Stakes: c.stakes}, c.seat)
		if c.part == "" && err != nil {
			t.Errorf("%+v: %v", c.match, err)
		} else if c.part != "" {
			refused(t, err, c.part)
		}
	}
	if err := p.Match(games.Catalog{sumscows.Game()}, sums, protocol.MatchTerms{Params: []byte("rubbish")}, 1); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestReason(t *testing.T) {
	if got := reason(refuse("no %s", strings.Repeat("é", 300))); len(got) > 200 || !strings.HasPrefix(got, "no é") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%q", got)
	}
	if got := reason(fmt.Errorf("dial http://user:password@chain")); strings.Contains(got, "password") {
		t.Errorf("%q tells the house's own affairs", got)
	}
}
