package node_test

import (
	"bytes"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/tower"
	"github.com/ethereum/go-ethereum/common"
)

// liar is an endpoint that says of one thing what it knows of another, while it lies.
type liar struct {
	at    string
	lies  atomic.Bool
	asked atomic.Int32 // how often for what it would lie about
}

// newLiar starts a liar, about requests of a method.
func newLiar(t *testing.T, method, of, says string) *liar {
	l := new(liar)
	l.lies.Store(true)
	l.at = newProxy(t, func(body []byte) []byte {
		if !bytes.Contains(body, []byte(method)) || !bytes.Contains(body, []byte(of)) {
			return body
		}
		l.asked.Add(1)
		if !l.lies.Load() {
			return body
		}
		return bytes.ReplaceAll(body, []byte(of), []byte(says))
	})
	return l
}

// inJSON is an address as a request has it.
func inJSON(a common.Address) string { return strings.ToLower(a.Hex()) }

// codeLiar takes the code of the toy's rules for that of Mastermind's.
func codeLiar(t *testing.T) *liar {
	return newLiar(t, "eth_getCode", inJSON(world(t).Rules["toy"]), inJSON(world(t).Rules["mastermind"]))
}

// blind waits until a player agrees to nothing new, or does again.
func (tb *table) blind(t *testing.T, p *player, want bool) {
	t.Helper()
	tb.wait(t, p, func() bool {
		err := p.Register(tb.ctx, common.Hash{1}, stake, nobody)
		return errors.Is(err, node.ErrBlind) == want
	})
}

// forgets removes what a player's store has under some keys.
func (p *player) forgets(t *testing.T, prefix string) {
	t.Helper()
	gone := map[string][]byte{}
	must(t, p.memory.Scan(prefix, "", func(key string, _ []byte) error { gone[key] = nil; return nil }))
	if len(gone) == 0 {
		t.Fatalf("nothing is kept under %s", prefix)
	}
	must(t, p.memory.Commit(gone))
}

// TestAttack_LyingRPC_Start: whatever one of two endpoints says of the things that a node asks for
// at its start, a node that has followed the Arena before starts. It agrees to nothing new until
// both say the same. A node that has nothing to defend yet does not start.
func TestAttack_LyingRPC_Start(t *testing.T) {
	t.Parallel()
	rules, seconds := world(t).Rules, ofSeconds(t)
	for name, c := range map[string]struct {
		liar   *liar
		forget string // what the store lacks, if anything: it was written by an earlier release
		says   string
		sees   bool // the node sees the chain for certain: the other endpoint counts alone
	}{
		"code":                        {codeLiar(t), "", "they differ about the code of account " + rules["toy"].Hex(), false},
		"code, never compared before": {codeLiar(t), "rules/", "they differ about the code of account " + rules["toy"].Hex(), false},
		"numbers of blocks":           {newLiar(t, "eth_call", "0x435f5260205ff3", "0x637fffffff5f5260205ff3"), "numbers/", "they differ about the numbers", false},
		"clock of the Arena":          {newLiar(t, "eth_call", inJSON(world(t).Arena), inJSON(seconds)), "", "they differ about what contract " + world(t).Arena.Hex(), false},
		"no Arena":                    {newLiar(t, "eth_call", inJSON(world(t).Arena), inJSON(common.Address{7})), "", "they differ about what contract", false},
		"chain":                       {newLiar(t, "eth_chainId", "eth_chainId", "eth_blockNumber"), "", "serves chain", true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, first := range []bool{false, true} {
				c.liar.lies.Store(true)
				tb, alice := emptyTable(t), join(t, nil)
				tb.blind(t, alice, false) // it has followed the chain
				must(t, alice.Close())
				if c.forget != "" {
					alice.forgets(t, c.forget)
				}
				fresh := alice.config
				if alice.config.Chain.Second = c.liar.at; first {
					alice.config.Chain.URL, alice.config.Chain.Second = c.liar.at, alice.config.Chain.URL
				}
				alice.start(t)
				tb.stands(t, alice, c.says, true)
				before := alice.Head().Block
				must(t, world(t).Chain.Mine(1))
				tb.wait(t, alice, func() bool { return alice.Head().Block > before })
				tb.blind(t, alice, !c.sees)
				c.liar.lies.Store(false)
				must(t, world(t).Chain.Mine(1))
				if !c.sees {
					tb.stands(t, alice, c.says, false)
				}
				tb.blind(t, alice, false)

				c.liar.lies.Store(true)
				other, err := world(t).Config(world(t).account())
				must(t, err)
				fresh.Store, fresh.Chain = other.Store, alice.config.Chain
				if n, err := node.Start(t.Context(), fresh); err == nil {
					must(t, n.Close())
					t.Error("a node that never followed this Arena starts")
				}
			}
		})
	}
}

// TestAttack_LyingRPC_Start_Defends: a node that an endpoint lies to at its start refutes an old
// ledger that was posted while it was away.
func TestAttack_LyingRPC_Start_Defends(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	tb.won(t)
	before := tb.free(t, alice)
	must(t, mallory.Close())
	must(t, alice.Close())
	contest := tb.contestOfFirst(t, mallory)
	tb.post(t, mallory.config.GasPayer, contest)
	alice.forgets(t, "rules/")
	liar := codeLiar(t)
	alice.config.Chain.Second = liar.at
	alice.start(t)
	tb.players = tb.players[:1]
	tb.mine(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
	tb.stands(t, alice, "they differ about the code", true)
}

// TestRulesThatDiffer: a node that has something to defend says why it plays nothing where both
// endpoints tell other code than it has, also when they tell nothing after a restart.
func TestRulesThatDiffer(t *testing.T) {
	t.Parallel()
	tb, alice := emptyTable(t), join(t, nil)
	one, two := codeLiar(t), codeLiar(t)
	tb.blind(t, alice, false)
	must(t, alice.Close())
	alice.config.Chain.URL, alice.config.Chain.Second = one.at, two.at
	alice.start(t)
	tb.stands(t, alice, "games.toy: "+world(t).Rules["toy"].Hex()+" has other code", true)
	tb.blind(t, alice, true)
	must(t, alice.Close())
	honest := alice.config.Chain
	alice.config.Chain.URL, alice.config.Chain.Second = newProxy(t, func(body []byte) []byte {
		if bytes.Contains(body, []byte("eth_getCode")) {
			return nil
		}
		return body
	}), ""
	alice.start(t)
	tb.stands(t, alice, "read the code of games.toy", true)
	tb.blind(t, alice, true)
	must(t, alice.Close())
	one.lies.Store(false)
	two.lies.Store(false)
	alice.config.Chain = honest
	alice.start(t)
	tb.stands(t, alice, "toy", false)
	tb.blind(t, alice, false)
}

// TestAttack_LyingRPC_Alone: a lone endpoint can say that the rules are where they aren't. Another
// lone one finds that out, and so does a second one. What two agreed on is not asked again.
func TestAttack_LyingRPC_Alone(t *testing.T) {
	t.Parallel()
	wrong := world(t).Rules["mastermind"]
	tb, liar := emptyTable(t), newLiar(t, "eth_getCode", inJSON(wrong), inJSON(world(t).Rules["toy"]))
	alice := join(t, func(c *node.Config) {
		c.Chain.URL, c.Rules = liar.at, map[string]common.Address{"toy": wrong}
	})
	tb.blind(t, alice, false)
	for _, change := range []func(c *chain.Config){
		func(c *chain.Config) { c.URL = world(t).URL },
		func(c *chain.Config) { c.URL, c.Second = liar.at, world(t).URL },
	} {
		must(t, alice.Close())
		change(&alice.config.Chain)
		alice.start(t)
		tb.stands(t, alice, wrong.Hex(), true)
		tb.blind(t, alice, true)
	}

	bob, asked := join(t, func(c *node.Config) { c.Chain.Second = newProxy(t, func(body []byte) []byte { return body }) }), codeLiar(t)
	tb.blind(t, bob, false)
	must(t, bob.Close())
	bob.config.Chain.URL = asked.at
	bob.start(t)
	before := bob.Head().Block
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, bob, func() bool { return bob.Head().Block > before })
	tb.blind(t, bob, false)
	if n := asked.asked.Load(); n > 0 || len(bob.Standing()) > 0 {
		t.Errorf("it asks %d times again, and says %v", n, bob.Standing())
	}
}

// TestAttack_LyingRPC_SecondLater: what one endpoint told while the other was down is asked again
// once both answer.
func TestAttack_LyingRPC_SecondLater(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	down.Store(true)
	second := newProxy(t, func(body []byte) []byte {
		if down.Load() {
			return nil
		}
		return body
	})
	wrong := world(t).Rules["mastermind"]
	liar := newLiar(t, "eth_getCode", inJSON(wrong), inJSON(world(t).Rules["toy"]))
	tb, alice := emptyTable(t), join(t, func(c *node.Config) {
		c.Chain.URL, c.Chain.Second, c.Rules = liar.at, second, map[string]common.Address{"toy": wrong}
	})
	tb.blind(t, alice, false)
	down.Store(false)
	must(t, world(t).Chain.Mine(1)) // at which it finds that the second one is there
	tb.stands(t, alice, "cannot reach the chain", false)
	must(t, world(t).Chain.Mine(1))
	tb.stands(t, alice, "they differ about the code of account "+wrong.Hex(), true)
	tb.blind(t, alice, true)
}

// TestAttack_LyingRPC_Start_Tower: a tower starts as a node does, says what is wrong until it is
// over, and follows the chain.
func TestAttack_LyingRPC_Start_Tower(t *testing.T) {
	t.Parallel()
	tb, liar := emptyTable(t), codeLiar(t)
	w := build(t, nil)
	w.until(t, tb, func() bool { return w.Head().Block > 0 })
	w.config.Chain.Second = liar.at
	w.restart(t)
	if err := w.Err(); !errors.As(err, new(*chain.Unproved)) || !strings.Contains(err.Error(), "they differ about the code") {
		t.Errorf("it says %v", err)
	}
	head := world(t).Chain.Head() + 1
	must(t, world(t).Chain.Mine(1))
	w.until(t, tb, func() bool { return w.Head().Block >= head })
	liar.lies.Store(false)
	must(t, world(t).Chain.Mine(1))
	w.until(t, tb, func() bool { return w.Err() == nil })

	liar.lies.Store(true)
	fresh := w.config
	c, err := world(t).Config(world(t).account())
	must(t, err)
	fresh.Store = c.Store
	if w, err := tower.Start(t.Context(), fresh); err == nil {
		must(t, w.Close())
		t.Error("a tower that never followed this Arena starts")
	}
}
