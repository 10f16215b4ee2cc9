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

// TestForgottenAreBounded: of accounts that are kept and forgotten, one after the other, the store
// holds the newest.
func TestForgottenAreBounded(t *testing.T) {
	s := store.NewMemory()
	a := NewAppointments(s, slog.New(slog.DiscardHandler))
	for i := range 3 {
		account := common.BigToAddress(big.NewInt(int64(1 + i)))
		a.Note(account, common.Hash{1}, true)
		a.Forget(account)
	}
	held := 0
	if err := s.Scan(appointmentPrefix, "", func(string, []byte) error { held++; return nil }); err != nil || held != 1 {
		t.Errorf("it holds %d, %v", held, err)
	}
}
