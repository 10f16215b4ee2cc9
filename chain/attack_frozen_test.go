package chain_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// standing makes a proxy tell for ever the block that is the newest, as one that is so many blocks
// later.
func (o *office) standing(later uint64) {
	var block map[string]any
	if err := json.Unmarshal(o.header("latest"), &block); err != nil {
		o.t.Fatal(err)
	}
	block["number"] = hexutil.EncodeUint64(o.chain.Head() + later)
	o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
		return block, method == "eth_getBlockByNumber" && string(params[0]) == `"latest"`
	})
}

// told reports whether an alarm about a deadline was raised.
func (o *office) told() bool {
	return slices.ContainsFunc(o.alarms.take(), func(a chain.Alarm) bool { return errors.As(a.Fault, new(*chain.DeadlineNear)) && !a.Over })
}

// TestAttack_LaggingRPC_Sender: the first endpoint is stuck at a block. An answer bids what it must
// towards its deadline, by the blocks of the second, and a person is told.
func TestAttack_LaggingRPC_Sender(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.chain.URL())
	now := time.Now()
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL, MaxAge: time.Minute, Now: func() time.Time { return now }})
	o.restart()
	o.proxy.tips(t, 1*gwei, nil)
	bid := second.tips(t, 1*gwei, nil)
	o.standing(0)
	now = now.Add(time.Hour)
	if err := o.chain.AdvanceTime(time.Hour); err != nil {
		t.Fatal(err)
	}
	o.defend("a", o.chain.Head()+40)
	if o.step(38); bid.Tip < 4*gwei {
		t.Errorf("just before its deadline it bids a tip of %d", bid.Tip)
	}
	if !o.told() {
		t.Error("nobody is told")
	}
}

// TestAttack_LyingRPC_Standing: one endpoint of two says for ever that a block is the newest, which
// is, or which nobody made yet. An answer is priced again all the same when gas gets dearer; and by
// a block that is past its deadline, it is urgent.
func TestAttack_LyingRPC_Standing(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, later := range []uint64{0, 39, 1 << 20} {
			o := newOffice(t, nil)
			second := newProxy(t, o.chain.URL())
			o.beside(o.proxy.URL, second.URL, first)
			o.proxy.tips(t, 1*gwei, nil)
			second.tips(t, 1*gwei, nil)
			o.standing(later)
			o.defend("a", o.chain.Head()+40)
			o.proxy.tips(t, 50*gwei, nil)
			bid := second.tips(t, 50*gwei, nil)
			o.standing(later)
			if o.step(8); bid.Tip < 50*gwei {
				t.Errorf("the first lies %t, %d blocks: it bids a tip of %d", first, later, bid.Tip)
			}
			if told := o.told(); first && later > 40 && !told {
				t.Error("nobody is told")
			}
		}
	}
}

// TestAttack_LaggingRPC_Landed: the second endpoint is stuck at a block, and knows neither of an
// answer that landed nor of its nonce. Nobody is told that it is stuck, and it isn't sent on.
func TestAttack_LaggingRPC_Landed(t *testing.T) {
	o := newOffice(t, nil)
	now := time.Now()
	second := newProxy(t, o.chain.URL())
	o.client = o.dial(chain.Config{URL: second.URL, Second: o.proxy.URL, MaxAge: time.Minute, Now: func() time.Time { return now }})
	o.restart()
	sent := 0
	lose := true
	second.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_sendRawTransaction" {
				sent++
			}
			return common.Hash{1}, lose && method == "eth_sendRawTransaction"
		}
	})
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			switch method {
			case "eth_sendRawTransaction":
				return common.Hash{1}, true
			case "eth_getTransactionCount":
				return "0x0", true
			}
			return nil, method == "eth_getTransactionReceipt"
		}
	})
	o.standing(0)
	now = now.Add(time.Hour)
	if err := o.chain.AdvanceTime(time.Hour); err != nil {
		t.Fatal(err)
	}
	o.defend("a", 0)
	o.step(9)
	lose = false
	o.step(1)
	o.want(o.step(1), "mined a")
	before := sent
	o.step(1)
	for _, a := range o.alarms.take() {
		if errors.As(a.Fault, new(*chain.StuckTx)) {
			t.Error(a)
		}
	}
	if sent != before {
		t.Error("it is sent on")
	}
}
