package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func TestReadings(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client := w.dial(chain.Config{})
	ctx := context.Background()
	if client.ChainID() != devnet.DefaultChainID {
		t.Errorf("chain id %d", client.ChainID())
	}
	head, err := client.Head(ctx)
	if err != nil || head.Number != 1 || head.BaseFee == 0 || head.Time == 0 {
		t.Errorf("head %+v, %v", head, err)
	}
	if at, err := client.At(ctx, 1); err != nil || at != head {
		t.Errorf("block 1 %+v, %v", at, err)
	}
	if _, err := client.At(ctx, 2); !errors.Is(err, chain.ErrUnknownBlock) {
		t.Errorf("block 2: %v", err)
	}
	million := new(uint256.Int).Mul(uint256.NewInt(1_000_000), uint256.NewInt(1e18))
	if wei, err := client.Balance(ctx, w.chain.Address(3)); err != nil || !wei.Eq(million) {
		t.Errorf("balance %v, %v", wei, err)
	}
	w.say("a")
	w.mine(1)
	var refused *chain.Reverted
	if _, err := client.Call(ctx, w.once, wordOf("a").Bytes()); !errors.As(err, &refused) || common.BytesToHash(refused.Data) != wordOf("a") {
		t.Errorf("refused call: %v", err)
	}
	w.wantNoAlarm()
}

// TestTheChainIsKnownMeanwhile: which chain it is can be asked while an endpoint that failed is
// checked again; the race detector looks.
func TestTheChainIsKnownMeanwhile(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: p.URL})
	checked := make(chan error)
	go func() {
		p.set(func(p *proxy) { p.down = http.StatusBadGateway })
		_, failed := client.Head(t.Context())
		p.set(func(p *proxy) { p.down = 0 })
		_, err := client.Head(t.Context())
		if failed == nil {
			err = errors.New("it did not fail")
		}
		checked <- err
	}()
	for {
		if client.ChainID() != devnet.DefaultChainID {
			t.Fatalf("chain %d", client.ChainID())
		}
		select {
		case err := <-checked:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

func TestAnEndpointThatIsDownIsNamedWithoutItsSecrets(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	address := strings.Replace(p.URL, "http://", "http://user:password@", 1) + "/key/secret?token=secret"
	client := w.dial(chain.Config{URL: address})
	for _, fault := range []int{1, http.StatusTooManyRequests, http.StatusBadGateway} {
		p.set(func(p *proxy) { p.down = fault })
		_, err := client.Head(context.Background())
		var down *chain.Unreachable
		if !errors.As(err, &down) || !strings.Contains(err.Error(), p.URL) || !strings.Contains(err.Error(), "check that the node runs") {
			t.Errorf("fault %d: %v", fault, err)
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "password") {
			t.Errorf("fault %d: the error shows credentials: %v", fault, err)
		}
	}
	wantAlarm[*chain.Unreachable](w, false) // one, for three failures
	p.set(func(p *proxy) { p.down = 0 })
	if _, err := client.Head(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantAlarm[*chain.Unreachable](w, true)

	for _, address := range []string{"http://127.0.0.1:1/secret", "ws://127.0.0.1:1/secret", "mailto:secret", "://secret"} {
		_, err := chain.Dial(context.Background(), chain.Config{URL: address})
		var down *chain.Unreachable
		if !errors.As(err, &down) || strings.Contains(err.Error(), "secret") {
			t.Errorf("dial %s: %v", address, err)
		}
	}
}

func TestAnEndpointThatNeverAnswersIsDown(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	// on a busy machine an endpoint that answers may be too slow as well
	try := func(what func() error) {
		t.Helper()
		err := what()
		for err != nil && ctx.Err() == nil {
			err = what()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var client *chain.Client
	try(func() (err error) {
		client, err = chain.Dial(ctx, chain.Config{URL: p.URL, Timeout: 100 * time.Millisecond, Alarm: w.alarms.add})
		return err
	})
	defer client.Close()
	p.set(func(p *proxy) { p.down = 2 })
	var down *chain.Unreachable
	if _, err := client.Head(ctx); !errors.As(err, &down) || !strings.Contains(err.Error(), p.URL) {
		t.Errorf("head: %v", err)
	}
	wantAlarm[*chain.Unreachable](w, false)
	p.set(func(p *proxy) { p.down = 0 })
	try(func() error { _, err := client.Head(ctx); return err })
	wantAlarm[*chain.Unreachable](w, true)
}

func TestTheSecondEndpointStepsIn(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	first, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: first.URL, Second: second.URL})
	r := w.follow(client, chain.FollowConfig{Confirmations: 1})
	first.set(func(p *proxy) { p.down = 1 })
	w.say("a")
	w.mine(1)
	r.want("seen a", "final a")
	wantAlarm[*chain.Unreachable](w, false)
	second.set(func(p *proxy) { p.down = 1 })
	var down *chain.Unreachable
	if _, err := client.Head(context.Background()); !errors.As(err, &down) {
		t.Fatalf("both down: %v", err)
	}
}

// Answers that make no sense are refused, and nothing is lost.
func TestGarbageFromAnEndpointIsAnError(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: p.URL})
	r := w.follow(client, chain.FollowConfig{Confirmations: 1})
	w.say("a")
	w.mine(1)
	for _, garbage := range []string{`"0x"`, `null`, `{}`, `[]`, `[null]`, `17`, `{"number":"0xffffffffffffffffff","hash":"0x1"}`, `[{"topics":[]}]`} {
		for _, method := range []string{"eth_getBlockByNumber", "eth_getLogs", "eth_getBalance", "eth_chainId"} {
			if method == "eth_getLogs" && (garbage == "[]" || garbage == "null") {
				continue // that is how an endpoint says that there are none
			}
			p.set(func(p *proxy) {
				p.edit = func(asked string, result json.RawMessage) json.RawMessage {
					if asked == method {
						return json.RawMessage(garbage)
					}
					return result
				}
			})
			_, errNext := r.follower.Next(context.Background(), r.cursor)
			_, errBalance := client.Balance(context.Background(), w.once)
			if method != "eth_chainId" && errNext == nil && errBalance == nil {
				t.Errorf("%s answered with %s: no error", method, garbage)
			}
		}
	}
	p.set(func(p *proxy) { p.edit = nil })
	r.want("seen a", "final a")
}

// Keep asks ever less often while the endpoint is down, raises an alarm, and misses nothing.
func TestKeepOutlivesAnEndpointThatIsDown(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	tick := make(chan time.Time)
	waits := make(chan time.Duration)
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{
		Confirmations: 1,
		After:         func(d time.Duration) <-chan time.Time { waits <- d; return tick },
	})
	told := make(chan string, 16)
	var alarms []chain.Alarm
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- r.follower.Keep(ctx, &kept{values: map[string][]byte{}}, "cursor", chain.Reader{
			Happened: func(e *chain.Event) error { told <- show(*e); return nil },
			Reached:  func(context.Context, *chain.Reach) error { return nil },
			Trouble:  func(error) {},
		})
	}()
	again := func(want time.Duration) {
		t.Helper()
		if d := <-waits; d != want {
			t.Fatalf("waits %v, want %v", d, want)
		}
		alarms = append(alarms, w.alarms.take()...)
		// after three failures
		if alarmed := strings.Contains(fmt.Sprint(alarms), "not being read"); alarmed != (want >= 8*time.Second) {
			t.Fatalf("before it waits %v: alarms %v", want, alarms)
		}
		tick <- time.Time{}
	}
	if d := <-waits; d != time.Second {
		t.Fatalf("waits %v at first", d)
	}
	p.set(func(p *proxy) { p.down = 1 })
	w.say("a")
	w.mine(1)
	tick <- time.Time{}
	for _, seconds := range []int{2, 4, 8, 16, 30} {
		again(time.Duration(seconds) * time.Second)
	}
	if d := <-waits; d != 30*time.Second {
		t.Fatalf("waits %v at last", d)
	}
	p.set(func(p *proxy) { p.down = 0 })
	tick <- time.Time{}
	if d := <-waits; d != time.Second {
		t.Fatalf("waits %v after success", d)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("ended: %v", err)
	}
	close(told)
	var all []string
	for line := range told {
		all = append(all, line)
	}
	if fmt.Sprint(all) != "[seen a final a]" {
		t.Fatalf("told %v", all)
	}
	if list := fmt.Sprint(w.alarms.take()); !strings.Contains(list, "over") {
		t.Fatalf("alarms %v", list)
	}
}
