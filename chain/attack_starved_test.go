package chain_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// hours is a clock that goes on when somebody waits.
type hours struct {
	mu sync.Mutex
	at time.Time
}

func (h *hours) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *hours) after(d time.Duration) <-chan time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
	over := make(chan time.Time, 1)
	over <- h.at
	return over
}

// metered is an endpoint in front of a proxy that takes so many HTTP requests in each second of a
// clock.
type metered struct {
	mu      sync.Mutex
	second  time.Time
	asked   int // in this second
	total   int
	refused int
}

func newMetered(t *testing.T, p *proxy, clock *hours, most int) (*metered, string) {
	m := &metered{second: clock.now()}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		m.mu.Lock()
		if now := clock.now(); now.Sub(m.second) >= time.Second {
			m.second, m.asked = now, 0
		}
		m.asked++
		m.total++
		over := m.asked > most
		if over {
			m.refused++
		}
		m.mu.Unlock()
		if over {
			http.Error(out, "too many requests", http.StatusTooManyRequests)
			return
		}
		p.serve(out, in)
	}))
	t.Cleanup(server.Close)
	return m, server.URL
}

func (m *metered) count() (total, refused int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total, m.refused
}

// TestAttack_StarvedRPC: strangers make a node ask an endpoint that takes 50 requests a second as
// often as they can. What the Arena says is read in the same second all the same, and the endpoint
// never has to refuse.
func TestAttack_StarvedRPC(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	clock := &hours{at: time.Now()}
	m, url := newMetered(t, newProxy(t, w.chain.URL()), clock, 50)
	client := w.dial(chain.Config{URL: url, Now: clock.now, After: clock.after})
	r := w.follow(client, chain.FollowConfig{Confirmations: 40})
	stranger := chain.As(context.Background(), chain.Stranger)
	for second := range 20 {
		refused := 0
		for range 500 {
			if _, err := client.Call(stranger, w.once, wordOf("x").Bytes()); errors.Is(err, chain.ErrBudget) {
				refused++
			}
		}
		if refused < 400 {
			t.Fatalf("second %d: strangers were refused %d times of 500", second, refused)
		}
		w.say(fmt.Sprint(second))
		w.mine(1)
		r.want(fmt.Sprint("seen ", second))
		clock.after(time.Second)
	}
	if total, refused := m.count(); refused > 0 {
		t.Fatalf("the endpoint refused %d of %d requests", refused, total)
	}
	w.wantNoAlarm()
}

// What a person looks at again and again does not keep the follower waiting either, once the
// endpoint has said how often it may be asked.
func TestAttack_StarvedRPC_ByItsUser(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	clock := &hours{at: time.Now()}
	m, url := newMetered(t, newProxy(t, w.chain.URL()), clock, 200)
	client := w.dial(chain.Config{URL: url, Now: clock.now, After: clock.after})
	r := w.follow(client, chain.FollowConfig{Confirmations: 200})
	user := chain.As(context.Background(), chain.User)
	ask := func(times int) {
		for range times {
			_, _ = client.Head(user) // it may be refused: that is how the rate is learnt
		}
	}
	ask(300)
	if _, refused := m.count(); refused == 0 {
		t.Fatal("the endpoint refused nothing")
	}
	clock.after(5 * time.Second)
	w.alarms.take()
	for i := range few(20) {
		ask(100)
		w.say(fmt.Sprint(i))
		w.mine(1)
		before := clock.now()
		r.want(fmt.Sprint("seen ", i))
		if waited := clock.now().Sub(before); waited > 0 {
			t.Fatalf("the follower waited for %v", waited)
		}
	}
}

// While an endpoint fails, a stranger's question costs it nothing.
func TestAttack_StarvedRPC_WhileItFails(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	clock := &hours{at: time.Now()}
	p := newProxy(t, w.chain.URL())
	m, url := newMetered(t, p, clock, 1000)
	client := w.dial(chain.Config{URL: url, Now: clock.now, After: clock.after})
	p.set(func(p *proxy) { p.down = http.StatusBadGateway })
	if _, err := client.Head(context.Background()); err == nil {
		t.Fatal("it does not fail")
	}
	before, _ := m.count()
	for range 20 {
		if _, err := client.Head(chain.As(context.Background(), chain.Stranger)); err == nil {
			t.Fatal("answered")
		}
	}
	if after, _ := m.count(); after != before {
		t.Fatalf("%d requests for strangers", after-before)
	}
	p.set(func(p *proxy) { p.down = 0 })
	if _, err := client.Head(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Head(chain.As(context.Background(), chain.Stranger)); err != nil {
		t.Fatal(err)
	}
}

// However many signatures come in the name of an account that is no contract, the chain is asked
// about it once.
func TestAttack_StarvedRPC_BySignatures(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	clock := &hours{at: time.Now()}
	m, url := newMetered(t, newProxy(t, w.chain.URL()), clock, 1000)
	wallets := chain.NewWallets(w.dial(chain.Config{URL: url, Now: clock.now, After: clock.after}))
	before, _ := m.count()
	ask := func() {
		for i := range 100 {
			err := wallets.Signed(context.Background(), w.chain.Address(3), wordOf(fmt.Sprint(i)), make([]byte, 65))
			if !errors.Is(err, protocol.ErrSignature) {
				t.Fatal(err)
			}
		}
	}
	ask()
	if after, _ := m.count(); after-before != 1 {
		t.Fatalf("asked %d times", after-before)
	}
	clock.after(2 * time.Minute) // a contract may be there by now
	ask()
	if after, _ := m.count(); after-before != 2 {
		t.Fatalf("asked %d times", after-before)
	}
	if err := wallets.Signed(context.Background(), w.once, common.Hash{1}, make([]byte, 65)); !errors.Is(err, protocol.ErrSignature) {
		t.Fatalf("a contract that is no wallet: %v", err)
	}
}
