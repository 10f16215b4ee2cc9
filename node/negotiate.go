package node

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// unpayable is why a negotiation ends that this player has not the money for.
const unpayable = "the player cannot pay at the moment"

// receiveBid takes a bid of the other side, and answers it where that needs no person.
func (n *meeting) receiveBid(from common.Address, m message.Bid) error {
	if err := n.charge(n.budgets.queries, from, 1); err != nil {
		return err
	}
	i, again, err := n.takeBid(from, m)
	if errors.Is(err, ErrUnknownInvite) {
		n.sayInvite(from, message.EndBids{InviteID: m.InviteID, Reason: message.Clip(err.Error())})
	}
	if err != nil {
		return err // what fails here is not for a peer to read; its node bids again, see remindBids
	}
	b := i.negotiation(from)
	if bid := b.theirs(); i.Mine && i.Waits(b) && i.takes(&bid.Stake) {
		ctx, err := n.askFor(n.who(from), n.questionsToOpen(i.Asset))
		if err == nil {
			err = n.canStake(ctx, i, from, &bid.Stake)
		}
		if errors.Is(err, ErrBusy) {
			return err // it bids again
		}
		if err != nil {
			kind := Alarm
			if slices.ContainsFunc(i.Negotiations, func(b Negotiation) bool { return b.Ended == unpayable }) {
				kind = InviteOver // any number of accounts may bid, and alarms are few
			}
			return n.endNegotiation(i.ID, from, unpayable, Event{Kind: kind, Text: fmt.Sprintf("you could not play with %s for invite %s: %v", from, i.ID, err)})
		}
		if err := n.placeBid(i.ID, from, &bid.Stake, bid.Number); err != nil && !errors.Is(err, channel.ErrStale) { // replaced meanwhile
			return err
		}
	} else if again {
		return nil // no step of the invite, which may ask the chain
	}
	return n.tendInvite(n.run, i.ID)
}

// takes reports whether a stake is one that the inviting player has offered to play for. What is
// free must be offered by both in so many words.
func (i *Invite) takes(stake *uint256.Int) bool {
	return !stake.Lt(&i.Least) && !i.Most.Lt(stake) && (!stake.IsZero() || i.Most.IsZero())
}

// takeBid adds a bid of the other side to a negotiation, and answers what needs neither the chain
// nor a person. A bid that came before is answered as it was then, where that is the newest.
func (n *meeting) takeBid(from common.Address, m message.Bid) (i *Invite, again bool, err error) {
	n.records.Lock()
	defer n.records.Unlock()
	if i, err = n.invite(m.InviteID); err != nil {
		return nil, false, err
	}
	bid := Bid{By: from, Number: m.Number, Stake: m.Stake, Agrees: m.Agrees}
	b := i.negotiation(from)
	if b != nil && !b.over() && (bid.Number < b.theirs().Number || bid == b.theirs()) {
		if b.mine().agreesTo(bid) {
			n.sayBid(i, b)
		}
		return i, true, nil
	}
	group := n.groupOf(from) // asked once: it may be another at any time
	if err := n.mayBid(i, b, &bid, group); err != nil {
		return nil, false, err
	}
	paid := b.needsPlace(&bid)
	if paid {
		if i.full() {
			i.yields(&bid, group).displace()
		}
		if b == nil {
			i.Negotiations = append(i.Negotiations, Negotiation{With: from})
			b = &i.Negotiations[len(i.Negotiations)-1]
		}
		b.Group = group
	}
	b.Ended, b.Displaced = "", false
	return i, false, n.weigh(i, b, bid, paid)
}

// weigh adds a new bid of the other side to a negotiation, and finds out what it means: the user
// hears of it if that is paid for. The invites' lock is held.
func (n *meeting) weigh(i *Invite, b *Negotiation, bid Bid, paid bool) error {
	mine, left := b.mine(), b.bound()
	// what answers a bid of the user's own costs nothing
	paid = paid || len(b.Bids) > 0 && b.Bids[len(b.Bids)-1].By != bid.By && b.Bids[len(b.Bids)-1].Agrees == 0
	b.Bids = append(b.Bids, bid)
	switch {
	case i.Mine && bid.agreesTo(mine):
		n.addBid(b, &bid.Stake)
		if err := n.agree(i, b); err != nil {
			return err
		}
		n.sayBid(i, b)
		return nil
	case !i.Mine && bid.agreesTo(mine) && mine.Agrees != 0 && bid.Number == mine.Agrees+1:
		return n.agree(i, b)
	case !i.Mine && bid.Stake == mine.Stake && mine.Number < maxNumber:
		return n.answerBid(i, b, &bid.Stake)
	case i.Mine && i.takes(&bid.Stake):
		return n.saveInvite(i) // it is answered at once
	case !paid && !n.allows(n.budgets.told, bid.By):
		return n.saveInvite(i)
	}
	text := fmt.Sprintf("%s bids %s each for %s", bid.By, n.amount(i.Asset, &bid.Stake), n.gameName(i.Rules))
	switch {
	case left:
		text += fmt.Sprintf(", in place of the %s that you agreed to", n.amount(i.Asset, &mine.Stake))
	case bid.Agrees != 0:
		text += ", and agreed to a bid of yours that you have replaced"
	}
	return n.saveInvite(i, Event{Kind: InviteBid, Text: fmt.Sprintf("%s. Invite %s", text, i.ID)})
}

// mayBid says why a new bid of the other side, which comes from a group of network addresses, is
// refused, if so.
func (n *meeting) mayBid(i *Invite, b *Negotiation, bid *Bid, group string) error {
	var mine uint32
	if b != nil {
		mine = b.mine().Number
	}
	switch {
	case i.State != InviteOpen:
		return fmt.Errorf("%w: it is %s", ErrUnknownInvite, i.State)
	case i.Mine && uint64(n.config.Now().Unix()) >= i.Expiry:
		return fmt.Errorf("%w: it expired", ErrUnknownInvite)
	case b == nil && (!i.Mine || !i.Invites(bid.By)):
		return fmt.Errorf("%w: it is not for you", ErrUnknownInvite)
	case b != nil && b.over():
		return fmt.Errorf("%w: %s", ErrUnknownInvite, b.Ended)
	case b != nil && bid.Number <= b.theirs().Number, bid.Number == 0:
		return fmt.Errorf("%w: two bids of one number", ErrUnknownInvite)
	case bid.Number > maxNumber, bid.Agrees > max(mine, maxBids-2): // see next
		return fmt.Errorf("%w: there were %d bids already", ErrUnknownInvite, maxBids)
	case b.needsPlace(bid) && (i.full() && i.yields(bid, group) == nil || !n.allows(n.budgets.told, bid.By)),
		b == nil && len(i.Negotiations) >= keptNegotiations && !i.forget():
		return fmt.Errorf("%w: others bid already", ErrBusy)
	}
	return nil
}

// receiveEnd takes the other side's message that it ends the negotiation.
func (n *meeting) receiveEnd(from common.Address, m message.EndBids) error {
	err := n.endNegotiation(m.InviteID, from, m.Reason)
	if errors.Is(err, ErrUnknownInvite) {
		return nil // it says again what is known
	}
	return err
}

// endNegotiation notes that a negotiation ended. For the player who joins that ends the invite; the
// inviting player's is open to others again, unless a channel is being opened for it.
func (n *meeting) endNegotiation(id common.Hash, with common.Address, reason string, events ...Event) error {
	offer, err := n.noteEnd(id, with, reason, events)
	if err != nil {
		return err
	}
	return n.takeBack(offer, reason)
}

func (n *meeting) noteEnd(id common.Hash, with common.Address, reason string, events []Event) (offer common.Hash, err error) {
	n.records.Lock()
	defer n.records.Unlock()
	i, err := n.invite(id)
	if err != nil {
		return offer, err
	}
	b := i.negotiation(with)
	switch {
	case b == nil || b.over() || i.State != InviteOpen && i.State != InviteJoined || i.Channel != common.Hash{}:
		return offer, nil
	case !i.Mine:
		if offer, err = n.offerOf(i); err != nil {
			return offer, err
		}
		return offer, n.endInvite(i, InviteEnded, reason, append(events, n.ended(i, reason))...)
	case i.State == InviteJoined && i.Offer != common.Hash{}:
		return offer, nil // the offer's end decides
	}
	return offer, n.reopen(i, b, reason, events...)
}

// reopen ends one negotiation about this player's own invite, and shows that to others again if it
// was joined. The invites' lock is held.
func (n *meeting) reopen(i *Invite, b *Negotiation, reason string, events ...Event) error {
	joined := i.State == InviteJoined
	b.end(reason)
	i.State, i.With, i.Stake, i.Agreed = InviteOpen, common.Address{}, uint256.Int{}, 0
	i.Offer, i.Channel, i.After = common.Hash{}, common.Hash{}, 0
	if joined {
		events = append(events, Event{Kind: InviteBid, Text: fmt.Sprintf("%s does not play after all (%q); others can join invite %s again", b.With, reason, i.ID)})
	}
	if err := n.saveInvite(i, events...); err != nil {
		return err
	}
	n.sayInvite(b.With, message.EndBids{InviteID: i.ID, Reason: message.Clip(reason)})
	if !joined {
		return nil
	}
	if err := n.show(i); err != nil {
		// it expired meanwhile
		n.config.Log.Debug("invite not shown again", "invite", i.ID, "error", err)
	}
	return nil
}

func (n *meeting) ended(i *Invite, reason string) Event {
	with := ""
	switch {
	case !i.Mine:
		with = fmt.Sprintf(" with %s", i.Player)
	case i.With != (common.Address{}):
		with = fmt.Sprintf(" with %s", i.With)
	}
	return Event{Kind: InviteOver, Text: fmt.Sprintf("no match of %s%s: %q. Invite %s", n.gameName(i.Rules), with, reason, i.ID)}
}
