package chain_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/devnet"
)

// TestAttack_RefusedRPC: an endpoint refuses what is too much for it by an HTTP status. It is asked
// for less, what fits is remembered, and no alarm is raised.
func TestAttack_RefusedRPC(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	e, err := chaintest.NewEndpoint(w.chain.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	e.Sell(chaintest.Plan{Batch: 4, Blocks: 10, Status: http.StatusBadRequest})
	r := w.follow(w.dial(chain.Config{URL: e.URL}), chain.FollowConfig{Confirmations: 2, Window: 16})
	w.say("a")
	w.mine(100)
	r.want("seen a", "final a")
	learnt := e.Refused()
	if learnt == 0 || learnt > 16 {
		t.Fatalf("it refused %d requests", learnt)
	}
	for i := range 3 {
		word := strings.Repeat("b", i+1)
		w.say(word)
		w.mine(12)
		r.want("seen "+word, "final "+word)
	}
	if n := e.Refused() - learnt; n > 1 {
		t.Fatalf("what it takes was forgotten: %d more refusals", n)
	}
	w.wantNoAlarm()
}

// TestAttack_RefusedRPC_AtTheStart: the first endpoint is down when a client starts, and the second
// is not.
func TestAttack_RefusedRPC_AtTheStart(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	p.set(func(p *proxy) { p.down = http.StatusBadGateway })
	client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()})
	wantAlarm[*chain.Unreachable](w, false)
	if client.ChainID() != w.chain.ChainID() {
		t.Fatalf("chain %d", client.ChainID())
	}
	r := w.follow(client, chain.FollowConfig{Confirmations: 2})
	w.say("a")
	w.mine(3)
	r.want("seen a", "final a")
	p.set(func(p *proxy) { p.down = 0 })
	r.want()
	wantAlarm[*chain.Unreachable](w, true)

	// One refusal for coming too often doesn't stop a start either.
	asked := 0
	busy := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if asked++; asked == 1 {
			http.Error(out, "too many requests", http.StatusTooManyRequests)
			return
		}
		p.serve(out, in)
	}))
	t.Cleanup(busy.Close)
	w.dial(chain.Config{URL: busy.URL})
}

// TestAttack_WentBack: an endpoint's newest block goes far back, because it serves another chain of
// the same id. That nothing is followed any more is an alarm, which is over when it comes back.
func TestAttack_WentBack(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 2})
	w.mine(20)
	r.want()
	old := w.header("0x3")
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			return old, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
		}
	})
	r.want()
	if fault := wantAlarm[*chain.WentBack](w, false); fault.Head != 3 || fault.Followed < 20 {
		t.Fatal(fault)
	}
	p.set(func(p *proxy) { p.lie = nil })
	w.say("a")
	w.mine(1)
	r.want("seen a")
	wantAlarm[*chain.WentBack](w, true)
}
