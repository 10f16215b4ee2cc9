package battleships

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
)

func suite() gametest.Suite {
	g, quick := Game(), player{remembering()}
	g.Player, g.Liars = games.Seated(rules{}, quick), liars(quick)
	return gametest.Suite{
		Game:    g,
		Derived: true, // the root of a tree, whose leaves are salted
		Params:  [][]byte{{0}, {1}},
		Gas:     60_000, // of any call; the worst is an opened board
		Odd:     odd,
		Reasons: []string{"", "early reveal", "bad fleet", "false answer", "silence"},
		Page:    "../gametest/cheating.txt",
	}
}

// remembering plants a board once, and not at each answer. It is for one goroutine.
func remembering() planter {
	type board struct {
		matchID common.Hash
		seat    uint8
		fleet   Cells
		secret  common.Hash
	}
	known := make(map[board]*tree)
	return func(matchID common.Hash, seat uint8, fleet Cells, secret common.Hash) *tree {
		b := board{matchID, seat, fleet, secret}
		if known[b] == nil {
			if len(known) == 64 {
				clear(known)
			}
			known[b] = plant(matchID, seat, fleet, secret)
		}
		return known[b]
	}
}

// odd commits to what is no fleet, and opens boards early.
func odd(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, err := rules{}.DecodeState(t.State)
	if err != nil {
		return nil, err
	}
	vault, err := commit.Open(t.Secrets, t.Context.MatchID, t.Seat, t.Random)
	if err != nil {
		return nil, err
	}
	p, err := rules{}.DecodeParams(t.Context.Params)
	if err != nil {
		return nil, err
	}
	at := seat{Context: t.Context, Params: p, State: s, Seat: t.Seat, Vault: vault, Random: t.Random}
	var m Move
	switch {
	case s.Phase <= Calling && !vault.Has(fleetTag, 0):
		m, err = honest.place(at, Cells(r.Uint64()))
	case s.Phase >= Shooting && r.IntN(8) == 0:
		m, _, err = reveal(at)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &games.Decision{Move: m.encode(), Secrets: vault.Secrets()}, nil
}

func TestConformance(t *testing.T) { suite().Run(t) }

func FuzzRules(f *testing.F) { suite().Fuzz(f) }

func FuzzText(f *testing.F) { suite().FuzzText(f) }
