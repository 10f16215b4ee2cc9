package chain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestADisplacedTransactionStaysAsUrgent: another program takes the nonce of an answer when most of
// its time is gone. With its new nonce the answer is as near to its deadline as before, and people
// are told how long it waits since it was first sent.
func TestADisplacedTransactionStaysAsUrgent(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	o.defend("a", o.chain.Head()+16)
	o.step(7)
	o.send(1, &o.once, wordOf("foreign").Bytes())
	o.step(4)
	if report := o.status("a"); report.Nonce != 1 {
		t.Fatalf("nonce %d, want 1", report.Nonce)
	}
	o.wantNoAlarm()
	o.step(1)
	told := o.alarms.take()
	if len(told) != 2 || !errors.As(told[0].Fault, new(*chain.DeadlineNear)) || !errors.As(told[1].Fault, new(*chain.StuckTx)) {
		t.Fatalf("after 12 of 16 blocks people are told %v", told)
	}
}

// TestAnotherOutcomeIsToldAtOnce: a transaction that succeeded in one block fails in the block that
// takes its place.
func TestAnotherOutcomeIsToldAtOnce(t *testing.T) {
	o := newOffice(t, nil)
	report := o.submit("a", 0)
	o.want(o.step(1), "mined a")
	ctx := context.Background()
	tx, _, err := o.eth.TransactionByHash(ctx, report.Tx)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.chain.Rewind(1); err != nil {
		t.Fatal(err)
	}
	o.rush("a")
	if err := o.eth.SendTransaction(ctx, tx); err != nil {
		t.Fatal(err)
	}
	o.want(o.step(1), "mined a")
	if report := o.status("a"); !errors.As(report.Err, new(*chain.Reverted)) {
		t.Fatalf("report %+v", report)
	}
}

// dearerCode is a contract that costs more gas once it has been called with data:
//
//	if calldatasize { sstore(0, 1); stop }; if sload(0) { sload(1) }; stop
var dearerCode = common.FromHex("601880600b6000396000f3" + "36600b57" + "600054601257" + "00" + "5b600160005500" + "5b6001545000")

// TestGasHasHeadroom: others change the state before a transaction lands, and it costs more than
// was estimated.
func TestGasHasHeadroom(t *testing.T) {
	o := newOffice(t, nil)
	contract := crypto.CreateAddress(o.chain.Address(9), 1)
	o.send(9, nil, dearerCode)
	o.mine(1)
	o.swallow(true)
	if _, err := o.Submit(context.Background(), chain.Request{Key: "a", To: contract}); err != nil {
		t.Fatal(err)
	}
	o.send(0, &contract, []byte{1})
	o.mine(1)
	o.swallow(false)
	o.look() // sends it
	o.want(o.step(1), "mined a")
	if report := o.status("a"); report.Err != nil || report.GasUsed < 25_000 {
		t.Fatalf("report %+v", report)
	}
}

// TestACancelledTransactionThatIsDisplacedIsOver: what was only to take a nonce is not sent anew
// when another program took it.
func TestACancelledTransactionThatIsDisplacedIsOver(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	o.submit("a", 0)
	o.say("a")
	o.step(9)
	if report := o.status("a"); report.Err == nil {
		t.Fatalf("not cancelled: %+v", report)
	}
	o.send(1, &o.once, wordOf("foreign").Bytes())
	told := o.step(3)
	o.want(told[len(told)-1:], "dropped a")
	if report := o.status("a"); report.Progress != chain.Dropped || !strings.Contains(report.Err.Error(), "took its nonce") {
		t.Fatalf("report %+v", report)
	}
	o.want(o.step(1))
}

// TestADisplacedTransactionThatIsRefusedIsOver: while another program took its nonce, somebody else
// did what it was for.
func TestADisplacedTransactionThatIsRefusedIsOver(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	o.submit("a", 0)
	o.say("a")
	o.send(1, &o.once, wordOf("foreign").Bytes())
	told := o.step(3)
	o.want(told[len(told)-1:], "dropped a")
	if report := o.status("a"); report.Progress != chain.Dropped || !strings.Contains(report.Err.Error(), "had a") {
		t.Fatalf("report %+v", report)
	}
	o.want(o.step(1))
}
