package driver

import (
	"log/slog"
	"math/big"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// TestMetAreBounded: what accounts prove that are not kept is remembered of a bounded number.
func TestMetAreBounded(t *testing.T) {
	a := NewAppointments(store.NewMemory(), slog.New(slog.DiscardHandler))
	for i := range 2 * maxMet {
		a.Note(common.BigToAddress(big.NewInt(int64(1+i))), common.Hash{1}, false)
	}
	if len(a.met) > maxMet || a.Good(common.Address{}, common.Hash{}) {
		t.Errorf("%d are remembered", len(a.met))
	}
}
