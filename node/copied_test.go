package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/store"
)

// frozen waits until a player's channel is frozen, and checks that it says so: by an alarm that
// stands, on the board, and to whoever plays on.
func (tb *table) frozen(t *testing.T, p *player) {
	t.Helper()
	tb.wait(t, p, func() bool { c, err := p.Channel(tb.channel); return err == nil && c.Restored })
	tb.standing(t, p, "a signature of yours", true)
	if err := p.CloseChannel(tb.channel); !errors.Is(err, channel.ErrRestored) {
		t.Errorf("a close: %v", err)
	}
}

// contested waits until a player sees the channel contested on the chain.
func (tb *table) contested(t *testing.T, p *player) {
	t.Helper()
	tb.wait(t, p, func() bool { d, err := p.Dispute(tb.ctx, tb.channel, nil); return err == nil && d.Contest != nil })
}

// TestAttack_OldBackup_Peer: an old copy of alice's store plays on, and signs another move at a
// turn that bob has already. No tower watches. When bob hears of it, the copy freezes, and stays so
// after a restart. The channel can still be left.
func TestAttack_OldBackup_Peer(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	old := backup(t, alice.memory)
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, bob, func() bool { m, err := bob.Match(id); return err == nil && m.Turn == 1 })
	must(t, bob.Close())
	must(t, alice.Close())
	alice.memory, alice.config.Store = old, old
	alice.start(t)
	tb.play(t, alice, id, "pass 0")
	bob.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.frozen(t, alice)
	alice.restart(t)
	tb.standing(t, alice, "frozen before the node started", true)
	must(t, alice.Exit(tb.ctx, tb.channel))
	tb.contested(t, alice)
}

// TestAttack_TwoCopies: a copy of alice's store is started while the original runs. Each moves at
// the same turn. The one whose move comes second freezes.
func TestAttack_TwoCopies(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	other := &player{config: alice.config, memory: backup(t, alice.memory)}
	other.config.Store = other.memory
	other.start(t)
	t.Cleanup(func() { must(t, other.Close()) })
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, bob, func() bool { m, err := bob.Match(id); return err == nil && m.Turn == 1 })
	_ = other.Play(id, "pass 0") // refused if bob was heard first
	must(t, dev.Connect(tb.ctx, other.Node, bob.Node))
	tb.frozen(t, other)
}

// TestAttack_OldBackup_ReadAtOnce: alice's store is lost while a contest of her channel runs. A new
// one reads the opening and the contest in one go, and knows of both.
func TestAttack_OldBackup_ReadAtOnce(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.Close())
	must(t, bob.Exit(tb.ctx, tb.channel))
	tb.contested(t, bob)
	alice.memory = store.NewMemory()
	alice.config.Store = alice.memory
	alice.start(t)
	tb.wait(t, alice, func() bool { c, err := alice.Channel(tb.channel); return err == nil && c.Restored })
	tb.contested(t, alice)
}
