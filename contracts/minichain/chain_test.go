package minichain

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

var (
	alice = common.HexToAddress("0xa11ce")
	bob   = common.HexToAddress("0xb0b")
)

func newChain(t *testing.T) *Chain {
	t.Helper()
	c, err := New(1337)
	if err != nil {
		t.Fatal(err)
	}
	c.Fund(alice, uint256.NewInt(1e18))
	return c
}

// deploy puts the given runtime code (at most 255 bytes) on the chain.
func deploy(t *testing.T, c *Chain, runtime ...byte) common.Address {
	t.Helper()
	n := byte(len(runtime))
	// codecopy(0, 11, n); return(0, n)
	create := []byte{0x60, n, 0x80, 0x60, 0x0b, 0x5f, 0x39, 0x5f, 0xf3, 0, 0}
	at, _, err := c.Deploy(alice, append(create, runtime...))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(c.Code(at), runtime) {
		t.Fatalf("code %x, want %x", c.Code(at), runtime)
	}
	return at
}

// store is: sstore(0, calldataload(0)).
var store = []byte{0x5f, 0x35, 0x5f, 0x55}

// The expected numbers are sums of the prices in EIP-2028, 2929, 3529, 3860 and 7623.
func TestGasIsAReceipts(t *testing.T) {
	c := newChain(t)
	at := deploy(t, c, store...)
	word := func(v byte) []byte { return append(make([]byte, 31), v) }
	const base, calldata = 21_000, 31*4 + 16
	const ops = 2 + 3 + 2 // push0, calldataload, push0
	for _, tc := range []struct {
		name string
		tx   Tx
		want uint64
	}{
		{"transfer", Tx{To: &bob, Value: *uint256.NewInt(1)}, base},
		{"calldata floor", Tx{To: &bob, Data: bytes.Repeat([]byte{1}, 100)}, base + 100*40},
		{"new slot", Tx{To: &at, Data: word(1)}, base + calldata + ops + 22_100},
		{"changed slot", Tx{To: &at, Data: word(2)}, base + calldata + ops + 5_000},
		{"same value", Tx{To: &at, Data: word(2)}, base + calldata + ops + 2_200},
		{"cleared slot, refund 4800", Tx{To: &at, Data: word(0)}, base + 32*4 + ops + 5_000 - 4_800},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.tx.From = alice
			r, err := c.Send(tc.tx)
			if err != nil {
				t.Fatal(err)
			}
			if r.GasUsed != tc.want {
				t.Errorf("gas %d, want %d", r.GasUsed, tc.want)
			}
		})
	}
	if got := c.Balance(bob); !got.Eq(uint256.NewInt(1)) {
		t.Errorf("bob has %s, want 1", got)
	}
}

func TestRulesAreOsakas(t *testing.T) {
	c := newChain(t)
	// return clz(1): EIP-7939 came with Osaka
	clz := deploy(t, c, 0x60, 1, 0x1e, 0x5f, 0x52, 0x60, 32, 0x5f, 0xf3)
	out, err := c.Call(alice, clz, nil)
	if err != nil || len(out) != 32 || out[31] != 255 {
		t.Errorf("clz(1) = %x, %v", out, err)
	}
	if _, err := c.Send(Tx{From: alice, To: &bob, Gas: MaxGas + 1}); !errors.Is(err, core.ErrGasLimitTooHigh) {
		t.Errorf("a transaction above EIP-7825's cap: %v", err)
	}
	r := c.rules()
	if !r.IsOsaka || r.IsAmsterdam || r.IsBogota {
		t.Errorf("rules %+v", r)
	}
}

func TestFailuresHaveReceipts(t *testing.T) {
	c := newChain(t)
	at := deploy(t, c, 0x60, 7, 0x5f, 0x53, 0x60, 1, 0x5f, 0xfd) // mstore8(0, 7); revert(0, 1)
	var seen []*types.Receipt
	c.OnTransaction = func(r *types.Receipt) { seen = append(seen, r) }
	r, err := c.Send(Tx{From: alice, To: &at, Value: *uint256.NewInt(5)})
	var f *Failure
	if !errors.As(err, &f) || !bytes.Equal(f.Data, []byte{7}) || !errors.Is(err, vm.ErrExecutionReverted) {
		t.Fatalf("error %v", err)
	}
	if r.Status != types.ReceiptStatusFailed || r.GasUsed < 21_000 || len(seen) != 1 || seen[0] != r {
		t.Errorf("receipt %+v, seen %d", r, len(seen))
	}
	if got := c.Balance(at); !got.IsZero() {
		t.Errorf("a failed transaction moved %s", got)
	}
	if _, err := c.Call(alice, at, nil); !errors.As(err, &f) || !bytes.Equal(f.Data, []byte{7}) {
		t.Errorf("call: %v", err)
	}
	if _, err := c.Send(Tx{From: bob, To: &alice, Value: *uint256.NewInt(1)}); err == nil || errors.As(err, &f) || len(seen) != 1 {
		t.Errorf("spent what bob doesn't have: %v", err)
	}
}

func TestLogsAndClock(t *testing.T) {
	c := newChain(t)
	at := deploy(t, c, 0x43, 0x42, 0x5f, 0x5f, 0xa2) // log2(0, 0, timestamp, number)
	c.Mine(3)
	c.Wait(100)
	r, err := c.Send(Tx{From: alice, To: &at})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Logs) != 1 || r.Logs[0].Address != at || r.Logs[0].TxHash != r.TxHash || r.Logs[0].BlockNumber != firstBlock+4 {
		t.Fatalf("logs %+v", r.Logs)
	}
	when, number := r.Logs[0].Topics[0].Big().Uint64(), r.Logs[0].Topics[1].Big().Uint64()
	if when != firstTime+3*blockSeconds+100 || number != firstBlock+4 || when != c.Time() || number != c.Block() {
		t.Errorf("time %d, block %d", when, number)
	}
}

func TestRewind(t *testing.T) {
	c := newChain(t)
	at := deploy(t, c, store...)
	send := func(v byte) {
		t.Helper()
		if _, err := c.Send(Tx{From: alice, To: &at, Data: append(make([]byte, 31), v), Value: *uint256.NewInt(1)}); err != nil {
			t.Fatal(err)
		}
	}
	send(1)
	c.Mine(1)
	before, old := c.Checkpoint(), c.BlockHash(c.Block()-1)
	for range 2 { // a checkpoint can be used again
		block := c.Block()
		c.Mine(1)
		send(2)
		hash := c.BlockHash(block)
		c.Rewind(before)
		if c.Block() != block || !c.Balance(at).Eq(uint256.NewInt(1)) {
			t.Fatalf("block %d, balance %s", c.Block(), c.Balance(at))
		}
		c.Mine(1)
		if c.BlockHash(block) == hash {
			t.Error("a block mined again has the same hash")
		}
		if c.BlockHash(block-1) != old {
			t.Error("a block that was not taken back has another hash")
		}
		c.Rewind(before)
	}
}

// A copy goes on from where its original stands, and neither changes the other.
func TestCopy(t *testing.T) {
	c := newChain(t)
	at := deploy(t, c, store...)
	c.Mine(3)
	o := c.Copy()
	for _, chain := range []*Chain{o, c} {
		r, err := chain.Send(Tx{From: alice, To: &at, Data: make([]byte, 32), Value: *uint256.NewInt(1)})
		if err != nil {
			t.Fatal(err)
		}
		if got := chain.Balance(at); !got.Eq(uint256.NewInt(1)) || r.BlockNumber.Uint64() != c.Block() {
			t.Errorf("balance %s in block %s", got, r.BlockNumber)
		}
	}
	c.Mine(1)
	o.Mine(1)
	if c.BlockHash(c.Block()-1) != o.BlockHash(o.Block()-1) {
		t.Error("the copy's blocks have other hashes")
	}
}

func TestBlockHashHorizon(t *testing.T) {
	c := newChain(t)
	c.Mine(300)
	for n, known := range map[uint64]bool{c.Block() - 1: true, c.Block() - 256: true, c.Block() - 257: false, c.Block(): false} {
		if got := c.BlockHash(n) != (common.Hash{}); got != known {
			t.Errorf("block %d of %d: hash known is %v", n, c.Block(), got)
		}
	}
}
