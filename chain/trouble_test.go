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
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

func TestAttack_StuckTx(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	first := o.submit("a", 0)
	o.want(o.step(3))
	o.dearer(2)
	o.want(o.step(1), "waiting a")
	second := o.status("a")
	if second.Tx == first.Tx || second.Nonce != first.Nonce {
		t.Fatalf("not replaced: %+v, %+v", first, second)
	}
	o.step(8)
	wantAlarm[*chain.StuckTx](o.world, false)
	o.dearer(0)
	o.step(2)
	wantAlarm[*chain.StuckTx](o.world, true)
	if o.sent() != 1 || o.status("a").Progress != chain.Mined {
		t.Fatalf("%d sent, %+v", o.sent(), o.status("a"))
	}
}

func TestARefusedTransactionIsTriedAgainAndTold(t *testing.T) {
	o := newOffice(t, nil)
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return errors.New("txpool is full"), method == "eth_sendRawTransaction"
		}
	})
	o.submit("a", 0)
	if fault := wantAlarm[*chain.StuckTx](o.world, false); fault.Err == nil || !strings.Contains(fault.Error(), "txpool is full") {
		t.Fatalf("alarm %v", fault)
	}
	o.step(2)
	o.wantNoAlarm()
	o.swallow(false)
	o.step(2)
	wantAlarm[*chain.StuckTx](o.world, true)
}

// The fee is far above the limit, until half of the time to the deadline is gone. The pool is the
// chain's own: it takes replacements only at 10 % more.
func TestAttack_FeeSpike(t *testing.T) {
	o := newOffice(t, nil)
	head, err := o.client.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o.config.Fees = chain.Fees{Max: head.BaseFee / 100, UrgentMax: 100 * head.BaseFee}
	o.restart()
	o.submit("a", head.Number+8)
	o.step(3)
	fault := wantAlarm[*chain.FeeSpike](o.world, false)
	if fault.Limit != head.BaseFee/100 || fault.Need <= fault.Limit || o.sent() != 0 {
		t.Fatalf("%v; %d sent", fault, o.sent())
	}
	o.want(o.step(3), "waiting a", "mined a")
	wantAlarm[*chain.FeeSpike](o.world, true)
}

func TestADeadlineThatComesNearIsTold(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	head, err := o.client.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o.submit("slow", 0)
	o.submit("a", head.Number+8)
	o.step(5)
	o.wantNoAlarm()
	o.step(1)
	wantAlarm[*chain.DeadlineNear](o.world, false)

	// What waits before it is as urgent: both follow the market at every block since half of the
	// time was gone.
	slow, urgent := o.status("slow"), o.status("a")
	o.dearer(2)
	o.step(1)
	if o.status("slow").Tx == slow.Tx || o.status("a").Tx == urgent.Tx {
		t.Fatal("a price was not raised at this block")
	}
	o.dearer(0)
	o.step(2)
	wantAlarm[*chain.DeadlineNear](o.world, true)
	if o.sent() != 2 {
		t.Fatalf("%d sent", o.sent())
	}
}

func TestAttack_NonceGap(t *testing.T) {
	t.Run("a transaction before it is lost", func(t *testing.T) {
		o := newOffice(t, nil)
		o.send(1, &o.once, wordOf("foreign").Bytes())
		if report := o.submit("a", 0); report.Nonce != 1 {
			t.Fatalf("nonce %d", report.Nonce)
		}
		if err := o.chain.Rewind(0); err != nil { // the pool forgets everything
			t.Fatal(err)
		}
		o.step(1)
		if fault := wantAlarm[*chain.NonceGap](o.world, false); fault.Nonce != 0 {
			t.Fatal(fault)
		}
		o.want(o.step(1), "mined a")
		o.want(o.step(2), "done a")
		if o.sent() != 2 {
			t.Fatalf("%d sent", o.sent())
		}
	})
	t.Run("another program takes its nonce", func(t *testing.T) {
		o := newOffice(t, nil)
		o.swallow(true)
		o.submit("a", 0)
		o.submit("b", 0)
		o.send(1, &o.once, wordOf("foreign").Bytes())
		o.swallow(false)
		o.mine(1)
		o.step(1)
		o.step(1)
		if report := o.status("a"); report.Nonce != 2 {
			t.Fatalf("nonce %d, want 2", report.Nonce)
		}
		o.step(2)
		if a, b := o.status("a"), o.status("b"); a.Progress != chain.Mined || b.Progress < chain.Mined || o.sent() != 3 {
			t.Fatalf("a %v, b %v, %d sent", a.Progress, b.Progress, o.sent())
		}
	})
}

// Somebody else did it first, while ours was waiting: it is replaced by an empty transfer, which is
// cheaper.
func TestAPointlessTransactionIsCancelled(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	first := o.submit("a", 0)
	o.say("a")
	o.step(8)
	if report := o.status("a"); report.Err != nil || report.Tx != first.Tx {
		t.Fatalf("cancelled too early, or raised in vain: %+v", report)
	}
	o.step(1)
	o.swallow(false)
	o.step(1)
	o.want(o.step(3)[1:], "dropped a")
	report := o.status("a")
	if report.Progress != chain.Dropped || report.GasUsed != 21_000 || !strings.Contains(fmt.Sprint(report.Err), "had a") {
		t.Fatalf("report %+v", report)
	}
	o.submit("b", 0)
	o.want(o.step(1), "mined b")
}

func TestAttack_EmptyWallet(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	o := newOffice(t, func(c *chain.SenderConfig) { c.Signer = chain.KeySigner(key) })
	ctx := context.Background()
	var empty *chain.EmptyWallet
	if _, err := o.Submit(ctx, o.request("a", 100)); !errors.As(err, &empty) || empty.Account != o.Address() {
		t.Fatalf("submit: %v", err)
	}
	wantAlarm[*chain.EmptyWallet](o.world, false)
	rich := o.request("rich", 0)
	rich.Value = *uint256.NewInt(1)
	if _, err := o.Submit(ctx, rich); !errors.As(err, &empty) {
		t.Fatalf("submit with value: %v", err)
	}
	o.wantNoAlarm()

	// Enough for an answer, too little for anything else, which must leave the reserve alone.
	o.fund(o.Address(), 500_000_000_000_000)
	if r, err := o.Reserve(ctx, 0); err != nil || !r.Short() || r.Have.Uint64() != 500_000_000_000_000 || !r.Need.Eq(uint256.NewInt(r.Gas*r.Price)) {
		t.Fatalf("reserve: %+v, %v", r, err)
	}
	if _, err := o.Submit(ctx, o.request("a", 100)); !errors.As(err, &empty) {
		t.Fatalf("submit what is no dispute: %v", err)
	}
	o.defend("a", 0)
	o.want(o.step(1), "mined a")
	for i := 0; ; i++ { // each alone is paid for, all together are not
		if _, err := o.Submit(ctx, o.answer(fmt.Sprint("more", i), 100)); errors.As(err, &empty) {
			break
		}
		if i == 20 {
			t.Fatal("more is on its way than the account can pay")
		}
	}
	o.step(1)
	o.alarms.take()

	o.fund(o.Address(), 500_000_000_000_000_000)
	if r, err := o.Reserve(ctx, 0); err != nil || r.Short() {
		t.Fatalf("reserve: %+v, %v", r, err)
	}
	wantAlarm[*chain.EmptyWallet](o.world, true)
	o.submit("b", 0)
}

// fund sends wei to an account and mines it.
func (w *world) fund(to common.Address, wei int64) {
	w.t.Helper()
	if _, err := w.chain.Send(context.Background(), w.chain.Key(5), types.DynamicFeeTx{To: &to, Value: big.NewInt(wei), Gas: 21_000}); err != nil {
		w.t.Fatal(err)
	}
	w.mine(1)
}
