package node_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// fleet is how everybody places ships in these tests. In the last two rows of the board there are
// none.
const fleet = "a1-a4 c1-c3 e1-e3 g1-g2 h4-h5 c5-c6 e5-e6"

// battle has the first two players of a table start a match of Battleships, and returns who shoots
// first.
func (tb *table) battle(t *testing.T) (id common.Hash, shooter, other *player) {
	t.Helper()
	id = tb.match(t, "battleships", "")
	alice, bob := tb.players[0], tb.players[1]
	tb.play(t, alice, id, fleet)
	tb.play(t, bob, id, fleet)
	shot := protocol.Turn(3) // after commitment, call and coin
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { m, err := p.Match(id); return err == nil && m.Turn >= shot })
	}
	if m, err := alice.Match(id); err != nil || int(m.Mover) == m.Seat {
		return id, alice, bob
	}
	return id, bob, alice
}

// aims reports whether a player is asked for a shot.
func (tb *table) aims(p *player, id common.Hash) bool {
	m, err := p.Match(id)
	return err == nil && m.MayMove && strings.HasPrefix(m.Ask, "Your shot")
}

// shoot types a shot, or what else can be typed in its place, once the player is asked for it.
func (tb *table) shoot(t *testing.T, p *player, id common.Hash, text string) {
	t.Helper()
	tb.wait(t, p, func() bool { return tb.aims(p, id) })
	must(t, p.Play(id, text))
}

// pass lets time pass on the chain until something is true: block by block, each when all have done
// what they do about the one before.
func (tb *table) pass(t *testing.T, ready func() bool) {
	t.Helper()
	for !ready() {
		must(t, world(t).Chain.Mine(1))
		head := world(t).Chain.Head()
		for _, p := range tb.players {
			err := p.Wait(tb.ctx, func() (bool, error) { return p.Head().Block >= head, nil })
			if !errors.Is(err, node.ErrClosed) {
				must(t, err)
			}
		}
	}
}

// worth fails unless a player's bank holds what it held before, and the channel's deposit, and so
// many stakes more.
func (tb *table) worth(t *testing.T, p *player, before *uint256.Int, stakes int) {
	t.Helper()
	want := new(uint256.Int).Add(before, ether)
	switch stakes {
	case 1:
		want.Add(want, stake)
	case -1:
		want.Sub(want, stake)
	}
	if got := tb.free(t, p); !got.Eq(want) {
		t.Errorf("%s has %s in the bank, want %s", p.Account(), got.Dec(), want.Dec())
	}
}

// TestChecklist_Battleships_01_OpenAndJoin: a match waits for anybody but whoever created it, who
// can end that alone, as time does; neither moves any money. Whoever joins plays.
func TestChecklist_Battleships_01_OpenAndJoin(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	battle := node.InviteRequest{Game: "battleships", Least: *stake, Window: 20, Life: time.Hour}
	aborted, err := alice.Invite(m.ctx, battle)
	must(t, err)
	battle.Life = 2 * time.Hour
	lapses, err := alice.Invite(m.ctx, battle)
	must(t, err)
	shown := m.find(t, bob, 2)
	for _, own := range shown {
		if _, err := alice.Join(m.ctx, own, stake); !errors.Is(err, node.ErrUnknownInvite) {
			t.Errorf("alice joins herself: %v", err)
		}
	}
	must(t, alice.CancelInvite(aborted, ""))
	m.find(t, bob, 1)
	m.clock.ahead.Store(int64(battle.Life))
	must(t, world(t).Chain.Mine(1))
	m.state(t, alice, lapses, node.InviteEnded)
	m.state(t, alice, aborted, node.InviteCancelled)
	m.find(t, bob, 0)
	for _, late := range shown {
		if _, err := bob.Join(m.ctx, late, stake); !errors.Is(err, node.ErrUnknownInvite) {
			t.Errorf("bob joins what is over: %v", err)
		}
	}
	for _, p := range m.players {
		sent, err := p.Transactions(100)
		must(t, err)
		// what put an ether into the bank
		if free := m.free(t, p); !free.Eq(ether) || len(sent) != 1 {
			t.Errorf("%s in the bank after %d transactions", free.Dec(), len(sent))
		}
	}

	joined, err := alice.Invite(m.ctx, battle)
	must(t, err)
	at := slices.IndexFunc(m.find(t, bob, 1), func(i matchmaking.SignedInvite) bool { return i.ID(alice.Domain()) == joined })
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[at], stake)
	must(t, err)
	for _, p := range m.players {
		m.state(t, p, joined, node.InvitePlayed)
	}
	for _, match := range m.started(t, alice, bob) {
		if match.Game != "battleships" || !match.Terms.Stakes[0].Eq(stake) || !match.Terms.Stakes[1].Eq(stake) {
			t.Errorf("they play %s for %v", match.Game, match.Terms.Stakes)
		}
	}
}

// lastWords is a network on which a node says nothing more once it has conceded.
type lastWords struct {
	node.Network
	said atomic.Bool
}

func (w *lastWords) Send(to common.Address, env *antev1.Envelope) error {
	if w.said.Load() {
		return transport.ErrNotConnected
	}
	if _, m, err := message.FromEnvelope(env); err == nil {
		if _, conceded := m.(message.AgreementSignature); conceded {
			w.said.Store(true)
		}
	}
	return w.Network.Send(to, env)
}

// TestChecklist_Battleships_14_LossDeclared: one message that declares the loss is all the winner
// needs. Whoever sent it is never heard of again, and the winner alone has the chain pay.
func TestChecklist_Battleships_14_LossDeclared(t *testing.T) {
	t.Parallel()
	last, hers := new(lastWords), new(clock)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Now = hers.now
			return
		}
		dev.Wrap(c, func(net node.Network) node.Network { last.Network = net; return last })
	})
	alice, bob := tb.players[0], tb.players[1]
	before := tb.free(t, alice)
	id, _, _ := tb.battle(t)
	must(t, bob.Concede(id))
	tb.event(t, alice, node.MatchAgreed)
	must(t, bob.Close())
	tb.pass(t, func() bool {
		hers.ahead.Add(int64(time.Minute))
		c, err := alice.Channel(tb.channel)
		return err == nil && c.Status == node.ChannelEnded
	})
	r, err := alice.Result(id)
	must(t, err)
	if r.Won() != 1 || r.Guilty != 0 || r.Reason != "agreed" {
		t.Errorf("alice: %d, guilty %b, %q", r.Won(), r.Guilty, r.Reason)
	}
	tb.worth(t, alice, before, 1)
}

// TestChecklist_Battleships_15_Disputes: bob's node is not heard. What he owes is disputed and his
// node resolves it on the chain; from there the match goes on, is disputed again, and resolved
// again; then he is gone, and the clock that his own answer left running expires.
func TestChecklist_Battleships_15_Disputes(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice, bob := tb.players[0], tb.players[1]
	before := []*uint256.Int{tb.free(t, alice), tb.free(t, bob)}
	id, shooter, _ := tb.battle(t)
	if shooter == bob {
		tb.shoot(t, bob, id, "h8") // misses, and alice's node says so
	}
	tb.wait(t, alice, func() bool { return tb.aims(alice, id) })
	shut.Store(true)
	record := func(turn protocol.Turn) protocol.Record {
		t.Helper()
		tb.pass(t, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == turn })
		d, err := alice.Dispute(tb.ctx, tb.channel, nil)
		must(t, err)
		if r := d.Records[id]; r.Turn != protocol.MarkOf(turn) || r.Status != protocol.MatchLive {
			t.Fatalf("recorded: %+v, want turn %s", r, turn)
		}
		return d.Records[id]
	}
	m, err := alice.Match(id)
	must(t, err)
	tb.shoot(t, alice, id, "a1") // hits, and it is alice's turn again
	if r := record(m.Turn + 2); r.Clock != 0 {
		t.Errorf("a clock runs after the answer: %+v", r)
	}
	tb.shoot(t, alice, id, "g8") // misses, and it is bob's
	// Bob's node takes its time: from its answer on the clock is bob's again.
	if r := record(m.Turn + 4); r.Clock == 0 || int(r.Mover) != 1 {
		t.Errorf("no clock runs for bob after his answer: %+v", r)
	}
	must(t, bob.Close())
	tb.mine(t)
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() != 1 || r.Reason != "silence" || r.Guilty != 0 {
		t.Errorf("alice: %d, guilty %b, %q", r.Won(), r.Guilty, r.Reason)
	}
	tb.exit(t, alice)
	must(t, alice.Closed(tb.ctx, tb.channel))
	bob.start(t)
	must(t, bob.Closed(tb.ctx, tb.channel))
	tb.worth(t, alice, before[0], 1)
	tb.worth(t, bob, before[1], -1)
}

// TestChecklist_Battleships_19_MutedTransport: nothing that bob's node says arrives, shots and
// answers alike. Alice's node has all of it from the chain, and the match goes on; and when he is
// heard again, off the chain, to its end: who opens the board before having hit everything loses.
func TestChecklist_Battleships_19_MutedTransport(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice, bob := tb.players[0], tb.players[1]
	before := []*uint256.Int{tb.free(t, alice), tb.free(t, bob)}
	id, shooter, other := tb.battle(t)
	shut.Store(true)
	for _, miss := range []string{"a8", "b8"} { // each misses twice, and so passes the turn
		tb.shoot(t, shooter, id, miss)
		tb.shoot(t, other, id, miss)
	}
	tb.pass(t, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == 3+4*2 })
	d, err := alice.Dispute(tb.ctx, tb.channel, nil)
	must(t, err)
	if r := d.Records[id]; r.Turn < protocol.MarkOf(3+4*2-2) { // all that bob's node said so far
		t.Errorf("recorded: %+v", r)
	}
	shut.Store(false)
	tb.shoot(t, shooter, id, "c8")
	tb.shoot(t, other, id, "c8")
	tb.shoot(t, shooter, id, "reveal")
	tb.mine(t)
	for i, p := range tb.players {
		r, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		won := 1
		if p == shooter {
			won = -1
		}
		if r.Won() != won || !strings.Contains(r.Reason, "early reveal") || r.Guilty != 0 {
			t.Errorf("seat %d: %d, guilty %b, %q", i, r.Won(), r.Guilty, r.Reason)
		}
	}
	tb.exit(t, alice)
	for i, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
		won := 1
		if p == shooter {
			won = -1
		}
		tb.worth(t, p, before[i], won)
	}
}
