package node

import (
	"testing"
	"time"

	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_OfferStream_Crowd: however many players of a house use up what they may have written
// down, the bets of another one, which are notes, are taken.
func TestAttack_OfferStream_Crowd(t *testing.T) {
	b := budget.New(func() time.Time { return time.Unix(1e9, 0) }, storedLimit)
	for i := range 1000 {
		crowd := budget.Who{Account: common.Address{1, byte(i >> 8), byte(i)}, Friend: true}
		if err := b.Spend(crowd, storedLimit.Friend.Burst); err != nil {
			t.Fatalf("player %d: %v", i, err)
		}
	}
	if err := b.Spend(budget.Who{Account: common.Address{2}, Friend: true}, 2); err != nil {
		t.Errorf("a bet is refused: %v", err)
	}
}
