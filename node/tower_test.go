package node_test

import (
	"crypto/sha256"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// testTower is a tower of a test, which can be restarted on its store.
type testTower struct {
	*tower.Tower
	config tower.Config
	memory *store.Memory
}

// build makes a tower with an account of its own.
func build(t testing.TB, change func(*tower.Config)) *testTower {
	t.Helper()
	key := world(t).Chain.Key(world(t).account())
	seed := sha256.Sum256(crypto.FromECDSA(key))
	identity, err := p2p.IdentityFromSeed(seed[:])
	must(t, err)
	w := &testTower{memory: store.NewMemory()}
	w.config = tower.Config{
		Store: w.memory, Chain: chain.Config{URL: world(t).URL}, Arena: world(t).Arena, From: world(t).From,
		Key: protocol.NewKey(key), GasPayer: chain.KeySigner(key), Games: world(t).Games, Rules: world(t).Rules,
		Network: func(d protocol.Domain, h transport.Handler) (tower.Network, error) {
			return p2p.New(p2p.Config{Identity: identity, Signer: protocol.NewKey(key), Domain: d, Handler: h})
		},
		Policy: tower.Policy{Confirmations: 1, Poll: 20 * time.Millisecond},
	}
	if change != nil {
		change(&w.config)
	}
	w.start(t)
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

func (w *testTower) start(t testing.TB) {
	t.Helper()
	var err error
	w.Tower, err = tower.Start(t.Context(), w.config)
	must(t, err)
}

// restart stops the tower and starts it on what its store holds.
func (w *testTower) restart(t testing.TB) {
	t.Helper()
	must(t, w.Close())
	w.memory = w.memory.Reopen()
	w.config.Store = w.memory
	w.start(t)
}

// until waits until something is true for the tower.
func (w *testTower) until(t testing.TB, tb *table, ready func() bool) {
	t.Helper()
	must(t, w.Wait(tb.ctx, func() (bool, error) { return ready(), nil }))
}

// trust has a player's node give everything to the tower.
func (p *player) trust(t testing.TB, w *testTower) {
	t.Helper()
	must(t, p.AddTower(w.Account(), w.Network().Addresses()...))
}

// entrusted waits until the tower has confirmed that it holds a version of the channel's ledger, or
// a later one, and returns what it confirmed.
func (tb *table) entrusted(t testing.TB, p *player, version uint64) node.Entrusted {
	t.Helper()
	return tb.confirmed(t, p, func(e *node.Entrusted) bool { return e.Version >= version })
}

// confirmed waits for a receipt.
func (tb *table) confirmed(t testing.TB, p *player, ready func(*node.Entrusted) bool) (e node.Entrusted) {
	t.Helper()
	tb.wait(t, p, func() bool {
		for _, w := range p.Towers() {
			for _, e = range w.Channels {
				if e.Channel == tb.channel && ready(&e) {
					return true
				}
			}
		}
		return false
	})
	return e
}

// passTime lets time pass on the chain, each block when the tower has done what it does about the
// one before, until the test is over.
func (tb *table) passTime(t *testing.T, w *testTower) {
	var done sync.WaitGroup
	stop := make(chan struct{})
	done.Go(func() {
		for {
			err := w.Wait(tb.ctx, func() (bool, error) { return w.Head().Block >= world(t).Chain.Head(), nil })
			select {
			case <-stop:
				return
			default:
			}
			if err != nil || world(t).Chain.Mine(1) != nil {
				return
			}
		}
	})
	t.Cleanup(func() { close(stop); done.Wait() })
}

// version is that of a player's newest ledger.
func (tb *table) version(t testing.TB, p *player) uint64 {
	t.Helper()
	c, err := p.Channel(tb.channel)
	must(t, err)
	return c.Ledger.Version
}

// TestAttack_StaleLedger_Tower: alice sleeps when mallory contests with the first ledger. Her tower
// refutes it and pays out.
func TestAttack_StaleLedger_Tower(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	tb.won(t)
	booked := tb.version(t, alice)
	receipt := tb.entrusted(t, alice, booked)
	must(t, receipt.Signature.Verify(receipt.Digest(alice.Domain(), tb.channel, 0), w.Account()))
	tb.wonAsleep(t, w, tb.free(t, alice))
	mallory.start(t)
}

// wonAsleep has both players leave, the second contest with the first ledger, and the first's tower
// get it the stake of a match, beside the deposit and what it had in the bank before.
func (tb *table) wonAsleep(t *testing.T, w *testTower, before *uint256.Int) {
	t.Helper()
	alice, mallory := tb.players[0], tb.players[1]
	must(t, alice.Close())
	must(t, mallory.Close())
	contestFirst(t, tb, mallory)
	tb.passTime(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 0 }) // paid out, and forgotten
	alice.restart(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
}

// TestAttack_StalePosition_Tower: alice moved and sleeps. Mallory posts the position before that
// and demands her move. Her tower shows that she made it.
func TestAttack_StalePosition_Tower(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.play(t, mallory, id, "pass 0")
	stale, err := mallory.Match(id)
	must(t, err)
	tb.play(t, alice, id, "pass 1")
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Turn >= protocol.MarkOf(3) })
	must(t, alice.Close())
	must(t, mallory.Close())
	post(t, tb, mallory, func(c *node.Channel, key protocol.Signer, d protocol.Domain) onchain.Action {
		demand, err := key.Sign(protocol.Demand{MatchID: id, Turn: stale.Support.Last()}.Digest(d))
		must(t, err)
		return onchain.Advance{Terms: c.Terms, Ledger: stale.Ledger, Match: stale.Terms, Support: *stale.Support, Demand: &demand}
	})
	w.until(t, tb, func() bool {
		done, err := w.Transactions(10)
		must(t, err)
		return len(done) > 0 && done[0].Progress > chain.Waiting
	})
	alice.restart(t)
	var m node.Table
	tb.wait(t, alice, func() bool {
		m, err = alice.Match(id)
		return err == nil && m.Record != nil && m.Record.Turn == protocol.MarkOf(3)
	})
	if m.Record.Deadline != 0 || m.Record.Mover != 1 {
		t.Errorf("recorded: %+v", m.Record)
	}
	mallory.start(t)
}

// TestTowerHearsOfADisputeLate: evidence that comes when the older is contested already is used at
// once, after a restart too.
func TestTowerHearsOfADisputeLate(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	tb.won(t)
	booked := tb.version(t, alice)
	must(t, mallory.Close())
	contestFirst(t, tb, mallory)
	w.until(t, tb, func() bool { return w.Head().Block >= world(t).Chain.Head() })
	w.restart(t)
	alice.trust(t, w)
	tb.entrusted(t, alice, booked)
	must(t, alice.Close())
	tb.passTime(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 0 })
	alice.restart(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	mallory.start(t)
}

// TestAttack_HiddenNewer_Tower: alice lost her whole store, and her peer is gone with what it
// knows. Her tower shows her the newest ledger, and she leaves with that.
func TestAttack_HiddenNewer_Tower(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	tb.won(t)
	booked := tb.version(t, alice)
	tb.entrusted(t, alice, booked)
	before := tb.free(t, alice)
	must(t, mallory.Close())
	must(t, alice.Close())
	alice.memory = store.NewMemory()
	alice.config.Store = alice.memory
	alice.start(t)
	tb.wait(t, alice, func() bool { return len(alice.Channels()) == 1 })
	alice.trust(t, w)
	tb.wait(t, alice, func() bool { return tb.version(t, alice) == booked })
	must(t, alice.Exit(tb.ctx, tb.channel))
	tb.passTime(t, w)
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
	mallory.start(t)
}

// TestAttack_OldBackup_Tower: alice puts an old copy of her store back and does not say so. Her
// tower shows what she signed since: she signs nothing more in that channel, and plays on in new
// ones.
func TestAttack_OldBackup_Tower(t *testing.T) {
	t.Parallel()
	for name, since := range map[string]func(t *testing.T, tb *table, alice *player, id common.Hash) (turn protocol.Mark){
		"the store was opened": func(t *testing.T, _ *table, alice *player, _ common.Hash) protocol.Mark {
			alice.restart(t)
			return 0
		},
		"a position was signed": func(t *testing.T, tb *table, alice *player, id common.Hash) protocol.Mark {
			tb.play(t, alice, id, "pass 1")
			return protocol.MarkOf(1)
		},
		"a ledger was signed": func(t *testing.T, tb *table, alice *player, id common.Hash) protocol.Mark {
			tb.play(t, alice, id, "win 0")
			_, err := alice.Finished(tb.ctx, tb.channel, 1)
			must(t, err)
			return 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := build(t, nil)
			tb := sit(t, 2, nil)
			alice := tb.players[0]
			alice.trust(t, w)
			id := tb.match(t, "toy", "")
			tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Agreed > 0 })
			old := backup(t, alice.memory)
			turn := since(t, tb, alice, id)
			generation, err := store.Generation(alice.memory)
			must(t, err)
			alice.trust(t, w)
			version := tb.version(t, alice)
			tb.confirmed(t, alice, func(e *node.Entrusted) bool {
				return e.Version >= version && e.Mark.Generation == generation && e.Match(id).Turn >= turn
			})
			must(t, tb.players[1].Close()) // who could show it, too
			must(t, alice.Close())
			alice.memory, alice.config.Store = old, old
			alice.start(t)
			c, err := alice.Channel(tb.channel)
			must(t, err)
			if c.Restored {
				t.Fatal("it knows without its tower")
			}
			alice.trust(t, w)
			tb.wait(t, alice, func() bool { c, err = alice.Channel(tb.channel); return err == nil && c.Restored })
			tb.wait(t, alice, func() bool {
				m, err := alice.Match(id)
				return tb.version(t, alice) == version && (turn == 0 || err == nil && protocol.MarkOf(m.Turn) == turn)
			})
			if e := tb.event(t, alice, node.Alarm); !strings.Contains(e.Text, "old copy") {
				t.Errorf("alarm: %s", e.Text)
			}
			alice.restart(t)
			if c, err = alice.Channel(tb.channel); err != nil || !c.Restored {
				t.Errorf("forgotten in a restart: %v", err)
			}
			restored, err := store.Restored(alice.memory)
			must(t, err)
			if generation, err = store.Generation(alice.memory); err != nil || generation <= restored {
				t.Errorf("what begins in generation %d would count as restored in %d: %v", generation, restored, err)
			}
		})
	}
}
