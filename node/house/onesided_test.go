package house_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/battleships"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

func stakes(v ...uint64) []uint256.Int {
	list := make([]uint256.Int, len(v))
	for i := range v {
		list[i].SetUint64(v[i])
	}
	return list
}

// trio is rules for three seats that ask no stake of anybody, as rules from a contract's bytecode
// do.
func trio() games.Game {
	g := battleships.Game()
	g.Name = "trio"
	g.Stakes = func([]byte) ([]uint256.Int, error) { return make([]uint256.Int, 3), nil }
	return g
}

// Nobody plays against a house's stake for less than the house puts in, in games that ask no stakes
// of their own.
func TestAttack_OneSided_Policy(t *testing.T) {
	catalog := games.Catalog{mastermind.Game(), trio()}
	p, err := house.Parse([]byte(`{"channels":3,"exposure":"2eth","deposit":"1eth","games":{"mastermind":{"stake":50},"trio":{"stake":50}}}`), catalog)
	must(t, err)
	for _, c := range []struct {
		game   string
		stakes []uint256.Int
		why    string
	}{
		{"mastermind", stakes(0, 50), "seat 0 stakes 0"},
		{"mastermind", stakes(49, 50), "seat 0 stakes 49"},
		{"mastermind", stakes(50, 50), ""},
		{"mastermind", stakes(60, 50), ""},
		{"trio", stakes(50, 50, 0), "seat 2 stakes 0"},
		{"trio", stakes(50, 50, 50), ""},
	} {
		game, err := catalog.Find(c.game)
		must(t, err)
		params, err := game.Params.Encode([]byte(`{}`))
		must(t, err)
		switch err := p.Match(catalog, c.game, protocol.MatchTerms{Params: params, Stakes: c.stakes}, 1); {
		case c.why == "" && err != nil:
			t.Errorf("%s for %v: %v", c.game, c.stakes, err)
		case c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)):
			t.Errorf("%s for %v: %v, want %q", c.game, c.stakes, err, c.why)
		}
	}
	delete(p.Games, "trio")
	for deposits, why := range map[[2]uint64]string{{0, 50}: "seat 0 deposits 0", {49, 1000}: "seat 0 deposits 49", {50, 1000}: "", {7, 7}: "", {0, 0}: "the house deposits nothing"} {
		terms := protocol.Terms{Window: 10, Deposits: stakes(deposits[:]...)}
		switch err := p.Offer(catalog, terms, 1, money.Loan{Has: *uint256.NewInt(1000)}); {
		case why == "" && err != nil:
			t.Errorf("a channel of %v: %v", deposits, err)
		case why != "" && (err == nil || !strings.Contains(err.Error(), why)):
			t.Errorf("a channel of %v: %v, want %q", deposits, err, why)
		}
	}
	p, err = house.Parse([]byte(`{"channels":3,"exposure":"2eth","deposit":"1eth","games":{"trio":{"stake":50}}}`), catalog)
	must(t, err)
	if err := p.Offer(catalog, protocol.Terms{Window: 10, Deposits: stakes(50, 50, 49)}, 1, money.Loan{Has: *uint256.NewInt(1000)}); err == nil || !strings.Contains(err.Error(), "seat 2 deposits 49") {
		t.Errorf("a channel for three: %v", err)
	}
}

// A player who deposits next to nothing proposes matches in which the house alone has something to
// lose: none is played.
func TestAttack_OneSided(t *testing.T) {
	_, h, _, players := openWith(t, 1, `{"channels":5,"exposure":"2eth","deposit":"0.5eth","games":{"mastermind":{"stake":"0.1eth"}}}`, time.Now)
	one := players[0]
	if why := declined(t, one, request(h, 0, 5e17)); !strings.Contains(why, "seat 0 deposits 0") {
		t.Errorf("a channel without a deposit is declined because %q", why)
	}
	offer, err := one.Offer(t.Context(), request(h, 1e17, 5e17))
	must(t, err)
	c, err := one.Opened(t.Context(), offer)
	must(t, err)
	must(t, one.Propose(c.ID, node.MatchRequest{Game: "mastermind", Stakes: stakes(0, 1e17)}))
	refused := ""
	for e, err := range one.Events(t.Context(), 0) {
		must(t, err)
		if e.Kind == node.ProposalFailed {
			refused = e.Text
			break
		}
	}
	if !strings.Contains(refused, "stakes 0") {
		t.Errorf("refused because %q", refused)
	}
	if list := h.Matches(); len(list) != 0 {
		t.Errorf("the house plays %d matches", len(list))
	}
}
