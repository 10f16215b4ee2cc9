package house_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// documented is the policy that the documentation shows.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/games/sums-and-cows.md")
	must(t, err)
	found := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(text)
	if found == nil {
		t.Fatal("no policy is documented")
	}
	return string(found[1])
}

// The documented policy is one, plays the game by its defaults, and loses nothing in the long run.
func TestAttack_LosingPolicy(t *testing.T) {
	text := documented(t)
	p, err := house.Parse([]byte(text), catalog.Standard())
	must(t, err)
	game, err := catalog.Standard().Find("sums-and-cows")
	must(t, err)
	params, err := game.Params.Encode([]byte(`{}`))
	must(t, err)
	least, err := game.Stakes(params)
	must(t, err)
	must(t, p.Match(catalog.Standard(), "sums-and-cows", protocol.MatchTerms{Params: params, Stakes: least}, 1))
	deposits := []uint256.Int{*uint256.NewInt(1e17), *uint256.NewInt(1e18)}
	must(t, p.Offer(catalog.Standard(), protocol.Terms{Window: 3600, Deposits: deposits}, 1, money.Loan{Has: deposits[0]}))
	if list, err := p.Losses(catalog.Standard()); err != nil || len(list) != 0 {
		t.Errorf("it loses %+v (%v)", list, err)
	}

	for change, part := range map[[2]string]string{
		{`"0.0015eth"`, `"0.002eth"`}:                                          "may lose 0.0003",
		{`{"most": "0.0015eth"}`, `{}`}:                                        "may lose",
		{`"params": {`, `"params": {"n":1,"d":1,`}:                             "may lose 0.0004",
		{`{"least": "0.001eth"}`, `0`}:                                         "may lose",
		{`"sums-and-cows"`, `"mastermind":{"stake":"0.1eth"},"sums-and-cows"`}: "at most its stake of 0.1 eth",
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		p, err := house.Parse([]byte(changed), catalog.Standard())
		if err != nil {
			t.Fatalf("%v: %v", change, err)
		}
		list, err := p.Losses(catalog.Standard())
		if err != nil || len(list) != 1 || !strings.Contains(p.Warning(&list[0]), part) {
			t.Errorf("with %s: %+v (%v), want %q", change[1], list, err, part)
		}
	}
}

// By a policy that loses an alarm of the node stands, and by one that doesn't none does.
func TestAttack_LosingPolicy_Stands(t *testing.T) {
	for policy, want := range map[string]int{documented(t): 0, strings.Replace(documented(t), `"0.0015eth"`, `"0.002eth"`, 1): 1} {
		_, n, _, _ := openWith(t, 0, policy, nil)
		var list []node.Event
		must(t, n.Wait(t.Context(), func() (bool, error) { // the money has just come
			list = n.Standing()
			return !slices.ContainsFunc(list, lacksMoney), nil
		}))
		if len(list) != want || want > 0 && !strings.Contains(list[0].Text, "loses money in the long run: sums-and-cows") {
			t.Errorf("alarms: %+v, want %d", list, want)
		}
	}
}
