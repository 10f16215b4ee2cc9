package chain

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// receiptAt is the receipt of a transaction in a block of the line.
func receiptAt(number uint64, hash common.Hash) *types.Receipt {
	return &types.Receipt{
		Type: types.DynamicFeeTxType, TxHash: common.Hash{9}, BlockHash: hash, BlockNumber: uint256.NewInt(number).ToBig(),
		Status: types.ReceiptStatusSuccessful, GasUsed: 30_000, CumulativeGasUsed: 30_000, Logs: []*types.Log{},
	}
}

// TestOneEndpointSetsNoGasLimit: of two estimates the higher counts up to what is usual, else the
// lower; one alone counts, if a block could take it.
func TestOneEndpointSetsNoGasLimit(t *testing.T) {
	for _, c := range []struct {
		what       string
		own, other any // errors fail
		again      bool
		usual      uint64
		want       uint64 // 0: an error
		refused    bool   // it is that the contract refuses it
	}{
		{"they agree", "0x186a0", "0x186a0", false, 0, 100_000, false},
		{"too little for it", "0x1", "0x186a0", false, 150_000, 100_000, false},
		{"the other one too little", "0x186a0", "0x1", false, 150_000, 100_000, false},
		{"more than it can cost", "0x2625a00", "0x186a0", false, 150_000, 100_000, false},
		{"the other one more", "0x186a0", "0x2625a00", false, 150_000, 100_000, false},
		{"nothing is usual", "0x186a0", "0x2625a00", false, 0, 100_000, false},
		{"the other one is down", "0x186a0", errAway, false, 0, 100_000, false},
		{"the other one can't tell", "0x186a0", errNo, false, 0, 100_000, false},
		{"more than a block takes", "0xffffffffffffffff", "0x186a0", false, 0, 100_000, false},
		{"nobody says what a block takes", "0xcccccccccccccccd", "0xffffffffffffffff", false, 0, 0, false},
		{"the contract refuses it", errRevert, errRevert, false, 150_000, 0, true},
		{"says one", errRevert, "0x186a0", false, 150_000, 100_000, false},
		{"says the other", "0x186a0", errRevert, false, 150_000, 100_000, false},
		{"says one, where nothing is usual", errRevert, "0x186a0", false, 0, 0, true},
		{"says one, for more than is usual", errRevert, "0x2625a00", false, 150_000, 0, true},
		{"says one again", errRevert, "0x186a0", true, 150_000, 0, true},
		{"says the other again", "0x186a0", errRevert, true, 150_000, 0, true},
		{"says one, and the other is down", errRevert, errAway, false, 150_000, 0, true},
		{"one is down, says the other", errAway, errRevert, false, 150_000, 0, true},
	} {
		client := bothSay(t, "eth_estimateGas", c.own, c.other)
		gas, _, err := client.estimate(t.Context(), ethereum.CallMsg{}, c.usual, func(teller) bool { return !c.again })
		if err == nil && gas != c.want || (err == nil) != (c.want > 0) || refused(err) != c.refused {
			t.Errorf("%s: %d, %v", c.what, gas, err)
		}
	}
}

var errRevert = errors.New("execution reverted")

// bothSay is a client of two endpoints that answer a method so; errors fail.
func bothSay(t *testing.T, to string, first, second any) *Client {
	t.Helper()
	client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
		if method != to {
			return nil, nil
		}
		says := second
		if endpoint == one {
			says = first
		}
		if err, fails := says.(error); fails {
			return nil, err
		}
		return says, nil
	}).dial(t, Config{})
	return client
}

// TestOneEndpointRefusesNoCall: that a contract refuses a call is what both say, or one of which
// the other can't tell.
func TestOneEndpointRefusesNoCall(t *testing.T) {
	for _, c := range []struct {
		what       string
		own, other any
		refused    bool
	}{
		{"nobody says so", "0x01", "0x02", false},
		{"one says so", errRevert, "0x02", false},
		{"the other says so", "0x01", errRevert, false},
		{"both say so", errRevert, errRevert, true},
		{"the other can't tell", errRevert, errNo, true},
		{"the other is down", errRevert, errAway, true},
		{"one is down", errAway, errRevert, true},
	} {
		got, err := bothSay(t, "eth_call", c.own, c.other).call(t.Context(), ethereum.CallMsg{}, nil)
		if refused(err) != c.refused || (err == nil) != (len(got) == 1) {
			t.Errorf("%s: %x, %v", c.what, got, err)
		}
	}
}

// TestALandingIsWhatBothTell: that a transaction landed is final when both endpoints have it in the
// same block. One that is stuck has no say, nor has one, after a while, that is down or can't tell,
// where no block proves it; one that has none is awaited, and contradicts only once it is as far.
func TestALandingIsWhatBothTell(t *testing.T) {
	for _, c := range []struct {
		what        string
		own, theirs Block
		says        any
		fails       error
		shared      uint64
		sure, lying bool
	}{
		{"it has it", newest(12, 950), newest(12, 950), receiptAt(10, hashOf(10)), nil, 12, true, false},
		{"it has it in another block", newest(12, 950), newest(12, 950), receiptAt(10, common.Hash{1}), nil, 12, false, true},
		{"it says another number", newest(12, 950), newest(12, 950), receiptAt(9, hashOf(10)), nil, 12, false, true},
		{"it doesn't have it", newest(12, 950), newest(10, 950), nil, nil, 10, false, true},
		{"it is not that far yet", newest(12, 950), newest(9, 950), nil, nil, 9, false, false},
		{"it can't tell", newest(12, 950), newest(12, 950), nil, errNo, 12, false, false},
		{"it is down", newest(12, 950), newest(12, 950), nil, errAway, 12, true, false},
		{"it is stuck", newest(12, 950), newest(9, 850), nil, nil, 12, true, false},
		{"this one is stuck", newest(12, 850), newest(13, 950), receiptAt(10, hashOf(10)), nil, 0, false, false},
	} {
		heads, now := heights(c.own, c.theirs), int64(1000)
		client, _ := script(func(endpoint, method string, params []json.RawMessage) (any, error) {
			if method == "eth_getTransactionReceipt" {
				return c.says, c.fails
			}
			return heads(endpoint, method, params)
		}).dial(t, Config{MaxAge: 100 * time.Second, Now: func() time.Time { return time.Unix(now, 0) }})
		j := &job{Landed: &landing{Tx: common.Hash{9}, Block: 10, Hash: hashOf(10)}}
		sure, shared, fault, err := client.landed(t.Context(), client.first, j, 3)
		if sure != c.sure || shared != c.shared || (fault != nil) != c.lying || err != nil {
			t.Errorf("%s: sure %t, both have %d, %v, %v", c.what, sure, shared, fault, err)
		}
		for range 2 {
			sure, _, _, err = client.landed(t.Context(), client.first, j, 3)
			if enough := sure && client.heard(j.Landed); c.fails != nil && (enough != (now == 1100) || err != nil) {
				t.Errorf("%s at %d: enough %t, %v", c.what, now, enough, err)
			}
			now = 1100
		}
	}
	j := &job{Landed: &landing{Tx: common.Hash{9}, Block: 10, Hash: hashOf(10)}}
	away, _ := script(func(_, method string, _ []json.RawMessage) (any, error) {
		if method == "eth_chainId" {
			return nil, nil
		}
		return nil, errAway
	}).dial(t, Config{})
	if sure, _, _, err := away.landed(t.Context(), away.first, j, 3); sure || err != nil {
		t.Errorf("nobody answers: sure %t, %v", sure, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, _, _, err := away.landed(stopped, away.first, j, 3); err == nil {
		t.Error("stopped, it tells")
	}
}

// TestALandingThatIsAskedAboutInVain: the program stops while it asks about a landing, or the
// endpoint that shows it goes away. That makes nothing final, nobody lies or is down by it, and
// what was known of the landing stays known.
func TestALandingThatIsAskedAboutInVain(t *testing.T) {
	for _, c := range []struct {
		endpoint, method, block string
		denied                  bool // by the other endpoint
	}{
		{two, "eth_getBlockByNumber", `"latest"`, false}, {two, "eth_getTransactionReceipt", "", false},
		{one, "eth_getBlockByNumber", `"0xa"`, true}, {two, "eth_getBlockByNumber", `"0xa"`, true}, {one, "eth_getBlockByHash", "", true},
	} {
		for i := range 4 {
			stops, agreed := i%2 == 0, i/2 == 0
			ctx, stop := context.WithCancel(t.Context())
			client, _ := script(func(endpoint, method string, params []json.RawMessage) (any, error) {
				if endpoint == c.endpoint && method == c.method && (c.block == "" || string(params[0]) == c.block) {
					if stops {
						stop()
					}
					return nil, errAway
				}
				switch {
				case method == "eth_getBlockByNumber" && string(params[0]) == `"0xa"`:
					return told(line(10)), nil
				case method == "eth_getBlockByNumber":
					return told(line(20)), nil
				case method == "eth_getTransactionReceipt" && !c.denied:
					return receiptAt(10, hashOf(10)), nil
				}
				return nil, nil
			}).dial(t, Config{})
			at := &landing{Tx: common.Hash{9}, Block: 10, Hash: hashOf(10), Agreed: agreed}
			sure, _, fault, err := client.landed(ctx, client.first, &job{order: order{Defence: true}, Landed: at}, 3)
			if at.Agreed != agreed || !errors.Is(err, ctx.Err()) || err != nil && (sure || fault != nil) {
				t.Errorf("%v, it stops %t: sure %t, agreed %t and now %t, %v, %v", c, stops, sure, agreed, at.Agreed, fault, err)
			}
			stop()
		}
	}
}

// TestReceiptsThatAreRefused: an endpoint that refuses a receipt is told of until it doesn't; one
// that does not answer, or not in time, refuses nothing.
func TestReceiptsThatAreRefused(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	defer stop()
	var fails error
	client, rung := script(func(_, method string, _ []json.RawMessage) (any, error) {
		if method != "eth_getTransactionReceipt" {
			return nil, nil
		}
		if errors.Is(fails, context.Canceled) {
			stop()
		}
		return nil, fails
	}).dial(t, Config{})
	for _, c := range []struct {
		what    string
		ctx     context.Context
		fails   error
		alarms  string
		refused bool
	}{
		{"there is none", t.Context(), nil, "", false},
		{"it is down", t.Context(), errAway, "", false},
		{"it refuses", t.Context(), errNo, "Refusing", true},
		{"there is none now", t.Context(), nil, "Refusing over", false},
		{"it is asked in vain", stopped, context.Canceled, "", false},
	} {
		fails = c.fails
		receipt, err := client.receiptOf(c.ctx, client.first, common.Hash{9})
		refusing := new(Refusing)
		if got := faults(rung.take()); receipt != nil || errors.As(err, &refusing) != c.refused || (err == nil) != (c.fails == nil) || got != c.alarms {
			t.Errorf("%s: %v, %v, alarms %q", c.what, receipt, err, got)
		}
	}
}

// TestWhatBothMustSay: what never changes is what both endpoints say, or the one of them that is
// not down.
func TestWhatBothMustSay(t *testing.T) {
	reverts := errors.New("execution reverted")
	for _, c := range []struct {
		what     string
		one, two any
		says     string // "": an error
		lying    bool
		agreed   bool
	}{
		{"the same", "0x07", "0x07", "\x07", false, true}, {"something else", "0x07", "0x08", "", true, false},
		{"the first is down", errAway, "0x08", "\x08", false, false}, {"the second is down", "0x07", errAway, "\x07", false, false},
		{"the first refuses", errNo, "0x08", "", false, false}, {"the second refuses", "0x07", errNo, "", false, false},
		{"both are down", errAway, errAway, "", false, false}, {"a contract refuses at the first", reverts, "0x08", "", true, false},
		{"a contract refuses at the second", "0x07", reverts, "", true, false}, {"a contract refuses", reverts, reverts, "", false, false},
	} {
		client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
			says := c.one
			if endpoint == two {
				says = c.two
			}
			if err, failed := says.(error); failed && method == "eth_call" {
				return nil, err
			} else if method == "eth_call" {
				return says, nil
			}
			return nil, nil
		}).dial(t, Config{})
		says, agreed, err := client.constant(t.Context(), common.Address{1}, nil)
		if lying := new(Lying); string(says) != c.says || (err == nil) != (c.says != "") || errors.As(err, &lying) != c.lying || agreed != c.agreed {
			t.Errorf("%s: %x, agreed: %t, %v", c.what, says, agreed, err)
		}
	}
}

// TestCodeWithAHash: code that has the hash is taken from whichever endpoint tells it. What none
// tells is not known while one doesn't answer.
func TestCodeWithAHash(t *testing.T) {
	for _, c := range []struct {
		what     string
		one, two any
		says     string
		fails    bool
	}{
		{"the first has it", "0x07", "0x08", "\x07", false}, {"the second has it", "0x08", "0x07", "\x07", false}, {"the first is down", errAway, "0x07", "\x07", false},
		{"the first refuses", errNo, "0x07", "\x07", false}, {"the second refuses", "0x07", errNo, "\x07", false}, {"nobody has it", "0x08", "0x08", "\x08", false},
		{"one has not, one refuses", "0x08", errNo, "", true}, {"one refuses, one has not", errNo, "0x08", "\x08", true}, {"both refuse", errNo, errNo, "", true},
	} {
		client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
			says := c.one
			if endpoint == two {
				says = c.two
			}
			if err, failed := says.(error); failed && method == "eth_getCode" {
				return nil, err
			} else if method == "eth_getCode" {
				return says, nil
			}
			return nil, nil
		}).dial(t, Config{})
		code, err := client.CodeWith(t.Context(), common.Address{1}, crypto.Keccak256Hash([]byte{7}))
		if string(code) != c.says || (err != nil) != c.fails {
			t.Errorf("%s: %x, %v", c.what, code, err)
		}
	}
}

// TestWhatAClientIsMadeOf: of two endpoints one may be down at the start, or of another chain than
// the one that is set.
func TestWhatAClientIsMadeOf(t *testing.T) {
	for _, c := range []struct {
		what     string
		one, two any
		second   string
		err      error
	}{
		{"both answer", "0x1", "0x1", two, nil}, {"there is one", "0x1", "0x1", "", nil}, {"the first is down", errAway, "0x1", two, nil},
		{"the second is down", "0x1", errAway, two, nil}, {"both are down", errAway, errAway, two, new(Unreachable)},
		{"the only one is down", errAway, "0x1", "", new(Unreachable)}, {"the first is of another chain", "0x2", "0x1", two, nil},
		{"the second is of another chain", "0x1", "0x2", two, nil}, {"the only one is of another chain", "0x2", "0x1", "", new(WrongChain)},
		{"both are of another chain", "0x2", "0x2", two, new(WrongChain)}, {"only the other is there, of another chain", errAway, "0x2", two, new(WrongChain)},
	} {
		client, err := Dial(t.Context(), Config{URL: one, Second: c.second, ChainID: 1, Transport: script(func(endpoint, _ string, _ []json.RawMessage) (any, error) {
			says := c.one
			if endpoint == two {
				says = c.two
			}
			if err, failed := says.(error); failed {
				return nil, err
			}
			return says, nil
		})})
		down, wrong := new(Unreachable), new(WrongChain)
		if errors.As(c.err, &wrong) != errors.As(err, &wrong) || (c.err == nil) != (err == nil) || errors.As(c.err, &down) && !errors.As(err, &down) {
			t.Errorf("%s: %v", c.what, err)
		}
		if err != nil {
			continue
		}
		if client.ChainID() != 1 {
			t.Errorf("%s: chain %d", c.what, client.ChainID())
		}
		if _, err := client.heads(t.Context(), client.first); err == nil && client.Alone() {
			t.Errorf("%s: one counts alone", c.what)
		}
	}
}

// TestReasonsOfRefusals: a contract's reason is put into words where it gives one; else the
// endpoint's words stay.
func TestReasonsOfRefusals(t *testing.T) {
	s := &Sender{config: SenderConfig{Explain: func(data []byte) error { return errors.New(string(data)) }}}
	for data, want := range map[string]string{"": "no", "a": "a", "ab": "ab"} {
		refused := &Reverted{Reason: errNo, Data: []byte(data)}
		if err := s.explain(refused); !errors.Is(err, refused) || refused.Reason.Error() != want {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
	if err := s.explain(errNo); !errors.Is(err, errNo) {
		t.Error(err)
	}
}

// TestTipsThatCannotBe: a tip is as large as a price of gas can be, and not larger.
func TestTipsThatCannotBe(t *testing.T) {
	for says, want := range map[string]uint64{"0xffffffffffffffff": math.MaxUint64, "0x10000000000000002": 0} {
		client, _ := answering("eth_maxPriorityFeePerGas", says, nil).dial(t, Config{})
		tip, err := client.tip(t.Context(), client.first)
		if tip != want || errors.As(err, new(*Lying)) != (want == 0) {
			t.Errorf("%s: %d, %v", says, tip, err)
		}
	}
}
