package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// tendOffers takes the next steps of every offer.
func (n *offers) tendOffers(ctx context.Context, now uint64) error {
	list, err := n.Offers()
	if err != nil {
		return err
	}
	for i := range list {
		if o := &list[i]; o.State == OfferOpen || o.State == OfferAccepted {
			err = errors.Join(err, n.tendOffer(ctx, o, now))
		}
	}
	return errors.Join(err, n.notSigned(list), n.yieldOld(list), n.pruneOffers(list))
}

// tendOffer opens a channel that everybody has signed, sees that it is open, or that it is too
// late: by the time that both endpoints tell, because what is given up then stays so. The caller
// does not hold the offers' lock.
func (n *offers) tendOffer(ctx context.Context, o *Offer, now uint64) error {
	s, err := n.channels.session(o.Terms.ID(n.domain))
	switch {
	case s != nil && s.opened.Load() && s.info().Status == ChannelOpening:
		// not final: a reorganisation may take it back, and then it has to be sent again, if there
		// is time
		return nil
	case errors.Is(err, ErrEnded), s != nil && s.opened.Load():
		return n.finishOffer(o, OfferOpened)
	case (o.State == OfferOpen || o.Signatures[o.Seat] == nil) && n.sure() >= o.Terms.OpenBy:
		return n.finishOffer(o, OfferLapsed)
	case o.State == OfferAccepted && n.sure() >= o.Terms.OpenBy+o.Terms.Window && n.blind() == nil:
		// an opening would have been seen long ago, unless blocks are unread or contradicted
		if err := n.finishOffer(o, OfferLapsed); err != nil || s == nil {
			return err
		}
		return n.channels.forget(s)
	case now >= o.Terms.OpenBy:
		return nil
	case !o.Mine():
		return n.signReplacing(ctx, o, now)
	case o.State == OfferOpen && !n.ready(o):
		return n.closeReplaced(ctx, o)
	}
	// A deposit that is on its way was made for this: the wallet would pay a second time.
	if soon, err := n.means.affordsSoon(ctx, o); soon || err != nil {
		return err
	}
	if o.State == OfferOpen {
		if err := n.means.canOpen(ctx, o); err != nil {
			return fmt.Errorf("channel %s: %w", o.Terms.ID(n.domain), err)
		}
		if n.config.Owner != nil {
			n.concludeLater(o)
			return nil
		}
		sig, err := n.signOpening(ctx, &o.Terms)
		if err != nil {
			return err
		}
		if err := n.conclude(o, sig); err != nil {
			return err
		}
	}
	if err := n.submitOpening(ctx, o); err != nil {
		return errors.Join(fmt.Errorf("channel %s: %w", o.Terms.ID(n.domain), err), n.blame(ctx, o))
	}
	return nil
}

// blame notes which other player's bank lacks its deposit when an opening is not sent: once it has
// lapsed the money may be back.
func (n *offers) blame(ctx context.Context, o *Offer) error {
	for seat, player := range o.Terms.Players {
		if seat == o.Seat || o.Replaces != (common.Hash{}) {
			continue
		}
		free, err := n.Bank(ctx, o.Terms.Asset, player)
		if err != nil {
			return err
		}
		if free.Lt(&o.Terms.Deposits[seat]) {
			n.records.Lock()
			defer n.records.Unlock()
			now, err := n.offer(o.ID)
			if err != nil || now.By == player {
				return err
			}
			now.By = player
			return n.saveOffer(&now)
		}
	}
	return nil
}

// ready reports whether this node's own signature, the last, may be given.
func (n *offers) ready(o *Offer) bool { return o.signedByOthers() && n.mayOpen(o) }

func (o *Offer) signedByOthers() bool {
	for seat := 1; seat < len(o.Signatures); seat++ {
		if o.Signatures[seat] == nil {
			return false
		}
	}
	return true
}

// signs reports whether this player has signed the opening.
func (o *Offer) signs() bool { return o.Signatures[o.Seat] != nil }

// finishOffer notes what became of an offer, unless it was answered since it was read: a channel
// that is signed is to be looked after.
func (n *offers) finishOffer(was *Offer, state OfferState) error {
	n.records.Lock()
	defer n.records.Unlock()
	o, err := n.offer(was.ID)
	if err != nil || o.State != was.State || o.signs() != was.signs() {
		return err
	}
	o.State = state
	if state == OfferLapsed {
		return n.saveOffer(&o, Event{Kind: OfferAnswered, Text: fmt.Sprintf(
			"offer %s lapsed: the channel was not opened by clock time %d", o.ID, o.Terms.OpenBy)})
	}
	return n.saveOffer(&o)
}

// conclude adds this node's own signature, the last, and makes the session before anybody can see
// it.
func (n *offers) conclude(o *Offer, sig []byte) error {
	n.records.Lock()
	defer n.records.Unlock()
	newest, err := n.offer(o.ID)
	if err != nil {
		return err
	}
	signed := o.Terms.ID(n.domain)
	*o = newest
	if o.State != OfferOpen || !n.ready(o) || o.Terms.ID(n.domain) != signed {
		return nil
	}
	o.Signatures[o.Seat] = sig
	if _, err := n.channels.found(o.Terms, o.Seat); err != nil {
		return err
	}
	o.State = OfferAccepted
	return n.saveOffer(o, Event{Kind: OfferAnswered, Channel: o.Terms.ID(n.domain), Text: fmt.Sprintf(
		"everybody accepts offer %s; opening channel %s", o.ID, o.Terms.ID(n.domain))})
}

// submitOpening sends the opening. Asking again never sends it twice, unless it failed.
func (n *offers) submitOpening(ctx context.Context, o *Offer) error {
	if o.State != OfferAccepted {
		return nil // taken back meanwhile
	}
	missing, err := n.means.missing(ctx, o)
	if err != nil {
		return err
	}
	r := chain.Request{Key: "open/" + o.ID.Hex(), Why: "open a channel with " + n.amount(o.Terms.Asset, &o.Terms.Deposits[o.Seat]) + " of yours", Deadline: o.Terms.OpenBy}
	open := onchain.Open{Terms: o.Terms, Signatures: o.Signatures, Value: *missing}
	if !n.means.holds(o.Replaces) {
		return n.sendOpening(ctx, r, open)
	}
	closes := n.closing(o)
	if closes == nil {
		return nil
	}
	open.Value = uint256.Int{} // what is missing is in the channel that closes
	r.Key, r.Why = "resize/"+o.ID.Hex(), "close channel "+o.Replaces.Hex()+", and "+r.Why
	return n.sendOpening(ctx, r, onchain.Batch{*closes, open})
}

// mostFailed is how many openings of an offer are sent and fail in their blocks.
const mostFailed = 2

// sendOpening sends an opening, and another if that one failed. It sends no more: where it is tried
// first, a contract wallet may take a signature that it refuses in the block, each time, and only
// who sends it pays.
func (n *offers) sendOpening(ctx context.Context, r chain.Request, a onchain.Action) error {
	for range mostFailed {
		sent, err := n.drive.Sender.Status(r.Key)
		if err != nil {
			return err
		}
		if sent.Progress != chain.Done || sent.Err == nil {
			_, err = n.drive.Send(ctx, r, a)
			return err
		}
		r.Key, r.Failed, r.Again = r.Key+"/again", true, true
	}
	return fmt.Errorf("its opening failed %d times: it is not sent again, and a player may be to blame: offer another channel", mostFailed)
}

// concludeLater has an opening of this node's signed in its own time, so that nothing else waits
// for the person who is asked, and then concluded.
func (n *offers) concludeLater(o *Offer) {
	n.askLater(o.ID, func() error {
		sig, err := n.signOpening(n.run, &o.Terms)
		if err == nil {
			err = n.conclude(o, sig)
		}
		if err != nil {
			return err
		}
		return n.tendOffer(n.run, o, n.now())
	})
}

// askLater runs what asks the owner about an offer, unless it is being asked already. What the
// owner refuses is declined; what else goes wrong is tried again, and an alarm as long as the offer
// waits.
func (n *offers) askLater(id common.Hash, ask func() error) {
	n.mu.Lock()
	asked := n.asking[id]
	n.asking[id] = true
	n.mu.Unlock()
	if asked {
		return
	}
	n.done.Go(func() {
		err := ask()
		if errors.Is(err, errUnsigned) {
			err = n.Decline(id, errUnsigned.Error())
		}
		if err != nil && n.run.Err() == nil {
			n.config.Log.Warn("the owner has not signed an opening", "offer", id, "error", err)
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.asking, id)
		if n.unsigned[id] = err; err == nil || passes(err) {
			delete(n.unsigned, id)
		}
	})
}

// passes reports whether an offer waits for nothing that its player could do.
func passes(err error) bool {
	return errors.Is(err, ErrBusy) || errors.Is(err, chain.ErrBudget) || errors.Is(err, ErrBlind)
}

// notSigned returns why the owner has not signed what waits for it.
func (n *offers) notSigned(list []Offer) (err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range list {
		switch o := &list[i]; {
		case o.State != OfferOpen && (o.State != OfferAccepted || o.Signatures[o.Seat] != nil):
			delete(n.unsigned, o.ID)
		case n.unsigned[o.ID] != nil:
			err = errors.Join(err, fmt.Errorf("offer %s: %w", o.ID.TerminalString(), n.unsigned[o.ID]))
		}
	}
	return err
}
