package node_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
)

// TestBlockHash: a block's hash is told once it is final, by the contract where the endpoint keeps
// no such block any more, and not at all where neither knows it.
func TestBlockHash(t *testing.T) {
	t.Parallel()
	const far = 1 << 40
	var pruned, unrecorded atomic.Bool
	must(t, world(t).Chain.Mine(30))
	block := world(t).Chain.Head() - 20
	as := func(n uint64, format string) []byte { return fmt.Appendf(nil, format, n) }
	p := join(t, func(c *node.Config) {
		c.Policy.Confirmations = 3
		c.Chain.URL = newProxy(t, func(body []byte) []byte {
			if pruned.Load() && bytes.Contains(body, []byte("eth_getBlockByNumber")) {
				body = bytes.ReplaceAll(body, as(block, `"0x%x"`), as(far, `"0x%x"`))
			}
			if unrecorded.Load() && bytes.Contains(body, []byte("eth_call")) {
				body = bytes.ReplaceAll(body, as(block, "%064x"), as(far, "%064x"))
			}
			return body
		})
	})
	ctx := t.Context()
	want, err := p.BlockHash(ctx, box9.GameName, block)
	must(t, err)
	pruned.Store(true)
	if got, err := p.BlockHash(ctx, box9.GameName, block); err != nil || got != want {
		t.Errorf("pruned: %s, %v, want %s", got, err, want)
	}
	unrecorded.Store(true)
	if got, err := p.BlockHash(ctx, box9.GameName, block); !errors.Is(err, node.ErrForgotten) {
		t.Errorf("not recorded: %s, %v", got, err)
	}
	for _, early := range []uint64{far, 1<<64 - 1} {
		if got, err := p.BlockHash(ctx, box9.GameName, early); !errors.Is(err, chain.ErrUnknownBlock) {
			t.Errorf("block %d: %s, %v", early, got, err)
		}
	}
}
