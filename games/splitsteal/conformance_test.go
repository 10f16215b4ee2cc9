package splitsteal

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games/gametest"
	"github.com/holiman/uint256"
)

func suite(house uint8, params ...Params) gametest.Suite {
	s := gametest.Suite{
		Game:    Game(),
		Gas:     6_000, // of any call
		Stakes:  randomStakes,
		Allowed: map[string]string{"commit/commits to rubbish": "Every number is a choice: this one splits"},
		// two silences in one match are too rare here: see the checklist
		Reasons: []string{"", "silence"},
	}
	for _, p := range append(params, Params{N1: 1, N2: 3, D1: 4, D2: 2}, Params{N1: 1, N2: 2, D1: 3, D2: 1}, Params{N1: 1<<31 - 1, N2: 1 << 31, D1: 1<<32 - 1, D2: 1<<32 - 2}) {
		p.House = house
		s.Params = append(s.Params, p.Bytes())
	}
	return s
}

// randomStakes are bets of all sizes, zero and nearly the most there can be included, and a house
// that covers the subsidy, to the wei or with more.
func randomStakes(r *rand.Rand, encoded []byte) []uint256.Int {
	p, err := rules{}.DecodeParams(encoded)
	if err != nil {
		panic(err)
	}
	random := func(bits uint) (v uint256.Int) {
		v = uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		v.Rsh(&v, 256-bits)
		return v
	}
	s := Stakes{X: random(r.UintN(maxBet + 1)), Y: random(r.UintN(maxBet + 1))}
	if p.House != NoHouse {
		s.House = *Subsidy(p, &s.X, &s.Y)
		if more := random(r.UintN(maxBet)); r.IntN(2) == 0 {
			s.House.Add(&s.House, &more)
		}
	}
	return s.bySeat(p)
}

func TestConformance(t *testing.T) {
	for name, house := range map[string]uint8{"house 0": 0, "house 1": 1, "house 2": 2, "no house": NoHouse} {
		t.Run(name, func(t *testing.T) {
			s := suite(house)
			s.Transitions = 40_000
			if house == 2 {
				s.Page = "../gametest/cheating.txt"
			}
			s.Run(t)
		})
	}
}

func FuzzRules(f *testing.F) { suite(2).Fuzz(f) }

func FuzzText(f *testing.F) { suite(2).FuzzText(f) }
