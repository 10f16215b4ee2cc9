package box9

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// The house waits for bets until a margin before the last block at which they may be signed, and no longer: the others need
// that time to sign.
func TestAuto_ClosesBetsInTime(t *testing.T) {
	s := State{Phase: Betting, Block: 1010, Pocket: []uint256.Int{{}, *uint256.NewInt(100_000)}, Credit: make([]uint256.Int, 2), Rolled: make([]uint256.Int, 2)}
	for head, closed := range map[uint64]bool{1001: false, 1002: true, 1005: true, 1006: true} {
		c := &games.Context{Facts: &ledger{head: head, hashes: map[uint64]common.Hash{}}, Signers: make([]common.Address, 2)}
		if m, decided, err := (player{}).Auto(seat{Context: c, Params: usual, State: s}); decided != closed || err != nil {
			t.Errorf("at block %d: %v, decided %v, %v", head, m, decided, err)
		}
	}
}
