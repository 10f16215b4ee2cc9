package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
)

// TestTheSecondIsAnother: an endpoint is no second opinion on itself.
func TestTheSecondIsAnother(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	for _, second := range []string{w.chain.URL(), w.chain.URL() + "/"} {
		if w.dial(chain.Config{URL: w.chain.URL(), Second: second}).Two() {
			t.Error(second + " counts as a second")
		}
	}
}

func TestAttack_WrongChain(t *testing.T) {
	w := newWorld(t, devnet.Config{ChainID: 1})
	other := newWorld(t, devnet.Config{ChainID: 2})
	ctx := context.Background()
	for name, config := range map[string]chain.Config{
		"first":  {URL: other.chain.URL(), ChainID: 1},
		"second": {URL: w.chain.URL(), Second: other.chain.URL()},
	} {
		var wrong *chain.WrongChain
		if _, err := chain.Dial(ctx, config); !errors.As(err, &wrong) || wrong.Want != 1 || wrong.Have != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}

	// The endpoint goes down and comes back as another chain.
	p := newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: p.URL})
	p.set(func(p *proxy) { p.down = 1 })
	var down *chain.Unreachable
	if _, err := client.Head(ctx); !errors.As(err, &down) {
		t.Fatalf("down: %v", err)
	}
	p.set(func(p *proxy) { p.down, p.target = 0, other.chain.URL() })
	var wrong *chain.WrongChain
	if _, err := client.Head(ctx); !errors.As(err, &wrong) {
		t.Fatalf("another chain: %v", err)
	}
	wantAlarm[*chain.WrongChain](w, false)
	p.set(func(p *proxy) { p.target = w.chain.URL() })
	if _, err := client.Head(ctx); err != nil {
		t.Fatal(err)
	}
	wantAlarm[*chain.WrongChain](w, true)
}

func TestAttack_LaggingRPC(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	now := time.Now()
	client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL(), MaxLag: 3, MaxAge: time.Minute, Now: func() time.Time { return now }})
	r := w.follow(client, chain.FollowConfig{Confirmations: 2})
	w.say("a")
	w.mine(2)
	r.want("seen a", "final a")
	w.wantNoAlarm()

	frozen := w.header("latest")
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			return frozen, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
		}
	})
	w.say("b")
	w.mine(3)
	r.want()
	w.wantNoAlarm()
	w.mine(1)
	r.want()
	if fault := wantAlarm[*chain.Lagging](w, false); fault.Blocks != 4 || fault.Endpoint != p.URL {
		t.Fatal(fault)
	}
	p.set(func(p *proxy) { p.lie = nil })
	r.want("seen b", "final b")
	wantAlarm[*chain.Lagging](w, true)

	// A load balancer sends the next request to a node that lags: nothing is undone.
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			return frozen, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
		}
	})
	r.want()
	p.set(func(p *proxy) { p.lie = nil })
	r.want()
	w.alarms.take()

	now = now.Add(time.Hour)
	r.want()
	if fault := wantAlarm[*chain.Lagging](w, false); fault.Age < 59*time.Minute {
		t.Fatal(fault)
	}
}

// header returns a block as JSON-RPC tells it.
func (w *world) header(which string) (raw json.RawMessage) {
	w.t.Helper()
	if err := w.eth.Client().Call(&raw, "eth_getBlockByNumber", which, false); err != nil {
		w.t.Fatal(err)
	}
	return raw
}

// An endpoint leaves logs out, invents them, or tells of another chain: nothing becomes final until
// both agree.
func TestAttack_LyingRPC(t *testing.T) {
	omit := func(method string, result json.RawMessage) json.RawMessage {
		if method == "eth_getLogs" {
			return json.RawMessage("[]")
		}
		return result
	}
	t.Run("logs left out by the first", func(t *testing.T) {
		w := newWorld(t, devnet.Config{})
		p := newProxy(t, w.chain.URL())
		r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 2})
		w.say("a")
		w.mine(1)
		r.want("seen a")
		p.set(func(p *proxy) { p.edit = omit })
		w.say("b")
		w.mine(4)
		r.want("final a")
		wantAlarm[*chain.Lying](w, false)
	})
	t.Run("logs left out by the second", func(t *testing.T) {
		w := newWorld(t, devnet.Config{})
		p := newProxy(t, w.chain.URL())
		p.edit = omit
		r := w.follow(w.dial(chain.Config{URL: w.chain.URL(), Second: p.URL}), chain.FollowConfig{Confirmations: 2})
		w.say("a")
		w.mine(4)
		r.want("seen a")
		wantAlarm[*chain.Lying](w, false)
		for range 3 { // longer than the window
			w.mine(100)
			r.want()
		}
		p.set(func(p *proxy) { p.edit = nil })
		r.want("final a")
		wantAlarm[*chain.Lying](w, true)
	})
	t.Run("which is down later", func(t *testing.T) {
		w := newWorld(t, devnet.Config{})
		first, p := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
		if first.URL < p.URL {
			first, p = p, first
		}
		p.edit = omit
		client := w.dial(chain.Config{URL: first.URL, Second: p.URL})
		r := w.follow(client, chain.FollowConfig{Confirmations: 2})
		w.say("a")
		w.mine(4)
		r.want("seen a")
		if between := wantAlarm[*chain.Lying](w, false).Endpoint; between != p.URL+" or "+first.URL {
			t.Errorf("two are named by who is asked first: %s", between)
		}
		if client.Alone() {
			t.Error("both have a say, and one counts alone")
		}
		p.set(func(p *proxy) { p.down = http.StatusBadGateway })
		w.mine(1)
		r.want("final a")
		wantAlarm[*chain.Unreachable](w, false)
		if !client.Alone() {
			t.Error("one is down, and has a say")
		}
	})
	t.Run("logs left out while catching up", func(t *testing.T) {
		w := newWorld(t, devnet.Config{})
		p := newProxy(t, w.chain.URL())
		p.edit = omit
		r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 2, Window: 4})
		w.say("a")
		w.mine(30)
		r.want()
		wantAlarm[*chain.Lying](w, false)
		p.set(func(p *proxy) { p.edit = nil })
		r.want("seen a", "final a")
		wantAlarm[*chain.Lying](w, true)
	})
	t.Run("the first alone has another chain", func(t *testing.T) {
		w := newWorld(t, devnet.Config{Seed: "same"})
		fork := newWorld(t, devnet.Config{Seed: "same"})
		p := newProxy(t, w.chain.URL())
		r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 2})
		w.say("a")
		w.mine(3)
		r.want("seen a", "final a")
		fork.mine(6)
		p.set(func(p *proxy) { p.target = fork.chain.URL() })
		r.want() // the other one is read
		wantAlarm[*chain.Refusing](w, false)
		p.set(func(p *proxy) { p.target = w.chain.URL() })
		w.mine(1)
		r.want()
		wantAlarm[*chain.Refusing](w, true)
	})
	t.Run("another fork", func(t *testing.T) {
		w := newWorld(t, devnet.Config{Seed: "same"})
		fork := newWorld(t, devnet.Config{Seed: "same"})
		r := w.follow(w.dial(chain.Config{Second: fork.chain.URL()}), chain.FollowConfig{From: 2, Confirmations: 2})
		fork.mine(5)
		w.mine(5)
		r.want()
		wantAlarm[*chain.Lying](w, false)
	})
	for name, replace := range map[string][2]string{
		"logs of another block":    {`"blockNumber":"0x2"`, `"blockNumber":"0x1"`},
		"logs of another fork":     {`"blockHash":"0x`, `"blockHash":"0xffff`},
		"logs of another contract": {`"address":"0x`, `"address":"0xffff`},
		"removed logs":             {`"removed":false`, `"removed":true`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, devnet.Config{})
			p := newProxy(t, w.chain.URL())
			r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{From: 2})
			w.say("a")
			w.mine(1)
			p.set(func(p *proxy) {
				p.edit = func(method string, result json.RawMessage) json.RawMessage {
					if method != "eth_getLogs" {
						return result
					}
					changed := strings.Replace(string(result), replace[0], replace[1], 1)
					if strings.HasSuffix(replace[1], "ffff") { // the same length again
						at := strings.Index(changed, replace[1]) + len(replace[1])
						changed = changed[:at] + changed[at+4:]
					}
					return json.RawMessage(changed)
				}
			})
			_, err := r.follower.Next(context.Background(), r.cursor)
			var lying *chain.Lying
			if !errors.As(err, &lying) {
				t.Fatalf("told: %v", err)
			}
			p.set(func(p *proxy) { p.edit = nil })
			r.want("seen a")
		})
	}
}

// A node that still indexes its transactions can't tell whether one is mined; the second endpoint
// can. One alarm stands all the while, though the node answers everything else.
func TestAReceiptIsAskedOfTheSecondWhileTheFirstIndexes(t *testing.T) {
	o := newOffice(t, nil)
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: o.chain.URL()})
	o.restart()
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return errors.New("transaction indexing is in progress"), method == "eth_getTransactionReceipt"
		}
	})
	o.submit("a", 0)
	o.want(o.step(1), "mined a")
	if fault := wantAlarm[*chain.Refusing](o.world, false); fault.Endpoint != o.proxy.URL {
		t.Fatal(fault)
	}
	o.want(o.step(2), "done a")
	o.submit("b", 0)
	o.step(3)
	o.wantNoAlarm()
	o.proxy.set(func(p *proxy) { p.lie = nil })
	o.submit("c", 0)
	o.want(o.step(3), "mined c", "done c")
	wantAlarm[*chain.Refusing](o.world, true)
}

// Alone, such a node is asked again at every block, and what it was sent is sent again: it may have
// lost it.
func TestWhatANodeThatIndexesWasSentIsSentAgain(t *testing.T) {
	o := newOffice(t, nil)
	sent := 0
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_sendRawTransaction" {
				sent++
				return common.Hash{1}, true
			}
			return errors.New("transaction indexing is in progress"), method == "eth_getTransactionReceipt"
		}
	})
	o.submit("a", 0)
	for range 3 {
		o.mine(1)
		if _, err := o.Step(context.Background()); !errors.As(err, new(*chain.Refusing)) {
			t.Fatalf("step: %v", err)
		}
	}
	wantAlarm[*chain.Refusing](o.world, false)
	if sent != 4 {
		t.Fatalf("sent %d times, want 4", sent)
	}
}
