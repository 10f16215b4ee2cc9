package node_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// pair makes two connected players without a channel; neither accepts anything by itself.
func pair(t *testing.T) (tb *table, alice, bob *player) {
	t.Helper()
	ask := func(c *node.Config) { c.Policy.Accept = nil }
	alice, bob = join(t, ask), join(t, ask)
	must(t, dev.Connect(t.Context(), alice.Node, bob.Node))
	return &table{ctx: t.Context(), players: []*player{alice, bob}}, alice, bob
}

func request(to *player) node.OpenRequest {
	return node.OpenRequest{Peers: []common.Address{to.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20}
}

// now returns the Arena's clock once the player knows it.
func now(t *testing.T, p *player) uint64 {
	t.Helper()
	must(t, p.Wait(t.Context(), func() (bool, error) { return p.Head().Clock > 0, nil }))
	return p.Head().Clock
}

func TestDeclinedOffer(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	id, err := alice.Offer(t.Context(), request(bob))
	must(t, err)
	tb.event(t, bob, node.OfferReceived)
	must(t, bob.Decline(id, "not \x1b[2J today"))
	if _, err := alice.Opened(t.Context(), id); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("alice waits for it: %v", err)
	}
	if e := tb.event(t, alice, node.OfferAnswered); strings.Contains(e.Text, "\x1b") {
		t.Errorf("a peer's control characters reach the terminal: %q", e.Text)
	}
	if err := bob.Accept(t.Context(), id); !errors.Is(err, node.ErrFunds) && !errors.Is(err, node.ErrUnknownOffer) {
		t.Errorf("accepted after it was declined: %v", err)
	}
}

func TestOfferTakenBack(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	id, err := alice.Offer(t.Context(), request(bob))
	must(t, err)
	tb.event(t, bob, node.OfferReceived)
	must(t, alice.Decline(id, ""))
	tb.event(t, bob, node.OfferAnswered)
	bob.fund(t)
	if err := bob.Accept(t.Context(), id); !errors.Is(err, node.ErrUnknownOffer) {
		t.Errorf("accepted after it was taken back: %v", err)
	}
}

func TestOfferLapses(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	r := request(bob)
	r.OpenBy = now(t, alice) + 10
	id, err := alice.Offer(t.Context(), r)
	must(t, err)
	tb.event(t, bob, node.OfferReceived)
	must(t, world(t).Chain.Mine(11))
	for _, p := range tb.players {
		if _, err := p.Opened(t.Context(), id); !errors.Is(err, node.ErrDeclined) {
			t.Errorf("still waited for: %v", err)
		}
	}
}

// TestChecklist_Mastermind_04_OpeningLapses: what was signed and never opened is forgotten, its
// channel with it.
// TestLacksTogether: who can't pay a deposit is told what bank and wallet together lack of it.
func TestLacksTogether(t *testing.T) {
	t.Parallel()
	_, alice, bob := pair(t)
	alice.fund(t)
	wallet, err := alice.WalletBalance(t.Context())
	must(t, err)
	free, err := alice.BankBalance(t.Context(), eth)
	must(t, err)
	r := request(bob)
	r.Deposits[0].Add(wallet, free).Add(&r.Deposits[0], ether)
	if _, err := alice.Offer(t.Context(), r); !errors.Is(err, node.ErrFunds) || free.IsZero() || !strings.Contains(err.Error(), "together lack 1 eth of") {
		t.Errorf("with %v in the bank: %v", free, err)
	}
}

func TestChecklist_Mastermind_04_OpeningLapses(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	bob.fund(t)
	r := request(bob)
	r.OpenBy = now(t, alice) + 10
	id, err := alice.Offer(t.Context(), r)
	must(t, err)
	tb.event(t, bob, node.OfferReceived)
	must(t, alice.Close()) // so that it never hears of bob's signature
	must(t, bob.Accept(t.Context(), id))
	if got := len(bob.Channels()); got != 1 {
		t.Fatalf("%d channels", got)
	}
	must(t, world(t).Chain.Mine(11+20))
	if _, err := bob.Opened(t.Context(), id); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("still waited for: %v", err)
	}
	must(t, bob.Wait(t.Context(), func() (bool, error) {
		if len(bob.Channels()) == 0 {
			return true, nil
		}
		return false, world(t).Chain.Mine(1) // and look again at that block
	}))
	alice.start(t)
}

func TestBadOffers(t *testing.T) {
	t.Parallel()
	_, alice, bob := pair(t)
	for name, c := range map[string]struct {
		change func(*node.OpenRequest)
		want   error
	}{
		"more than the wallet holds": {func(r *node.OpenRequest) { r.Deposits[0].Lsh(ether, 40) }, node.ErrFunds},
		"unknown peer":               {func(r *node.OpenRequest) { r.Peers[0] = common.Address{9} }, transport.ErrUnknownPeer},
		"itself":                     {func(r *node.OpenRequest) { r.Peers[0] = alice.Account() }, protocol.ErrTerms},
		"window too short":           {func(r *node.OpenRequest) { r.Window = dev.MinWindow - 1 }, protocol.ErrTerms},
		"window too long":            {func(r *node.OpenRequest) { r.Window = dev.MaxWindow + 1 }, protocol.ErrTerms},
		"too late to open":           {func(r *node.OpenRequest) { r.OpenBy = 1 }, protocol.ErrTerms},
		"open for ever":              {func(r *node.OpenRequest) { r.OpenBy = protocol.MaxDeadline }, protocol.ErrTerms},
		"memo too long":              {func(r *node.OpenRequest) { r.Memo = strings.Repeat("x", node.MaxMemo+1) }, protocol.ErrTerms},
		"deposits of one seat":       {func(r *node.OpenRequest) { r.Deposits = r.Deposits[:1] }, protocol.ErrTerms},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(bob)
			c.change(&r)
			if _, err := alice.Offer(t.Context(), r); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if list, err := alice.Offers(); err != nil || len(list) != 0 {
				t.Errorf("left behind: %v, %v", list, err)
			}
		})
	}
}

func TestChecklist_Mastermind_04_BothPayOrNeither(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	id, err := alice.Offer(t.Context(), request(bob))
	must(t, err)
	tb.event(t, bob, node.OfferReceived)
	if err := bob.Accept(t.Context(), id); !errors.Is(err, node.ErrFunds) {
		t.Errorf("accepted: %v", err)
	}
	bob.fund(t)
	must(t, bob.Accept(t.Context(), id))
	_, err = alice.Opened(t.Context(), id)
	must(t, err)
}

func TestAttack_OfferFlood(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	for range 20 {
		_, err := alice.Offer(t.Context(), request(bob))
		must(t, err)
	}
	// A last word that arrives after all of them.
	tb.event(t, bob, node.OfferReceived)
	kept, err := bob.Offers()
	must(t, err)
	must(t, alice.Decline(kept[0].ID, ""))
	tb.event(t, bob, node.OfferAnswered)
	list, err := bob.Offers()
	must(t, err)
	list = slices.DeleteFunc(list, func(o node.Offer) bool { return o.State != node.OfferOpen })
	// what alice repeats, should she connect again, may find the place of what she has declined
	if len(list) != 7 && len(list) != 8 {
		t.Errorf("%d offers of one peer wait", len(list))
	}
}

// TestAttack_SwappedOffer: an id names the terms, so what was seen is what is accepted, whatever is
// offered anew.
func TestAttack_SwappedOffer(t *testing.T) {
	t.Parallel()
	tb, alice, bob := pair(t)
	bob.fund(t)
	seen, err := alice.Offer(t.Context(), request(bob))
	must(t, err)
	e := tb.event(t, bob, node.OfferReceived)
	list, err := alice.Offers()
	must(t, err)
	terms := list[0].Terms
	if want := fmt.Sprintf("by clock time %d", terms.OpenBy); !strings.Contains(e.Text, want) {
		t.Errorf("the offer is told without %q: %s", want, e.Text)
	}
	must(t, alice.Decline(seen, ""))
	tb.event(t, bob, node.OfferAnswered)
	terms.Window++ // the same salt, other terms
	must(t, alice.Network().Send(bob.Account(), message.Envelope(common.Hash{}, message.OpenOffer{Terms: terms})))
	tb.wait(t, bob, func() bool {
		events, err := bob.Past(0)
		must(t, err)
		events = slices.DeleteFunc(events, func(e node.Event) bool { return e.Kind != node.OfferReceived })
		return len(events) == 2
	})
	if err := bob.Accept(t.Context(), seen); !errors.Is(err, node.ErrUnknownOffer) {
		t.Errorf("other terms are accepted under the id that was seen: %v", err)
	}
}

// TestAttack_OfferFlood_TakenBack: offers that are taken back at once are no way to bury what a
// user should see.
func TestAttack_OfferFlood_TakenBack(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	// no budget grows meanwhile
	standing := func(c *node.Config) { c.Now, c.Policy.Accept = dev.NewSandglass().Now, nil }
	alice, bob := join(t, nil), join(t, standing)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	first, err := alice.Offer(t.Context(), request(bob))
	must(t, err)
	for range 60 {
		id, err := alice.Offer(t.Context(), request(bob))
		must(t, err)
		must(t, alice.Decline(id, ""))
	}
	must(t, alice.Decline(first, "the last word"))
	tb.wait(t, bob, func() bool {
		events, err := bob.Past(0)
		return err == nil && slices.ContainsFunc(events, func(e node.Event) bool { return strings.Contains(e.Text, "the last word") })
	})
	list, err := bob.Offers()
	must(t, err)
	if len(list) > 16 {
		t.Errorf("the user was told of %d offers", len(list))
	}
}

// TestAttack_OfferFlood_AtOnce: more strangers offer a channel at once than a node's budget lets it
// look at. Those who find it busy are told when to come back, their nodes do, and all are served.
func TestAttack_OfferFlood_AtOnce(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	glass := dev.NewSandglass() // the house's budget doesn't grow before somebody was told
	house := join(t, func(c *node.Config) { c.Now = glass.Now })
	var offerers []*player
	for range 8 { // and it looks at six
		p := join(t, nil)
		must(t, dev.Connect(tb.ctx, p.Node, house.Node))
		offerers = append(offerers, p)
	}
	offers := make([]common.Hash, len(offerers))
	for i, p := range offerers {
		id, err := p.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{house.Account()}, Deposits: []uint256.Int{*stake, {}}, Window: 1000})
		must(t, err)
		offers[i] = id
	}
	told := make(chan error, len(offerers))
	for _, p := range offerers {
		go func() {
			told <- p.Wait(tb.ctx, func() (bool, error) {
				past, err := p.Past(0)
				return slices.ContainsFunc(past, func(e node.Event) bool {
					return e.Kind == node.OfferAnswered && strings.Contains(e.Text, "sent again in")
				}), err
			})
		}()
	}
	must(t, <-told)
	glass.Turn()
	for i, p := range offerers {
		_, err := p.Opened(tb.ctx, offers[i])
		must(t, err)
	}
}
