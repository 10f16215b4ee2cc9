package chain_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// keep goes on from what a store has until there is no more, as a process does between its start
// and its end, and returns what is told.
func (r *reader) keep(s chain.Store) (told []string) {
	r.w.t.Helper()
	ctx, stop := context.WithCancel(r.w.t.Context())
	defer stop()
	err := r.follower.Keep(ctx, s, "cursor", chain.Reader{
		Bad:      func(bad *chain.BadLog) { r.w.t.Error(bad) },
		Happened: func(e *chain.Event) error { told = append(told, show(*e)); return nil },
		Reached: func(_ context.Context, reach *chain.Reach) error {
			if !reach.Behind {
				stop()
			}
			return nil
		},
		Trouble: func(err error) {
			if err != nil {
				r.w.t.Error(err)
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		r.w.t.Fatal(err)
	}
	return told
}

// shelved counts the logs that a store keeps.
func shelved(t *testing.T, s chain.Store) (n int) {
	t.Helper()
	err := s.Scan("cursor/", "", func(string, []byte) error { n++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKeptApart: a process that is started anew at every step undoes what leaves the chain, and
// tells what becomes final, from the store alone. Of what is forgotten nothing stays there.
func TestKeptApart(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	disk, err := storetest.NewDisk().Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 5, Window: 10})
	for i, step := range []struct {
		do   func()
		told string
		kept int
	}{
		{func() { w.say("a"); w.mine(1) }, "seen a", 1},
		{func() { w.say("b"); w.say("foreign"); w.mine(1); w.say("c"); w.mine(1) }, "seen b seen c", 3},
		{func() { r.must(w.chain.Rewind(1)); w.say("d"); w.mine(2) }, "undone c seen d", 3},
		{func() { w.mine(4) }, "final a final b final d", 3},
		{func() { r.must(w.chain.Rewind(7)); w.say("e"); w.mine(8) }, "undone d undone b seen e final e", 2},
		{func() { w.mine(2) }, "", 1},
		{func() { w.mine(20) }, "", 0},
	} {
		step.do()
		if told := strings.Join(r.keep(disk), " "); told != step.told || shelved(t, disk) != step.kept {
			t.Errorf("%d: told %q, want %q; %d logs are kept, want %d", i, told, step.told, shelved(t, disk), step.kept)
		}
		cursor, err := disk.Get("cursor")
		r.must(err)
		if _, err := r.follower.Next(t.Context(), cursor); errors.Is(err, chain.ErrCursor) != (step.kept > 0) {
			t.Errorf("%d: the cursor without its store: %v", i, err)
		}
	}
}

// TestKeepAfterNext: a cursor that has its logs in place is gone on from, and they are kept apart
// from it.
func TestKeepAfterNext(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 5})
	w.say("a")
	w.mine(1)
	w.say("b")
	w.mine(1)
	r.want("seen a", "seen b")
	s := store.NewMemory()
	r.must(s.Commit(map[string][]byte{"cursor": r.cursor}))
	w.mine(1)
	if told := r.keep(s); len(told) > 0 || shelved(t, s) != 2 {
		t.Errorf("told %q; %d logs are kept apart", told, shelved(t, s))
	}
	r.must(w.chain.Rewind(2))
	w.mine(5)
	if told := r.keep(s); !slices.Equal(told, []string{"undone b", "final a"}) {
		t.Errorf("told %q", told)
	}
}

// TestWhereAnArenaWasFollowed: a cursor says on which chain; one of another Arena, or that can't be
// read, says nothing.
func TestWhereAnArenaWasFollowed(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r, s := w.follow(w.dial(chain.Config{}), chain.FollowConfig{}), store.NewMemory()
	of := func(arena common.Address) uint64 {
		id, err := chain.Followed(s, "cursor", arena)
		r.must(err)
		return id
	}
	if id := of(w.once); id != 0 {
		t.Errorf("before anything was followed: chain %d", id)
	}
	r.keep(s)
	if id, other := of(w.once), of(common.Address{1}); id != w.chain.ChainID() || other != 0 {
		t.Errorf("chain %d, and of another Arena %d", id, other)
	}
	r.must(s.Commit(map[string][]byte{"cursor": []byte("{")}))
	if id := of(w.once); id != 0 {
		t.Errorf("by a damaged cursor: chain %d", id)
	}
	broken := &storetest.Faulty{Store: s, Before: func(storetest.Op) error { return storetest.ErrCrash }}
	if _, err := chain.Followed(broken, "cursor", w.once); !errors.Is(err, storetest.ErrCrash) {
		t.Errorf("a store that can't be read: %v", err)
	}
}

func (r *reader) must(err error) {
	r.w.t.Helper()
	if err != nil {
		r.w.t.Fatal(err)
	}
}
