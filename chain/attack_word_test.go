package chain

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TestAttack_LyingRPC_Wallet: neither what one endpoint of two says that the account has nor its
// base fee keeps an answer from being sent, or makes it bid less than what lands it. What is no
// answer still goes by the first one's word.
func TestAttack_LyingRPC_Wallet(t *testing.T) {
	const rich, poor, dear, cheap = 100_000 * 12, 1, 1 << 50, 1
	for _, c := range []struct {
		what     string
		fees     [2]uint64 // that the endpoints tell
		balances [2]uint64
		defence  bool
		bid      money.Bid // that an account which can pay for it makes; none: it isn't sent
	}{
		{"the truth", [2]uint64{10, 10}, [2]uint64{rich, rich}, true, money.Bid{Tip: 2, Cap: 12}},
		{"the first one's account is poor", [2]uint64{10, 10}, [2]uint64{poor, rich}, true, money.Bid{Tip: 2, Cap: 12}},
		{"the second one's account is poor", [2]uint64{10, 10}, [2]uint64{rich, poor}, true, money.Bid{Tip: 2, Cap: 12}},
		{"it is poor", [2]uint64{10, 10}, [2]uint64{poor, poor}, true, money.Bid{}},
		{"the first one's gas is dear", [2]uint64{dear, 10}, [2]uint64{rich, rich}, true, money.Bid{Tip: 2, Cap: 12}},
		{"the second one's gas is dear", [2]uint64{10, dear}, [2]uint64{rich, rich}, true, money.Bid{Tip: 2, Cap: 12}},
		{"gas is dear", [2]uint64{dear, dear}, [2]uint64{rich, rich}, true, money.Bid{}},
		{"the first one's gas is cheap", [2]uint64{cheap, 10}, [2]uint64{10 * rich, 10 * rich}, true, money.Bid{Tip: 2, Cap: 22}},
		{"the second one's gas is cheap", [2]uint64{10, cheap}, [2]uint64{10 * rich, 10 * rich}, true, money.Bid{Tip: 2, Cap: 22}},
		{"no answer, the first one's account is poor", [2]uint64{10, 10}, [2]uint64{poor, 2 * rich}, false, money.Bid{}},
		{"no answer, the second one's account is poor", [2]uint64{10, 10}, [2]uint64{2 * rich, poor}, false, money.Bid{Tip: 2, Cap: 22}},
	} {
		u, _, _ := newUpkeep(t, func(endpoint, method string, _ []json.RawMessage) (any, error) {
			i := 0
			if endpoint == two {
				i = 1
			}
			switch method {
			case "eth_getBlockByNumber":
				return told(Block{Number: 100, BaseFee: c.fees[i]}), nil
			case "eth_maxPriorityFeePerGas":
				return "0x2", nil
			case "eth_getBalance":
				return hexutil.Uint64(c.balances[i]), nil
			case "eth_call", "eth_getCode":
				return "0x", nil
			}
			return nil, nil
		})
		head, err := u.client.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		market, err := u.client.Market(t.Context(), head)
		if err != nil {
			t.Fatal(err)
		}
		most, err := u.afford(t.Context(), &job{order: order{Key: "a", Defence: c.defence}, Gas: 100_000}, market)
		empty := errors.As(err, new(*EmptyWallet))
		if bid := market.Ask(0).Within(most); empty != (c.bid == money.Bid{}) || !empty && (err != nil || bid != c.bid) {
			t.Errorf("%s: it bids %+v, %v", c.what, bid, err)
		}
	}
}

// TestSettle: the lower of two nonces counts, unless it is known to be used, and an endpoint says
// so.
func TestSettle(t *testing.T) {
	for _, c := range []struct{ used, low, high, want uint64 }{
		{0, 5, 5, 5}, {5, 5, 5, 5}, {0, 5, 9, 5}, {5, 5, 9, 5}, {5, 0, 5, 5}, {7, 5, 9, 7}, {9, 5, 5, 5}, {9, 5, 7, 7},
	} {
		if got := (&book{Used: c.used}).settle(c.low, c.high); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestAttack_LyingRPC_Raise: neither what one endpoint says that the account has, nor its base fee,
// keeps the price of an answer from being raised.
func TestAttack_LyingRPC_Raise(t *testing.T) {
	for what, lie := range map[string]func(*upkeep){
		"the account is poor": func(u *upkeep) { u.more.Set(&u.have); u.have.Clear() },
		"gas is cheap":        func(u *upkeep) { u.market.BaseFee, u.market.Cheap, u.market.Dear = 1, 1, 10 },
	} {
		u, _, _ := newUpkeep(t, answering("eth_call", "0x", nil))
		j := waiting()
		j.Defence, j.Price.Tip = true, 2
		lie(u)
		if err := u.hasten(t.Context(), j, haste{}); err != nil || j.Price.Cap < 22 {
			t.Errorf("%s: it bids %+v, %v", what, j.Price, err)
		}
	}
}

// TestHurry: what has only a few blocks bids more at the next one.
func TestHurry(t *testing.T) {
	for _, hurry := range []bool{true, false} {
		u, _, _ := newUpkeep(t, answering("eth_call", "0x", nil))
		j := waiting()
		j.Priced = 99
		if err := u.hasten(t.Context(), j, haste{hurry: hurry}); err != nil || (j.Priced == 100) != hurry {
			t.Errorf("hurry %t: priced at %d, %v", hurry, j.Priced, err)
		}
	}
}

// TestAttack_LyingRPC_RaiseToRuin: nor does an endpoint that says that the account is rich have it
// bid more than it can pay, where what it can pay is enough.
func TestAttack_LyingRPC_RaiseToRuin(t *testing.T) {
	u, _, _ := newUpkeep(t, answering("eth_call", "0x", nil))
	j := waiting()
	j.Defence = true
	u.have.SetUint64(13 * j.Gas)
	u.least = u.have
	u.more.SetUint64(1 << 60)
	if err := u.hasten(t.Context(), j, haste{}); err != nil || j.Price != (money.Bid{Tip: 2, Cap: 13}) {
		t.Errorf("it bids %+v, %v", j.Price, err)
	}
}
