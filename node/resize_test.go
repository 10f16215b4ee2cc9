package node_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	halfEther = new(uint256.Int).Rsh(ether, 1)
	twoEther  = new(uint256.Int).Lsh(ether, 1)
)

// offerFor waits until a player has an offer that takes a channel's place, in a state.
func (tb *table) offerFor(t *testing.T, p *player, channel common.Hash, states ...node.OfferState) (found node.Offer) {
	t.Helper()
	tb.wait(t, p, func() bool {
		list, err := p.Offers()
		must(t, err)
		at := slices.IndexFunc(list, func(o node.Offer) bool {
			return o.Replaces == channel && (len(states) == 0 || slices.Contains(states, o.State))
		})
		if at >= 0 {
			found = list[at]
		}
		return at >= 0
	})
	return found
}

// resized waits until everybody plays in the channel that has taken the place of the table's, and
// has been paid out of that. It becomes the table's.
func (tb *table) resized(t *testing.T) (c node.Channel) {
	t.Helper()
	for _, p := range tb.players {
		var err error
		c, err = p.Opened(tb.ctx, tb.offerFor(t, p, tb.channel, node.OfferOpen, node.OfferAccepted, node.OfferOpened).ID)
		must(t, err)
		must(t, p.Closed(tb.ctx, tb.channel))
	}
	tb.channel = c.ID
	return c
}

// playOne plays a match, which the first player wins.
func (tb *table) playOne(t *testing.T) {
	t.Helper()
	id := tb.match(t, "toy", "")
	tb.play(t, tb.players[0], id, "win 0")
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			return !slices.ContainsFunc(p.Matches(), func(m node.Match) bool { return m.ID == id && m.Locked })
		})
	}
}

// holds checks what the players have in the table's channel, and in the bank.
func (tb *table) holds(t *testing.T, in, free []*uint256.Int) {
	t.Helper()
	for i, p := range tb.players {
		c, err := p.Channel(tb.channel)
		must(t, err)
		if got := &c.Ledger.Balances[c.Seat]; !got.Eq(in[i]) {
			t.Errorf("player %d has %s in the channel, want %s", i, got.Dec(), in[i].Dec())
		}
		if got := tb.free(t, p); !got.Eq(free[i]) {
			t.Errorf("player %d has %s in the bank, want %s", i, got.Dec(), free[i].Dec())
		}
	}
}

// TestResize: one player adds to a channel, then the other takes part of its money out. Each is one
// transaction, nothing else moves, and what was played before is still known.
func TestResize(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	alice.fund(t)
	tb.playOne(t)
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{twoEther, nil}, "let's play for more"))
	if c := tb.resized(t); !c.Ledger.Balances[0].Eq(twoEther) {
		t.Errorf("the deposits are %v", c.Ledger.Balances)
	}
	won, lost := new(uint256.Int).Add(ether, stake), new(uint256.Int).Sub(ether, stake)
	left := new(uint256.Int).Sub(new(uint256.Int).Add(ether, won), twoEther)
	tb.holds(t, []*uint256.Int{twoEther, lost}, []*uint256.Int{left, new(uint256.Int)})

	must(t, bob.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, halfEther}, ""))
	if c := tb.resized(t); c.Terms.Players[0] != bob.Account() {
		t.Error("who asks has seat 0")
	}
	tb.holds(t, []*uint256.Int{twoEther, halfEther}, []*uint256.Int{left, new(uint256.Int).Sub(lost, halfEther)})
	slices.Reverse(tb.players) // by seat
	tb.playOne(t)
	for _, p := range tb.players {
		if results, err := p.Results(); err != nil || len(results) != 2 {
			t.Errorf("%d results are known, %v", len(results), err)
		}
		sent, err := p.Transactions(100)
		must(t, err)
		resizes := 0
		for _, r := range sent {
			if strings.HasPrefix(r.Key, "resize/") {
				resizes++
			} else if strings.Contains(r.Why, "close the channel") {
				t.Errorf("also sent: %s", r.Why)
			}
		}
		if resizes != 1 {
			t.Errorf("%d resizes were sent, want 1: %+v", resizes, sent)
		}
	}
}

// TestResizeWaits: with a match running a resize waits, over a restart too, and can be taken back.
// It is made with what the match leaves.
func TestResizeWaits(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	alice.fund(t)
	id := tb.match(t, "toy", "")
	deposits := []*uint256.Int{twoEther, nil}
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, deposits, ""))
	must(t, alice.KeepChannel(tb.channel))
	if c, err := alice.Channel(tb.channel); err != nil || c.Resize != nil {
		t.Errorf("taken back, it is %+v, %v", c.Resize, err)
	}
	for range 2 {
		must(t, alice.ResizeChannel(tb.ctx, tb.channel, deposits, ""))
	}
	alice.restart(t)
	if c, err := alice.Channel(tb.channel); err != nil || c.Resize == nil || !strings.Contains(c.Resize.Waits, "a match") || c.Status != node.ChannelOpen {
		t.Errorf("it is %s, %+v, %v", c.Status, c.Resize, err)
	}
	if list, err := alice.Offers(); err != nil || slices.ContainsFunc(list, func(o node.Offer) bool { return o.Replaces == tb.channel }) {
		t.Errorf("it is offered while a match runs: %v", err)
	}
	tb.play(t, alice, id, "win 0")
	tb.resized(t)
	tb.holds(t, []*uint256.Int{twoEther, new(uint256.Int).Sub(ether, stake)}, []*uint256.Int{stake, new(uint256.Int)})
}

// TestResizeRefused: who is asked sees what it has, and what it would have to deposit; refusing
// changes nothing, and what it can't pay it can't accept.
func TestResizeRefused(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) {
		c.Policy.Accept = func(o node.Offer) bool { return o.Replaces == common.Hash{} }
	})
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{halfEther, twoEther}, ""))
	if err := alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{halfEther, nil}, ""); !errors.Is(err, node.ErrBusy) {
		t.Errorf("another while the first is offered: %v", err)
	}
	o := tb.offerFor(t, bob, tb.channel, node.OfferOpen)
	if !o.Balances[1].Eq(ether) || !o.Terms.Deposits[1].Eq(twoEther) {
		t.Errorf("bob is asked for %v, having %v", o.Terms.Deposits, o.Balances)
	}
	told := false
	for e, err := range bob.Events(tb.ctx, 0) {
		must(t, err)
		if told = e.Kind == node.OfferReceived && strings.Contains(e.Text, "you have 1 eth: your deposit 2 eth"); told {
			break
		}
	}
	if err := bob.Accept(tb.ctx, o.ID); !errors.Is(err, node.ErrFunds) {
		t.Errorf("accepted without the money: %v", err)
	}
	if err := bob.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, halfEther}, ""); !errors.Is(err, node.ErrBusy) {
		t.Errorf("asked back: %v", err)
	}
	must(t, bob.Decline(o.ID, "no"))
	if _, err := alice.Opened(tb.ctx, o.ID); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("alice waits for it: %v", err)
	}
	tb.wait(t, alice, func() bool {
		c, err := alice.Channel(tb.channel)
		return err == nil && c.Resize == nil && c.Status == node.ChannelOpen
	})
	tb.playOne(t)
	if err := alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{twoEther, nil}, ""); !errors.Is(err, node.ErrFunds) {
		t.Errorf("asked for what alice can't pay: %v", err)
	}
}
