package node_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestChecklist_Mastermind_01_PublicAndPrivate: only who is named may join a private match; of
// several public ones any can be joined, that one or whichever fits.
func TestChecklist_Mastermind_01_PublicAndPrivate(t *testing.T) {
	t.Parallel()
	m := meet(t, 4, nil)
	alice, bob, carol, dave := m.players[0], m.players[1], m.players[2], m.players[3]
	mastermind := node.InviteRequest{Game: "mastermind", Params: []byte(`{"rounds":1}`), Least: *stake, Window: 20, Life: time.Hour}
	private := mastermind
	private.Guests = []common.Address{bob.Account()}
	secret, err := alice.Invite(m.ctx, private)
	must(t, err)
	seen := m.find(t, bob, 1)
	m.find(t, carol, 0)
	if _, err := carol.Join(m.ctx, seen[0], stake); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("carol joins what is for bob: %v", err)
	}
	// Carol's node may be changed to try it all the same.
	must(t, dev.Connect(m.ctx, carol.Node, alice.Node))
	must(t, carol.Network().Send(alice.Account(), message.Envelope(common.Hash{}, message.Bid{InviteID: secret, Number: 1, Stake: *stake})))
	_, err = bob.Join(m.ctx, seen[0], stake)
	must(t, err)
	if i := m.state(t, alice, secret, node.InvitePlayed); i.With != bob.Account() || len(i.Negotiations) != 1 {
		t.Errorf("alice plays with %s", i.With)
	}

	// Two public ones: the third player joins a given one, and the fourth whichever is left.
	mastermind.Params = nil
	first, err := alice.Invite(m.ctx, mastermind)
	must(t, err)
	second, err := bob.Invite(m.ctx, mastermind)
	must(t, err)
	list := m.find(t, carol, 2)
	at := slices.IndexFunc(list, func(i matchmaking.SignedInvite) bool { return i.ID(alice.Domain()) == second })
	_, err = carol.Join(m.ctx, list[at], stake)
	must(t, err)
	if i := m.state(t, bob, second, node.InvitePlayed); i.With != carol.Account() {
		t.Errorf("bob plays with %s", i.With)
	}
	got, err := dave.JoinAny(m.ctx, m.find(t, dave, 1), stake)
	must(t, err)
	if got != first {
		t.Errorf("dave joined %s", got)
	}
	m.state(t, alice, first, node.InvitePlayed)
}

// TestJoinAny: of the invites that are shown, one that takes the stake is joined, and none when
// none does.
func TestJoinAny(t *testing.T) {
	t.Parallel()
	m := meet(t, 3, nil)
	alice, bob, carol := m.players[0], m.players[1], m.players[2]
	small, err := alice.Invite(m.ctx, duel(new(uint256.Int).Rsh(stake, 1)))
	must(t, err)
	fits, err := bob.Invite(m.ctx, duel(stake))
	must(t, err)
	list := m.find(t, carol, 2)
	if got, err := carol.JoinAny(m.ctx, list, stake); err != nil || got != fits {
		t.Errorf("joined %s, %v; %s takes less", got, err, small)
	}
	if _, err := carol.JoinAny(m.ctx, list, ether); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("joined for a stake that nobody takes: %v", err)
	}
}

// TestJoinAnyOfGhosts: players who can't be reached, as a lobby invents any number of them, are
// tried a few times: each is looked for as long as the node runs.
func TestJoinAnyOfGhosts(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	_, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	ghost, before := m.find(t, bob, 1)[0], len(bob.Network().Peers())
	var list []matchmaking.SignedInvite
	for range 100 {
		secret, err := crypto.GenerateKey()
		must(t, err)
		key := protocol.NewKey(secret)
		ghost.Player = key.Address()
		ghost.Signature, err = key.Sign(ghost.ID(bob.Domain()))
		must(t, err)
		list = append(list, ghost)
	}
	if got, err := bob.JoinAny(m.ctx, list, stake); err == nil {
		t.Errorf("joined %s", got)
	}
	if now := len(bob.Network().Peers()); now > before+16 {
		t.Errorf("%d accounts are looked for, %d before", now, before)
	}
}

// TestJoinAnyUnseen: nobody has looked at what is joined by chance. So an invite whose parameters
// are not the usual ones is left: by these, all that the player stakes is the fee to start.
func TestJoinAnyUnseen(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	mallory, bob := m.players[0], m.players[1]
	bait := duel(stake)
	bait.Game, bait.Params = "sums-and-cows", fmt.Appendf(nil, `{"start":"%s","fee":"0","prize":"0"}`, stake.Dec())
	id, err := mallory.Invite(m.ctx, bait)
	must(t, err)
	shown := m.find(t, bob, 1)
	if got, err := bob.JoinAny(m.ctx, shown, stake); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("bob joined %s unseen: %v", got, err)
	}
	_, err = bob.Join(m.ctx, shown[0], stake) // who names it has seen it
	must(t, err)
	m.state(t, bob, id, node.InvitePlayed)
}

// TestChecklist_Mastermind_02_Cancel: an invite that nobody has joined can be cancelled: its place
// is free again, nothing was ever locked, and who joins it afterwards is refused, after a restart,
// too.
func TestChecklist_Mastermind_02_Cancel(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	var ids []common.Hash
	for range 8 {
		id, err := alice.Invite(m.ctx, duel(stake))
		must(t, err)
		ids = append(ids, id)
	}
	if _, err := alice.Invite(m.ctx, duel(stake)); !errors.Is(err, node.ErrBusy) {
		t.Errorf("a ninth invite: %v", err)
	}
	shown := m.find(t, bob, 8)
	must(t, alice.CancelInvite(ids[0], ""))
	m.find(t, bob, 7)
	if err := alice.CancelInvite(ids[0], ""); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("cancelled twice: %v", err)
	}
	_, err := alice.Invite(m.ctx, duel(stake)) // the place is free
	must(t, err)
	if got := m.free(t, alice); !got.Eq(ether) {
		t.Errorf("%s in the bank", got.Dec())
	}
	alice.restart(t)
	m.attend(t, alice)
	m.find(t, bob, 8)
	at := slices.IndexFunc(shown, func(i matchmaking.SignedInvite) bool { return i.ID(alice.Domain()) == ids[0] })
	late := shown[at]
	must(t, bob.Network().Keep(alice.Account(), alice.Network().Addresses()...))
	_, err = bob.Join(m.ctx, late, stake)
	must(t, err)
	if i := m.state(t, bob, ids[0], node.InviteEnded); !strings.Contains(i.Reason, "cancelled") {
		t.Errorf("the late join ends with %q", i.Reason)
	}
	m.state(t, alice, ids[0], node.InviteCancelled)
}

func TestInviteExpires(t *testing.T) {
	t.Parallel()
	m := meet(t, 1, nil)
	alice := m.players[0]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	m.find(t, m.lobby, 1)
	m.clock.ahead.Store(int64(2 * time.Hour))
	must(t, world(t).Chain.Mine(1))
	if i := m.state(t, alice, id, node.InviteEnded); i.Reason != "it expired" {
		t.Errorf("it ended with %q", i.Reason)
	}
	m.find(t, m.lobby, 0)
}

func TestBadInvites(t *testing.T) {
	t.Parallel()
	m := meet(t, 1, nil)
	alice := m.players[0]
	for name, c := range map[string]struct {
		change func(*node.InviteRequest)
		want   error
	}{
		"cheap":          {func(r *node.InviteRequest) { r.Least.SetOne() }, channel.ErrCheap},
		"dear":           {func(r *node.InviteRequest) { r.Most.Lsh(ether, 1) }, node.ErrFunds},
		"empty range":    {func(r *node.InviteRequest) { r.Most.Rsh(stake, 1) }, protocol.ErrTerms},
		"small deposit":  {func(r *node.InviteRequest) { r.Deposit.Rsh(stake, 1) }, protocol.ErrTerms},
		"short window":   {func(r *node.InviteRequest) { r.Window = dev.MinWindow - 1 }, protocol.ErrTerms},
		"for itself":     {func(r *node.InviteRequest) { r.Guests = []common.Address{alice.Account()} }, protocol.ErrTerms},
		"no such game":   {func(r *node.InviteRequest) { r.Game = "chess" }, nil},
		"bad parameters": {func(r *node.InviteRequest) { r.Game, r.Params = "mastermind", []byte(`{"pegs":99}`) }, nil},
	} {
		r := duel(stake)
		c.change(&r)
		if _, err := alice.Invite(m.ctx, r); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if list, err := alice.Invites(); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
