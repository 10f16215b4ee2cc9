package chain

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestWhatIsAskedForAgain: what had its effect isn't sent again; what failed, was dropped or left
// the chain is. While nobody can tell, nothing is sent.
func TestWhatIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		what         string
		o            outcome
		receipt      any
		fails        error
		sent, failed bool
	}{
		{"it landed", outcome{Landed: landing{Tx: common.Hash{9}}}, receiptAt(10, hashOf(10)), nil, false, false},
		{"it left the chain", outcome{Landed: landing{Tx: common.Hash{9}}}, nil, nil, true, false},
		{"it failed", outcome{Landed: landing{Tx: common.Hash{9}, Failed: "no"}}, receiptAt(10, hashOf(10)), nil, true, false},
		{"it was dropped", outcome{Dropped: "no"}, receiptAt(10, hashOf(10)), nil, true, false},
		{"nobody can tell", outcome{Landed: landing{Tx: common.Hash{9}}}, nil, errNo, false, true},
	} {
		sent := false
		u, _, _ := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			switch method {
			case "eth_getTransactionReceipt":
				return c.receipt, c.fails
			case "eth_sendRawTransaction":
				sent = true
				return common.Hash{1}, nil
			case "eth_getBlockByNumber":
				return told(line(100)), nil
			case "eth_estimateGas", "eth_maxPriorityFeePerGas", "eth_getTransactionCount":
				return "0x5", nil
			case "eth_call":
				return "0x", nil
			case "eth_getBalance":
				return "0xffffffffff", nil
			}
			return nil, nil
		})
		if err := u.save(map[string]*outcome{"a": &c.o}); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Submit(t.Context(), Request{Key: "a"}); sent != c.sent || (err != nil) != c.failed {
			t.Errorf("%s: sent %t, %v", c.what, sent, err)
		}
	}
}

// TestWhatTakesTooMuchGas: what the chain estimates to take more gas than a request may, head-room
// included, isn't sent.
func TestWhatTakesTooMuchGas(t *testing.T) {
	for most, sends := range map[uint64]bool{0: true, 124_999: false, 125_000: true} {
		sent := false
		u, _, _ := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			switch method {
			case "eth_sendRawTransaction":
				sent = true
				return common.Hash{1}, nil
			case "eth_getBlockByNumber":
				return told(line(100)), nil
			case "eth_estimateGas":
				return "0x186a0", nil // 100,000
			case "eth_maxPriorityFeePerGas", "eth_getTransactionCount":
				return "0x5", nil
			case "eth_call":
				return "0x", nil
			case "eth_getBalance":
				return "0xffffffffffffff", nil
			}
			return nil, nil
		})
		_, err := u.Submit(t.Context(), Request{Key: "a", Most: most})
		if sent != sends || errors.As(err, new(*Reverted)) == sends {
			t.Errorf("at most %d: sent %t, %v", most, sent, err)
		}
	}
}

// TestWhyAValueIsRefused: that the account has too little for it, if the endpoint gives no reason.
// What sends no value says nothing of the account, and what the contract refuses is no matter of
// money.
func TestWhyAValueIsRefused(t *testing.T) {
	for _, c := range []struct {
		what   string
		value  uint64
		fails  error
		poor   bool
		alarms string
	}{
		{"too little", 7, errNo, true, ""}, {"no value", 0, errNo, false, ""}, {"the contract refuses", 7, errors.New("execution reverted"), false, ""},
		{"enough", 5, errNo, false, "EmptyWallet over"},
	} {
		u, _, rung := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			switch method {
			case "eth_estimateGas":
				return nil, c.fails
			case "eth_getBlockByNumber":
				return told(line(100)), nil
			case "eth_getBalance":
				return "0x5", nil
			}
			return nil, nil
		})
		u.client.bell.set(true, u.Address().Hex(), &EmptyWallet{})
		rung.take()
		_, err := u.Submit(t.Context(), Request{Key: "a", Value: *uint256.NewInt(c.value)})
		if empty := new(EmptyWallet); err == nil || errors.As(err, &empty) != c.poor || faults(rung.take()) != c.alarms {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestASenderNeedsWhatItWorksWith: none is made without a signer, a store or a clock.
func TestASenderNeedsWhatItWorksWith(t *testing.T) {
	u, signer, _ := newUpkeep(t, answering("", nil, nil))
	for what, config := range map[string]SenderConfig{
		"a signer": {Store: store.NewMemory(), Now: u.config.Now}, "a store": {Signer: signer, Now: u.config.Now}, "a clock": {Signer: signer, Store: store.NewMemory()},
	} {
		if _, err := NewSender(u.client, config); err == nil {
			t.Errorf("made without %s", what)
		}
	}
	s, err := NewSender(u.client, SenderConfig{Signer: signer, Store: store.NewMemory(), Now: u.config.Now})
	if err != nil || s.config.Confirmations != DefaultConfirmations || s.config.Explain([]byte{7}).Error() != "reverted with 0x07" || s.config.Channels() != 1 {
		t.Errorf("by itself: %+v, %v", s.config, err)
	}
}
