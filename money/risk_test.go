package money_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
)

func TestRisk(t *testing.T) {
	var r money.Risk
	for range 200 {
		r.Add(uint256.NewInt(3), uint256.NewInt(100))
	}
	if got := r.Bound(); got.Uint64() != 200*3+4582+1 { // 100 * sqrt(200 * 21 / 2) = 4582.5…
		t.Errorf("%s", got.Dec())
	}
	var most uint256.Int
	r.Add(most.SetAllOne(), &most)
	if got := r.Bound(); !got.Eq(&most) {
		t.Errorf("more than 256 bits: %s", got.Dec())
	}
}

// Fair coins never exceed the bound; a house that loses more than it says on average soon does.
func TestRisk_Coins(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	exceeds := func(lost float64) bool {
		for range 100 {
			var r money.Risk
			total := 0
			for range 500 {
				if r.Add(uint256.NewInt(0), uint256.NewInt(2)); chance.Float64() < lost {
					total++
				} else {
					total--
				}
				if bound := r.Bound(); total > 0 && bound.LtUint64(uint64(total)) {
					return true
				}
			}
		}
		return false
	}
	if exceeds(0.5) {
		t.Error("a fair coin exceeds the bound")
	}
	if !exceeds(0.8) {
		t.Error("four of five are lost, and nothing shows")
	}
}
