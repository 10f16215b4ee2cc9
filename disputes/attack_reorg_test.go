package disputes_test

import (
	"cmp"
	"errors"
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/core/types"
)

var reorgsFlag = flag.Int("reorg.depths", 1, "at how many of the depths 1 to 12 each action is undone in each way")

// fates are what may become of an action of ours in a block that leaves the chain, together with so
// many blocks on top of it.
var fates = map[string]func(g *ground, h *happening, ours, others *types.Transaction, depth int){
	"dropped": func(g *ground, _ *happening, _, _ *types.Transaction, depth int) { g.mine(depth + 1) },
	"mined again": func(g *ground, _ *happening, ours, _ *types.Transaction, depth int) {
		g.mine(1)
		g.again(ours)
		g.mine(depth)
	},
	"reordered": func(g *ground, _ *happening, ours, others *types.Transaction, depth int) {
		g.again(ours)
		g.mine(1)
		g.again(others)
		g.mine(depth)
	},
	"replaced": func(g *ground, h *happening, _, _ *types.Transaction, depth int) {
		g.post(h.by, h.rival, 1)
		g.mine(depth + 1)
	},
}

// TestAttack_Reorg_EveryAction: whatever we do on the chain may be undone, up to twelve blocks
// deep: dropped, mined again in another block, or after what it was before, or replaced by what
// somebody else does. At every moment a reader knows what the contract does, to the bit and the
// wei; and in the end what we did is on the chain once, final, unless the contract refuses it by
// then, which we are told.
func TestAttack_Reorg_EveryAction(t *testing.T) {
	for i, name := range sorted(happenings) {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			h := happenings[name](g)
			ready := g.here()
			for j, fate := range sorted(fates) {
				if testing.Short() && (i+j)%4 != 0 {
					continue
				}
				for k := range *reorgsFlag {
					depth := 1 + (i+3*j + k*12 / *reorgsFlag)%12
					g.Logf("%s, %d blocks deep", fate, depth)
					g.back(ready)
					g.undergoes(&h, fate, depth)
				}
			}
		})
	}
}

func (g *ground) undergoes(h *happening, fate string, depth int) {
	g.Helper()
	known, sent := len(g.told), g.mined(alice)
	others := g.beside(h)
	g.ok(g.submit(h.own))
	ours, _, err := g.eth.TransactionByHash(g.Context(), g.status().Tx)
	g.ok(err)
	g.rounds(1, 1)
	if r := g.status(); r.Progress != chain.Mined || r.Err != nil || len(g.told) < known+2 {
		g.Fatalf("it was not done: %+v; told %+v", r, g.told[known:])
	}
	if depth > 1 {
		g.rounds(1, depth-1)
	}
	if done := g.status().Progress == chain.Done; done != (depth >= chain.DefaultConfirmations) {
		g.Fatalf("at depth %d it is %v", depth, g.status().Progress)
	}
	events := len(g.told) - known
	g.ok(g.net.Rewind(depth))
	fates[fate](g, h, ours, others, depth)
	g.listen()
	spoilt, refused := h.spoilt && fate == "replaced", false
	if depth >= chain.DefaultConfirmations {
		g.deep()
		// Whoever asked for it asks again, having heard that it is undone, as Watcher does.
		err := g.submit(h.own)
		if refused = errors.As(err, new(*chain.Reverted)); !refused {
			g.ok(err)
		}
	} else if len(g.alarms) > 0 {
		g.Fatalf("alarms: %v", g.alarms)
	}
	if g.rounds(2, 1); spoilt { // until it is given up
		g.rounds(4, 3)
	}
	g.rounds(1, 13)
	switch r, n := g.status(), g.mined(alice)-sent; {
	case spoilt && r.Err == nil && !refused, !spoilt && (r.Progress != chain.Done || r.Err != nil):
		g.Fatalf("it ends as %+v", r)
	case n != 1 && !refused:
		g.Fatalf("%d transactions", n)
	case g.final != len(g.told):
		g.Fatalf("%d of %d events are final", g.final, len(g.told))
	}
	switch got := len(g.told) - known; fate {
	case "replaced":
	case "reordered":
		if got != events {
			g.Fatalf("%d events in the end, %d before the reorganisation", got, events)
		}
	default: // what the stranger did is gone
		if got != events-1 {
			g.Fatalf("%d events in the end, %d before the reorganisation", got, events)
		}
	}
}

// deep checks that a reorganisation that undid what was final was told to people.
func (g *ground) deep() {
	g.Helper()
	for _, a := range g.alarms {
		if fault := new(chain.DeepReorg); errors.As(a.Fault, &fault) && !fault.Forgotten {
			return
		}
	}
	g.Fatalf("what was final is undone, and nobody is told: %v", g.alarms)
}

// beside has a stranger do something in the next block, in front of us.
func (g *ground) beside(h *happening) *types.Transaction {
	g.Helper()
	if h.beside == nil {
		h.beside = g.gives(stranger, 1)
	}
	return g.post(stranger, h.beside, 50)
}

// again puts a transaction back into the pool.
func (g *ground) again(tx *types.Transaction) {
	g.Helper()
	g.ok(g.eth.SendTransaction(g.Context(), tx))
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
