package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// write sends what an HTTP client may never get to see.
func write(out io.Writer, what []byte) { _, _ = out.Write(what) }

// endless is an answer that never ends, of some text that repeats.
func endless(begin, again string) func(io.Writer, []byte) {
	return func(out io.Writer, _ []byte) {
		write(out, []byte(begin))
		chunk := []byte(strings.Repeat(again, 1<<10))
		for {
			if _, err := out.Write(chunk); err != nil {
				return
			}
		}
	}
}

// brokenAnswers are what may come instead of an answer.
var brokenAnswers = map[string]func(out io.Writer, answer []byte){
	"nothing":         func(io.Writer, []byte) {},
	"cut":             func(out io.Writer, answer []byte) { write(out, answer[:len(answer)/2]) },
	"a page":          func(out io.Writer, _ []byte) { write(out, []byte("<html>we are busy</html>")) },
	"null":            func(out io.Writer, _ []byte) { write(out, []byte("null")) },
	"a number":        func(out io.Writer, _ []byte) { write(out, []byte("7")) },
	"an empty object": func(out io.Writer, _ []byte) { write(out, []byte("{}")) },
	"an empty list":   func(out io.Writer, _ []byte) { write(out, []byte("[]")) },
	"nulls":           func(out io.Writer, _ []byte) { write(out, []byte("[null,null]")) },
	"no JSON":         func(out io.Writer, answer []byte) { write(out, []byte(strings.ReplaceAll(string(answer), ":", ""))) },
	"numbers for text": func(out io.Writer, answer []byte) {
		write(out, []byte(strings.ReplaceAll(string(answer), `"0x`, `0, "`)))
	},
	"deep":         func(out io.Writer, _ []byte) { write(out, []byte(strings.Repeat("[", 1<<20))) },
	"endless text": endless(`{"jsonrpc":"2.0","id":1,"result":"`, "0123456789"),
	"endless list": endless(`[`, `{"jsonrpc":"2.0","id":1,"result":null},`),
	"endless error": func(out io.Writer, answer []byte) {
		out.(http.ResponseWriter).WriteHeader(http.StatusBadGateway)
		endless("", "sorry, ")(out, answer)
	},
}

// TestAttack_LyingRPC_Broken: an endpoint answers with anything but an answer. Nothing is told or
// forgotten for it, a person is, the other endpoint does in the meantime, and all is well when it
// answers again.
func TestAttack_LyingRPC_Broken(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	for name, broken := range brokenAnswers {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "endless") {
				skipLarge(t)
			}
			w.t = t
			p := newProxy(t, w.chain.URL())
			alone := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 2})
			both := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 2})
			alone.read()
			both.read()
			w.wantNoAlarm()
			w.say(name)
			w.mine(1)
			p.set(func(p *proxy) { p.send = broken })
			if batch, err := alone.follower.Next(context.Background(), alone.cursor); err == nil || len(batch.Events) > 0 {
				t.Fatalf("told %v, %v", batch.Events, err)
			} else if text := err.Error(); len(text) > 2<<10 {
				t.Fatalf("an error of %d bytes", len(text))
			}
			w.alarms.take()
			both.want("seen " + name)
			w.mine(1)
			both.want("final " + name)
			if list := w.alarms.take(); len(list) != 1 || !errors.As(list[0].Fault, new(*chain.Unreachable)) {
				t.Fatalf("alarms: %v", list)
			}
			p.set(func(p *proxy) { p.send = nil })
			alone.want("seen "+name, "final "+name)
			both.want()
			for _, a := range w.alarms.take() {
				if !a.Over {
					t.Fatalf("alarm: %v", a)
				}
			}
		})
	}
}

// Answers to a batch may come in any order, more than once, and with others between them.
func TestAnswersInAnyOrder(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 2})
	p.send = func(out io.Writer, answer []byte) {
		var list []json.RawMessage
		if json.Unmarshal(answer, &list) == nil {
			slices.Reverse(list)
			list = append(append(list, []byte(`{"jsonrpc":"2.0","id":987654,"result":"0x"}`)), list...)
			answer, _ = json.Marshal(list)
		}
		write(out, answer)
	}
	var want []string
	for i := range 6 {
		w.say(fmt.Sprint(i))
		w.mine(1)
		want = append(want, fmt.Sprint("seen ", i))
	}
	for i := range 5 {
		want = append(want, fmt.Sprint("final ", i))
	}
	r.want(want...)
}

// An endpoint that refuses a batch with too much in it is asked for less, down to single blocks.
func TestBatchesAreHalvedForAsLongAsTheyAreRefused(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	p.send = func(out io.Writer, answer []byte) {
		var list []message
		if json.Unmarshal(answer, &list) == nil && len(list) > 3 && strings.Contains(string(answer), "topics") {
			list[3].Result, list[3].Error = nil, map[string]any{"code": -32003, "message": "response too large"}
			answer, _ = json.Marshal(list)
		}
		write(out, answer)
	}
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 40})
	var want []string
	for i := range 12 {
		w.say(fmt.Sprint(i))
		w.mine(1)
		want = append(want, fmt.Sprint("seen ", i))
	}
	r.want(want...)
}

// A log that an endpoint once left out is told when it tells it again, and what both agree on
// becomes final.
func TestAttack_LyingRPC_Recovers(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 3})
	r.read()
	leftOut := func(method string, result json.RawMessage) json.RawMessage {
		if method == "eth_getLogs" {
			return json.RawMessage("[]")
		}
		return result
	}
	p.set(func(p *proxy) { p.edit = leftOut })
	w.say("a")
	w.mine(1)
	r.want()
	p.set(func(p *proxy) { p.edit = nil })
	w.say("b")
	w.mine(1)
	r.want("seen b")
	w.mine(1)
	r.want("undone b", "seen a", "seen b", "final a")
	w.mine(1)
	r.want("final b")
	w.alarms.take()

	// For as long as it insists, nothing is undone, and nothing is final.
	p.set(func(p *proxy) { p.edit = leftOut })
	w.say("c")
	w.mine(1)
	r.want()
	p.set(func(p *proxy) { p.edit = nil })
	w.say("d")
	w.mine(1)
	r.want("seen d")
	p.set(func(p *proxy) { p.edit = leftOut })
	w.mine(2)
	r.want()
	r.want()
	wantAlarm[*chain.Lying](w, false)
	p.set(func(p *proxy) { p.edit = nil })
	r.want("undone d", "seen c", "seen d", "final c", "final d")
	wantAlarm[*chain.Lying](w, true)
}

// A load balancer hands each request to another of its nodes, each as far as it happens to be.
// Nothing is undone that is still in the chain, and nothing is left out.
func TestAttack_LaggingRPC_EachRequest(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	for seed := range uint64(few(8)) { //nolint:gosec // not negative
		random := rand.New(rand.NewPCG(seed, 2))
		p := newProxy(t, w.chain.URL())
		client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()})
		r := w.follow(client, chain.FollowConfig{From: w.chain.Head() + 1, Confirmations: 3})
		p.set(func(p *proxy) { p.lag = func() uint64 { return uint64(random.IntN(5)) } })
		var want []string
		for i := range 15 {
			word := fmt.Sprintf("%d.%d", seed, i)
			w.say(word)
			w.mine(1 + random.IntN(3))
			want = append(want, word)
			_, _ = r.try()
		}
		p.set(func(p *proxy) { p.lag = nil })
		w.mine(3)
		r.read()
		r.wantAll(want)
		w.alarms.take()
	}
}

// try asks until there is no more, or an error, and keeps what was told.
func (r *reader) try() ([]string, error) {
	var told []string
	for {
		batch, err := r.follower.Next(context.Background(), r.cursor)
		if err != nil {
			return told, err
		}
		for _, event := range batch.Events {
			told = append(told, show(event))
			r.told = append(r.told, show(event))
		}
		if r.cursor = batch.Cursor; !batch.Behind {
			return told, nil
		}
	}
}

// wantAll checks that all words, and no others, were seen once and are final, in this order, and
// that none was ever undone.
func (r *reader) wantAll(words []string) {
	r.w.t.Helper()
	for _, stage := range []string{"seen ", "final "} {
		var told []string
		for _, line := range r.told {
			if word, ok := strings.CutPrefix(line, stage); ok {
				told = append(told, word)
			}
		}
		if !slices.Equal(told, words) {
			r.w.t.Fatalf("%s: told %v, want %v", stage, told, words)
		}
	}
	for _, line := range r.told {
		if strings.HasPrefix(line, "undone ") {
			r.w.t.Fatalf("%s, which is in the chain: %v", line, r.told)
		}
	}
}

// What an endpoint invented is not vouched for by itself: when it breaks down before that is final,
// the other one is asked.
func TestAttack_LyingRPC_Invented(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 3})
	r.read()
	p.set(func(p *proxy) {
		p.edit = func(method string, result json.RawMessage) json.RawMessage {
			if method != "eth_getLogs" {
				return result
			}
			return json.RawMessage(strings.ReplaceAll(string(result), fmt.Sprintf("%x", wordOf("true")), fmt.Sprintf("%x", wordOf("lies"))))
		}
	})
	w.say("true")
	w.mine(1)
	r.want("seen lies")
	p.set(func(p *proxy) { p.down = 1 })
	w.mine(2)
	r.want("undone lies", "seen true", "final true")
}

// An endpoint that claims a head far beyond the other's makes nothing final by it.
func TestAttack_LyingRPC_TooHigh(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 3, Window: 4})
	r.read()
	var head map[string]any
	if err := json.Unmarshal(w.header("latest"), &head); err != nil {
		t.Fatal(err)
	}
	head["number"] = "0x1000"
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			if method == "eth_getLogs" {
				return []string{}, true // also of blocks that nobody made yet
			}
			return head, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
		}
	})
	w.say("a")
	w.mine(8)
	for range 4 { // one of them shows it, each time anew
		batch, err := r.follower.Next(t.Context(), r.cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range batch.Events {
			if event.Stage == chain.Final {
				t.Fatalf("told %q while the endpoints contradict each other", show(event))
			}
		}
		r.cursor = batch.Cursor
	}
	p.set(func(p *proxy) { p.lie = nil })
	if told := r.read(); !slices.Contains(told, "final a") {
		t.Fatalf("told %q, want final a", told)
	}
}
