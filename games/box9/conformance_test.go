package box9

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func suite() gametest.Suite {
	return gametest.Suite{
		Game: Game(),
		Params: [][]byte{
			Params{Rounds: 10, Margin: 6, Coins: 10, Coin: 10_000 * gwei}.Bytes(),
			Params{Rounds: 3, Margin: 6, Coins: 1, Coin: 1, Referrers: 0x1234_5678_9abc_def0}.Bytes(),
			Params{Rounds: 5, Margin: 100, Coins: 1000, Coin: 7, Referrers: 0x1111_1111_1111_1120}.Bytes(),
			Params{Rounds: 2, Margin: 7, Coins: 1<<32 - 1, Coin: 1<<64 - 1, Referrers: 0x20}.Bytes(),
		},
		Stakes:      anyStakes,
		Gas:         250_000, // of any call; the worst closes the bets of fifteen players
		Choose:      anyBets,
		Noted:       anyNoted,
		Transitions: 30_000,
		Page:        "../gametest/cheating.txt",
		Reasons:     []string{"", "house left", "silence"},
	}
}

// anyStakes seats 2 to 16, with a little or a lot.
func anyStakes(r *rand.Rand, _ []byte) []uint256.Int {
	stakes := make([]uint256.Int, 2+r.IntN(15))
	for i := range stakes {
		stakes[i].Lsh(uint256.NewInt(r.Uint64()), uint(r.IntN(185)))
		if r.IntN(2) == 0 {
			stakes[i].SetUint64(uint64(r.IntN(3_000_000)) * gwei)
		}
	}
	return stakes
}

// anyBets has the house close the bets now, with some of what it was told, or with something
// spoilt.
func anyBets(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, err := rules{}.DecodeState(t.State)
	if err != nil || s.Phase != Betting || len(t.Notes) == 0 {
		return nil, err
	}
	m := Close{}
	for _, n := range t.Notes {
		if len(n.Text) == betSize && r.IntN(4) > 0 {
			m = append(m, decodeBet(n.Text))
		}
	}
	return &games.Decision{Move: m.encode(), Secrets: t.Secrets}, nil
}

// anyNoted is of one round in four, with bets that seats may have or not, and may pay or not.
func anyNoted(r *rand.Rand) common.Hash {
	if r.IntN(4) > 0 {
		return common.Hash{}
	}
	var bets Masks
	for seat := 1; seat < len(bets); seat++ {
		if m := Mask(r.IntN(1 << Boxes)); m.Legal() {
			bets[seat] = m
		}
	}
	return bets.word()
}

func TestConformance(t *testing.T) { suite().Run(t) }

func FuzzRules(f *testing.F) { suite().Fuzz(f) }

func FuzzText(f *testing.F) { suite().FuzzText(f) }
