package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum"
)

// TestAttack_EmptyWallet_Outweighed: many channels in which little is at stake have the account
// answer, and then one in which much is, when gas is so dear that it can't pay for all: at once, or
// only while they wait. The lightest make way for that one, and no more than need be, also when
// they bid as much as may be; not where what is at stake is in another asset. What can wait makes
// way for what can't, whatever is at stake.
func TestAttack_EmptyWallet_Outweighed(t *testing.T) {
	for _, c := range []struct {
		what       string
		pays, tip  uint64 // for how many answers at 20 gwei, and what they cost later, in gwei
		stake      uint64 // of the big one
		calm       string // what has no deadline
		other      bool   // asset
		capped     bool   // the others bid the limit
		small, big bool   // whether the lightest lands, and the big one
	}{
		{"it can pay for all", 5, 20, 100, "", false, false, true, true},
		{"at once", 4, 20, 100, "", false, false, false, true},
		{"while they wait", 7, 36, 100, "", false, false, false, true},
		{"another asset", 4, 20, 100, "", true, false, true, false},
		{"the big one can wait", 4, 20, 100, "big", false, false, true, false},
		{"the others can wait", 4, 20, 5, "s", true, false, false, true},
		{"at the limit", 4, 20, 100, "", false, true, false, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := newPoorOffice(t, 1)
			o.spike(20 * gwei)
			market := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
			gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("s0").Bytes()}))
			o.fund(o.Address(), int64((gas+gas/4)*(market.Price()+market.BaseFee)*c.pays+18_000*market.Price()))
			o.mine(1)
			if c.capped {
				o.config.Fees.Max = market.Price() + market.BaseFee/2
				o.restart()
			}
			last := o.chain.Head() + 40
			if c.tip != 20 {
				o.swallow(true)
			}
			ask := func(word string, stake uint64) error {
				r := o.answer(word, last)
				if c.calm != "" && strings.HasPrefix(word, c.calm) {
					r.Deadline, r.Waits = 0, true
				}
				r.Stake.SetUint64(stake)
				if r.Asset[0] = 1; !c.other || word != "big" {
					r.Asset = o.once
				}
				_, err := o.Submit(t.Context(), r)
				return err
			}
			for i := range uint64(4) {
				if err := ask(fmt.Sprint("s", i), 20-i); err != nil {
					t.Fatal(err)
				}
			}
			if err := ask("big", c.stake); (err == nil) != c.big {
				t.Fatalf("the big one: %v", err)
			}
			o.spike(c.tip * gwei)
			o.step(25)
			for word, lands := range map[string]bool{"s0": true, "s3": c.small, "big": c.big} {
				r := o.status(word)
				if (r.Progress == chain.Done && r.Err == nil) != lands {
					t.Errorf("%s: %v, %v", word, r.Progress, r.Err)
				}
				if !lands && word != "big" && !errors.Is(r.Err, chain.ErrMadeWay) {
					t.Errorf("%s made no way: %v", word, r.Err)
				}
			}
		})
	}
}

// TestAttack_EmptyWallet_Waiting: answers wait for which the account can just pay, and one comes
// that outweighs them. What makes way for it is sent at once, and to see to that takes no more
// requests where more wait.
func TestAttack_EmptyWallet_Waiting(t *testing.T) {
	asked := map[uint64]int{}
	for _, waiting := range []uint64{4, 8} {
		o := newPoorOffice(t, 1)
		o.spike(20 * gwei)
		market := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
		gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("s0").Bytes()}))
		o.fund(o.Address(), int64((gas+gas/4)*(market.Price()+market.BaseFee)*waiting+18_000*market.Price()))
		o.mine(1)
		ask := func(word string, stake uint64) {
			r := o.answer(word, o.chain.Head()+40)
			r.Stake.SetUint64(stake)
			must(o.Submit(t.Context(), r))
		}
		for i := range waiting {
			ask(fmt.Sprint("s", i), 20-i)
		}
		requests := 0
		o.proxy.also(func(string, []json.RawMessage) (any, bool) {
			requests++
			return nil, false
		})
		ask("big", 100)
		asked[waiting] = requests
		if o.step(2); !o.did("big") || !o.did("s0") || o.did(fmt.Sprint("s", waiting-1)) {
			t.Errorf("%d wait: the big one did %t, the heaviest %t, the lightest %t", waiting, o.did("big"), o.did("s0"), o.did(fmt.Sprint("s", waiting-1)))
		}
	}
	if asked[4] != asked[8] {
		t.Errorf("it takes %v requests", asked)
	}
}
