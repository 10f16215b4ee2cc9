package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
)

const gwei = 1_000_000_000

// tips makes a proxy suggest a tip, or fail to, and note what transactions bid that it loses.
func (p *proxy) tips(t *testing.T, tip uint64, fault error) (bid *money.Bid) {
	bid = new(money.Bid)
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			switch {
			case method == "eth_maxPriorityFeePerGas" && fault != nil:
				return fault, true
			case method == "eth_maxPriorityFeePerGas":
				return fmt.Sprintf("0x%x", tip), true
			case method == "eth_sendRawTransaction":
				tx := sentTx(t, params[0])
				*bid = money.Bid{Tip: tx.GasTipCap().Uint64(), Cap: tx.GasFeeCap().Uint64()}
				return common.Hash{1}, true
			}
			return nil, false
		}
	})
	return bid
}

// TestAttack_LyingRPC_Tip: of two endpoints one names a tip at which nothing lands, or one at which
// nothing would be worth its gas. What is not urgent bids the lower tip, which is also what a step
// is judged by; what is urgent bids the higher, as far as the limits go. One that names none has no
// say.
func TestAttack_LyingRPC_Tip(t *testing.T) {
	const absurd = 1_000_000_000 * gwei
	o := newOffice(t, nil)
	second := newProxy(t, o.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	head := must(o.client.Head(context.Background()))
	market := func() money.Market { return must(o.client.Market(context.Background(), head)) }
	want := func(low, high uint64) {
		t.Helper()
		if got, want := market(), (money.Market{BaseFee: head.BaseFee, Tip: low, High: high}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	refuses := errors.New("the method does not exist")
	second.tips(t, 2*gwei, nil)
	o.proxy.tips(t, 0, refuses)
	want(2*gwei, 2*gwei)
	o.proxy.tips(t, absurd, nil)
	want(2*gwei, absurd)
	second.tips(t, 0, refuses)
	want(absurd, absurd)
	second.tips(t, 2*gwei, nil)
	bid := o.proxy.tips(t, 1, nil)
	want(1, 2*gwei)
	o.defend("a", head.Number+40)
	if o.step(9); bid.Tip != 1 {
		t.Errorf("it bids %+v before it is urgent", bid)
	}
	if o.step(6); bid.Tip < 4*gwei {
		t.Errorf("it bids %+v once it is urgent", bid)
	}
	bid = o.proxy.tips(t, absurd, nil)
	if o.step(10); bid.Cap > 1000*gwei || bid.Tip < 4*gwei {
		t.Errorf("it bids %+v where the limit is 1,000 gwei", bid)
	}
}

// TestAttack_LyingRPC_HeadOnce: one of two endpoints tells, only while an answer is submitted, that
// the newest block is far ahead. The answer is priced again all the same when gas gets dearer.
func TestAttack_LyingRPC_HeadOnce(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	head := must(o.client.Head(t.Context()))
	told := 0
	o.proxy.set(func(p *proxy) {
		p.edit = func(_ string, result json.RawMessage) json.RawMessage {
			lie := bytes.Replace(result, fmt.Appendf(nil, `"number":"%#x"`, head.Number), []byte(`"number":"0x100000"`), 1)
			if !bytes.Equal(lie, result) {
				told++
			}
			return lie
		}
	})
	bid := o.proxy.tips(t, 1*gwei, nil) // too little: nobody mines it
	second.tips(t, 1*gwei, nil)
	o.defend("a", head.Number+40)
	if told == 0 || bid.Tip != 1*gwei {
		t.Fatalf("told %d lies, submitted with a tip of %d", told, bid.Tip)
	}
	o.proxy.set(func(p *proxy) { p.edit = nil })
	bid = o.proxy.tips(t, 50*gwei, nil)
	second.tips(t, 50*gwei, nil)
	if o.step(39); bid.Tip < 50*gwei {
		t.Errorf("just before its deadline it bids a tip of %d", bid.Tip)
	}
}

// TestAttack_LyingRPC_Tip_WithoutDeadline: of two endpoints one names a tip at which nothing lands.
// What has no deadline bids by the other one's once it has waited for long.
func TestAttack_LyingRPC_Tip_WithoutDeadline(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	second.tips(t, 2*gwei, nil)
	bid := o.proxy.tips(t, 1, nil)
	o.defend("a", 0)
	if o.step(11); bid.Tip != 1 {
		t.Errorf("it bids %+v before it has waited for long", bid)
	}
	if o.step(2); bid.Tip < 2*gwei {
		t.Errorf("it bids %+v once it has", bid)
	}
}
