package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// behind makes a proxy show the chain as it was some blocks ago.
func (p *proxy) behind(blocks uint64) {
	p.set(func(p *proxy) { p.lag = func() uint64 { return blocks } })
}

// pair follows two endpoints, the second one behind a proxy; its clock is the newest block's, and
// some time more.
func pair(t *testing.T) (w *world, second *proxy, r *reader, later func(time.Duration)) {
	w = newWorld(t, devnet.Config{})
	second = newProxy(t, w.chain.URL())
	var ahead time.Duration
	now := func() time.Time {
		head, err := w.eth.HeaderByNumber(context.Background(), nil)
		if err != nil {
			t.Error(err)
			return time.Time{}
		}
		return time.Unix(int64(head.Time), 0).Add(ahead)
	}
	client := w.dial(chain.Config{URL: w.chain.URL(), Second: second.URL, MaxLag: 4, MaxAge: time.Hour, Now: now})
	r = w.follow(client, chain.FollowConfig{Confirmations: 3, Window: 8})
	r.read()
	return w, second, r, func(d time.Duration) { ahead = d }
}

// next returns one batch and keeps nothing of it.
func (r *reader) next() chain.Batch {
	r.w.t.Helper()
	batch, err := r.follower.Next(context.Background(), r.cursor)
	if err != nil {
		r.w.t.Fatal(err)
	}
	return batch
}

// TestAttack_LaggingRPC_Awaited: what only one of two endpoints has is told, and final when both
// have it; a person is told when that takes long, and an endpoint that is stuck is awaited no
// longer.
func TestAttack_LaggingRPC_Awaited(t *testing.T) {
	w, second, r, later := pair(t)
	second.behind(2)
	w.say("a")
	w.mine(4)
	r.want("seen a")
	w.mine(1)
	r.want("final a") // by the second's head
	w.wantNoAlarm()

	second.behind(5)
	w.say("b")
	w.mine(5)
	r.want("seen b")
	if fault := wantAlarm[*chain.Lagging](w, false); fault.Endpoint != second.URL || fault.Blocks != 5 || fault.Age != 0 {
		t.Fatal(fault)
	}
	later(2 * time.Hour)
	r.want("final b")
	later(0)
	w.say("c")
	w.mine(3)
	r.want("seen c")
	second.behind(0)
	r.want("final c")
	w.alarms.take()

	// The same when it is the range that was missed while the process was down.
	second.behind(20)
	w.say("d")
	w.mine(30)
	r.want("seen d", "final d")
	w.say("e")
	w.mine(15)
	r.want("seen e")
	second.behind(0)
	r.want("final e")
}

// TestAttack_LaggingRPC_Stuck: the first endpoint is stuck, so the second one is read.
func TestAttack_LaggingRPC_Stuck(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	now := time.Now()
	client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL(), MaxAge: time.Hour, Now: func() time.Time { return now }})
	r := w.follow(client, chain.FollowConfig{Confirmations: 2})
	r.read()
	p.behind(3)
	w.say("a")
	w.mine(3)
	r.want()
	w.wantNoAlarm()
	now = now.Add(2 * time.Hour)
	r.want("seen a", "final a")
	p.behind(0)
	w.say("b")
	w.mine(2)
	r.want("seen b", "final b")
}

// TestAttack_LyingRPC_Branch: an endpoint invents a whole branch, longer than any confirmation,
// above what the other one has. Nothing of it is ever final, no clock goes by it, and it is not
// read without end.
func TestAttack_LyingRPC_Branch(t *testing.T) {
	w, second, r, _ := pair(t)
	honest := w.chain.Head()
	second.behind(40)
	w.say("invented")
	w.mine(40)
	r.want("seen invented")
	if fault := wantAlarm[*chain.Lagging](w, false); fault.Endpoint != second.URL || fault.Blocks != 40 {
		t.Fatal(fault)
	}
	if b := r.next(); b.Shared.Number != honest || b.Head.Number != honest+40 || b.Shared.Time >= b.Head.Time {
		t.Fatalf("shared block %+v, head %+v", b.Shared, b.Head)
	}
	if err := w.chain.Rewind(40); err != nil {
		t.Fatal(err)
	}
	second.behind(0)
	w.say("true")
	w.mine(5)
	r.want("undone invented", "seen true", "final true")

	limited := w.follow(w.dial(chain.Config{Second: second.URL}), chain.FollowConfig{Confirmations: 3, Window: 8, MaxAhead: 10})
	limited.read()
	second.behind(20)
	w.say("near")
	w.mine(10)
	w.say("far")
	w.mine(10)
	limited.want("seen near")
	second.behind(0)
	limited.want("final near", "seen far", "final far")
}

// TestAttack_LyingRPC_Clock: an endpoint tells a time that is not. Neither is it what both tell,
// nor has any clock run out by it.
func TestAttack_LyingRPC_Clock(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{})
	honest := r.next().Head
	for _, number := range []uint64{honest.Number, honest.Number + 1000} {
		var head map[string]any
		if err := json.Unmarshal(w.header("latest"), &head); err != nil {
			t.Fatal(err)
		}
		head["number"], head["timestamp"] = hexutil.Uint64(number), hexutil.Uint64(honest.Time+1_000_000)
		p.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				return head, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
			}
		})
		if b := r.next(); b.Shared.Number != honest.Number || b.Shared.Time != honest.Time || b.Head.Number != number {
			t.Errorf("shared block %+v, head %+v", b.Shared, b.Head)
		} else if latest := max(honest.Time, uint64(time.Now().Unix())); b.Head.Time > latest {
			t.Errorf("it is %d, by one endpoint %d", latest, b.Head.Time)
		}
	}
}

// TestAttack_LyingRPC_Hash: the hash that draws a chance move is what both endpoints say it is.
func TestAttack_LyingRPC_Hash(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: p.URL, Second: second.URL})
	facts, err := chain.NewFacts(client, &kept{values: map[string][]byte{}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	w.mine(5)
	want, err := client.At(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	facts.BlockHash(2)
	facts.At(&chain.Reach{Highest: 6, Shared: chain.Block{Number: 3}})
	if err := facts.Fetch(ctx); err != nil {
		t.Fatal(err)
	}
	if _, known := facts.BlockHash(2); known {
		t.Fatal("a hash is known that only one endpoint says is final")
	}
	facts.At(&chain.Reach{Highest: 6, Shared: chain.Block{Number: 6}})
	p.set(func(p *proxy) {
		p.edit = func(method string, result json.RawMessage) json.RawMessage {
			var block map[string]any
			if json.Unmarshal(result, &block) != nil || block["number"] != "0x2" {
				return result
			}
			block["hash"] = common.Hash{7}
			return json.RawMessage(must(json.Marshal(block)))
		}
	})
	if err := facts.Fetch(ctx); !errors.As(err, new(*chain.Lying)) {
		t.Fatalf("fetched: %v", err)
	}
	second.behind(5)
	if err := facts.Fetch(ctx); err != nil {
		t.Fatal(err)
	}
	if hash, known := facts.BlockHash(2); known {
		t.Fatalf("%v is believed", hash)
	}
	p.set(func(p *proxy) { p.edit = nil })
	second.behind(0)
	if err := facts.Fetch(ctx); err != nil {
		t.Fatal(err)
	}
	if hash, known := facts.BlockHash(2); !known || hash != want.Hash {
		t.Fatalf("block 2 is %v, %t", hash, known)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestAttack_LyingRPC_Landed: an endpoint says that an answer landed which did not. A person is
// told, and it is sent on until it is in both endpoints' chain.
func TestAttack_LyingRPC_Landed(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.world.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	sent := 0
	second.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_sendRawTransaction" {
				sent++
			}
			return common.Hash{1}, method == "eth_sendRawTransaction"
		}
	})
	o.swallow(true)
	report := o.submit("a", 0)
	o.mine(1)
	head := must(o.client.Head(context.Background()))
	invented := &types.Receipt{
		Type: types.DynamicFeeTxType, TxHash: report.Tx, BlockHash: head.Hash, BlockNumber: hexutil.MustDecodeBig(fmt.Sprintf("0x%x", head.Number)),
		Status: types.ReceiptStatusSuccessful, GasUsed: 30_000, CumulativeGasUsed: 30_000, Logs: []*types.Log{},
	}
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_getTransactionReceipt" {
				return invented, true
			}
			return common.Hash{1}, method == "eth_sendRawTransaction"
		}
	})
	o.want(o.look(), "mined a")
	o.wantNoAlarm()
	o.want(o.step(2))
	if fault := wantAlarm[*chain.Lying](o.world, false); fault.Number != head.Number {
		t.Fatal(fault)
	}
	before := sent
	o.want(o.step(2))
	o.wantNoAlarm()
	if sent != before+2 {
		t.Fatalf("sent %d times more, want 2", sent-before)
	}
	second.set(func(p *proxy) { p.lie = nil })
	o.swallow(false)
	o.look() // sends it
	o.want(o.step(1), "mined a")
	wantAlarm[*chain.Lying](o.world, true)
	o.want(o.step(2), "done a")
	if o.sent() != 1 {
		t.Fatalf("%d transactions landed", o.sent())
	}
}

// TestAttack_LyingRPC_Branch_WithoutHaste: far above what both endpoints have, blocks are read one
// part at each poll, not all at once.
func TestAttack_LyingRPC_Branch_WithoutHaste(t *testing.T) {
	for reach, haste := range map[uint64]bool{64: false, 65: true} {
		w := newWorld(t, devnet.Config{})
		second := newProxy(t, w.chain.URL())
		r := w.follow(w.dial(chain.Config{Second: second.URL}), chain.FollowConfig{Window: 200, MaxRange: reach})
		r.read()
		second.behind(100)
		w.mine(100)
		if b := r.next(); b.Behind != haste {
			t.Errorf("after 64 blocks of %d that are read at once: %t", reach, b.Behind)
		}
	}
}
