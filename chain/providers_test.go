package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// limited is an endpoint that refuses the next requests for coming too often, in a provider's way.
func limited(t *testing.T, p *proxy, refuse func(http.ResponseWriter, json.RawMessage)) (url string, next func(int)) {
	var mu sync.Mutex
	left := 0
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		mu.Lock()
		refused := left > 0
		left--
		mu.Unlock()
		if !refused {
			p.serve(out, in)
			return
		}
		var request message
		if err := json.NewDecoder(in.Body).Decode(&request); err != nil {
			panic(http.ErrAbortHandler)
		}
		refuse(out, request.ID)
	}))
	t.Cleanup(server.Close)
	return server.URL, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		left = n
	}
}

// TestAttack_RefusedRPC_TooOften: providers tell in several ways that they are asked too often.
// Each is waited for, for as long as it says but not for ever, and none is an alarm or a failure.
func TestAttack_RefusedRPC_TooOften(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	inJSON := func(code int, text string) func(http.ResponseWriter, json.RawMessage) {
		return func(out http.ResponseWriter, id json.RawMessage) {
			raw, err := json.Marshal(message{Version: "2.0", ID: id, Error: map[string]any{"code": code, "message": text}})
			if err != nil {
				panic(err)
			}
			out.Header().Set("Content-Type", "application/json")
			write(out, raw)
		}
	}
	after := func(seconds string) func(http.ResponseWriter, json.RawMessage) {
		return func(out http.ResponseWriter, _ json.RawMessage) {
			out.Header().Set("Retry-After", seconds)
			http.Error(out, "slow down", http.StatusTooManyRequests)
		}
	}
	for name, c := range map[string]struct {
		refuse func(http.ResponseWriter, json.RawMessage)
		least  time.Duration // that is waited
		most   time.Duration
	}{
		"Retry-After":            {after("7"), 7 * time.Second, 9 * time.Second},
		"Retry-After, an hour":   {after("3600"), 10 * time.Second, 12 * time.Second},
		"Retry-After, no number": {after("Wed, 21 Oct 2015 07:28:00 GMT"), 0, 2 * time.Second},
		"JSON-RPC 429":           {inJSON(429, "Your app has exceeded its capacity"), 0, 2 * time.Second},
		"in words":               {inJSON(-32005, "daily request count exceeded, request rate limited"), 0, 2 * time.Second},
	} {
		at := time.Unix(1_000_000_000, 0)
		var mu sync.Mutex
		now := func() time.Time { mu.Lock(); defer mu.Unlock(); return at }
		pass := func(d time.Duration) <-chan time.Time {
			mu.Lock()
			defer mu.Unlock()
			at = at.Add(d)
			over := make(chan time.Time, 1)
			over <- at
			return over
		}
		url, next := limited(t, newProxy(t, w.chain.URL()), c.refuse)
		client := w.dial(chain.Config{URL: url, Now: now, After: pass})
		began := now()
		next(1)
		if _, err := client.Head(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if waited := now().Sub(began); waited < c.least || waited > c.most {
			t.Errorf("%s: waited for %v, want %v to %v", name, waited, c.least, c.most)
		}
		w.wantNoAlarm()
	}
}

// TestAttack_RefusedRPC_Dear: a batch that costs more than a provider allows in a second is refused
// for coming too often, and would be for ever. It is asked for in parts, and no block stays unread.
func TestAttack_RefusedRPC_Dear(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if bytes.Count(body, []byte(`"method"`)) > 3 {
			http.Error(out, "slow down", http.StatusTooManyRequests)
			return
		}
		in.Body = io.NopCloser(bytes.NewReader(body))
		p.serve(out, in)
	}))
	t.Cleanup(server.Close)
	r := w.follow(w.dial(chain.Config{URL: server.URL, Rate: 1000}), chain.FollowConfig{Confirmations: 2, Window: 16})
	w.say("a")
	w.mine(15)
	r.want("seen a", "final a")
}

// sockets passes connections on to a chain, and drops them when told.
type sockets struct {
	net.Listener
	mu   sync.Mutex
	open []net.Conn
}

func newSockets(t *testing.T, target string) *sockets {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sockets{Listener: listener}
	t.Cleanup(func() { listener.Close(); s.drop() })
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			s.mu.Lock()
			s.open = append(s.open, in, out)
			s.mu.Unlock()
			go func() { _, _ = io.Copy(in, out) }()
			go func() { _, _ = io.Copy(out, in) }()
		}
	}()
	return s
}

func (s *sockets) drop() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.open)
	for _, c := range s.open {
		c.Close()
	}
	s.open = nil
	return n
}

// TestAttack_RefusedRPC_Sockets: WebSockets that drop again and again are opened again, and nothing
// is lost or told twice.
func TestAttack_RefusedRPC_Sockets(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	s := newSockets(t, strings.TrimPrefix(w.chain.WS(), "ws://"))
	r := w.follow(w.dial(chain.Config{URL: "ws://" + s.Addr().String()}), chain.FollowConfig{Confirmations: 2})
	words := []string{"a", "b", "c", "d"}
	for _, word := range words {
		w.say(word)
		w.mine(3)
		if s.drop() == 0 {
			t.Fatal("no connection was open")
		}
		for _, err := r.try(); err != nil; _, err = r.try() { // until the dead connection is noticed
			if !chain.Temporary(err) {
				t.Fatal(err)
			}
		}
	}
	r.wantAll(words)
}

// TestAttack_RefusedRPC_Pruned: an endpoint that no longer has the logs of old blocks is named as
// the reason why events are not read.
func TestAttack_RefusedRPC_Pruned(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	p.lie = func(method string, _ []json.RawMessage) (any, bool) {
		return errors.New("pruned history unavailable"), method == "eth_getLogs"
	}
	w.say("a")
	w.mine(40)
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 2, Window: 16})
	if _, err := r.try(); err == nil || !strings.Contains(err.Error(), "pruned history unavailable") {
		t.Error(err)
	}
	p.set(func(p *proxy) { p.lie = nil })
	r.want("seen a", "final a")
}
