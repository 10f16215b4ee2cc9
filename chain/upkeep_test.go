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
