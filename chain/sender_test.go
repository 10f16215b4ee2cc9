package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

func TestATransactionIsSentOnceAndReportedUntilItIsFinal(t *testing.T) {
	o := newOffice(t, nil)
	if report := o.status("a"); report.Progress != chain.Unknown {
		t.Fatalf("before: %+v", report)
	}
	first := o.submit("a", 0)
	o.wantSent(first.Tx, true)
	if again := o.submit("a", 0); again != first || first.Why != "say a" || first.Progress != chain.Waiting {
		t.Fatalf("asked twice: %+v, %+v", first, again)
	}
	o.want(o.step(1), "mined a")
	mined := o.submit("a", 0)
	if mined.Progress != chain.Mined || mined.GasUsed == 0 || mined.Fee.IsZero() || mined.Tx != first.Tx || mined.Err != nil {
		t.Fatalf("mined: %+v", mined)
	}
	o.want(o.step(2), "done a")
	o.restart()
	if done := o.submit("a", 0); done.Progress != chain.Done || done.Why != "say a" || done.Tx != first.Tx || done.GasUsed != mined.GasUsed {
		t.Fatalf("done: %+v", done)
	}
	o.want(o.step(2))
	if o.sent() != 1 {
		t.Fatalf("%d transactions sent", o.sent())
	}
	o.wantSent(first.Tx, true)
	o.wantSent(common.Hash{1}, false)
	o.wantNoAlarm()
}

// A sender that waits writes nothing down.
func TestWhatIsStoredIsNotStoredAgain(t *testing.T) {
	o := newOffice(t, nil)
	o.submit("a", 0)
	before := o.store.commits
	for range 2 {
		if _, err := o.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if o.store.commits != before {
		t.Errorf("%d more commits", o.store.commits-before)
	}
}

// What could be neither stored nor read again is read before anything else is done: asked for again
// it is stored and sent, once.
func TestWhatCouldNotBeReadAgainDidNotHappen(t *testing.T) {
	fails, broken := false, false
	o := newOffice(t, func(c *chain.SenderConfig) {
		c.Store = &storetest.Faulty{Store: store.NewMemory(), Before: func(op storetest.Op) error {
			if broken = broken || fails && op == storetest.Commit; broken {
				return storetest.ErrCrash
			}
			return nil
		}}
	})
	fails = true
	if _, err := o.Submit(t.Context(), o.request("a", 0)); !errors.Is(err, storetest.ErrCrash) {
		t.Fatalf("not stored: %v", err)
	}
	if _, err := o.Submit(t.Context(), o.request("b", 0)); !errors.Is(err, storetest.ErrCrash) {
		t.Fatalf("not read: %v", err)
	}
	fails, broken = false, false
	o.submit("a", 0)
	o.restart()
	if report := o.status("a"); report.Progress != chain.Waiting {
		t.Errorf("after a restart: %+v", report)
	}
	if o.want(o.step(3), "mined a", "done a"); o.sent() != 1 {
		t.Errorf("%d transactions sent", o.sent())
	}
}

// wantSent says whether the sender knows a transaction for its own.
func (o *office) wantSent(tx common.Hash, want bool) {
	o.t.Helper()
	if sent, err := o.Sent(tx); err != nil || sent != want {
		o.t.Errorf("sent %v: %v, %v", tx, sent, err)
	}
}

func TestWhatTheContractRefusesIsNotSent(t *testing.T) {
	o := newOffice(t, nil)
	o.say("a")
	o.mine(1)
	_, err := o.Submit(context.Background(), o.request("a", 0))
	var refused *chain.Reverted
	if !errors.As(err, &refused) || refused.Reason.Error() != "had a" {
		t.Fatalf("refused: %v", err)
	}
	if o.step(1); o.sent() != 0 || o.status("a").Progress != chain.Unknown {
		t.Fatal("sent all the same")
	}
}

// rush has somebody else say a word ahead of the sender.
func (o *office) rush(word string) {
	o.t.Helper()
	fields := types.DynamicFeeTx{To: &o.once, Data: wordOf(word).Bytes(), Gas: 100_000, GasTipCap: big.NewInt(90 * params.GWei)}
	if _, err := o.chain.Send(context.Background(), o.chain.Key(2), fields); err != nil {
		o.t.Fatal(err)
	}
}

func TestATransactionThatFailsInItsBlockSaysWhy(t *testing.T) {
	o := newOffice(t, nil)
	o.submit("a", 0)
	o.rush("a")
	o.want(o.step(3), "mined a", "done a")
	var refused *chain.Reverted
	if report := o.status("a"); !errors.As(report.Err, &refused) || refused.Reason.Error() != "had a" || report.GasUsed == 0 {
		t.Fatalf("report %+v", report)
	}
}

// The process dies between any two of: sign, store, send, see it mined.
func TestAttack_Crash(t *testing.T) {
	t.Run("before it is stored", func(t *testing.T) {
		o := newOffice(t, nil)
		o.store.broken = errors.New("disk full")
		if _, err := o.Submit(context.Background(), o.request("a", 0)); !errors.Is(err, o.store.broken) {
			t.Fatalf("submit: %v", err)
		}
		o.want(o.step(1))
		o.store.broken = nil
		o.restart()
		o.want(o.step(3))
		if o.sent() != 0 || o.status("a").Progress != chain.Unknown {
			t.Fatal("sent without being stored")
		}
		o.submit("a", 0)
		o.want(o.step(1), "mined a")
	})
	t.Run("before it is sent", func(t *testing.T) {
		o := newOffice(t, nil)
		o.swallow(true)
		o.submit("a", 0)
		o.restart()
		o.swallow(false)
		o.want(o.step(1))
		o.want(o.step(1), "mined a")
		if o.sent() != 1 {
			t.Fatalf("%d transactions sent", o.sent())
		}
	})
	t.Run("after it is mined", func(t *testing.T) {
		o := newOffice(t, nil)
		o.submit("a", 0)
		o.mine(5)
		o.restart()
		o.want(o.look(), "done a")
		o.want(o.step(1))
	})
	t.Run("the disk fails while a price is raised", func(t *testing.T) {
		o := newOffice(t, nil)
		o.swallow(true)
		before := o.submit("a", 0)
		o.mine(3)
		o.store.broken = errors.New("disk full")
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				return "0x77359400", method == "eth_maxPriorityFeePerGas"
			}
		})
		if _, err := o.Step(context.Background()); !errors.Is(err, o.store.broken) {
			t.Fatalf("step: %v", err)
		}
		if o.status("a").Tx != before.Tx {
			t.Fatal("a version that isn't stored is reported")
		}
		if o.mine(1); o.sent() != 0 {
			t.Fatal("a version that isn't stored was sent")
		}
		o.store.broken = nil
		o.want(o.look(), "waiting a")
		o.want(o.step(1), "mined a")
	})
}

func TestAMinedTransactionIsSentAgainAfterAReorg(t *testing.T) {
	for depth := 1; depth <= 12; depth++ {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			if depth%4 != 1 {
				skipLarge(t)
			}
			o := newOffice(t, func(c *chain.SenderConfig) { c.Confirmations = 13 })
			o.submit("a", 0)
			o.want(o.step(depth), "mined a")
			if err := o.chain.Reorg(depth); err != nil {
				t.Fatal(err)
			}
			if told := o.look(); told[0] != "waiting a" {
				t.Fatalf("told %q", told)
			}
			o.want(o.step(1), "mined a")
			o.want(o.step(12), "done a")
			if o.sent() != 1 {
				t.Fatalf("%d transactions sent", o.sent())
			}
		})
	}
}

func TestAFinishedTransactionThatADeepReorgUndidIsSentAgain(t *testing.T) {
	o := newOffice(t, nil)
	o.submit("a", 0)
	o.want(o.step(3), "mined a", "done a")
	if err := o.chain.Reorg(3); err != nil {
		t.Fatal(err)
	}
	if report := o.submit("a", 0); report.Progress != chain.Waiting {
		t.Fatalf("report %+v", report)
	}
	o.want(o.step(1), "mined a")
}

func TestASenderRefusesWhatItCannotRead(t *testing.T) {
	o := newOffice(t, nil)
	o.submit("a", 0)
	for name := range o.store.values {
		for _, damaged := range []string{"{", `{"version":9}`, `{"version":1,"jobs":[{"raw":"0x02"}]}`} {
			broken := o.config
			broken.Store = &kept{values: map[string][]byte{name: []byte(damaged)}}
			if _, err := chain.NewSender(o.client, broken); err == nil {
				t.Errorf("%s is accepted", damaged)
			}
		}
	}
	for name, change := range map[string]func(*chain.SenderConfig){
		"no store":       func(c *chain.SenderConfig) { c.Store = nil },
		"limits crossed": func(c *chain.SenderConfig) { c.Fees = chain.Fees{Max: 10, UrgentMax: 9} },
	} {
		broken := o.config
		change(&broken)
		if _, err := chain.NewSender(o.client, broken); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := o.Submit(context.Background(), chain.Request{}); err == nil {
		t.Error("a request without key is accepted")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := o.Step(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("step with a context that ended: %v", err)
	}
}

// TestJobsThatWereInPlace: a store of the version in which the book had all jobs is gone on from,
// also where a crash left some of them in records of their own.
func TestJobsThatWereInPlace(t *testing.T) {
	for apart := range 3 {
		o := newOffice(t, nil)
		var jobs []string
		for i, word := range []string{"a", "b"} {
			o.submit(word, 0)
			for key, value := range o.store.values {
				if strings.HasSuffix(key, "/jobs/"+word) {
					if jobs = append(jobs, string(value)); i >= apart {
						delete(o.store.values, key)
					}
				}
			}
		}
		for key := range o.store.values {
			if strings.HasSuffix(key, "/jobs") {
				o.store.values[key] = []byte(`{"version":1,"jobs":[` + strings.Join(jobs, ",") + `]}`)
			}
		}
		o.restart()
		o.want(o.step(1), "mined a", "mined b")
		o.restart()
		o.want(o.step(2), "done a", "done b")
		for key := range o.store.values {
			if strings.Contains(key, "/jobs/") {
				t.Errorf("%s is left", key)
			}
		}
	}
}

// TestWhatTakesAllGasIsNotSent: a contract that no gas suffices for refuses, too.
func TestWhatTakesAllGasIsNotSent(t *testing.T) {
	o := newOffice(t, nil)
	endless, err := o.chain.Deploy(t.Context(), common.FromHex("625b5f565f526003601df3")) // jumpdest; jump(0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Submit(t.Context(), chain.Request{Key: "a", To: endless.ContractAddress})
	if refused := new(chain.Reverted); !errors.As(err, &refused) {
		t.Fatalf("refused: %v", err)
	}
}
