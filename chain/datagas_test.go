package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"
)

// meter is an endpoint of a chain that charges for data as gas, as Arbitrum does: estimates hold
// it, and what has too low a limit for it is refused.
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
	switch method {
	case "eth_estimateGas":
		answer := m.proxy.ask(message{Version: "2.0", ID: json.RawMessage("1"), Method: method, Params: request})
		var gas hexutil.Uint64
		var call struct{ Input hexutil.Bytes }
		if json.Unmarshal(answer.Result, &gas) != nil || json.Unmarshal(request[0], &call) != nil {
			return nil, false
		}
		const envelope = 150 // more than it is, in case
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
