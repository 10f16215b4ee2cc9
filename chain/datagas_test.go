package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"
)

// meter is an endpoint of a chain that charges for data as gas, as Arbitrum does: estimates hold
// it, and what has too low a limit for it is refused, as are calls that are made with a limit.
type meter struct {
	*office
	byte int  // gas
	lose bool // what is sent, without a word
}

// chargeData puts a meter before a sender's chain.
func chargeData(o *office, byte int) *meter {
	m := &meter{office: o, byte: byte}
	o.proxy.set(func(p *proxy) { p.lie = m.answer })
	return m
}

func (m *meter) answer(method string, request []json.RawMessage) (any, bool) {
	var call struct {
		Input hexutil.Bytes
		Gas   hexutil.Uint64
	}
	const envelope = 150 // more than it is, in case
	switch method {
	case "eth_call":
		if json.Unmarshal(request[0], &call) == nil && call.Gas != 0 && int(call.Gas) < (len(call.Input)+envelope)*m.byte {
			return errors.New("intrinsic gas too low"), true
		}
	case "eth_estimateGas":
		answer := m.proxy.ask(message{Version: "2.0", ID: json.RawMessage("1"), Method: method, Params: request})
		var gas hexutil.Uint64
		if json.Unmarshal(answer.Result, &gas) != nil || json.Unmarshal(request[0], &call) != nil {
			return nil, false
		}
		return gas + hexutil.Uint64((len(call.Input)+envelope)*m.byte), true
	case "eth_sendRawTransaction":
		var raw hexutil.Bytes
		if err := json.Unmarshal(request[0], &raw); err != nil {
			return err, true
		}
		if tx := decodeTx(m.t, raw.String()); tx.Gas() < params.TxGas+uint64(len(raw)*m.byte) {
			return errors.New("intrinsic gas too low"), true
		}
		return common.Hash{1}, m.lose
	}
	return nil, false
}

// TestGasForData: where data is charged for as gas, the limits of what a sender sends pay for it:
// of a call, of the transfer that cancels one, and of the one that fills a gap.
func TestGasForData(t *testing.T) {
	t.Run("a call and its end", func(t *testing.T) {
		o := newOffice(t, nil)
		m := chargeData(o, 1000)
		o.submit("a", 0)
		o.want(o.step(3), "mined a", "done a")
		m.lose = true
		o.submit("b", 0)
		o.submit("c", 0)
		o.say("b")
		o.step(8)
		m.lose = false
		told := o.step(4)
		o.want(told[len(told)-2:], "dropped b", "done c")
	})
	t.Run("a gap", func(t *testing.T) {
		o := newOffice(t, nil)
		chargeData(o, 1000)
		o.send(1, &o.once, wordOf("foreign").Bytes())
		o.submit("a", 0)
		if err := o.chain.Rewind(0); err != nil { // the pool forgets everything
			t.Fatal(err)
		}
		o.step(1)
		o.want(o.step(1), "mined a")
	})
}

// TestWalletGas: a contract wallet has as much gas as the Arena gives it, whatever else the chain
// charges for, and whatever it does with it.
func TestWalletGas(t *testing.T) {
	o := newOffice(t, nil)
	chargeData(o, 5000)
	ask := func(code string) error {
		length := len(common.FromHex(code))
		made, err := o.chain.Deploy(t.Context(), common.FromHex(fmt.Sprintf("60%02x8060095f395ff3%s", length, code)))
		if err != nil {
			t.Fatal(err)
		}
		return chain.NewWallets(o.client).Signed(t.Context(), made.ContractAddress, common.Hash{1}, []byte("signature"))
	}
	const says = "631626ba7e60e01b" + "025f5260205ff3"                              // the word on the stack, if 1 is below it
	has := func(gas int) string { return fmt.Sprintf("62%06x5a11%s", gas-6, says) } // push, gas, gt
	for _, c := range []struct {
		what, code string
		takes      bool
	}{
		{"250,000 gas are left", has(250_000), true}, {"one more is", has(250_001), false}, {"it says so", "6001" + says, true}, {"it says something else", "6000" + says, false},
		{"it says too little", "6001631626ba7e60e01b025f52601f5ff3", false}, {"it says more", "6001631626ba7e60e01b025f5260405ff3", true},
		{"it reverts", "6001631626ba7e60e01b025f5260205ffd", false}, {"it never ends", "5b5f56", false}, {"it changes something", "5f5f55" + "6001" + says, false},
	} {
		if err := ask(c.code); (err == nil) != c.takes || err != nil && !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestALimitThatBecameTooLow: data gets dearer, or gas cheaper, before a transaction lands. It is
// signed anew, though its price is what the market asks.
func TestALimitThatBecameTooLow(t *testing.T) {
	o := newOffice(t, nil)
	m := chargeData(o, 100)
	m.lose = true
	before := o.submit("a", 0)
	m.lose, m.byte = false, 1000
	o.step(1)
	wantAlarm[*chain.StuckTx](o.world, false)
	told := o.step(5)
	o.want(told, "waiting a", "mined a", "done a")
	if after := o.status("a"); after.Tx == before.Tx || after.Err != nil {
		t.Errorf("%+v, after %+v", after, before)
	}
	wantAlarm[*chain.StuckTx](o.world, true)
}
