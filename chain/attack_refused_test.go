package chain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// strict is an endpoint that takes so many requests in a batch (else HTTP 413), and logs of so many
// blocks at once (else HTTP 400 with an error of JSON-RPC).
type strict struct {
	mu      sync.Mutex
	refused int
}

func newStrict(t *testing.T, p *proxy, batch int, blocks uint64) (*strict, string) {
	s := new(strict)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		var list []message
		if json.Unmarshal(body, &list) != nil {
			list = make([]message, 1)
			if err := json.Unmarshal(body, &list[0]); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
		refuse := func(status int, text string) {
			s.mu.Lock()
			s.refused++
			s.mu.Unlock()
			out.WriteHeader(status)
			write(out, []byte(text))
		}
		var filter struct{ FromBlock, ToBlock string }
		if list[0].Method == "eth_getLogs" && len(list) == 1 {
			if err := json.Unmarshal(list[0].Params[0], &filter); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
		var first, last uint64
		if filter.ToBlock != "" {
			_, _ = fmt.Sscanf(filter.FromBlock+" "+filter.ToBlock, "0x%x 0x%x", &first, &last)
		}
		switch {
		case len(list) > batch:
			refuse(http.StatusRequestEntityTooLarge, "")
		case last-first+1 > blocks:
			refuse(http.StatusBadRequest, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"block range is too large"}}`)
		default:
			in.Body = io.NopCloser(bytes.NewReader(body))
			p.serve(out, in)
		}
	}))
	t.Cleanup(server.Close)
	return s, server.URL
}

func (s *strict) take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.refused
	s.refused = 0
	return n
}

// TestAttack_RefusedRPC: an endpoint refuses what is too much for it by an HTTP status. It is asked
// for less, what fits is remembered, and no alarm is raised.
func TestAttack_RefusedRPC(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	s, url := newStrict(t, newProxy(t, w.chain.URL()), 4, 10)
	r := w.follow(w.dial(chain.Config{URL: url}), chain.FollowConfig{Confirmations: 2, Window: 16})
	w.say("a")
	w.mine(100)
	r.want("seen a", "final a")
	if n := s.take(); n == 0 || n > 16 {
		t.Fatalf("it refused %d requests", n)
	}
	for i := range 3 {
		word := strings.Repeat("b", i+1)
		w.say(word)
		w.mine(12)
		r.want("seen "+word, "final "+word)
	}
	if n := s.take(); n > 1 {
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
