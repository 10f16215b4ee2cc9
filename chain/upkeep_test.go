package chain

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/holiman/uint256"
)

// TestWhatWaitsBehind: what is no answer makes way for an answer that waits behind it, and not for
// one that is itself cancelled.
func TestWhatWaitsBehind(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		u, _, _ := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			head := line(100)
			head.BaseFee = 10
			return map[string]any{
				"eth_getBlockByNumber": told(head), "eth_maxPriorityFeePerGas": "0x2", "eth_getBalance": "0x1", "eth_getTransactionCount": "0x0", "eth_call": "0x",
			}[method], nil
		})
		plain, answer := waiting(), waiting()
		answer.Key, answer.Nonce, answer.Defence = "answer", 1, true
		if cancelled {
			answer.cancel("no")
		}
		u.book.Jobs = []*job{plain, answer}
		if err := u.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if errors.Is(plain.report().Err, ErrMadeWay) == cancelled {
			t.Errorf("the answer is cancelled %t: %v", cancelled, plain.report().Err)
		}
	}
}

// TestAnEndpointThatIsDown: a step that finds no endpoint there doesn't send to one either, job by
// job; and what can't be sent because none is there is not stuck for what the endpoint says of it.
func TestAnEndpointThatIsDown(t *testing.T) {
	var fails error
	sent := 0
	u, _, rung := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
		switch method {
		case "eth_getBlockByNumber":
			return nil, errAway
		case "eth_sendRawTransaction":
			sent++
			return hashOf(1), fails
		}
		return nil, nil
	})
	j := &job{order: order{Key: "a", Value: *uint256.NewInt(1)}, Gas: 21_000, Price: waiting().Price}
	if err := u.sign(t.Context(), j, u.head); err != nil {
		t.Fatal(err)
	}
	u.book.Jobs = []*job{j}
	if _, err := u.Step(t.Context()); !isDown(err) || sent != 0 {
		t.Errorf("sent %d times: %v", sent, err)
	}
	rung.take()
	for _, c := range []struct {
		fails  error
		alarms string
	}{
		{errAway, ""}, {errNo, "Unreachable over, Unreachable over, StuckTx"},
	} {
		fails = c.fails
		u.broadcast(t.Context(), j)
		if got := faults(rung.take()); got != c.alarms || (j.failure != nil) != (c.alarms != "") {
			t.Errorf("%v: alarms %q, %v", c.fails, got, j.failure)
		}
	}
}

// TestTheWordsOfOtherNodes: go-ethereum, Besu and Nethermind (in its older releases, too) say each
// in its own words that a transaction is known or mined, which is no fault, that the account can't
// pay for it, so that the version before is sent, and that it bids too little.
func TestTheWordsOfOtherNodes(t *testing.T) {
	for text, c := range map[string]struct {
		alarms string
		sent   int
		low    bool
	}{
		"already known": {sent: 2}, "nonce too low: next nonce 7, tx nonce 6": {sent: 2}, "Known transaction": {sent: 2}, "Nonce too low": {sent: 2},
		"AlreadyKnown": {sent: 2}, "OldNonce, Current nonce: 7, nonce of rejected tx: 6": {sent: 2},
		"Unknown transaction type":                   {"StuckTx", 2, false},
		"insufficient funds for gas * price + value": {"StuckTx", 4, false}, "Upfront cost exceeds account balance": {"StuckTx", 4, false},
		"InsufficientFunds, Account balance: 1": {"StuckTx", 4, false},
		"replacement transaction underpriced":   {"StuckTx", 2, true}, "Replacement transaction underpriced": {"StuckTx", 2, true},
		"Gas price below configured minimum gas price": {"StuckTx", 2, true}, "ReplacementNotAllowed": {"StuckTx", 2, true}, "FeeTooLow": {"StuckTx", 2, true},
	} {
		sent := 0
		u, _, rung := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			if method == "eth_sendRawTransaction" {
				sent++
				return nil, errors.New(text)
			}
			return nil, nil
		})
		j := waiting()
		j.Sent, j.Raw = nil, nil
		for range 2 {
			j.Price = j.Price.Raise(j.Price)
			if err := u.sign(t.Context(), j, u.head); err != nil {
				t.Fatal(err)
			}
		}
		u.broadcast(t.Context(), j)
		if got := faults(rung.take()); got != c.alarms || sent != c.sent {
			t.Errorf("%s: alarms %q, sent %d times", text, got, sent)
		}
		if _, ask, _ := u.ask(j, 0); (ask.Tip > u.market.Tip) != c.low {
			t.Errorf("%s: it asks for %+v", text, ask)
		}
	}
}
