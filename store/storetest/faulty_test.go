package storetest_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

func TestFaultyPassesConformance(t *testing.T) {
	storetest.Run(t, func(testing.TB) (store.Store, func() store.Store) {
		m := store.NewMemory()
		return &storetest.Faulty{Store: m}, func() store.Store {
			m = m.Reopen()
			return &storetest.Faulty{Store: m}
		}
	})
}

// An error from Before keeps a call from happening; one from After hides that it did.
func TestFaultyFailsWhereItIsTold(t *testing.T) {
	crash := func(op storetest.Op) error {
		if op == storetest.Commit {
			return storetest.ErrCrash
		}
		return nil
	}
	for want, hook := range map[string]func(*storetest.Faulty){
		"old": func(f *storetest.Faulty) { f.Before = crash },
		"new": func(f *storetest.Faulty) { f.After = crash },
	} {
		f := &storetest.Faulty{Store: store.NewMemory()}
		if err := f.Commit(map[string][]byte{"a": []byte("old")}); err != nil {
			t.Fatal(err)
		}
		hook(f)
		if err := f.Commit(map[string][]byte{"a": []byte("new")}); !errors.Is(err, storetest.ErrCrash) {
			t.Errorf("commit: %v, want ErrCrash", err)
		}
		if got, err := f.Get("a"); err != nil || string(got) != want {
			t.Errorf("left with %q, %v; want %q", got, err, want)
		}
	}
}
