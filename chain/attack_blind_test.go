package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// low makes a proxy say that the chain is at its beginning, and that this block was made just now.
func (p *proxy) low(w *world) {
	var head map[string]any
	if err := json.Unmarshal(w.header("latest"), &head); err != nil {
		w.t.Fatal(err)
	}
	head["number"] = hexutil.Uint64(0)
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			return head, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
		}
	})
}

// TestAttack_LaggingRPC_Low: the second endpoint says that it has next to nothing, however long the
// chain is. Nothing is final by that, and all is seen all the same, else a dispute would not be
// answered; a person is told before it is too much.
func TestAttack_LaggingRPC_Low(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	w.mine(30)
	second := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{Second: second.URL}), chain.FollowConfig{Confirmations: 3, Window: 8, MaxRange: 10, MaxAhead: 20})
	r.read()
	second.low(w)
	w.say("a")
	w.mine(5)
	r.want("seen a")
	wantAlarm[*chain.Lagging](w, false)
	w.mine(13)
	r.want()
	w.wantNoAlarm()
	w.say("b")
	w.mine(2)
	w.say("c")
	w.mine(2)
	r.want("seen b")
	if alarms := w.alarms.take(); len(alarms) != 1 || !errors.As(alarms[0].Fault, new(*chain.Ahead)) || alarms[0].Over {
		t.Fatalf("alarms: %v", alarms)
	}
	second.set(func(p *proxy) { p.lie = nil })
	r.want("seen c", "final a", "final b")
}

// TestAttack_LaggingRPC_Clock: the clock goes on, by which transactions are looked after, however
// far the reading is behind.
func TestAttack_LaggingRPC_Clock(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	second := newProxy(t, w.chain.URL())
	w.mine(5)
	poll := make(chan time.Time)
	r := w.follow(w.dial(chain.Config{Second: second.URL}), chain.FollowConfig{Confirmations: 3, Window: 8, MaxAhead: 1, After: func(time.Duration) <-chan time.Time {
		return poll
	}})
	r.read()
	second.low(w)
	w.mine(3)
	r.read() // as far as it goes
	heads := make(chan uint64)
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		ended <- r.follower.Keep(ctx, &kept{values: map[string][]byte{"cursor": r.cursor}}, "cursor", chain.Reader{
			Reached: func(ctx context.Context, r *chain.Reach) error {
				select {
				case heads <- r.Head.Number:
				case <-ctx.Done():
				}
				return nil
			},
			Trouble: func(error) {},
		})
	}()
	var told []string
	for range 2 {
		select {
		case head := <-heads:
			told = append(told, hexutil.EncodeUint64(head-w.chain.Head()))
		case <-time.After(time.Minute):
			t.Fatal("the new block is not told")
		}
		w.mine(1)
		poll <- time.Time{}
	}
	stop()
	<-ended
	if strings.Join(told, " ") != "0x0 0x0" {
		t.Fatalf("told %v", told)
	}
}

// TestAttack_LaggingRPC_Past: an endpoint has every block, and says that the newest was made long
// ago. The clock goes on by the other one: else what stands on the chain for a window would never
// count as signed by all, and who is to go on from it could not.
func TestAttack_LaggingRPC_Past(t *testing.T) {
	for name, first := range map[string]bool{"first": true, "second": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, devnet.Config{})
			p := newProxy(t, w.chain.URL())
			var newest map[string]any
			if err := json.Unmarshal(w.header("latest"), &newest); err != nil {
				t.Fatal(err)
			}
			honest := hexutil.MustDecodeUint64(newest["timestamp"].(string))
			config := chain.Config{URL: w.chain.URL(), Second: p.URL, MaxAge: time.Hour, Now: func() time.Time { return time.Unix(int64(honest), 0) }}
			if first {
				config.URL, config.Second = config.Second, config.URL
			}
			r := w.follow(w.dial(config), chain.FollowConfig{})
			newest["timestamp"] = hexutil.Uint64(honest - 2*60*60)
			p.set(func(p *proxy) {
				p.lie = func(method string, params []json.RawMessage) (any, bool) {
					return newest, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
				}
			})
			if b := r.next(); b.Shared.Time != honest || b.Head.Time != honest {
				t.Fatalf("shared block %+v, head %+v, want the time %d", b.Shared, b.Head, honest)
			}
			if fault := w.alarms.take(); len(fault) != 1 || !strings.Contains(fault[0].String(), p.URL+" is stuck") {
				t.Fatalf("alarms: %v", fault)
			}
		})
	}
}

// TestAttack_LaggingRPC_Wanted: peers name blocks. However many they are, a second endpoint that
// takes its time to answer is asked once how far it is, not for each of them, while what happens on
// the chain waits to be read.
func TestAttack_LaggingRPC_Wanted(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	w.mine(20)
	second := newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{Second: second.URL})
	facts, err := chain.NewFacts(client, &kept{values: map[string][]byte{}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	head, asked := must(client.Head(context.Background())), 0
	for number := range head.Number - 5 {
		facts.BlockHash(number)
	}
	second.set(func(p *proxy) {
		p.lie = func(_ string, params []json.RawMessage) (any, bool) {
			if len(params) > 0 && string(params[0]) == `"latest"` {
				asked++
			}
			return nil, false
		}
	})
	facts.At(&chain.Reach{Highest: head.Number, Shared: head})
	if err := facts.Fetch(context.Background()); err != nil {
		t.Fatal(err)
	}
	for number := range head.Number - 5 {
		if _, known := facts.BlockHash(number); !known {
			t.Errorf("block %d is not known", number)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times how far it is, want once", asked)
	}
}
