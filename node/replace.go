package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// An offer that takes a channel's place is accepted first, without a signature. Then the offerer
// proposes to close the channel, and only who holds the closing ledger that all have signed signs
// the opening: whatever becomes of the rest, nobody's money is locked twice, and the channel can be
// closed by anybody.

// errNotResized says to an offerer why a channel can't be resized at the moment.
var errNotResized = errors.New("the channel is not resized")

// done reports whether nothing more comes of an offer.
func (o *Offer) done() bool {
	return o.State != OfferOpen && (o.State != OfferAccepted || o.TakenBack())
}

// replacing returns the offer that would take a channel's place and is not done with, or nil.
func replacing(list []Offer, id common.Hash) *Offer {
	for i := range list {
		if list[i].Replaces == id && !list[i].done() {
			return &list[i]
		}
	}
	return nil
}

// replaced checks a new offer against the channel whose place it would take, and returns what its
// seats have there: nothing where it takes none's. One offer for a channel waits at a time.
func (n *offers) replaced(id common.Hash, t *protocol.Terms, list []Offer) ([]uint256.Int, error) {
	if id == (common.Hash{}) {
		return nil, nil
	}
	c, err := n.channels.Channel(id)
	if err != nil {
		return nil, err
	}
	balances, err := balancesOf(&c, t)
	if err != nil {
		return nil, err
	}
	if had := replacing(list, id); had != nil {
		return nil, fmt.Errorf("%w: offer %s is not done with", errNotResized, had.ID.TerminalString())
	}
	if c.Status != ChannelOpen {
		return nil, fmt.Errorf("%w: it is %s", errNotResized, c.Status)
	}
	return balances, nil
}

// balancesOf returns what the seats of an offer have in the channel whose place it takes, which
// must be of the same players, asset and window.
func balancesOf(c *Channel, t *protocol.Terms) ([]uint256.Int, error) {
	if len(t.Players) != len(c.Terms.Players) || t.Asset != c.Terms.Asset || t.Window != c.Terms.Window {
		return nil, fmt.Errorf("%w: channel %s is not of the same players, asset and window", protocol.ErrTerms, c.ID.TerminalString())
	}
	balances := make([]uint256.Int, len(t.Players))
	for i, player := range t.Players {
		seat := slices.Index(c.Terms.Players, player)
		if seat < 0 {
			return nil, fmt.Errorf("%w: %s has no seat in channel %s", protocol.ErrTerms, player, c.ID.TerminalString())
		}
		balances[i] = c.Ledger.Balances[seat]
	}
	return balances, nil
}

// unchanged reports whether the channel whose place an offer takes pays what it did when the offer
// was made or received.
func (o *Offer) unchanged(c *Channel) bool {
	balances, err := balancesOf(c, &o.Terms)
	return err == nil && slices.Equal(balances, o.Balances)
}

// mayReplace says why the player can't accept that an offer takes a channel's place, if so.
func (n *offers) mayReplace(o *Offer) error {
	if o.Replaces == (common.Hash{}) {
		return nil
	}
	s, err := n.channels.session(o.Replaces)
	if err != nil {
		return err
	}
	c := s.info()
	s.mu.Lock()
	r, busy, may := s.instructions.Resize, s.busy(), s.mayResize()
	s.mu.Unlock()
	switch {
	case may != nil:
		return may
	case r != nil && r.Offer != o.ID:
		return fmt.Errorf("%w: you want to resize channel %s yourself: take that back first", ErrBusy, o.Replaces.TerminalString())
	case busy != "":
		return fmt.Errorf("%w: %s", protocol.ErrLocked, busy)
	case !o.unchanged(&c):
		return fmt.Errorf("%w: the balances of channel %s have changed since it was offered to resize it", channel.ErrStale, o.Replaces.TerminalString())
	}
	return nil
}

// replace notes durably that an offer which is accepted takes a channel's place.
func (n *offers) replace(o *Offer) error {
	if o.Replaces == (common.Hash{}) {
		return nil
	}
	s, err := n.channels.session(o.Replaces)
	if errors.Is(err, ErrEnded) {
		return nil // it was accepted before
	}
	if err != nil {
		return err
	}
	return s.resize(&Resize{Offer: o.ID})
}

// mayOpen reports whether this player may sign the opening of an offer's channel: all signers are
// known, and the channel whose place it takes is closed by all.
func (n *offers) mayOpen(o *Offer) bool { return complete(&o.Terms) && n.closes(o) }

// closes reports whether all seats have signed to close the channel whose place an offer takes, as
// it was when the player agreed to that; true where it takes none's.
func (n *offers) closes(o *Offer) bool {
	if o.Replaces == (common.Hash{}) {
		return true
	}
	c, err := n.channels.Channel(o.Replaces)
	return err == nil && c.Ledger.Closing && o.unchanged(&c)
}

// onChain returns how the channel stands on the chain, and the closing ledger that all have signed.
func (s *defence) onChain() (disputes.Status, *protocol.SignedLedger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, closing := s.machine.Closing()
	return s.watcher.View().Status(), closing
}

// closing returns what closes the channel whose place an offer takes. It is nil while the channel
// is contested: the closing ledger is sent by itself then, and the opening follows.
func (n *offers) closing(o *Offer) *onchain.Close {
	s, err := n.channels.session(o.Replaces)
	if err != nil {
		return nil
	}
	status, closing := s.onChain()
	if status != disputes.Open || closing == nil {
		return nil
	}
	return &onchain.Close{Terms: s.terms, Ledger: *closing}
}

// closeReplaced proposes to close the channel whose place an offer of this player's takes, once the
// others have accepted that, and has them sign the opening once it is closed by all. The offer is
// taken back where the channel is no longer what it was.
func (n *offers) closeReplaced(ctx context.Context, o *Offer) error {
	if o.Replaces == (common.Hash{}) || n.closes(o) {
		return nil // reminders do the rest
	}
	c, err := n.channels.Channel(o.Replaces)
	if err != nil {
		return err
	}
	// read after the channel, which is closed for nothing but an offer that is complete
	if *o, err = n.offer(o.ID); err != nil || o.State != OfferOpen {
		return err
	}
	all := complete(&o.Terms)
	switch {
	case all && c.Status == ChannelClosing && o.unchanged(&c):
		return nil
	case c.Status != ChannelOpen || len(c.Ledger.Locks) == 0 && !o.unchanged(&c):
		return n.Decline(o.ID, "the channel is not what it was: ask again to resize it")
	case !all || len(c.Ledger.Locks) > 0:
		return nil
	}
	for i, player := range o.Terms.Players {
		bank, err := n.Bank(ctx, o.Terms.Asset, player)
		if err != nil {
			return err
		}
		if bank.Add(bank, &o.Balances[i]).Lt(&o.Terms.Deposits[i]) {
			return n.Decline(o.ID, fmt.Sprintf("the bank of seat %d lacks what it would add", i))
		}
	}
	if *o, err = n.offer(o.ID); err != nil || o.State != OfferOpen {
		return err // it was declined while the chain was asked
	}
	n.reminders.drop(o.ID)
	n.reminders.add(o.ID, n.config.Now()) // who can't sign the opening by itself is soon asked again
	return n.channels.CloseChannel(o.Replaces)
}

// signReplacing signs the opening of what takes a channel's place, once that is closed by all. Who
// can't add what it agreed to says so, and the channel is closed alone.
func (n *offers) signReplacing(ctx context.Context, o *Offer, now uint64) error {
	if o.Replaces == (common.Hash{}) || o.State != OfferAccepted || o.Signatures[o.Seat] != nil || o.TakenBack() || !n.mayOpen(o) {
		return nil
	}
	if err := n.means.canOpen(ctx, o); errors.Is(err, ErrFunds) {
		return n.Decline(o.ID, "the player can't add what it agreed to")
	} else if err != nil {
		return err
	}
	sign := func(ctx context.Context) error {
		if stored, err := n.offer(o.ID); err != nil || stored.Signatures[o.Seat] != nil {
			return err // it was signed since o was read
		}
		sig, err := n.presign(ctx, *o, now)
		if err != nil {
			return err
		}
		return n.repeat(o.ID, o.Terms, sig)
	}
	if n.config.Owner == nil {
		return sign(ctx)
	}
	n.askLater(o.ID, func() error { return sign(n.run) })
	return nil
}
