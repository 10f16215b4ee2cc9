package contracts_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ethereum/go-ethereum/common"
)

// beacon is a RoundBeacon on a chain.
type beacon struct {
	*testing.T
	chain *minichain.Chain
	at    common.Address
}

func newBeacon(t *testing.T, history bool) *beacon {
	t.Helper()
	chain, err := minichain.New(1337)
	if err != nil {
		t.Fatal(err)
	}
	if history {
		chain.KeepHistory()
	}
	b := &beacon{T: t, chain: chain}
	if b.at, _, err = chain.Deploy(common.Address{1}, common.FromHex(bindings.RoundBeaconMetaData.Bin)); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *beacon) knows(number uint64) common.Hash {
	b.Helper()
	out, err := b.chain.Call(common.Address{1}, b.at, bindings.NewRoundBeacon().PackBlockHash(new(big.Int).SetUint64(number)))
	if err != nil {
		b.Fatal(err)
	}
	return common.Hash(out)
}

func (b *beacon) record(number uint64) (logs int, err error) {
	b.Helper()
	r, err := b.chain.Send(minichain.Tx{From: common.Address{2}, To: &b.at, Data: bindings.NewRoundBeacon().PackRecord(new(big.Int).SetUint64(number))})
	if r != nil {
		logs = len(r.Logs)
	}
	return logs, err
}

// A hash is recorded from the block after its own on, for as long as the chain remembers it, by
// anybody, once; then it stays.
func TestRoundBeacon(t *testing.T) {
	for _, c := range []struct {
		name    string
		history bool
		memory  uint64 // blocks
	}{{"blockhash", false, 256}, {"EIP-2935", true, 8191}} {
		t.Run(c.name, func(t *testing.T) {
			b := newBeacon(t, c.history)
			number := b.chain.Block()
			if _, err := b.record(number); err == nil || b.knows(number) != (common.Hash{}) {
				t.Error("a block's hash is known in the block itself")
			}
			b.chain.Mine(1)
			hash := b.chain.BlockHash(number)
			if b.knows(number) != hash || b.knows(number+1) != (common.Hash{}) {
				t.Error("the hash of the last block is not known, or one to come is")
			}
			b.chain.Mine(c.memory - 1)
			if b.knows(number) != hash {
				t.Errorf("forgotten within %d blocks", c.memory)
			}
			if logs, err := b.record(number); logs != 1 || err != nil {
				t.Fatalf("record: %d logs, %v", logs, err)
			}
			b.chain.Mine(1)
			if _, err := b.record(number + 1); err != nil {
				t.Errorf("the oldest that is remembered: %v", err)
			}
			b.chain.Mine(10_000)
			if b.knows(number) != hash || b.knows(number+1) == (common.Hash{}) {
				t.Error("a recorded hash is forgotten")
			}
			if logs, err := b.record(number); logs != 0 || err != nil {
				t.Errorf("recorded again: %d logs, %v", logs, err)
			}
			var f *minichain.Failure
			if _, err := b.record(number + 2); !errors.As(err, &f) || b.knows(number+2) != (common.Hash{}) {
				t.Errorf("a hash that nobody recorded in time is known: %v", err)
			}
		})
	}
}
