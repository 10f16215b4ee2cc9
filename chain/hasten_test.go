package chain

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// unsure is a signer that may refuse.
type unsure struct {
	Signer
	fails error
}

func (s *unsure) SignTx(ctx context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
	if s.fails != nil {
		return nil, s.fails
	}
	return s.Signer.SignTx(ctx, tx, chainID)
}

// newUpkeep is a step of a sender at block 100, where gas costs 10 and a tip of 2, 1000 is the most
// that is paid, and every transaction gets a limit of 100,000.
func newUpkeep(t *testing.T, answers script) (*upkeep, *unsure, *rung) {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	client, rung := script(func(endpoint, method string, params []json.RawMessage) (any, error) {
		result, err := answers(endpoint, method, params)
		if result == nil && err == nil {
			result = map[string]any{
				"eth_getBlockByNumber": told(Block{Number: 100, Hash: hashOf(100), BaseFee: 10}), "eth_maxPriorityFeePerGas": "0x2", "eth_getBalance": "0x3b9aca00",
				"eth_estimateGas": "0x13880", // 80,000
			}[method]
		}
		return result, err
	}).dial(t, Config{})
	signer := &unsure{Signer: KeySigner(key)}
	sender, err := NewSender(client, SenderConfig{
		Signer: signer, Store: store.NewMemory(), Fees: Fees{Max: 1000, UrgentMax: 5000, Reserve: 1},
		Now: func(context.Context) (uint64, error) { return 100, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return &upkeep{
		Sender: sender, head: Block{Number: 100, BaseFee: 10}, now: 100, market: money.Market{BaseFee: 10, Tip: 2, High: 2},
		have: *uint256.NewInt(1_000_000_000), over: map[string]*outcome{},
	}, signer, rung
}

// waiting is a job of 100,000 gas that was first sent, and priced, some blocks ago, and bids too
// little for the market.
func waiting() *job {
	return &job{order: order{Key: "a"}, Gas: 100_000, First: 95, Priced: 95, Price: money.Bid{Tip: 1, Cap: 11}, Sent: []common.Hash{{1}}, Raw: []byte{1}}
}

// answering returns a script in which one method has an answer.
func answering(method string, result any, err error) script {
	return func(_, asked string, _ []json.RawMessage) (any, error) {
		if asked == method {
			return result, err
		}
		return nil, nil
	}
}

// TestWhatMakesWay: a transaction is cancelled for an answer that waits behind it if it is none
// itself, and the account can't pay what would land it.
func TestWhatMakesWay(t *testing.T) {
	const enough = 1_200_000 + 22 // for 12 each, and the reserve
	for _, c := range []struct {
		what     string
		answered bool
		have     uint64
		change   func(*upkeep, *job)
		makesWay bool
	}{
		{"it does", true, enough - 1, nil, true},
		{"no answer waits", false, enough - 1, nil, false},
		{"the account can just pay", true, enough, nil, false},
		{"it is an answer itself", true, 1_100_000, func(_ *upkeep, j *job) { j.Defence = true }, false},
		{"it lands as it is", true, enough - 1, func(_ *upkeep, j *job) { j.Price = money.Bid{Tip: 2, Cap: 12} }, false},
		{"what it lacks is a limit", true, enough - 1, func(u *upkeep, _ *job) { u.config.Fees.Max = 11 }, false},
		{"it lacks more than a limit", true, 1_100_000 + 22 - 1, func(u *upkeep, _ *job) { u.config.Fees.Max = 11 }, true},
		{"it was priced just now", true, enough - 1, func(_ *upkeep, j *job) { j.Priced = 98 }, false},
	} {
		u, _, _ := newUpkeep(t, answering("eth_call", "0x", nil))
		u.have = *uint256.NewInt(c.have)
		j := waiting()
		if c.change != nil {
			c.change(u, j)
		}
		if err := u.hasten(t.Context(), j, haste{answered: c.answered}); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if errors.Is(j.report().Err, ErrMadeWay) != c.makesWay || c.makesWay && j.Gas != 21_000 {
			t.Errorf("%s: cancelled %q, gas %d, price %+v", c.what, j.Why, j.Gas, j.Price)
		}
	}
}

// TestWhenAPriceIsRaised: a price follows the market once its patience is over, as far as the
// limits and the account go, and only by so much that pools take it. What can't be signed keeps its
// price.
func TestWhenAPriceIsRaised(t *testing.T) {
	raised, kept := money.Bid{Tip: 2, Cap: 22}, money.Bid{Tip: 1, Cap: 11}
	for _, c := range []struct {
		what   string
		how    urgency
		change func(*upkeep, *job)
		price  money.Bid
	}{
		{"it is behind", 0, nil, raised},
		{"it was priced three blocks ago", 0, func(_ *upkeep, j *job) { j.Priced = 97 }, raised},
		{"it was priced two blocks ago", 0, func(_ *upkeep, j *job) { j.Priced = 98 }, kept},
		{"and is urgent", 2, func(_ *upkeep, j *job) { j.Priced = 99 }, money.Bid{Tip: 6, Cap: 26}},
		{"it lands as it is", 0, func(_ *upkeep, j *job) { j.Price = money.Bid{Tip: 2, Cap: 12} }, money.Bid{Tip: 2, Cap: 12}},
		{"its tip is too low", 0, func(_ *upkeep, j *job) { j.Price = money.Bid{Tip: 1, Cap: 12} }, raised},
		{"a limit", 0, func(u *upkeep, _ *job) { u.config.Fees.Max = 13 }, money.Bid{Tip: 2, Cap: 13}},
		{"a limit below what replaces it", 0, func(u *upkeep, _ *job) { u.config.Fees.Max = 12 }, kept},
		{"the account can't pay more", 0, func(u *upkeep, _ *job) { u.have = *uint256.NewInt(1_100_022) }, kept},
		{"it can for the gas that it takes", 0, func(u *upkeep, j *job) { u.have, j.Gas, j.Failed = *uint256.NewInt(2_200_022), 200_000, true }, raised},
		{"the endpoint wants more than is customary", 0, func(_ *upkeep, j *job) { j.failure = errors.New("replacement transaction underpriced") }, money.Bid{Tip: 8, Cap: 28}},
		{"it is cancelled, and lands as it is", 0, func(_ *upkeep, j *job) { j.Price = raised; j.cancel("no") }, money.Bid{Tip: 3, Cap: 25}},
	} {
		u, signer, _ := newUpkeep(t, answering("eth_call", "0x", nil))
		for _, signer.fails = range []error{errNo, nil} {
			j := waiting()
			if c.change != nil {
				c.change(u, j)
			}
			before := j.Price
			err := u.hasten(t.Context(), j, haste{urgency: c.how})
			switch {
			case signer.fails == nil && (err != nil || j.Price != c.price || (len(j.Sent) > 1) != (c.price != before)):
				t.Errorf("%s: %+v, sent %v, %v", c.what, j.Price, j.Sent, err)
			case signer.fails != nil && (j.Price != before || len(j.Sent) != 1 || (err != nil) != (c.price != before)):
				t.Errorf("%s, and it can't be signed: %+v, %v", c.what, j.Price, err)
			}
		}
	}
}

// TestWhyAPriceStaysBehind: a person is told whether it is a limit, or the account, that keeps a
// transaction from landing, and that it waits long.
func TestWhyAPriceStaysBehind(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*upkeep, *job)
		alarms string
	}{
		{"nothing does", nil, ""},
		{"the limit is just enough", func(u *upkeep, _ *job) { u.config.Fees.Max = 12 }, ""},
		{"the limit", func(u *upkeep, _ *job) { u.config.Fees.Max = 11 }, "FeeSpike"},
		{"the limit, and it lands as it is", func(u *upkeep, j *job) { u.config.Fees.Max = 11; j.Price = money.Bid{Tip: 2, Cap: 12} }, ""},
		{"the account has just enough", func(u *upkeep, _ *job) { u.have = *uint256.NewInt(1_200_022) }, ""},
		{"the account", func(u *upkeep, _ *job) { u.have = *uint256.NewInt(1_200_021) }, "EmptyWallet"},
		{"the account, with the reserve for an answer", func(u *upkeep, j *job) { u.have = *uint256.NewInt(1_200_000); j.Defence = true }, ""},
		{"the account, and it lands as it is", func(u *upkeep, j *job) { u.have.Clear(); j.Price = money.Bid{Tip: 2, Cap: 12} }, ""},
		{"it waits for eleven blocks", func(_ *upkeep, j *job) { j.First = 89 }, ""},
		{"it waits for twelve blocks", func(_ *upkeep, j *job) { j.First = 88 }, "StuckTx"},
		{"it waits for twelve blocks, being refused", func(_ *upkeep, j *job) { j.First = 88; j.failure = errNo }, ""},
		{"it was sent in a block that left the chain", func(_ *upkeep, j *job) { j.First = 101 }, ""},
	} {
		u, _, rung := newUpkeep(t, answering("eth_call", "0x", nil))
		j := waiting()
		if c.change != nil {
			c.change(u, j)
		}
		if err := u.hasten(t.Context(), j, haste{}); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		list := rung.take()
		if faults(list) != c.alarms {
			t.Errorf("%s: alarms %v", c.what, list)
		}
		for _, a := range list {
			spike, empty := new(FeeSpike), new(EmptyWallet)
			if errors.As(a.Fault, &spike) && (spike.Need != 12 || spike.Limit != 11) || errors.As(a.Fault, &empty) && empty.Need.Uint64() != 1_200_022 {
				t.Errorf("%s: %v", c.what, a)
			}
		}
	}
}

// TestWhatTheContractWouldRefuse: found three times in a row, it is cancelled; an endpoint that
// doesn't answer ends the step, and one that can't tell doesn't keep a price where it is.
func TestWhatTheContractWouldRefuse(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	revert := errors.New("execution reverted")
	for _, c := range []struct {
		what            string
		ctx             context.Context
		answer          error
		change          func(*job)
		cancelled       bool
		raised, asked   bool
		failed          bool
		refused, priced uint64
	}{
		{"it takes it", t.Context(), nil, func(j *job) { j.Refused = 2 }, false, true, true, false, 0, 100},
		{"it refuses it for the first time", t.Context(), revert, nil, false, false, true, false, 1, 100},
		{"for the second", t.Context(), revert, func(j *job) { j.Refused = 1 }, false, false, true, false, 2, 100},
		{"for the third", t.Context(), revert, func(j *job) { j.Refused = 2 }, true, true, true, false, 3, 100},
		{"it is cancelled", t.Context(), revert, func(j *job) { j.cancel("no") }, true, true, false, false, 0, 100},
		{"the endpoint is down", t.Context(), errAway, func(j *job) { j.Refused = 2 }, false, false, true, true, 0, 95},
		{"it can't tell", t.Context(), errNo, func(j *job) { j.Refused = 2 }, false, true, true, false, 0, 100},
		{"it is asked in vain", stopped, errNo, nil, false, false, true, true, 0, 95},
	} {
		asked := false
		u, _, _ := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			if method != "eth_call" {
				return nil, nil
			}
			if asked = true; c.ctx == stopped {
				stop()
			}
			return "0x", c.answer
		})
		j := waiting()
		if c.change != nil {
			c.change(j)
		}
		err := u.hasten(c.ctx, j, haste{})
		if (err != nil) != c.failed || asked != c.asked || j.cancelled() != c.cancelled || (len(j.Sent) > 1) != c.raised || j.Refused != c.refused || j.Priced != c.priced {
			t.Errorf("%s: asked %t, refused %d times, cancelled %q, sent %v, priced at %d: %v", c.what, asked, j.Refused, j.Why, j.Sent, j.Priced, err)
		}
	}
}

// TestWhenALimitIsRaised: the gas limit of what an endpoint refused, and of what is cancelled,
// follows the chain's estimate, if what is signed then lands and can be paid.
func TestWhenALimitIsRaised(t *testing.T) {
	lands := func(_ *upkeep, j *job) { j.Price = money.Bid{Tip: 2, Cap: 12} }
	refused := func(u *upkeep, j *job) { lands(u, j); j.failure = errNo }
	for _, c := range []struct {
		what     string
		estimate any
		fails    error
		change   func(*upkeep, *job)
		gas      uint64
		price    money.Bid
		signed   bool
		failed   bool
	}{
		{"it is refused", "0x186a4", nil, refused, 125_005, money.Bid{Tip: 2, Cap: 12}, true, false},
		{"it is not", "0x186a4", nil, lands, 100_000, money.Bid{Tip: 2, Cap: 12}, false, false},
		{"it is refused, and has enough", "0x13880", nil, refused, 100_000, money.Bid{Tip: 2, Cap: 12}, false, false},
		{"it is refused, and bids too little", "0x186a4", nil, func(_ *upkeep, j *job) { j.failure = errNo }, 125_005, money.Bid{Tip: 2, Cap: 22}, true, false},
		{"it is refused, and dearer than the limit", "0x186a4", nil, func(u *upkeep, j *job) { j.failure, u.config.Fees.Max = errNo, 11 }, 100_000, money.Bid{Tip: 1, Cap: 11}, false, false},
		{"it is refused, and can just be paid", "0x186a4", nil, func(u *upkeep, j *job) { refused(u, j); u.have = *uint256.NewInt(1_500_060 + 22) }, 125_005, money.Bid{Tip: 2, Cap: 12}, true, false},
		{"it is refused, and can't be paid", "0x186a4", nil, func(u *upkeep, j *job) { refused(u, j); u.have = *uint256.NewInt(1_500_060 + 21) }, 100_000, money.Bid{Tip: 2, Cap: 12}, false, false},
		{"it is refused, and the endpoint can't tell", nil, errNo, refused, 100_000, money.Bid{Tip: 2, Cap: 12}, false, false},
		{"it is refused, and the endpoint is down", nil, errAway, refused, 100_000, money.Bid{Tip: 2, Cap: 12}, false, true},
		{"it is cancelled", "0xc350", nil, func(u *upkeep, j *job) { lands(u, j); j.cancel("no") }, 62_500, money.Bid{Tip: 3, Cap: 22}, true, false},
		{"it is cancelled, and a transfer takes what it does", "0x5208", nil, func(u *upkeep, j *job) { lands(u, j); j.cancel("no") }, 21_000, money.Bid{Tip: 3, Cap: 22}, true, false},
		{"it is cancelled, refused, and was said to take more", "0x5208", nil, func(u *upkeep, j *job) { refused(u, j); j.cancel("no"); j.Gas, j.failure = 37_500_000, errNo }, 21_000, money.Bid{Tip: 3, Cap: 22}, true, false},
		{"it is cancelled, and the endpoint can't tell", nil, errNo, func(u *upkeep, j *job) { lands(u, j); j.cancel("no") }, 21_000, money.Bid{Tip: 3, Cap: 22}, true, false},
	} {
		u, signer, _ := newUpkeep(t, func(_, method string, _ []json.RawMessage) (any, error) {
			switch method {
			case "eth_call":
				return "0x", nil
			case "eth_estimateGas":
				return c.estimate, c.fails
			}
			return nil, nil
		})
		for _, signer.fails = range []error{errNo, nil} {
			j := waiting()
			c.change(u, j)
			gas, price := j.Gas, j.Price
			err := u.hasten(t.Context(), j, haste{})
			switch {
			case signer.fails == nil && (j.Gas != c.gas || j.Price != c.price || (len(j.Sent) > 1) != c.signed || (err != nil) != c.failed):
				t.Errorf("%s: %d gas, %+v, sent %v, %v", c.what, j.Gas, j.Price, j.Sent, err)
			case signer.fails != nil && (j.Gas != gas || j.Price != price || len(j.Sent) != 1 || (err != nil) != (c.signed || c.failed)):
				t.Errorf("%s, and it can't be signed: %d gas, %+v, %v", c.what, j.Gas, j.Price, err)
			}
		}
	}
}

// TestCrowded: what has not landed costs the price of the newest block, by the endpoint that tells
// the least; and where one is to bid more, what the others bid, which pools count.
func TestCrowded(t *testing.T) {
	low, high := money.Bid{Tip: 2, Cap: 10}, money.Bid{Tip: 2, Cap: 50}
	for _, c := range []struct {
		what  string
		bids  []money.Bid
		value uint64
		usual uint64
		most  uint64 // that they cost, in wei
	}{
		{"all bid enough", []money.Bid{high, high}, 0, 0, 2 * 100 * 12},
		{"one bids too little", []money.Bid{low, high}, 0, 0, 100 * (12 + 50)},
		{"one is sent with money", []money.Bid{high}, 7, 0, 100*12 + 7},
		{"one has more gas than usual", []money.Bid{high}, 0, 60, 75 * 12},
		{"none has", []money.Bid{high}, 0, 90, 100 * 12},
	} {
		for short := range uint64(2) {
			u := &upkeep{Sender: &Sender{}, market: money.Market{BaseFee: 40, Cheap: 10, Dear: 40, Tip: 2}}
			u.config.Fees = Fees{Max: 1000}
			u.have, u.more = *uint256.NewInt(c.most - 100 - short), *uint256.NewInt(100)
			var list []unlanded
			for _, bid := range c.bids {
				list = append(list, unlanded{job: &job{order: order{Value: *uint256.NewInt(c.value), Usual: c.usual}, Gas: 100, Price: bid}})
			}
			if u.crowded(list) != (short == 1) {
				t.Errorf("%s, %d wei are missing: %t", c.what, short, u.crowded(list))
			}
		}
	}
}

// TestWhatMakesWayFirst: where the account can't pay for all, what is no answer makes way before
// any answer, then those that can wait, then the lightest; each no sooner than it must, and none
// twice.
func TestWhatMakesWayFirst(t *testing.T) {
	for have, gone := range map[uint64]string{
		4*21_000*12 + 1*100_000*12:     "deposit calm light middle",
		3*21_000*12 + 2*100_000*12 - 1: "deposit calm light middle",
		3*21_000*12 + 2*100_000*12:     "deposit calm light",
		2*21_000*12 + 3*100_000*12:     "deposit calm",
		1*21_000*12 + 4*100_000*12:     "deposit",
		5*100_000*12 + 5_000_000 - 1:   "deposit",
		5*100_000*12 + 5_000_000:       "",
	} {
		u := &upkeep{Sender: &Sender{}, market: money.Market{BaseFee: 10, Tip: 2}, have: *uint256.NewInt(have)}
		u.config.Fees = Fees{Max: 1000}
		var list []unlanded
		for _, o := range []order{
			{Key: "heavy", Defence: true, Stake: *uint256.NewInt(3)},
			{Key: "calm", Defence: true, Waits: true, Stake: *uint256.NewInt(4)},
			{Key: "light", Defence: true, Deadline: 9, Stake: *uint256.NewInt(1)},
			{Key: "middle", Defence: true, Deadline: 9, Stake: *uint256.NewInt(2)},
			{Key: "deposit", Value: *uint256.NewInt(5_000_000)},
		} {
			list = append(list, unlanded{job: &job{order: o, Gas: 100_000, Price: money.Bid{Tip: 2, Cap: 12}}})
		}
		for range 2 {
			u.makeWay(list)
		}
		var told []string
		for _, r := range u.reports {
			told = append(told, r.Key)
		}
		if got := strings.Join(told, " "); got != gone {
			t.Errorf("%d wei: %q makes way, want %q", have, got, gone)
		}
	}
}

// TestWhatLandedMakesWay: an endpoint may say that an answer has landed which has not. It makes way
// for a weightier one all the same, and none that has not may count as paid.
func TestWhatLandedMakesWay(t *testing.T) {
	for landed, gone := range map[string]string{"light": "light", "heavy": "light", "none": "light"} {
		u := &upkeep{Sender: &Sender{}, market: money.Market{BaseFee: 10, Tip: 2}, have: *uint256.NewInt(100_000 * 12)}
		u.config.Fees = Fees{Max: 1000}
		var list []unlanded
		for k, key := range []string{"light", "heavy"} {
			j := &job{order: order{Key: key, Defence: true, Stake: *uint256.NewInt(uint64(k))}, Gas: 100_000, Price: money.Bid{Tip: 2, Cap: 12}}
			if key == landed {
				j.Landed = &landing{}
			}
			list = append(list, unlanded{job: j})
		}
		u.makeWay(list)
		var told string
		for _, r := range u.reports {
			told += r.Key
		}
		if told != gone {
			t.Errorf("where %s landed, %q makes way, want %q", landed, told, gone)
		}
	}
}
