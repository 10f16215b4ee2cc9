package node_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// lose has a node's messages of a kind get lost, as long as that is on.
func lose(c *node.Config, on *atomic.Bool, kind func(*antev1.Envelope) bool) {
	nodetest.Lose(c, func(e *antev1.Envelope) bool { return on.Load() && kind(e) })
}

func answers(e *antev1.Envelope) bool   { return e.GetOpenReply() != nil }
func proposals(e *antev1.Envelope) bool { return e.GetPropose() != nil || e.GetSyncReply() != nil }
func approvals(e *antev1.Envelope) bool { return e.GetApprove() != nil || e.GetSyncReply() != nil }

// signed is an answer that carries a signature of the opening.
func signed(e *antev1.Envelope) bool {
	for _, sig := range e.GetOpenReply().GetSignatures() {
		if len(sig) > 0 {
			return true
		}
	}
	return false
}

// TestAttack_Resize_Deserted: whoever disappears in the middle of a resize, whenever, leaves the
// other with the old channel, or with all its money in the bank.
func TestAttack_Resize_Deserted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seats int
		by    int // who says nothing any more
		lost  func(*antev1.Envelope) bool
		gone  bool // the other who stays is bob, and alice's node stops
	}{
		"before the close is signed":                {2, 1, approvals, false},
		"after the close, before the open":          {2, 1, signed, false},
		"the offerer, when all have signed":         {2, 1, signed, true},
		"the offerer, before it has a reply":        {2, 0, proposals, false},
		"of three, before the close is signed":      {3, 2, approvals, false},
		"of three, after the close before the open": {3, 2, signed, false},
	} {
		t.Run(name, func(t *testing.T) {
			on := new(atomic.Bool)
			tb := sit(t, c.seats, func(seat int, config *node.Config) {
				if seat == c.by {
					lose(config, on, c.lost)
				} else if !c.gone {
					hasty(config, on.Load)
				}
				if seat == 1 && c.gone {
					hasty(config, on.Load)
				}
			})
			alice, bob := tb.players[0], tb.players[1]
			var before []*uint256.Int
			for _, p := range tb.players {
				before = append(before, tb.free(t, p))
			}
			deposits := make([]*uint256.Int, c.seats)
			deposits[0] = halfEther
			on.Store(true)
			must(t, alice.ResizeChannel(tb.ctx, tb.channel, deposits, ""))
			if c.gone {
				tb.wait(t, bob, func() bool {
					o := tb.offerFor(t, bob, tb.channel, node.OfferAccepted)
					return o.Signatures[1] != nil
				})
				must(t, alice.Close())
			}
			if c.by == 0 { // bob still has a channel to play in or to close
				tb.offerFor(t, bob, tb.channel, node.OfferAccepted)
				tb.exit(t, bob)
			}
			tb.mine(t)
			for i, p := range tb.players {
				if c.gone && i == 0 {
					alice.start(t)
				}
				must(t, p.Closed(tb.ctx, tb.channel))
				if got, want := tb.free(t, p), new(uint256.Int).Add(before[i], ether); !got.Eq(want) {
					t.Errorf("player %d has %s, want %s", i, got.Dec(), want.Dec())
				}
			}
		})
	}
}

// TestAttack_Resize_SignsLast: neither side signs the opening before it holds the closing ledger
// that all have signed, whatever the other sends: nobody's money is locked twice.
func TestAttack_Resize_SignsLast(t *testing.T) {
	t.Parallel()
	on := new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			lose(c, on, proposals)
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	for _, p := range tb.players {
		p.fund(t) // which could be locked as well
		p.fund(t)
	}
	on.Store(true)
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{halfEther, nil}, ""))
	o := tb.offerFor(t, bob, tb.channel, node.OfferAccepted)
	must(t, bob.TakeOffer(alice.Account(), message.OpenOffer{Terms: o.Terms, Replaces: tb.channel}))
	if o = tb.offerFor(t, bob, tb.channel, node.OfferAccepted); o.Signatures[1] != nil {
		t.Error("bob signs the opening while the old channel is open")
	}
	sig, err := bob.config.Player.Sign(o.Terms.ID(bob.Domain()))
	must(t, err)
	must(t, alice.TakeReply(bob.Account(), message.OpenReply{OfferID: o.ID, Terms: o.Terms, Signatures: [][]byte{nil, sig[:]}}))
	if mine := tb.offerFor(t, alice, tb.channel); mine.State != node.OfferOpen || mine.Signatures[0] != nil {
		t.Errorf("alice signs the opening while the old channel is open: it is %s", mine.State)
	}
	on.Store(false)
	tb.resized(t)
}

// TestAttack_Resize_Other: what is offered for a channel must be of its players, asset and window,
// stays what it was, and is one at a time, however much a peer offers.
func TestAttack_Resize_Other(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) {
		c.Policy.Accept = func(o node.Offer) bool { return o.Replaces == common.Hash{} }
	})
	alice, bob := tb.players[0], tb.players[1]
	c, err := bob.Channel(tb.channel)
	must(t, err)
	offer := func(salt byte, change func(*message.OpenOffer)) error {
		m := message.OpenOffer{Terms: c.Terms, Replaces: tb.channel}
		m.Terms.Salt, m.Terms.OpenBy = common.Hash{salt}, bob.Head().Clock+10
		m.Terms.Signers = []common.Address{{salt}, {}}
		change(&m)
		return bob.TakeOffer(alice.Account(), m)
	}
	for name, change := range map[string]func(*message.OpenOffer){
		"another window": func(m *message.OpenOffer) { m.Terms.Window++ },
		"another asset":  func(m *message.OpenOffer) { m.Terms.Asset = common.Address{7} },
		"one more": func(m *message.OpenOffer) {
			m.Terms.Players = append(m.Terms.Players[:2:2], common.Address{7})
			m.Terms.Signers = append(m.Terms.Signers[:2:2], common.Address{})
			m.Terms.Deposits = append(m.Terms.Deposits[:2:2], uint256.Int{})
		},
	} {
		if err := offer(1, change); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := offer(1, func(m *message.OpenOffer) { m.Replaces = common.Hash{9} }); !errors.Is(err, node.ErrUnknownChannel) {
		t.Errorf("for a channel that is not there: %v", err)
	}
	must(t, offer(90, func(*message.OpenOffer) {}))
	if err := offer(90, func(m *message.OpenOffer) { m.Replaces = common.Hash{} }); !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("the same for no channel: %v", err)
	}
	for salt := range byte(40) {
		if err := offer(100+salt, func(*message.OpenOffer) {}); err == nil {
			t.Fatal("a second one waits")
		}
	}
	o := tb.offerFor(t, bob, tb.channel, node.OfferOpen)
	tb.match(t, "toy", "")
	if err := bob.Accept(tb.ctx, o.ID); !errors.Is(err, protocol.ErrLocked) && !errors.Is(err, node.ErrFunds) {
		t.Errorf("accepted while a match runs: %v", err)
	}
}

// TestAttack_Resize_Spent: whoever spends what it has agreed to add keeps the old channel with the
// other.
func TestAttack_Resize_Spent(t *testing.T) {
	t.Parallel()
	on := new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			lose(c, on, answers)
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	bob.fund(t)
	on.Store(true)
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, twoEther}, ""))
	tb.offerFor(t, bob, tb.channel, node.OfferAccepted)
	r, err := bob.Withdraw(tb.ctx, eth, ether, bob.Account())
	must(t, err)
	_, err = bob.Mined(tb.ctx, r.Key)
	must(t, err)
	on.Store(false)
	for _, p := range tb.players {
		tb.offerFor(t, p, tb.channel, node.OfferDeclined)
	}
	tb.playOne(t)
}

// TestAttack_Resize_Changed: who agreed to what it adds to a balance does not add more because the
// balance has changed.
func TestAttack_Resize_Changed(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) {
		c.Policy.Accept = func(o node.Offer) bool { return o.Replaces == common.Hash{} }
	})
	alice, bob := tb.players[0], tb.players[1]
	bob.fund(t)
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, ether}, ""))
	o := tb.offerFor(t, bob, tb.channel, node.OfferOpen)
	tb.playOne(t) // which bob loses
	if err := bob.Accept(tb.ctx, o.ID); err == nil {
		t.Error("accepted with another balance than was shown")
	}
	tb.offerFor(t, alice, tb.channel, node.OfferDeclined)
	tb.playOne(t)
}
