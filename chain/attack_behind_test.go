package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// spike makes the market pay so much as tip, and the endpoint lose what bids less; 0: no more.
func (o *office) spike(tip uint64) { o.proxy.spike(o.t, tip, tip) }

// spike has a proxy name a tip, unless it is 0, and lose what bids less than another one.
func (p *proxy) spike(t *testing.T, tip, least uint64) {
	p.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_maxPriorityFeePerGas":
				return fmt.Sprintf("0x%x", tip), tip != 0
			case "eth_sendRawTransaction":
				return common.Hash{1}, sentTx(t, params[0]).GasTipCap().Uint64() < least
			}
			return nil, false
		}
	})
}

// newBusyOffice returns a sender whose account has the reserve and what a large transaction costs
// besides, which it has sent: it is no answer, and waits, because gas has become so many times as
// dear.
func newBusyOffice(t *testing.T, dearer uint64) (o *office, large chain.Request) {
	ctx := context.Background()
	o = newPoorOffice(t, 1)
	r, err := o.Reserve(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	most := new(uint256.Int).AddUint64(&r.Need, 2_000_000*r.Price)
	o.fund(o.Address(), int64(most.Uint64())) //nolint:gosec // some ether
	large = o.request("large", 0)
	for len(large.Data) < 36_000 {
		large.Data = append(large.Data, 0xff)
	}
	o.swallow(true)
	if _, err := o.Submit(ctx, large); err != nil {
		t.Fatal(err)
	}
	o.spike(dearer * r.Price)
	return o, large
}

// TestAttack_LockedIn_Behind: gas becomes many times as dear while a large transaction waits that
// is no answer, and somebody starts a dispute. What is no answer makes way for the one that waits
// behind it.
func TestAttack_LockedIn_Behind(t *testing.T) {
	for _, dearer := range []uint64{5, 60} {
		t.Run(fmt.Sprint(dearer), func(t *testing.T) {
			ctx := context.Background()
			o, large := newBusyOffice(t, dearer)
			o.step(8)
			head, err := o.client.Head(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.Submit(ctx, o.answer("answer", head.Number+20)); err != nil {
				t.Fatalf("the answer is not taken on: %v", err)
			}
			o.step(12)
			if report := o.status("answer"); report.Progress < chain.Mined || report.Err != nil {
				t.Fatalf("the answer is %v: %v", report.Progress, report.Err)
			}
			if report := o.status("large"); report.Progress != chain.Dropped || report.GasUsed != 21_000 || !errors.Is(report.Err, chain.ErrMadeWay) {
				t.Errorf("what was in its way: %+v", report)
			}
			o.spike(0)
			o.fund(o.Address(), 100_000_000_000_000_000)
			if _, err := o.Submit(ctx, large); err != nil {
				t.Fatal(err)
			}
			if o.step(1); o.status("large").Progress != chain.Mined {
				t.Error("it is not sent again")
			}
		})
	}
}

// TestAttack_LockedIn_Raised: gas becomes dearer while a large transaction waits that is no answer.
// Its price is not raised at the cost of the reserve.
func TestAttack_LockedIn_Raised(t *testing.T) {
	o, _ := newBusyOffice(t, 2)
	if o.step(12); o.status("large").Progress != chain.Waiting {
		t.Fatal("it took from the reserve")
	}
	o.spike(0)
	if o.step(2); o.status("large").Progress != chain.Mined {
		t.Error("it is not mined when gas is cheap again")
	}
}
