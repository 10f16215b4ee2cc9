package node_test

import (
	"crypto/sha256"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// watchtower is a tower of a test, which can be restarted on its store.
type watchtower struct {
	*tower.Tower
	config tower.Config
	memory *store.Memory
}

// build makes a tower with an account of its own.
func build(t testing.TB, change func(*tower.Config)) *watchtower {
	t.Helper()
	key := world.Chain.Key(int(accounts.Add(1)))
	seed := sha256.Sum256(crypto.FromECDSA(key))
	identity, err := p2p.IdentityFromSeed(seed[:])
	must(t, err)
	w := &watchtower{memory: store.NewMemory()}
	w.config = tower.Config{
		Store: w.memory, Chain: chain.Config{URL: world.URL}, Arena: world.Arena, From: world.From,
		Key: channel.NewKey(key), Wallet: chain.KeySigner(key), Games: world.Games, Rules: world.Rules,
		Network: func(d channel.Domain, h transport.Handler) (tower.Network, error) {
			return p2p.New(p2p.Config{Identity: identity, Signer: channel.NewKey(key), Domain: d, Handler: h})
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

func (w *watchtower) start(t testing.TB) {
	t.Helper()
	var err error
	w.Tower, err = tower.Start(t.Context(), w.config)
	must(t, err)
}

// restart stops the tower and starts it on what its store holds.
func (w *watchtower) restart(t testing.TB) {
	t.Helper()
	must(t, w.Close())
	w.memory = w.memory.Reopen()
	w.config.Store = w.memory
	w.start(t)
}

// until waits until something is true for the tower.
func (w *watchtower) until(t testing.TB, tb *table, ready func() bool) {
	t.Helper()
	must(t, w.Wait(tb.ctx, func() (bool, error) { return ready(), nil }))
}

// trust has a player's node give everything to the tower.
func (p *player) trust(t testing.TB, w *watchtower) {
	t.Helper()
	must(t, p.AddTower(w.Account(), w.Network().Addresses()...))
}

// entrusted waits until the tower has confirmed all that a player's node holds of the channel, from a version on, and
// returns the receipt.
func (tb *table) entrusted(t testing.TB, p *player, version uint64) (e node.Entrusted) {
	t.Helper()
	tb.wait(t, p, func() bool {
		for _, w := range p.Towers() {
			for _, e = range w.Channels {
				if e.Channel == tb.channel && !e.Behind && e.Version >= version {
					return true
				}
			}
		}
		return false
	})
	return e
}

// passTime lets time pass on the chain, each block when the tower has done what it does about the one before, until the test is
// over.
func (tb *table) passTime(t *testing.T, w *watchtower) {
	var done sync.WaitGroup
	stop := make(chan struct{})
	done.Go(func() {
		for {
			err := w.Wait(tb.ctx, func() (bool, error) { return w.Head().Block >= world.Chain.Head(), nil })
			select {
			case <-stop:
				return
			default:
			}
			if err != nil || world.Chain.Mine(1) != nil {
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

// TestAttack_StaleLedger_Tower: alice sleeps when mallory contests with the first ledger. Her tower refutes it and pays out.
func TestAttack_StaleLedger_Tower(t *testing.T) {
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "win 0")
	_, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	booked := tb.version(t, alice)
	receipt := tb.entrusted(t, alice, booked)
	must(t, receipt.Signature.Verify(receipt.Digest(alice.Domain(), tb.channel, 0), w.Account()))
	before := tb.free(t, alice)
	must(t, alice.Close())
	must(t, mallory.Close())
	contestFirst(t, tb, mallory)
	tb.passTime(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 0 }) // paid out, and forgotten
	alice.restart(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	want := new(uint256.Int).Add(before, ether)
	if got := tb.free(t, alice); !got.Eq(want.Add(want, stake)) {
		t.Errorf("alice has %s, want %s", got.Dec(), want.Dec())
	}
	mallory.start(t)
}
