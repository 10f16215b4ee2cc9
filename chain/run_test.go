package chain_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// Whatever fails while a batch is taken in, and wherever, the batch comes again; once its cursor is
// stored it does not.
func TestWhatIsNotTakenInComesAgain(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 2, After: func(time.Duration) <-chan time.Time {
		now := make(chan time.Time)
		close(now)
		return now
	}})
	w.say("a")
	w.say("broken")
	w.mine(2)
	store := &kept{values: map[string][]byte{}}
	broken := errors.New("broken")
	var told []string
	keep := func(fails string) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		fail := func(what string) error {
			told = append(told, what)
			if what == fails {
				return broken
			}
			return nil
		}
		err := r.follower.Keep(ctx, store, "cursor", chain.Reader{
			Bad:      func(*chain.BadLog) { told = append(told, "bad") },
			Happened: func(e *chain.Event) error { return fail(show(*e)) },
			Reached:  func(context.Context, *chain.Reach) error { return fail("reached") },
			Trouble: func(err error) {
				switch {
				case err == nil:
					told = append(told, "works")
					stop()
				case errors.Is(err, broken):
					told = append(told, "trouble")
					fails, store.broken = "", nil
				default:
					t.Errorf("trouble: %v", err)
				}
			},
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("ended: %v", err)
		}
	}
	want := func(want ...string) {
		t.Helper()
		if !slices.Equal(told, want) {
			t.Fatalf("told %q, want %q", told, want)
		}
		told = nil
	}
	keep("final a")
	want("seen a", "bad", "final a", "trouble", "seen a", "bad", "final a", "reached", "works")
	keep("")
	want("reached", "works") // also when there is nothing new
	w.say("b")
	w.mine(1)
	store.broken = broken
	keep("")
	want("trouble", "seen b", "reached", "works") // nothing is told before it is noted what will be
	w.say("c")
	w.mine(1)
	keep("reached")
	want("seen c", "final b", "reached", "trouble", "reached", "works")

	other, err := chain.NewFollower(w.dial(chain.Config{}), chain.FollowConfig{Arena: w.chain.Address(3), Decode: decode})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Keep(t.Context(), store, "cursor", chain.Reader{}); !errors.Is(err, chain.ErrCursor) {
		t.Fatalf("another Arena's cursor: %v", err)
	}
}

// A chain is read whole when its head is, not one block before.
func TestWhatIsReadWhole(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Window: 100})
	w.mine(60)
	for range 8 { // one call reads 64 blocks: of one of these chains all but the head
		w.mine(1)
		var cursor []byte
		for behind := true; behind; {
			b, err := r.follower.Next(t.Context(), cursor)
			if err != nil {
				t.Fatal(err)
			}
			if cursor, behind = b.Cursor, b.Behind; b.Whole == behind {
				t.Errorf("head %d: whole %v, behind %v", b.Head.Number, b.Whole, behind)
			}
		}
	}
}
