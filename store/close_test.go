package store_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

// TestCloseWaits: for the calls that are under way, whose data would be gone; no others are let in.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := storetest.NewDisk().Open()
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, "a", "1")
		closed := make(chan error, 1)
		err = s.Scan("a", "", func(string, []byte) error {
			go func() { closed <- s.Close() }()
			synctest.Wait()
			if len(closed) > 0 {
				t.Error("closed during a scan")
			}
			if _, err := s.Get("a"); !errors.Is(err, store.ErrClosed) {
				t.Errorf("while it closes: %v", err)
			}
			return nil
		})
		if err := errors.Join(err, <-closed); err != nil {
			t.Error(err)
		}
	})
}
