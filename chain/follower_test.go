package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// reader follows the contract and keeps what it was told, as a node would: the cursor with the
// events.
type reader struct {
	w        *world
	follower *chain.Follower
	cursor   []byte
	told     []string
	bad      int
}

func (w *world) follow(client *chain.Client, config chain.FollowConfig) *reader {
	w.t.Helper()
	config.Arena, config.Decode = w.once, decode
	if config.From == 0 {
		config.From = 1
	}
	follower, err := chain.NewFollower(client, config)
	if err != nil {
		w.t.Fatal(err)
	}
	return &reader{w: w, follower: follower}
}

// read asks until there is no more, and returns what was told.
func (r *reader) read() []string {
	r.w.t.Helper()
	told := []string{}
	for {
		batch, err := r.follower.Next(context.Background(), r.cursor)
		if err != nil {
			r.w.t.Fatal(err)
		}
		for _, event := range batch.Events {
			told = append(told, show(event))
		}
		r.bad += len(batch.Bad)
		r.cursor = batch.Cursor
		if !batch.Behind {
			r.told = append(r.told, told...)
			return told
		}
	}
}

func (r *reader) want(want ...string) {
	r.w.t.Helper()
	if told := r.read(); !slices.Equal(told, want) {
		r.w.t.Fatalf("told %q, want %q", told, want)
	}
}

func TestEventsAreSeenThenFinal(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 3})
	r.want()
	w.say("a")
	w.say("b")
	w.mine(1)
	r.want("seen a", "seen b")
	w.say("c")
	w.mine(1)
	r.want("seen c")
	r.want()
	w.mine(1)
	r.want("final a", "final b")
	w.mine(5)
	r.want("final c")
	w.say("foreign")
	w.say("broken")
	w.say("d")
	w.mine(3)
	r.want("seen d", "final d")
	if r.bad != 1 {
		t.Fatalf("%d bad logs reported, want 1", r.bad)
	}
	w.wantNoAlarm()
}

// What can't be decoded is told when it is seen, and when it is undone.
func TestWhatCannotBeReadIsUndone(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 20})
	w.say("broken")
	w.mine(2)
	seen := r.next()
	r.want()
	if err := w.chain.Rewind(2); err != nil {
		t.Fatal(err)
	}
	w.mine(3)
	undone := r.next()
	if len(seen.Bad) != 1 || seen.Bad[0].Undone || len(undone.Bad) != 1 || !undone.Bad[0].Undone || undone.Bad[0].Block != seen.Bad[0].Block {
		t.Errorf("seen are %v, undone %v", seen.Bad, undone.Bad)
	}
}

// Two words are undone by a reorganisation of each depth, and one of them is said again.
func TestAttack_Reorg(t *testing.T) {
	for depth := 1; depth <= 12; depth++ {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			w := newWorld(t, devnet.Config{})
			r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 20})
			w.say("old")
			w.mine(1)
			w.say("first")
			w.say("second")
			w.mine(depth)
			r.want("seen old", "seen first", "seen second")

			if err := w.chain.Rewind(depth); err != nil {
				t.Fatal(err)
			}
			w.say("second")
			w.mine(depth + 1)
			r.want("undone second", "undone first", "seen second")
			w.mine(20)
			r.want("final old", "final second")
			w.wantNoAlarm()
		})
	}
}

// The head goes back with a reorganisation and stays lower for a while: nothing is undone before
// other blocks are seen.
func TestAReorgToALowerHeadIsNotLost(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{})
	w.mine(2)
	w.say("a")
	w.mine(4)
	r.want("seen a")
	if err := w.chain.Rewind(4); err != nil {
		t.Fatal(err)
	}
	r.want()
	w.say("b")
	w.mine(1)
	r.want("undone a", "seen b")
}

func TestFinalityDeeperThanConfirmationsRaisesAnAlarm(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Confirmations: 2, Window: 8})
	w.say("a")
	w.mine(4)
	r.want("seen a", "final a")
	if err := w.chain.Reorg(4); err != nil {
		t.Fatal(err)
	}
	r.want("undone a")
	if fault := wantAlarm[*chain.DeepReorg](w, false); fault.Forgotten {
		t.Fatal("following stopped")
	}

	w.mine(20)
	r.read()
	if err := w.chain.Reorg(7); err != nil { // one block of the window stays
		t.Fatal(err)
	}
	r.want()
	if fault := wantAlarm[*chain.DeepReorg](w, false); fault.Forgotten {
		t.Fatal("following stopped, though a block of the window stayed")
	}
	w.mine(20)
	r.read()
	if err := w.chain.Reorg(15); err != nil {
		t.Fatal(err)
	}
	_, err := r.follower.Next(context.Background(), r.cursor)
	var deep *chain.DeepReorg
	if !errors.As(err, &deep) || !deep.Forgotten {
		t.Fatalf("a reorganisation deeper than the window: %v", err)
	}
	store := &kept{values: map[string][]byte{"cursor": r.cursor}}
	if err := r.follower.Keep(context.Background(), store, "cursor", chain.Reader{}); !errors.As(err, &deep) {
		t.Fatalf("Keep: %v", err)
	}
}

// Whatever is lost between two calls, the stored cursor tells the rest, once.
func TestAttack_Downtime(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client := w.dial(chain.Config{})
	config := chain.FollowConfig{Confirmations: 3, Window: 8, MaxRange: 10}
	r := w.follow(client, config)
	var want []string
	for i := range 60 {
		if i%4 == 0 {
			w.say(fmt.Sprint("w", i))
			want = append(want, fmt.Sprint("w", i))
		}
		w.mine(1 + i%3)
		if i%7 == 0 {
			// The process reads, and dies before it stores anything; another one, with the stored
			// cursor, goes on.
			if _, err := r.follower.Next(context.Background(), r.cursor); err != nil {
				t.Fatal(err)
			}
			again := w.follow(client, config)
			again.cursor, again.told = slices.Clone(r.cursor), r.told
			r = again
		}
		if i%13 == 0 {
			r.read()
		}
	}
	w.mine(3)
	r.read()
	for _, stage := range []string{"seen ", "final "} {
		var told []string
		for _, line := range r.told {
			if word, ok := strings.CutPrefix(line, stage); ok {
				told = append(told, word)
			}
		}
		if !reflect.DeepEqual(told, want) {
			t.Errorf("%s: told %v, want %v", stage, told, want)
		}
	}
	w.wantNoAlarm()
}

// An endpoint that refuses long ranges is asked for shorter ones.
func TestRangesAreHalvedForAsLongAsTheyAreRefused(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	var want []string
	for i := range 20 {
		w.say(fmt.Sprint(i))
		w.mine(3)
		want = append(want, fmt.Sprint("seen ", i), fmt.Sprint("final ", i))
	}
	w.mine(10)
	p := newProxy(t, w.chain.URL())
	p.lie = func(method string, params []json.RawMessage) (any, bool) {
		var filter struct{ FromBlock, ToBlock string }
		if method != "eth_getLogs" || json.Unmarshal(params[0], &filter) != nil || filter.FromBlock == "" {
			return nil, false
		}
		var from, to uint64
		fmt.Sscanf(filter.FromBlock+" "+filter.ToBlock, "0x%x 0x%x", &from, &to)
		return errors.New("query returned more than 3 results"), to-from > 6
	}
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 1, Window: 4})
	r.want(want...)
}

func TestACursorOfAnotherChainIsRefused(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client := w.dial(chain.Config{})
	r := w.follow(client, chain.FollowConfig{})
	r.read()
	other, err := chain.NewFollower(client, chain.FollowConfig{Arena: w.chain.Address(3), Decode: decode})
	if err != nil {
		t.Fatal(err)
	}
	for name, cursor := range map[string][]byte{"another Arena": r.cursor, "damaged": r.cursor[:len(r.cursor)/2]} {
		if _, err := other.Next(context.Background(), cursor); !errors.Is(err, chain.ErrCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := chain.NewFollower(client, chain.FollowConfig{Decode: decode, Confirmations: 9, Window: 8}); err == nil {
		t.Error("a window smaller than the confirmations is accepted")
	}
}

// The chain is reorganised between two requests of one call: while the tip was still there, its
// child is another's.
func TestAReorgBetweenTwoRequests(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{})
	w.say("a")
	w.mine(1)
	r.want("seen a")
	w.mine(2) // of one alone no request tells more than that for the newest block
	reorganised := false
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			if method == "eth_getBlockByNumber" && string(params[0]) == `"0x3"` && !reorganised {
				reorganised = true
				if err := w.chain.Reorg(3); err != nil {
					t.Error(err)
				}
			}
			return nil, false
		}
	})
	r.want()
	if !reorganised {
		t.Fatal("block 3 was not asked for")
	}
	r.want("undone a")
}

// Who is to follow from a block on that is still to come knows nothing of what happens before, and
// is told so.
func TestFollowingFromTheFuture(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	next := w.chain.Head() + 1
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{From: next + 1})
	if _, err := r.follower.Next(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "chain.from") {
		t.Errorf("nothing is wrong: %v", err)
	}
	w.mine(1)
	r.want()
	w.say("a")
	w.mine(1)
	r.want("seen a")
}

// All that was ever followed leaves the chain, final or not: it is followed anew from where it
// began.
func TestAReorgOfEverythingFollowed(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{From: 2, Confirmations: 2})
	w.say("a")
	w.mine(4)
	r.want("seen a", "final a")
	if err := w.chain.Rewind(4); err != nil {
		t.Fatal(err)
	}
	w.say("b")
	w.mine(5)
	r.want("undone a", "seen b", "final b")
	if fault := wantAlarm[*chain.DeepReorg](w, false); fault.Forgotten {
		t.Fatal("following stopped")
	}
}

// 64 blocks are read at once: as long as one is left, the next call comes at once.
func TestTheLastBlockIsReadAtOnce(t *testing.T) {
	for blocks, more := range map[int]bool{64: false, 65: true} {
		w := newWorld(t, devnet.Config{})
		r := w.follow(w.dial(chain.Config{}), chain.FollowConfig{Window: 200})
		r.read()
		w.mine(blocks)
		if b := r.next(); b.Behind != more {
			t.Errorf("of %d blocks: %t", blocks, b.Behind)
		}
	}
}
