package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// While a draw is not signed by all, every seat's node wants the hash kept. One of them pays for
// it: each leaves it to those before it, and sees in the contract when it is done.
func TestRecordedOnce(t *testing.T) {
	const last = games.MaxSeats - 1
	b := boxTable(t, last, 2)
	block := b.name()
	b.bets()
	b.until(block, 1)
	b.line = b.whole(block).line
	calls := 0
	b.until(block, 128)
	for n := 0; n <= 2*last; n++ {
		var now []*games.Call
		for seat := range uint8(games.MaxSeats) {
			if call := b.upkeep(seat, b.all()>>1); call != nil && b.chain.Storage(b.match.terms.Rules, call.Slot) == (common.Hash{}) {
				now = append(now, call)
			}
		}
		for _, call := range now {
			b.send(call.Data)
			calls++
			if got := b.chain.Storage(b.match.terms.Rules, call.Slot); got != b.chain.BlockHash(block) {
				t.Errorf("the call's slot holds %v, not the hash of block %d", got, block)
			}
		}
		b.chain.Mine(1)
	}
	if calls != 1 {
		t.Errorf("%d of 16 nodes have the hash kept", calls)
	}
	if call := b.upkeep(last, b.all()>>1); call == nil {
		t.Error("the last seat would leave it at that")
	}
}
