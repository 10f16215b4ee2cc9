package node_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/nodetest"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_Crash_Round kills first the house of rounds of split or steal, then a player of them:
// at commits all through a round, from the registration over the pairing and the match to the
// payout. It is started again on what was durable; every round ends as the matrix says, and the
// house signs nothing twice.
func TestAttack_Crash_Round(t *testing.T) {
	t.Parallel()
	const crashes = 6 // of each
	said := nodetest.NewWitness()
	tb := salonOf(t, said.Tap, "split", "steal")
	for seat, who := range []string{"house", "player"} {
		v := &victim{table: tb, player: tb.players[seat], trap: new(trap)}
		v.revive(t)
		v.trap.set(never, false)
		v.round(t)
		commits := v.trap.passed(never)
		for i := range crashes {
			v.crashed = v.trap.set(1+commits*i/crashes, i%2 == 1)
			v.round(t)
		}
		if v.crashes < crashes-1 { // a round may have a few commits less than the first
			t.Errorf("the %s died %d times only", who, v.crashes)
		}
		t.Logf("a round takes about %d commits of a %s, which died %d times", commits, who, v.crashes)
	}
	for _, what := range said.Accusations() {
		t.Error(what)
	}
}

// never is more commits than a round takes.
const never = 1 << 30

// victim is a player at a table whose node may die at any moment.
type victim struct {
	*table
	player  *player
	trap    *trap
	crashed <-chan struct{} // closed when it has died; nil when it can't
	crashes int
}

// revive starts the node again on what was durable, and has all know where it is now.
func (v *victim) revive(t *testing.T) {
	t.Helper()
	if v.crashed != nil {
		v.crashes++
	}
	v.crashed = nil
	must(t, v.player.Close())
	// what is said to it while its connection seems to be there is lost
	for _, p := range v.players {
		for p != v.player && connected(p, v.player.Account()) {
			must(t, v.ctx.Err())
			time.Sleep(time.Millisecond)
		}
	}
	v.player.spring(t, v.trap)
	for _, p := range v.players {
		if p != v.player {
			must(t, dev.Connect(v.ctx, p.Node, v.player.Node))
		}
	}
	for _, p := range v.players[1:] { // again, in case that the question was lost
		must(t, v.ask(p))
	}
}

// connected reports whether a player's node takes an account for connected.
func connected(p *player, account common.Address) bool {
	return slices.ContainsFunc(p.Network().Peers(), func(peer transport.Peer) bool { return peer.Account == account && peer.Connected })
}

// ask has a player ask the house for its rounds, and does not wait for the answer, which may get
// lost. A connection to the process that died may end only now.
func (v *victim) ask(p *player) error {
	ctx, cancel := context.WithCancel(v.ctx)
	cancel()
	for {
		switch err := p.AskRounds(ctx, v.players[0].Account()); {
		case errors.Is(err, context.Canceled):
			return nil
		case !errors.Is(err, transport.ErrNotConnected):
			return err
		}
		if err := dev.Connect(v.ctx, p.Node, v.players[0].Node); err != nil {
			return err
		}
	}
}

// do does something until it succeeds; it may fail because the node died.
func (v *victim) do(t *testing.T, what func() error) {
	t.Helper()
	for {
		err := what()
		if !isClosed(v.crashed) {
			must(t, err)
			return
		}
		v.revive(t)
	}
}

// until waits until something is true for a player, across a crash.
func (v *victim) until(t *testing.T, p *player, ready func() bool) {
	t.Helper()
	v.do(t, func() error {
		defer v.explain(t)
		ctx, cancel := context.WithCancel(v.ctx)
		defer cancel()
		crashed := v.crashed
		go func() {
			select {
			case <-crashed:
				cancel()
			case <-ctx.Done():
			}
		}()
		return p.Wait(ctx, func() (bool, error) { return ready(), nil })
	})
}

// explain says how everybody's rounds stand when it has waited in vain.
func (v *victim) explain(t *testing.T) {
	t.Helper()
	if v.ctx.Err() == nil {
		return
	}
	for _, p := range v.players {
		rounds, err := p.Rounds()
		t.Errorf("%s: %v", p.Account(), err)
		for _, r := range rounds[max(0, len(rounds)-2):] {
			t.Errorf("%s %s, own %v, entries %d, trouble %q", r.ID.TerminalString(), r.State(), r.Own != nil, len(r.Entries), r.Trouble)
		}
		for _, peer := range p.Network().Peers() {
			t.Errorf("peer %s connected %v, %v", peer.Account, peer.Connected, peer.Err)
		}
	}
}

// round plays a round to its end, in which the first player splits and the second steals.
func (v *victim) round(t *testing.T) {
	t.Helper()
	house, bet := v.players[0], uint256.NewInt(1e16)
	before := v.banks(t)
	var id common.Hash
	v.do(t, func() (err error) {
		head := world(t).Chain.Head()
		id, err = house.OpenRound(node.RoundRequest{
			Game: splitsteal.Name, Named: v.accounts(), Least: *uint256.NewInt(1e15), Most: *bet, Window: 100, Closes: head + 10, Shuffle: head + 20,
		})
		return err
	})
	in := func(p *player, state string) func() bool {
		return func() bool { r, err := p.Round(id); return err == nil && r.State() == state }
	}
	for _, p := range v.players[1:] {
		v.do(t, func() error { return v.ask(p) })
		v.until(t, p, func() bool { _, err := p.Round(id); return err == nil })
		v.do(t, func() error { return p.Register(v.ctx, id, bet, nobody) })
	}
	for _, p := range v.players {
		v.until(t, p, func() bool { r, err := p.Round(id); return err == nil && len(r.Entries) == 2 })
	}
	terms, err := v.players[2].Round(id)
	must(t, err)
	must(t, world(t).Chain.Mine(int(terms.Terms.Closes-world(t).Chain.Head())))
	for _, p := range v.players {
		v.until(t, p, in(p, "sealed"))
	}
	for done, blocks := false, 0; !done && !t.Failed(); blocks++ {
		must(t, world(t).Chain.Mine(1))
		head := world(t).Chain.Head()
		done = true
		for _, p := range v.players {
			v.until(t, p, func() bool { return p.Head().Block >= head })
			r, err := p.Round(id)
			if blocks > 2000 {
				t.Errorf("after %d blocks %s has %s, %+v, trouble %q, error %v", blocks, p.Account(), r.State(), r.Groups, r.Trouble, err)
				for _, g := range r.Groups {
					c, err := p.Channel(g.Channel)
					t.Errorf("its channel is %+v, %v", c, err)
				}
				results, err := p.Results()
				t.Errorf("its newest result is %+v, %v; standing alarms %+v", results[max(0, len(results)-1):], err, p.Standing())
			}
			done = done && err == nil && len(r.Groups) == 1 && r.Groups[0].State == node.GroupDone
		}
	}
	const won = 75e14 // three quarters of the other's bet
	for i, free := range v.banks(t) {
		want := new(uint256.Int).Set(before[i])
		switch i {
		case 1:
			want.Sub(want, uint256.NewInt(won))
		case 2:
			want.Add(want, uint256.NewInt(won))
		}
		if !free.Eq(want) {
			t.Errorf("seat %d has %s in the bank, want %s", i, free.Dec(), want.Dec())
		}
	}
}

// TestAttack_Crash_Round_Missed: a player's node dies when it has accepted its channel, and comes
// back when that is paid out. Its part of the round ends like everybody's.
func TestAttack_Crash_Round_Missed(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 1e17)
	tb.seal(t, id)
	tb.mine(t)
	tb.pairs(t, id, node.GroupDone)
	for _, p := range tb.players {
		// as it was when the node died
		must(t, p.EditRound(id, func(r *node.Round) { r.Groups[0].State = node.GroupOffered }))
	}
	tb.pairs(t, id, node.GroupDone)
}
