package node_test

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// muzzle is a network on which a node can be made to say nothing any more.
type muzzle struct {
	node.Network
	shut *atomic.Bool
}

func (m muzzle) Send(to common.Address, env *antev1.Envelope) error {
	if m.shut.Load() {
		return transport.ErrNotConnected
	}
	return m.Network.Send(to, env)
}

// silence muzzles a player's network once it is shut.
func silence(c *node.Config, shut *atomic.Bool) {
	dev.Wrap(c, func(net node.Network) node.Network { return muzzle{net, shut} })
}

// sitWithSilent makes a table whose second player can be silenced. The first has little patience,
// from then on.
func sitWithSilent(t *testing.T) (*table, *atomic.Bool) {
	shut := new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			hasty(c, shut.Load)
			return
		}
		silence(c, shut)
	})
	return tb, shut
}

// TestAttack_Withhold: whatever a silent peer owes, the chain gives in the end.
func TestAttack_Withhold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		won  int
		play func(t *testing.T, tb *table, shut *atomic.Bool)
	}{
		"the start": {0, func(t *testing.T, tb *table, shut *atomic.Bool) {
			shut.Store(true)
			must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
			must(t, tb.players[0].CloseChannel(tb.channel))
		}},
		"a move": {1, func(t *testing.T, tb *table, shut *atomic.Bool) {
			id := tb.match(t, "toy", "")
			tb.play(t, tb.players[0], id, "pass 1")
			shut.Store(true)
		}},
		"the booking": {1, func(t *testing.T, tb *table, shut *atomic.Bool) {
			id := tb.match(t, "toy", "")
			tb.play(t, tb.players[0], id, "pass 1")
			tb.wait(t, tb.players[1], func() bool { m, err := tb.players[1].Match(id); return err == nil && m.MayMove })
			tb.play(t, tb.players[1], id, "pass 0")
			shut.Store(true)
			tb.play(t, tb.players[0], id, "win 0")
		}},
		"the closing": {0, func(t *testing.T, tb *table, shut *atomic.Bool) {
			shut.Store(true)
			must(t, tb.players[0].CloseChannel(tb.channel))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			tb, shut := sitWithSilent(t)
			before := tb.free(t, tb.players[0])
			c.play(t, tb, shut)
			tb.mine(t)
			if c.won != 0 {
				r, err := tb.players[0].Finished(tb.ctx, tb.channel, 1)
				must(t, err)
				if r.Won() != c.won {
					t.Errorf("alice got %s of %q", r.Payouts[0].Dec(), r.Reason)
				}
				tb.exit(t, tb.players[0])
			}
			must(t, tb.players[0].Closed(tb.ctx, tb.channel))
			want := new(uint256.Int).Add(before, ether)
			if c.won > 0 {
				want.Add(want, stake)
			}
			if got := tb.free(t, tb.players[0]); !got.Eq(want) {
				t.Errorf("alice has %s, want %s", got.Dec(), want.Dec())
			}
		})
	}
}

// TestAttack_Withhold_LongMoves: a seat moves on by the longest moves while its peer is silent. No
// call carries them all, but one carries each run that the seat makes.
func TestAttack_Withhold_LongMoves(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice := tb.players[0]
	id := tb.match(t, "toy", "")
	shut.Store(true)
	tb.mine(t)
	for range 20 {
		tb.play(t, alice, id, "long 0")
	}
	tb.play(t, alice, id, "win 0")
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() != 1 || r.Turn != 21 {
		t.Errorf("alice got %s of %q at turn %d", r.Payouts[0].Dec(), r.Reason, r.Turn)
	}
	tb.exit(t, alice)
	must(t, alice.Closed(tb.ctx, tb.channel))
}

// TestAttack_StaleLedger: mallory contests with the first ledger after she lost a match; alice's
// node refutes it.
func TestAttack_StaleLedger(t *testing.T) { sit(t, 2, nil).refutesStaleLedger(t) }

// TestAttack_LyingRPC_Refused: one endpoint of two says that the Arena refuses whatever alice would
// send. Her node sends it.
func TestAttack_LyingRPC_Refused(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"the first": true, "the second": false} {
		t.Run(name, func(t *testing.T) {
			var lies atomic.Bool
			var arena, refuses string
			liar := newProxy(t, func(body []byte) []byte {
				if lies.Load() && (bytes.Contains(body, []byte("eth_estimateGas")) || bytes.Contains(body, []byte("eth_call"))) {
					return bytes.ReplaceAll(body, []byte(arena), []byte(refuses))
				}
				return body
			})
			tb := sit(t, 2, func(seat int, c *node.Config) {
				if seat != 0 {
					return
				}
				arena, refuses = strings.ToLower(c.Arena.Hex()), strings.ToLower(c.Rules["toy"].Hex())
				if c.Chain.Second = liar; first {
					c.Chain.URL, c.Chain.Second = liar, c.Chain.URL
				}
			})
			lies.Store(true)
			tb.refutesStaleLedger(t)
		})
	}
}

// refutesStaleLedger has seat 1 contest with the first ledger after it lost a match to seat 0,
// which is paid in full.
func (tb *table) refutesStaleLedger(t *testing.T) {
	t.Helper()
	alice, mallory := tb.players[0], tb.players[1]
	tb.won(t)
	before := tb.free(t, alice)
	must(t, mallory.Close())
	contestFirst(t, tb, mallory)
	tb.mine(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
	mallory.start(t)
}

// contestFirst posts version 1 in a player's name, past its node.
func contestFirst(t *testing.T, tb *table, p *player) {
	t.Helper()
	tb.post(t, p.config.GasPayer, tb.contestOfFirst(t, p))
}

// contestOfFirst is a contest with version 1 in a player's name.
func (tb *table) contestOfFirst(t *testing.T, p *player) (contest onchain.ContestLedger) {
	t.Helper()
	tb.inNameOf(t, p, func(c *node.Channel, key protocol.Signer, d protocol.Domain) {
		sig, err := key.Sign(protocol.Contest{ChannelID: c.ID, Version: 1}.Digest(d))
		must(t, err)
		contest = onchain.ContestLedger{
			Terms: c.Terms, Ledger: protocol.SignedLedger{Ledger: protocol.FirstLedger(c.ID, &c.Terms)}, Seat: uint8(c.Seat), Signature: sig[:],
		}
	})
	return contest
}

// inNameOf does something with a player's session key.
func (tb *table) inNameOf(t *testing.T, p *player, do func(c *node.Channel, key protocol.Signer, d protocol.Domain)) {
	t.Helper()
	c, err := p.Channel(tb.channel)
	must(t, err)
	key, err := p.config.Sessions(c.Terms.Salt)
	must(t, err)
	do(&c, key, p.Domain())
}

// post sends an action in a player's name, past its node.
func post(t *testing.T, tb *table, p *player, make func(c *node.Channel, key protocol.Signer, d protocol.Domain) onchain.Action) {
	t.Helper()
	tb.inNameOf(t, p, func(c *node.Channel, key protocol.Signer, d protocol.Domain) {
		tb.post(t, p.config.GasPayer, make(c, key, d))
	})
}

// post has an account send an action past all nodes, and mines it.
func (tb *table) post(t *testing.T, from chain.Signer, action onchain.Action) {
	t.Helper()
	tb.postTo(t, world(t).Arena, from, action)
}

// postTo is post to another Arena of the world's chain.
func (tb *table) postTo(t *testing.T, at common.Address, from chain.Signer, action onchain.Action) {
	t.Helper()
	client, err := chain.Dial(tb.ctx, chain.Config{URL: world(t).URL})
	must(t, err)
	defer client.Close()
	arena, err := chain.OpenArena(tb.ctx, client, at)
	must(t, err)
	sender, err := chain.NewSender(client, chain.SenderConfig{Signer: from, Store: store.NewMemory(), Now: arena.Now, Explain: codec.Explain})
	must(t, err)
	call, err := codec.New(arena.Domain()).Encode(action)
	must(t, err)
	_, err = sender.Submit(tb.ctx, chain.Request{Key: "posted", To: at, Data: call.Data})
	must(t, err)
	must(t, world(t).Chain.Mine(1))
}

// TestAPeerThatWasAway learns what it missed, and a reader of events what happened meanwhile.
func TestAPeerThatWasAway(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	past, err := bob.Past(0)
	must(t, err)
	cursor := past[len(past)-1].Cursor
	must(t, bob.Close())
	tb.play(t, alice, id, "pass 1")
	bob.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.play(t, bob, id, "win 1")
	var kinds []node.Kind
	for e, err := range bob.Events(tb.ctx, cursor) {
		must(t, err)
		if e.Cursor != cursor+1 {
			t.Fatalf("event %d after %d", e.Cursor, cursor)
		}
		cursor = e.Cursor
		if e.Kind == node.PeerAway || e.Kind == node.PeerBack || e.Kind == node.Transaction {
			continue // as it is on a machine that takes long to connect, or to see that a deposit is final
		}
		if kinds = append(kinds, e.Kind); e.Kind == node.MatchBooked {
			break
		}
	}
	if len(kinds) < 4 || kinds[0] != node.MatchMoved {
		t.Errorf("events: %v", kinds)
	}
	// the booking is bob's before it is hers, or after
	tb.wait(t, alice, func() bool { return len(alice.Matches()) == 0 })
	tb.close(t)
}

// TestBadMessages: what no honest peer sends changes nothing, and the match goes on.
func TestBadMessages(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove })
	before, err := alice.Match(id)
	must(t, err)
	for name, env := range map[string]*antev1.Envelope{
		"no channel":          message.Envelope(common.Hash{1}, message.Sync{}),
		"no match":            message.Envelope(tb.channel, message.Move{MatchID: common.Hash{1}, Turn: 1}),
		"out of turn":         message.Envelope(tb.channel, message.Move{MatchID: id, Turn: 1, Move: []byte{1, 1}, Signature: protocol.Signature{1}}),
		"far ahead":           message.Envelope(tb.channel, message.Move{MatchID: id, Turn: 1 << 40, Move: []byte{1, 1}}),
		"wrongly signed":      message.Envelope(tb.channel, message.Countersign{MatchID: id, Seat: 1, Signature: protocol.Signature{1}}),
		"in alice's name":     message.Envelope(tb.channel, message.Countersign{MatchID: id, Seat: 0, Signature: protocol.Signature{1}}),
		"no such seat":        message.Envelope(tb.channel, message.Countersign{MatchID: id, Seat: 9, Signature: protocol.Signature{1}}),
		"empty ledger":        message.Envelope(tb.channel, message.Propose{}),
		"approval of nothing": message.Envelope(tb.channel, message.Approve{Version: 1 << 60}),
		"offer of others":     message.Envelope(common.Hash{}, message.OpenOffer{Terms: protocol.Terms{Players: []common.Address{{1}, {2}}}}),
		"reply to nothing":    message.Envelope(common.Hash{}, message.OpenReply{OfferID: common.Hash{1}, Decline: "no"}),
	} {
		if err := bob.Network().Send(alice.Account(), env); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// An offer is answered after all of that was handled: messages of one peer come in order.
	offer, err := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{{}, *ether}, Window: 20})
	must(t, err)
	tb.event(t, alice, node.OfferReceived)
	must(t, alice.Decline(offer, "busy"))
	after, err := alice.Match(id)
	must(t, err)
	if after.Turn != before.Turn || after.Started != before.Started || after.Mark != before.Mark {
		t.Errorf("the match changed: %+v", after.MatchView)
	}
	tb.play(t, alice, id, "win 0")
	_, err = bob.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
}
