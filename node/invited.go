package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// How long the inviting player's node waits, once a stake is agreed, for the joining player's:
const (
	offerWithin   = time.Minute      // to offer the channel, or propose the match in one they share
	proposeWithin = 10 * time.Minute // to propose the match in it, if the invite has expired, too
)

// tendInvites takes the next steps of every invite.
func (n *meeting) tendInvites(ctx context.Context) error {
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].State == InviteOpen || list[i].State == InviteJoined {
			err = errors.Join(err, n.tendInvite(ctx, list[i].ID))
		}
	}
	return errors.Join(err, n.remindBids(), n.pruneInvites(list))
}

// tendInvite takes the next steps of one invite. Only the joining player's node starts the match;
// the inviting player's checks that it is what was agreed.
func (n *meeting) tendInvite(ctx context.Context, id common.Hash) error {
	n.pursuing.Lock()
	defer n.pursuing.Unlock()
	i, err := n.invite(id)
	if err != nil {
		return err
	}
	now := n.config.Now()
	switch {
	case i.State == InviteOpen && uint64(now.Unix()) >= i.Expiry:
		return n.changeInvite(id, InviteOpen, func(i *Invite) error { return n.endInvite(i, InviteEnded, "it expired", n.ended(i, "it expired")) })
	case i.State != InviteJoined, n.blind() != nil:
		// it is taken on when the chain is seen for certain
		return nil
	}
	var unwelcome error
	if i.Mine {
		unwelcome = n.welcome(ctx)
		if i, err = n.invite(id); err != nil {
			return err
		}
	}
	switch begun, err := n.begun(i); {
	case err != nil:
		return err
	case begun:
		return n.played(id)
	case unwelcome != nil:
		return unwelcome
	case i.Mine:
		return n.checkOn(i, now)
	}
	if i.Channel == (common.Hash{}) {
		if err := n.findChannel(ctx, i); err != nil || i.Channel == (common.Hash{}) {
			return err
		}
	}
	return n.proposeInvited(i)
}

// changeInvite changes an invite if it is still in a state.
func (n *meeting) changeInvite(id common.Hash, from InviteState, change func(*Invite) error) error {
	n.records.Lock()
	defer n.records.Unlock()
	i, err := n.invite(id)
	if err != nil || i.State != from {
		return err
	}
	return change(i)
}

// welcome accepts a channel or match that was agreed on but arrived before the last bid.
func (n *meeting) welcome(ctx context.Context) error {
	offers, err := n.offers.Offers()
	if err != nil {
		return err
	}
	for k := range offers {
		if o := &offers[k]; !o.Mine() && o.State == OfferOpen && n.expectsOffer(o) {
			// answered meanwhile; of all else an alarm tells
			if failed := n.offers.inTime(o.ID, func() error { return n.offers.acceptOffer(ctx, o.ID) }); !errors.Is(failed, ErrUnknownOffer) {
				err = errors.Join(err, failed)
			}
		}
	}
	for _, p := range n.channels.Proposals() {
		if s, unknown := n.channels.session(p.Channel); unknown == nil && n.expectsMatch(&p) {
			// approved meanwhile, or this player leaves the channel
			if failed := s.feed(channel.ApproveProposal{Version: p.Version}); !errors.Is(failed, channel.ErrStale) && !errors.Is(failed, channel.ErrFrozen) {
				err = errors.Join(err, failed)
			}
			n.channels.nudge()
		}
	}
	return err
}

// checkOn takes an invite back from a joining player who does not do what was agreed on in time.
func (n *meeting) checkOn(i *Invite, now time.Time) error {
	reason := ""
	if i.Offer != (common.Hash{}) {
		switch o, err := n.offers.offer(i.Offer); {
		case err != nil && !errors.Is(err, ErrUnknownOffer):
			return err
		case o.State == OfferDeclined, o.State == OfferLapsed:
			reason = "the channel was not opened"
		case o.State == OfferOpened, err != nil: // or it is forgotten: newer ones came
			if uint64(now.Unix()) >= i.Expiry && now.Unix()-i.Agreed > int64(proposeWithin/time.Second) {
				return n.giveUp(i.ID, "the match was not proposed in time")
			}
		}
	} else if now.Unix()-i.Agreed > int64(offerWithin/time.Second) {
		reason = "the other player did not come"
	}
	if reason == "" {
		return nil
	}
	return n.changeInvite(i.ID, InviteJoined, func(now *Invite) error {
		if now.Offer != i.Offer || now.Channel != i.Channel {
			return nil // the other player came meanwhile
		}
		b := now.negotiation(now.With)
		if b == nil {
			return fmt.Errorf("invite %s is joined, and nothing of a negotiation is stored: the store is damaged", now.ID)
		}
		return n.reopen(now, b, reason)
	})
}

// findChannel finds the channel in which a joined match is to be played, or has one opened, and
// notes it in the invite.
func (n *meeting) findChannel(ctx context.Context, i *Invite) error {
	o, err := n.offers.offer(i.Offer)
	forgotten := errors.Is(err, ErrUnknownOffer) // or there was none
	if c, ok := n.shared(i.Player, i.Asset, &i.Stake); ok && forgotten {
		return n.settleOn(i, c)
	}
	switch {
	case i.Offer == (common.Hash{}):
		return n.openFor(ctx, i)
	case forgotten:
		return n.endNegotiation(i.ID, i.Player, "there is no channel for it")
	case err != nil:
		return err
	case o.State == OfferDeclined, o.State == OfferLapsed:
		return n.endNegotiation(i.ID, i.Player, fmt.Sprintf("the channel is %s: %s", o.State, o.Reason))
	case o.State == OfferOpened:
		c, err := n.channels.Channel(o.Terms.ID(n.domain))
		if err != nil {
			return err
		}
		if c.Status != ChannelOpening {
			return n.settleOn(i, c)
		}
	}
	return nil
}

// settleOn notes in which channel the match is to be played.
func (n *meeting) settleOn(i *Invite, c Channel) error {
	return n.changeInvite(i.ID, InviteJoined, func(now *Invite) error {
		now.Channel, now.After = c.ID, c.Ledger.Version<<8
		*i = *now
		return n.saveInvite(now)
	})
}

// memo names an invite in the offer of its channel.
func (i *Invite) memo() string { return "for invite " + i.ID.Hex() }

// offerOf returns the offer of an invite's channel, zero if there is none. A crash may have kept it
// from being noted in the invite.
func (n *meeting) offerOf(i *Invite) (common.Hash, error) {
	if i.Mine || i.Offer != (common.Hash{}) {
		return i.Offer, nil
	}
	list, err := n.offers.records.all()
	if at := slices.IndexFunc(list, func(o Offer) bool { return o.Mine() && o.Memo == i.memo() }); at >= 0 {
		return list[at].ID, nil
	}
	return common.Hash{}, err
}

// openFor offers the channel for a joined match, once, and takes it back if the invite has ended
// meanwhile.
func (n *meeting) openFor(ctx context.Context, i *Invite) error {
	id, err := n.offerOf(i)
	if err != nil {
		return err
	}
	if id == (common.Hash{}) {
		deposit := i.deposit(&i.Stake)
		id, err = n.offers.offerChannel(ctx, OpenRequest{Peers: []common.Address{i.Player}, Deposits: []uint256.Int{deposit, deposit}, Asset: i.Asset,
			Window: i.Window, Memo: i.memo()})
		if errors.Is(err, ErrFunds) || errors.Is(err, protocol.ErrTerms) {
			return n.endNegotiation(i.ID, i.Player, "the channel cannot be offered", // what this player has is not for others to read
				Event{Kind: Alarm, Text: fmt.Sprintf("you could not play with %s for invite %s: %v", i.Player, i.ID, err)})
		}
		if errors.Is(err, transport.ErrUnknownPeer) {
			return nil // until it connects again
		}
		if err != nil {
			return err
		}
	}
	joined := false
	if err := n.changeInvite(i.ID, InviteJoined, func(i *Invite) error {
		joined, i.Offer = true, id
		return n.saveInvite(i)
	}); joined || err != nil {
		return err
	}
	return n.takeBack(id, "its invite is over")
}

// takeBack declines an offer that was made for an invite, if there is one that waits.
func (n *meeting) takeBack(offer common.Hash, reason string) error {
	if err := n.offers.Decline(offer, message.Clip(reason)); !errors.Is(err, ErrUnknownOffer) {
		return err
	}
	return nil
}

// proposeInvited proposes the match that was agreed on, once.
func (n *meeting) proposeInvited(i *Invite) error {
	s, err := n.channels.session(i.Channel)
	if errors.Is(err, ErrEnded) {
		return n.giveUp(i.ID, err.Error())
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	waits := slices.ContainsFunc(s.machine.Wanted(), func(t protocol.MatchTerms) bool { return i.plays(&t) })
	s.mu.Unlock()
	if waits {
		return nil
	}
	// what waited until a moment ago is locked by now, or refused
	if i, err = n.invite(i.ID); err != nil || i.State != InviteJoined {
		return err
	}
	switch begun, err := n.begun(i); {
	case err != nil:
		return err
	case begun:
		return n.played(i.ID)
	}
	// what follows is decided elsewhere: the user's callbacks may call the node
	defer n.channels.nudge()
	err = s.feed(channel.ProposeMatch{Rules: i.Rules, Params: i.Params, Seats: []uint8{0, 1}, Stakes: []uint256.Int{i.Stake, i.Stake}})
	if err == nil || slices.ContainsFunc(passing, func(why error) bool { return errors.Is(err, why) }) {
		return err
	}
	return n.giveUp(i.ID, err.Error())
}

// passing lists the errors that prevent a proposal only for now.
var passing = []error{ErrStore, ErrClosed, ErrBlind, protocol.ErrBusy, channel.ErrHeld, channel.ErrUnshown, channel.ErrNotOpen}

// giveUp ends a joined invite whose match cannot come about.
func (n *meeting) giveUp(id common.Hash, reason string) error {
	return n.changeInvite(id, InviteJoined, func(i *Invite) error { return n.endInvite(i, InviteEnded, reason, n.ended(i, reason)) })
}

// plays reports whether a match is the one that was agreed on.
func (i *Invite) plays(t *protocol.MatchTerms) bool {
	return t.Rules == i.Rules && bytes.Equal(t.Params, i.Params) && len(t.Stakes) == 2 && t.Stakes[0].Eq(&i.Stake) && t.Stakes[1].Eq(&i.Stake)
}

// begun reports whether the match that was agreed on is locked, or was.
func (n *meeting) begun(i *Invite) (bool, error) {
	if i.Channel == (common.Hash{}) {
		return false, nil
	}
	for _, m := range n.channels.Matches() {
		if m.Channel == i.Channel && i.plays(&m.Terms) && m.Terms.Nonce > i.After {
			return true, nil
		}
	}
	results, err := n.channels.allResults()
	return slices.ContainsFunc(results, func(r Result) bool {
		return r.Channel == i.Channel && i.plays(&r.Terms) && r.Terms.Nonce > i.After
	}), err
}

// shared returns an open channel with one other player in which both can stake so much.
func (n *meeting) shared(with common.Address, asset common.Address, stake *uint256.Int) (Channel, bool) {
	for _, c := range n.channels.Channels() {
		t := &c.Terms
		if c.Status != ChannelOpen || c.Restored || t.Asset != asset || len(t.Players) != 2 || t.Players[1-c.Seat] != with {
			continue
		}
		if l := &c.Ledger; !l.Balances[0].Lt(stake) && !l.Balances[1].Lt(stake) {
			return c, true
		}
	}
	return Channel{}, false
}

// answer accepts the channel that an agreed invite calls for. It is nil for other offers.
func (n *meeting) answer(o *Offer) func(context.Context) error {
	if !n.expectsOffer(o) {
		return nil
	}
	return func(context.Context) error {
		ctx, err := n.askFor(n.who(o.Terms.Players[0]), n.questionsToOpen(o.Terms.Asset))
		if err != nil {
			return err
		}
		return n.offers.acceptExpected(ctx, o)
	}
}

// judge approves the match that an agreed invite calls for, if its stakes are met.
func (n *meeting) judge(p *Proposal) verdict {
	switch {
	case !n.expectsMatch(p):
		return notArranged
	case !n.channels.meets(p):
		return undecided
	}
	return approved
}

// expectsOffer reports whether a channel that somebody offers is the one that an invite of this
// player's calls for, to be opened as soon as any, and notes that it is. Each agreement is good for
// one channel, of which it may be asked again: what came between may have passed.
func (n *meeting) expectsOffer(o *Offer) bool {
	return n.expects(func(i *Invite) bool {
		deposit := i.deposit(&i.Stake)
		t := &o.Terms
		if o.Replaces != (common.Hash{}) || t.Players[0] != i.With || len(t.Players) != 2 || t.Asset != i.Asset || t.Window != i.Window || !t.Deposits[0].Eq(&deposit) ||
			!t.Deposits[1].Eq(&deposit) || n.opensLate(o, money.OpenWithin(t.Window)) || i.Offer != (common.Hash{}) && i.Offer != o.ID || i.Channel != (common.Hash{}) {
			return false
		}
		i.Offer = o.ID
		return true
	})
}

// expectsMatch reports whether a proposed match is the one that an invite of this player's calls
// for, and notes where it is played. Each agreement is good for one match: the commit that approves
// a match of two locks it, and what is locked ends the invite.
func (n *meeting) expectsMatch(p *Proposal) bool {
	c, err := n.channels.Channel(p.Channel)
	if err != nil || len(p.Matches) != 1 || !n.markPlayed(p.Channel) {
		return false
	}
	m := &p.Matches[0]
	return n.expects(func(i *Invite) bool {
		t := &c.Terms
		if !i.plays(m) || t.Players[p.From] != i.With || t.Asset != i.Asset || len(t.Players) != 2 ||
			i.Channel != (common.Hash{}) && i.Channel != p.Channel || m.Nonce <= i.After {
			return false
		}
		if i.Channel == (common.Hash{}) { // a later version of the same proposal is welcome, too
			i.Channel, i.After = p.Channel, m.Nonce-1
		}
		return true
	})
}

// played notes that the match of a joined invite is locked.
func (n *meeting) played(id common.Hash) error {
	return n.changeInvite(id, InviteJoined, func(i *Invite) error {
		i.State = InvitePlayed
		return n.saveInvite(i)
	})
}

// markPlayed ends the invites whose match has begun in a channel. It reports whether all that can
// be read could be looked at.
func (n *meeting) markPlayed(channelID common.Hash) bool {
	list, err := n.Invites()
	for k := range list {
		i := &list[k]
		if err != nil || i.State != InviteJoined || i.Channel != channelID {
			continue
		}
		var begun bool
		if begun, err = n.begun(i); begun && err == nil {
			err = n.played(i.ID)
		}
	}
	if err != nil {
		n.config.Log.Error("invites not read", "channel", channelID, "error", err)
	}
	return err == nil
}

// expects finds the first joined invite of this player's for which found says so, and saves what
// that noted.
func (n *meeting) expects(found func(*Invite) bool) bool {
	n.records.Lock()
	defer n.records.Unlock()
	list, err := n.Invites()
	if err != nil {
		n.config.Log.Error("invites not read", "error", err)
		return false
	}
	for k := range list {
		i := &list[k]
		if !i.Mine || i.State != InviteJoined || !found(i) {
			continue
		}
		if err := n.saveInvite(i); err != nil {
			n.config.Log.Error("invite not stored", "invite", i.ID, "error", err)
			return false
		}
		return true
	}
	return false
}

// refused ends the invite whose match in a channel the other side refused.
func (n *meeting) refused(id common.Hash, e channel.ProposalRefused) {
	list, err := n.Invites()
	for k := range list {
		i := &list[k]
		if err == nil && !i.Mine && i.State == InviteJoined && i.Channel == id && slices.ContainsFunc(e.Matches, func(t protocol.MatchTerms) bool { return i.plays(&t) }) {
			err = n.giveUp(i.ID, "the match is refused: "+e.Reason)
		}
	}
	if err != nil {
		n.config.Log.Error("invite not ended", "channel", id, "error", err)
	}
}
