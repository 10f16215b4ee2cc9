package chain

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/ante-games/ante/store"
)

// TestAHeadThatGoesBack: endpoints may go back by as many blocks as one may be behind the other,
// and no further, before a person is told.
func TestAHeadThatGoesBack(t *testing.T) {
	for back, alarms := range map[uint64]string{5: "", 6: "WentBack"} {
		f := followTwo(t, FollowConfig{}, &branch{head: 20}, &branch{head: 20})
		f.read()
		f.one.head, f.two.head = 20-back, 20-back
		if got := f.read(); got != "" || faults(f.rung.take()) != alarms {
			t.Errorf("by %d blocks: %q, want alarms %q", back, got, alarms)
		}
	}
}

// TestNothingFinalIsLost: all that is remembered leaves the chain, but nothing of it was final, for
// the endpoints differ about it: following goes on.
func TestNothingFinalIsLost(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 8, Confirmations: 3}, &branch{head: 40, logs: logsAt(36)}, &branch{head: 40, from: 33, mark: 2})
	if got := f.read(); got != "seen 36" {
		t.Fatal(got)
	}
	f.one.from, f.one.mark, f.one.logs = 33, 2, nil
	if got := f.read(); got != "undone 36" || strings.Contains(faults(f.rung.take()), "DeepReorg") {
		t.Error(got)
	}
}

// TestBlocksAreComparedInParts: what one endpoint refuses to tell of a block keeps the 64 before
// it, which are compared together, from nothing.
func TestBlocksAreComparedInParts(t *testing.T) {
	const first = 21
	logs := logsAt(first, first+63, first+64)
	f := followTwo(t, FollowConfig{From: first, Window: 200, Confirmations: 1}, &branch{head: 150, logs: logs}, &branch{head: first - 1, logs: logs})
	if got := f.read(); got != "seen 21, seen 84, seen 85" {
		t.Fatal(got)
	}
	f.two.head, f.two.fails = 150, func(_ string, number uint64) error {
		if number == first+64 {
			return errNo
		}
		return nil
	}
	if got := f.read(); got != "final 21, final 84" {
		t.Error(got)
	}
	f.two.fails = nil
	if got := f.read(); got != "final 85" {
		t.Error(got)
	}
}

// TestBlocksThatAnotherOneTold: what the second endpoint told while the first was down is final
// once the first one tells it too. One that refuses to is asked again.
func TestBlocksThatAnotherOneTold(t *testing.T) {
	away := func(string, uint64) error { return errAway }
	f := followTwo(t, FollowConfig{Confirmations: 3}, &branch{head: 20, logs: logsAt(19), fails: away}, &branch{head: 20, logs: logsAt(19)})
	if got := f.read(); got != "seen 19" {
		t.Fatal(got)
	}
	f.one.head, f.two.head = 21, 21
	f.one.fails = func(method string, number uint64) error {
		if method == "eth_getLogs" && number == 19 {
			return errNo
		}
		return nil
	}
	if got := f.read(); got != "" {
		t.Fatal(got)
	}
	f.one.fails = nil
	if got := f.read(); got != "final 19" {
		t.Error(got)
	}
}

// TestAContradictionIsLookedInto: an endpoint whose logs of a block the other one contradicts is
// asked for them again. What it tells then counts, also where that is the first block; that it
// refuses changes nothing.
func TestAContradictionIsLookedInto(t *testing.T) {
	for what, c := range map[string]struct {
		again error
		want  string
	}{"it tells them now": {nil, "seen 20, final 20"}, "it refuses": {errNo, ""}} {
		f := followTwo(t, FollowConfig{From: 20, Confirmations: 1}, &branch{head: 20}, &branch{head: 20, logs: logsAt(20)})
		asked := 0
		f.one.fails = func(method string, _ uint64) error {
			if method != "eth_getLogs" {
				return nil
			}
			if asked++; asked == 1 {
				return nil
			}
			f.one.logs = f.two.logs
			return c.again
		}
		if got := f.read(); got != c.want || asked < 2 {
			t.Errorf("%s: %q after %d times, want %q", what, got, asked, c.want)
		}
	}
}

// TestLogsOfAnotherBlock: logs far below the head are of the blocks that they name.
func TestLogsOfAnotherBlock(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 12}, &branch{head: 40, logs: logsAt(9)}, &branch{head: 40, logs: logsAt(9)})
	f.one.logs[9][0].BlockHash, f.two.logs[9][0].BlockHash = common.Hash{1}, common.Hash{1}
	if _, err := f.Next(t.Context(), nil); !errors.As(err, new(*Lying)) {
		t.Fatal(err)
	}
}

// TestWhatIsRemembered: no more blocks than the window has; and far below it as many are read at
// once as may be.
func TestWhatIsRemembered(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 8, Confirmations: 3, MaxRange: 10}, &branch{head: 40}, &branch{head: 40})
	first, err := f.Next(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	f.cursor = first.Cursor
	if base, blocks := f.remembers(); base != 11 || blocks != 0 {
		t.Errorf("%d blocks from %d on, after ten blocks", blocks, base)
	}
	for range 20 {
		f.read()
		f.one.head++
		f.two.head++
	}
	if base, blocks := f.remembers(); base != 52 || blocks != 8 {
		t.Errorf("%d blocks from %d on", blocks, base)
	}
}

// TestARangeIsNoLongerThanBothTell: far below the head, no more is asked of one endpoint than the
// other one was found to tell at once.
func TestARangeIsNoLongerThanBothTell(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 12}, &branch{head: 100, logs: logsAt(9)}, &branch{head: 100, logs: logsAt(9), most: 10})
	f.read()
	asked := 0
	f.one.fails = func(method string, _ uint64) error {
		if method == "eth_getLogs" {
			asked++
		}
		return nil
	}
	f.cursor = nil
	if got := f.read(); got != "seen 9, final 9" || asked != 100 {
		t.Errorf("%q, and the logs of %d blocks are told, want 100", got, asked)
	}
}

// TestWhatNobodyElseHasIsUndone: a block that isn't final yet is undone on the word of the one
// endpoint that has it.
func TestWhatNobodyElseHasIsUndone(t *testing.T) {
	f := followTwo(t, FollowConfig{Confirmations: 1}, &branch{head: 20, logs: logsAt(20)}, &branch{head: 19})
	if got := f.read(); got != "seen 20" {
		t.Fatal(got)
	}
	f.one.head, f.one.from, f.one.mark, f.one.logs = 21, 20, 2, nil
	if got := f.read(); got != "undone 20" {
		t.Error(got)
	}
}

// TestABlockOfAnotherBranch: the chain is reorganised while the next block, and no other, is asked
// for: what was followed is undone before anything of the other branch is told.
func TestABlockOfAnotherBranch(t *testing.T) {
	f := followTwo(t, FollowConfig{MaxAhead: 1}, &branch{head: 20, logs: logsAt(20)}, &branch{head: 20})
	if got := f.read(); got != "seen 20" {
		t.Fatal(got)
	}
	f.one.head = 22
	f.one.fails = func(_ string, number uint64) error {
		if number == 21 && f.one.from == 0 {
			f.one.from, f.one.mark, f.one.logs = 20, 2, logsAt(21)
			f.one.logs[21][0].BlockHash = f.one.block(21).Hash
		}
		return nil
	}
	if got := f.read() + ", " + f.read(); got != ", undone 20, seen 21" {
		t.Error(got)
	}
}

// TestBlocksOfTwoTellers: what one endpoint told alone isn't final by its own word, though the
// block before it was told by the other one.
func TestBlocksOfTwoTellers(t *testing.T) {
	f := followTwo(t, FollowConfig{Confirmations: 3}, &branch{head: 19}, &branch{head: 19})
	f.read()
	f.one.fails, f.two.head, f.two.logs = func(string, uint64) error { return errAway }, 20, logsAt(20)
	if got := f.read(); got != "seen 20" {
		t.Fatal(got)
	}
	f.one.fails, f.one.head, f.two.head = nil, 22, 22
	if got := f.read(); got != "undone 20" {
		t.Error(got)
	}
}

// TestMoreIsThere: more blocks are asked for at once where some came, and not where none did: an
// endpoint doesn't have yet what it tells of. That what is there can't be read is an alarm only
// once all up to it is.
func TestMoreIsThere(t *testing.T) {
	for known, behind := range map[uint64]bool{20: false, 21: true, 24: false} {
		f := followTwo(t, FollowConfig{}, &branch{head: 20}, &branch{head: 20})
		f.read()
		f.one.head, f.two.head = 24, 24
		f.one.fails = func(_ string, number uint64) error {
			if number > known && number < 24 {
				return ErrUnknownBlock
			}
			return nil
		}
		if batch, err := f.Next(t.Context(), f.cursor); err != nil || batch.Behind != behind {
			t.Errorf("up to %d: %t, %v", known, batch.Behind, err)
		}
	}
	f := followTwo(t, FollowConfig{From: 20, MaxAhead: 64}, &branch{head: 120}, &branch{head: 19})
	for _, want := range []string{"Lagging", "NotFollowing"} {
		f.step()
		if got := faults(f.rung.take()); got != want {
			t.Errorf("alarms %q, want %q", got, want)
		}
	}
}

// TestWhatIsHandedOver: that there is a newer block, at one endpoint or at both, or more of one
// that is behind; nothing else, and nothing that is there is waited for.
func TestWhatIsHandedOver(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 20, Window: 200}, &branch{head: 20}, &branch{head: 20})
	var did []string
	next := []func(){func() {}, func() { f.one.head++ }, func() { f.two.head++ }, func() { f.one.head, f.two.head = 120, 120 }}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	f.config.After = func(time.Duration) <-chan time.Time {
		if did = append(did, "wait"); len(next) == 0 {
			stop()
			return nil
		}
		next[0]()
		next = next[1:]
		over := make(chan time.Time)
		close(over)
		return over
	}
	err := f.Keep(ctx, store.NewMemory(), "cursor", Reader{
		Reached: func(_ context.Context, r *Reach) error {
			did = append(did, fmt.Sprintf("%d %d %t", r.Head.Number, r.Shared.Number, r.Behind))
			return nil
		},
		Trouble: func(err error) {
			if err != nil {
				t.Error(err)
			}
		},
	})
	want := "20 20 false, wait, wait, 21 20 false, wait, 21 21 false, wait, 120 120 true, 120 120 false, wait"
	if got := strings.Join(did, ", "); !errors.Is(err, context.Canceled) || got != want {
		t.Errorf("did %q, want %q: %v", got, want, err)
	}
}

// TestWhatStopsReading: the second endpoint lags, and then contradicts the first one about a block.
// Reading stops either way, and a person is told which of the two it is.
func TestWhatStopsReading(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 20, Confirmations: 3, Window: 8, MaxAhead: 10}, &branch{head: 100}, &branch{head: 19, logs: logsAt(40)})
	for _, c := range []struct {
		head   uint64 // of the second one
		tells  uint64 // a log in this block
		alarms string
		why    error
	}{
		{19, 40, "Lagging, NotFollowing", &Ahead{Number: 30}},
		{100, 40, "Lagging over, Lying, NotFollowing over, NotFollowing", &Unconfirmed{Number: 40, Last: 58}},
		{100, 0, "Lying over, NotFollowing over", &Unconfirmed{Number: 40, Last: 58}},
	} {
		f.two.head, f.two.logs = c.head, logsAt(c.tells)
		f.read()
		f.step()
		list := f.rung.take()
		if got := faults(list); got != c.alarms {
			t.Fatalf("alarms %q, want %q", got, c.alarms)
		}
		if got := errors.Unwrap(list[len(list)-1].Fault); got.Error() != c.why.Error() {
			t.Errorf("told %q, want %q", got, c.why)
		}
	}
}
