package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/metrics"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// journal is a log that can be read while it is written.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

// metric reads what a monitor is told.
func metric(t *testing.T, n *node.Node, name string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/metrics", nil)
	w := httptest.NewRecorder()
	metrics.Handler(n).ServeHTTP(w, r)
	for line := range strings.Lines(w.Body.String()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("no metric %s in %d: %s", name, w.Code, w.Body)
	return ""
}

// sieve is a chain that takes no transactions while it is shut: it says that it does, and drops
// them.
type sieve struct {
	mu   sync.Mutex
	shut bool
}

func (d *sieve) set(shut bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = shut
}

func (d *sieve) serve(t *testing.T) string {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		d.mu.Lock()
		shut := d.shut
		d.mu.Unlock()
		var call struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(body, &call) == nil && call.Method == "eth_sendRawTransaction" && shut {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(call.ID)+`,"result":"`+common.Hash{1}.Hex()+`"}`)
			return
		}
		request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, strings.Replace(world(t).URL, "ws", "http", 1), bytes.NewReader(body))
		if err != nil {
			return
		}
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer reply.Body.Close()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, reply.Body)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestAttack_SilentFailure: an answer that doesn't land while its deadline comes near is told in
// the events, the log and the metrics, and stands until it is over.
func TestAttack_SilentFailure(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	log, wire := new(journal), new(sieve)
	alice := join(t, func(c *node.Config) {
		c.Chain.URL, c.Policy.BotAtDeadline = wire.serve(t), true
		c.Log = slog.New(slog.NewTextHandler(log, nil))
	})
	var silent atomic.Bool
	bob := join(t, func(c *node.Config) { hasty(c, silent.Load) })
	tb.players = []*player{bob, alice}
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	bob.fund(t)
	alice.fund(t)
	tb.open(t)
	id := tb.match(t, "toy", "")
	if n := alice.Standing(); len(n) != 0 || metric(t, alice.Node, "ante_alarms_standing") != "0" {
		t.Fatalf("all is well, and yet: %v", n)
	}
	tb.play(t, bob, id, "pass 1")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove && int(m.Mover) == m.Seat })
	wire.set(true)
	silent.Store(true)
	// Alice says nothing: Bob starts her clock, and her own program's answers get lost on the way.
	tb.mine(t)
	stands := func(e node.Event) bool {
		return strings.Contains(e.Text, "must land before")
	}
	tb.wait(t, alice, func() bool { return slices.ContainsFunc(alice.Standing(), stands) })
	e := tb.event(t, alice, node.Alarm)
	if !strings.Contains(log.String(), "level=ERROR") || metric(t, alice.Node, "ante_alarms_standing") == "0" {
		t.Errorf("event %q, metric %s, log:\n%s", e.Text, metric(t, alice.Node, "ante_alarms_standing"), log)
	}
	// by now its clock may have run out: the answer lands, or is given up; either way nothing waits
	// any more
	wire.set(false)
	tb.wait(t, alice, func() bool { return !slices.ContainsFunc(alice.Standing(), stands) })
}

// TestAttack_EmptyWallet: nothing is locked that the account which pays for gas could not defend,
// and the refusal says what is missing.
func TestAttack_EmptyWallet(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	poor, err := crypto.GenerateKey()
	must(t, err)
	gas := crypto.PubkeyToAddress(poor.PublicKey)
	var owner chain.Signer
	alice := join(t, func(c *node.Config) {
		c.OwnerSigner, owner = c.GasPayer, c.GasPayer
		c.GasPayer, c.Policy.Accept = chain.KeySigner(poor), nil
	})
	bob := join(t, nil)
	must(t, dev.Connect(ctx, alice.Node, bob.Node))
	alice.fund(t)
	bob.fund(t)
	if owner.Address() != alice.Account() || alice.Wallet() != gas {
		t.Fatal(alice.Account(), alice.Wallet())
	}
	offer := func(from, to *player) (common.Hash, error) {
		return from.Offer(ctx, node.OpenRequest{Peers: []common.Address{to.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20})
	}
	refused := func(what string, err error) {
		t.Helper()
		r, failed := alice.Reserve(ctx)
		must(t, failed)
		if !errors.Is(err, node.ErrFunds) || !strings.Contains(err.Error(), gas.Hex()) || !strings.Contains(err.Error(), r.Have.Dec()) || !strings.Contains(err.Error(), "3000000 gas") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = offer(alice, bob)
	refused("offered", err)
	_, err = alice.Invite(ctx, duel(stake))
	refused("invited", err)
	id, err := offer(bob, alice)
	must(t, err)
	must(t, alice.Wait(ctx, func() (bool, error) { list, err := alice.Offers(); return len(list) == 1, err }))
	refused("accepted", alice.Accept(ctx, id))
	if have, need := metric(t, alice.Node, "ante_gas_wei"), metric(t, alice.Node, "ante_gas_reserve_wei"); have != "0" || need == "0" {
		t.Errorf("metrics: %s of %s", have, need)
	}
	tell(t, gas, nil, ether)
	must(t, alice.Accept(ctx, id))
	_, err = bob.Opened(ctx, id)
	must(t, err)
	if list := alice.Standing(); len(list) != 0 {
		t.Errorf("standing: %v", list)
	}
}

// TestAttack_LaggingRPC: an endpoint whose newest block is too old is an alarm that stands until it
// goes on.
func TestAttack_LaggingRPC(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	var clock clock
	alice := join(t, func(c *node.Config) { c.Chain.MaxAge, c.Chain.Now = time.Hour, clock.now })
	tb.wait(t, alice, func() bool { return alice.Head().Block > 0 })
	lags := func(e node.Event) bool { return strings.Contains(e.Text, "its newest block is") }
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, alice, func() bool {
		return alice.Head().Block >= world(t).Chain.Head() && !slices.ContainsFunc(alice.Standing(), lags)
	})
	clock.ahead.Store(int64(2 * time.Hour))
	tb.wait(t, alice, func() bool { return slices.ContainsFunc(alice.Standing(), lags) })
	clock.ahead.Store(0)
	tb.wait(t, alice, func() bool { return !slices.ContainsFunc(alice.Standing(), lags) })
}

// TestMetricsStayHome: nothing but a program that names this machine by a loopback address is
// answered.
func TestMetricsStayHome(t *testing.T) {
	t.Parallel()
	n := join(t, nil)
	for host, want := range map[string]int{"127.0.0.1:4180": 200, "localhost:4180": 200, "[::1]:4180": 200, "evil.example": 403, "10.0.0.1:4180": 403, "": 403} {
		r := httptest.NewRequest(http.MethodGet, "http://x/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		metrics.Handler(n.Node).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: %d, want %d", host, w.Code, want)
		}
		if strings.Contains(w.Body.String(), n.Account().Hex()) {
			t.Error("the account shows")
		}
	}
}
