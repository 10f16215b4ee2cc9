package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// presign makes the signatures that accept needs, or none where it is too early. It may wait for a
// person.
func (n *offers) presign(ctx context.Context, o Offer, now uint64) ([]byte, error) {
	o.Terms.Signers = slices.Clone(o.Terms.Signers)
	if err := n.joinTerms(&o, now, n.sure()); err != nil || !n.mayOpen(&o) {
		return nil, err
	}
	return n.signOpening(ctx, &o.Terms)
}

// accept replies with the signature that presign made. A seat signs the terms once they name every
// session signer: with two seats at once. The session is stored before the signature leaves. The
// offers' lock is held.
func (n *offers) accept(o *Offer, now uint64, sig []byte) error {
	if err := n.joinTerms(o, now, n.sure()); err != nil {
		return err
	}
	o.State = OfferAccepted
	if err := n.replace(o); err != nil {
		return err
	}
	if n.mayOpen(o) {
		if sig == nil {
			return fmt.Errorf("%w: offer %s changed while it was signed", ErrBusy, o.ID.TerminalString())
		}
		o.Signatures[o.Seat] = sig
		if _, err := n.channels.found(o.Terms, o.Seat); err != nil {
			return err
		}
	}
	if err := n.saveOffer(o); err != nil {
		return err
	}
	if err := n.sendReply(o); err != nil {
		n.config.Log.Info("the acceptance will be sent when the peer connects", "offer", o.ID, "error", err)
	}
	return nil
}

func (n *offers) sendReply(o *Offer) error {
	return n.send(o.Terms.Players[0], message.OpenReply{OfferID: o.ID, Terms: o.Terms, Signatures: o.Signatures})
}

// receiveOffer handles an offer, or the same with all signers filled in, from the player of its
// seat 0.
func (n *offers) receiveOffer(ctx context.Context, from common.Address, m message.OpenOffer) error {
	t := m.Terms
	seat := slices.Index(t.Players, n.Account())
	if seat < 1 || t.Players[0] != from {
		return fmt.Errorf("%w: an offer must come from its seat 0 and seat this player", protocol.ErrTerms)
	}
	if err := checkOpenTerms(&t); err != nil {
		return err
	}
	n.learnFrom(from, t.Asset)
	o, err := n.takeOffer(seat, m)
	switch {
	case errors.Is(err, errNotResized) && n.allows(n.budgets.queries, from):
		return errors.Join(err, n.send(from, message.OpenReply{OfferID: n.offerID(&t), Decline: message.Clip(err.Error())}))
	case err != nil:
		return n.later(from, n.offerID(&t), err)
	case o.State == OfferOpen:
		return n.later(from, o.ID, n.consider(ctx, &o))
	case o.State != OfferAccepted || o.TakenBack():
		return nil
	}
	if err := n.charge(n.budgets.queries, from, 1); err != nil {
		return err
	}
	sig := o.Signatures[seat]
	if sig != nil {
		return n.repeat(o.ID, t, sig)
	}
	if !n.closes(&o) {
		return n.sendReply(&o) // it is signed once all have signed to close the other
	}
	who, questions := n.who(from), n.questionsToOpen(t.Asset)
	// from a house with which the user registered: the chain is asked once for each such offer
	if n.arranged.rounds.registered(&o) {
		who.Friend, questions = true, 1
	}
	asked, err := n.askFor(who, questions)
	if err != nil {
		return n.later(from, o.ID, err)
	}
	if o.Replaces != (common.Hash{}) {
		o.Terms.Signers = t.Signers
		return n.signReplacing(asked, &o, n.now())
	}
	if err := n.means.canOpen(asked, &o); err != nil {
		return err
	}
	return n.inTime(o.ID, func() error {
		o.Terms.Signers = t.Signers
		sig, err := n.presign(ctx, o, n.now())
		if err != nil {
			return err
		}
		return n.repeat(o.ID, t, sig)
	})
}

// consider accepts a waiting offer if that needs no person. It fails with ErrBusy where that would
// ask the chain too often.
func (n *offers) consider(ctx context.Context, o *Offer) error {
	if n.blind() != nil {
		return nil // see reconsider
	}
	if answer := n.arranged.answer(o); answer != nil {
		return n.inTime(o.ID, func() error { return answer(ctx) })
	}
	accept := n.config.Policy.Accept
	if accept == nil || !accept(*o) {
		return nil
	}
	ctx, err := n.askFor(n.who(o.Terms.Players[0]), n.questionsToOpen(o.Terms.Asset))
	if err != nil {
		return err
	}
	return n.inTime(o.ID, func() error { return n.acceptExpected(ctx, o) })
}

// later asks an offerer to offer again what is too much now. It does not report other errors to the
// offerer.
func (n *offers) later(from common.Address, id common.Hash, why error) error {
	if !errors.Is(why, ErrBusy) && !errors.Is(why, chain.ErrBudget) || !n.allows(n.budgets.queries, from) {
		return why
	}
	again := busyFor
	if spent, is := errors.AsType[*budget.Spent](why); is && spent.Again > 0 {
		again = spent.Again
	}
	reply := message.OpenReply{OfferID: id, Decline: message.Clip(why.Error()), Again: uint32(min(again, time.Hour)/time.Second) + 1} //nolint:gosec // at most an hour
	return errors.Join(why, n.send(from, reply))
}

// repeat accepts again an offer that was accepted before: its terms may be complete now.
func (n *offers) repeat(id common.Hash, t protocol.Terms, sig []byte) error {
	n.records.Lock()
	defer n.records.Unlock()
	o, err := n.offer(id)
	if err != nil || o.State != OfferAccepted {
		return err
	}
	if had := o.Signatures[o.Seat]; had != nil {
		sig = had // what was signed first stays, whatever was signed meanwhile
	} else {
		o.Terms.Signers = t.Signers
	}
	return n.accept(&o, n.now(), sig)
}

// inTime runs what may need the player's signature for an offer: at once, or in a goroutine where
// an owner is asked, so that neither the peer's other messages nor the chain's blocks wait for a
// person. About an offer that comes again meanwhile nobody is asked again.
func (n *offers) inTime(id common.Hash, do func() error) error {
	if n.config.Owner == nil {
		return do()
	}
	n.askLater(id, do)
	return nil
}

// acceptExpected accepts an offer without asking, and tells the user if that fails.
func (n *offers) acceptExpected(ctx context.Context, o *Offer) error {
	err := n.acceptOffer(ctx, o.ID)
	if errors.Is(err, ErrUnknownOffer) { // it was answered meanwhile
		return nil
	}
	if errors.Is(err, protocol.ErrTerms) { // it never will be
		return errors.Join(err, n.Decline(o.ID, message.Clip(err.Error())))
	}
	// of which the offerer hears, or an alarm tells
	if err != nil && !errors.Is(err, chain.ErrBudget) && !errors.Is(err, ErrBlind) {
		n.tell(Event{Kind: OfferReceived, Text: fmt.Sprintf("offer %s is not accepted by itself: %v", o.ID, err)})
	}
	return err
}

// takeOffer remembers a new offer, or finds the one that it repeats.
func (n *offers) takeOffer(seat int, m message.OpenOffer) (o Offer, err error) {
	n.records.Lock()
	defer n.records.Unlock()
	o, err = n.offer(n.offerID(&m.Terms))
	switch {
	case errors.Is(err, ErrUnknownOffer):
		return n.newOffer(seat, m)
	case err != nil:
		return o, err
	case o.Replaces != m.Replaces || o.State != OfferOpen && m.Terms.Signers[seat] != (common.Address{}) && o.Terms.Signers[seat] != m.Terms.Signers[seat]:
		return o, fmt.Errorf("%w: offer %s changed after it was made", protocol.ErrTerms, o.ID.TerminalString())
	}
	return o, nil
}

func (n *offers) newOffer(seat int, m message.OpenOffer) (Offer, error) {
	t := m.Terms
	list, err := n.records.all()
	if m.Replaces == (common.Hash{}) {
		err = n.records.readable(err)
	}
	if err != nil { // one that can't be read may take the same channel's place
		return Offer{}, err
	}
	balances, err := n.replaced(m.Replaces, &t, list)
	if err != nil {
		return Offer{}, err
	}
	group := n.groupOf(t.Players[0])
	yields, err := placeFor(list, t.Players[0], group, n.friend)
	if err != nil {
		return Offer{}, err
	}
	if err := n.charge(n.budgets.told, t.Players[0], 1); err != nil {
		return Offer{}, err
	}
	if yields != nil {
		if err := n.yield(yields, "too many others offered channels after it"); err != nil {
			return Offer{}, err
		}
	}
	o := Offer{ID: n.offerID(&t), Terms: t, Seat: seat, Memo: m.Memo, State: OfferOpen, Signatures: make([][]byte, len(t.Players)), Time: n.config.Now().Unix(),
		Group: group, Replaces: m.Replaces, Balances: balances}
	what := "offers a channel"
	if o.Replaces != (common.Hash{}) {
		what = fmt.Sprintf("asks to resize channel %s, in which you have %s", o.Replaces, n.amount(t.Asset, &balances[seat]))
	}
	return o, n.saveOffer(&o, Event{Kind: OfferReceived, Text: fmt.Sprintf(
		"%s %s: your deposit %s, window %d, to be opened by clock time %d; %q. Offer %s",
		t.Players[0], what, n.amount(t.Asset, &t.Deposits[seat]), t.Window, t.OpenBy, m.Memo, o.ID)})
}

// receiveReply handles the answer to an offer of this node, or that the offerer takes back its own.
func (n *offers) receiveReply(ctx context.Context, from common.Address, m message.OpenReply) error {
	o, err := n.takeReply(from, m)
	if err != nil || !o.Mine() || o.State != OfferOpen {
		return err
	}
	return n.tendOffer(ctx, &o, n.now())
}

// mayReply checks that a reply answers an offer which waits for it, by an account that has a say in
// it. It returns the offer and the account's seat; an offer that does not wait any more is not
// answered again.
func (n *offers) mayReply(from common.Address, m *message.OpenReply) (o Offer, seat int, err error) {
	if o, err = n.offer(m.OfferID); err != nil {
		return o, -1, err
	}
	seat = slices.Index(o.Terms.Players, from)
	switch {
	case seat < 0 || seat == o.Seat || !o.Mine() && seat != 0:
		return o, seat, fmt.Errorf("%w: %s has no say in offer %s", ErrUnknownOffer, from, o.ID.TerminalString())
	case m.Decline != "" || o.State != OfferOpen:
		return o, seat, nil
	case !o.Mine() || n.offerID(&m.Terms) != o.ID || len(m.Terms.Signers) != len(o.Terms.Signers) || len(m.Signatures) != len(o.Signatures) || m.Terms.Signers[seat] == (common.Address{}):
		return o, seat, fmt.Errorf("%w: the reply to offer %s changes it", protocol.ErrTerms, o.ID.TerminalString())
	}
	if had := o.Terms.Signers[seat]; had != (common.Address{}) && had != m.Terms.Signers[seat] {
		return o, seat, fmt.Errorf("%w: %s changed its session signer", protocol.ErrTerms, from)
	}
	return o, seat, nil
}

// signedReply reports whether a reply has its sender's signature of the terms that it names. It may
// ask the chain.
func (n *offers) signedReply(from common.Address, m *message.OpenReply) (bool, error) {
	o, seat, err := n.mayReply(from, m)
	if err != nil || m.Decline != "" || o.State != OfferOpen || len(m.Signatures[seat]) == 0 {
		return false, err
	}
	a, err := n.checkedFor(n.who(from), 1)
	if err != nil {
		return false, err
	}
	return a.Account(from, m.Terms.ID(n.domain), m.Signatures[seat]) == nil, nil
}

func (n *offers) takeReply(from common.Address, m message.OpenReply) (Offer, error) {
	signed, err := n.signedReply(from, &m)
	if err != nil {
		return Offer{}, err
	}
	n.records.Lock()
	defer n.records.Unlock()
	o, seat, err := n.mayReply(from, &m)
	switch {
	case err != nil:
		return o, err
	case m.Decline != "" && m.Again != 0:
		return o, n.putOff(&o, from, &m)
	case m.Decline != "":
		return o, n.takeDecline(&o, from, m.Decline)
	case o.State != OfferOpen:
		return o, nil // it says again what is known
	}
	o.Terms.Signers[seat] = m.Terms.Signers[seat]
	if !complete(&o.Terms) {
		return o, n.saveOffer(&o)
	}
	if signed && o.Terms.ID(n.domain) == m.Terms.ID(n.domain) {
		o.Signatures[seat] = m.Signatures[seat]
	}
	for seat := 1; n.closes(&o) && seat < len(o.Signatures); seat++ {
		if o.Signatures[seat] == nil {
			n.sendOffer(&o, seat)
		}
	}
	return o, n.saveOffer(&o)
}

// takeDecline notes that an offer is declined or taken back. A signature given before stays valid
// until OpenBy.
func (n *offers) takeDecline(o *Offer, from common.Address, reason string) error {
	if o.State == OfferAccepted && !o.Mine() && o.Reason == "" && o.Signatures[o.Seat] != nil {
		o.Reason = reason
		return n.saveOffer(o, Event{Kind: OfferAnswered, Text: fmt.Sprintf("%s takes offer %s back: %q; until clock time %d it could still be opened with your signature",
			from, o.ID, reason, o.Terms.OpenBy)})
	}
	if o.State != OfferOpen && (o.Mine() || o.State != OfferAccepted || o.Signatures[o.Seat] != nil) {
		return nil
	}
	o.State, o.Reason, o.By = OfferDeclined, reason, from
	return n.saveOffer(o, Event{Kind: OfferAnswered, Text: fmt.Sprintf("%s declines offer %s: %q", from, o.ID, reason)})
}

func (n *offers) sendOffer(o *Offer, seat int) {
	n.reminders.add(o.ID, n.config.Now())
	err := n.send(o.Terms.Players[seat], message.OpenOffer{Terms: o.Terms, Memo: o.Memo, Replaces: o.Replaces})
	if err != nil {
		n.config.Log.Info("the offer will be sent when the peer connects", "offer", o.ID, "peer", o.Terms.Players[seat], "error", err)
	}
}

// resendOffers repeats to an account that just connected the messages that it may have missed.
func (n *offers) resendOffers(account common.Address) error {
	n.records.Lock()
	defer n.records.Unlock()
	list, err := n.Offers()
	if err != nil {
		return err
	}
	for i := range list {
		o := &list[i]
		seat := slices.Index(o.Terms.Players, account)
		switch {
		case seat < 0 || seat == o.Seat:
		case o.Mine() && o.State == OfferOpen:
			n.sendOffer(o, seat)
		case seat == 0 && o.State == OfferAccepted && !o.TakenBack():
			if err := n.sendReply(o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *offers) considerAll(ctx context.Context) error {
	list, err := n.Offers()
	for i := range list {
		if o := &list[i]; !o.Mine() && o.State == OfferOpen {
			if err := n.later(o.Terms.Players[0], o.ID, n.consider(ctx, o)); err != nil {
				n.config.Log.Info("an offer is not answered", "offer", o.ID, "error", err)
			}
		}
	}
	return err
}
