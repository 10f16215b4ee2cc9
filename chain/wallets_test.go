package chain

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// yes and no are what an endpoint answers when it is asked what a wallet says.
var yes, no = hexutil.Bytes(word(1)), hexutil.Bytes(word(0))

// TestWhatAWalletSays: a wallet takes a signature if both endpoints tell the same. If the chain
// doesn't answer nothing is said of the signature.
func TestWhatAWalletSays(t *testing.T) {
	for _, c := range []struct {
		what      string
		code      any
		one, two  any
		taken, no bool
	}{
		{"yes", "0x01", yes, yes, true, false}, {"no", "0x01", no, no, false, true}, {"more", "0x01", append(yes, 1), append(yes, 1), false, false},
		{"nothing", "0x01", "0x", "0x", false, false}, {"they can't tell", "0x01", errNo, errNo, false, false},
		{"the endpoints differ", "0x01", yes, no, false, false}, {"both are down", "0x01", errAway, errAway, false, false},
		{"it is no contract", "0x", yes, yes, false, true}, {"nobody knows whether it is one", errNo, yes, yes, false, false},
	} {
		client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
			says := c.one
			switch {
			case method == "eth_getCode":
				says = c.code
			case method != "eth_call":
				return nil, nil
			case endpoint == two:
				says = c.two
			}
			if err, failed := says.(error); failed {
				return nil, err
			}
			return says, nil
		}).dial(t, Config{})
		err := NewWallets(client).Signed(t.Context(), common.Address{1}, common.Hash{2}, []byte("signature"))
		if (err == nil) != c.taken || errors.Is(err, protocol.ErrSignature) != c.no {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestAWalletIsAskedAsItsInterfaceHasIt: the call is what the ABI makes of
// isValidSignature(bytes32,bytes).
func TestAWalletIsAskedAsItsInterfaceHasIt(t *testing.T) {
	wallet, err := abi.JSON(strings.NewReader(`[{"type":"function","name":"isValidSignature","inputs":[{"type":"bytes32"},{"type":"bytes"}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 31, 32, 33, 65} {
		signature := bytes.Repeat([]byte{9}, size)
		want, err := wallet.Pack("isValidSignature", common.Hash{2}, signature)
		if got := packWalletCall(common.Hash{2}, signature); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %x, want %x, %v", size, got, want, err)
		}
	}
}

// TestAWalletMayChangeItsMind: what it said, and that there is none, is believed for a while and
// asked about again after it.
func TestAWalletMayChangeItsMind(t *testing.T) {
	now := time.Unix(1000, 0)
	code, says, asked := "0x", yes, map[string]int{}
	client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
		if endpoint == one {
			asked[method]++
		}
		switch method {
		case "eth_getCode":
			return code, nil
		case "eth_call":
			return says, nil
		}
		return nil, nil
	}).dial(t, Config{Now: func() time.Time { return now }})
	w := NewWallets(client)
	for _, c := range []struct {
		what         string
		later        time.Duration
		code         string
		says         []byte
		taken        bool
		codes, calls int // how often either was asked for so far
	}{
		{"no wallet", 0, "0x", yes, false, 1, 0}, {"one is deployed", bareLasts - 1, "0x01", yes, false, 1, 0},
		{"a while after", 1, "0x01", yes, true, 2, 1}, {"its owners change", yesLasts - 1, "0x01", no, true, 2, 1},
		{"a while after that", 1, "0x01", no, false, 3, 2}, {"they change again", noLasts - 1, "0x01", yes, false, 3, 2},
		{"and a while after", 1, "0x01", yes, true, 4, 3},
	} {
		now, code, says = now.Add(c.later), c.code, c.says
		err := w.Signed(t.Context(), common.Address{1}, common.Hash{2}, []byte("signature"))
		if (err == nil) != c.taken || asked["eth_getCode"] != c.codes || asked["eth_call"] != c.calls {
			t.Errorf("%s: %v, asked %v", c.what, err, asked)
		}
	}
	if err := w.Signed(t.Context(), common.Address{1}, common.Hash{2}, []byte("another")); err != nil || asked["eth_call"] != 4 {
		t.Errorf("another signature: %v, asked %v", err, asked)
	}
}
