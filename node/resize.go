package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Resize is how a channel is to be resized: closed, and opened with other deposits, in one
// transaction that all players have signed.
type Resize struct {
	// Deposits are to be locked by the seats of the channel, in wei or token units; nil: what the
	// seat has when the offer is made. Empty where another player asks for it: see the offer.
	Deposits []*uint256.Int `json:"deposits,omitempty"`
	Memo     string         `json:"memo,omitempty"`
	Offer    common.Hash    `json:"offer,omitzero"` // of the channel that takes its place; zero: none yet
	Waits    string         `json:"-"`              // for what, before there is an offer
}

// offered reports whether the players sign, or may have signed, what takes the channel's place.
func (r *Resize) offered() bool { return r != nil && r.Offer != common.Hash{} }

// same reports whether another wish is the same.
func (r *Resize) same(as *Resize) bool {
	return r.Memo == as.Memo && slices.EqualFunc(r.Deposits, as.Deposits, func(a, b *uint256.Int) bool {
		return a == b || a != nil && b != nil && a.Eq(b)
	})
}

// resizing returns how the channel is to be resized, and what that waits for. The lock is held.
func (s *channelState) resizing() *Resize {
	if s.instructions.Resize == nil {
		return nil
	}
	r := *s.instructions.Resize
	if !r.offered() {
		r.Waits = s.busy()
	}
	return &r
}

// busy says what keeps the channel from being closed, empty if nothing does. The lock is held.
func (s *channelState) busy() string {
	switch n := len(s.machine.Ledger().Locks); {
	case n == 1:
		return "a match in it is not over and paid"
	case n > 1:
		return fmt.Sprintf("%d matches in it are not over and paid", n)
	case len(s.machine.Wanted()) > 0 || s.machine.Proposal() != nil:
		return "a match is proposed in it"
	}
	return ""
}

// ResizeChannel asks the other players to close a channel and to open one with other deposits in
// its place, in one transaction. It waits until no match runs in the channel: see Channel.Resize.
// Asking again for the same changes nothing; for something else replaces what waits. It fails with
// ErrFunds when bank and channel don't hold this player's deposit, and with ErrBusy when an offer
// to resize it is not done with. It does not wait for the peers.
func (n *offers) ResizeChannel(ctx context.Context, id common.Hash, deposits []*uint256.Int, memo string) error {
	n.untilRead(ctx)
	s, err := n.channels.session(id)
	if err != nil {
		return err
	}
	if len(deposits) != len(s.terms.Players) {
		return fmt.Errorf("%w: %d deposits for %d seats", protocol.ErrTerms, len(deposits), len(s.terms.Players))
	}
	if err := checkText("memo", memo); err != nil {
		return err
	}
	want := &Resize{Deposits: deposits, Memo: memo}
	s.mu.Lock()
	had := s.instructions.Resize
	err = s.mayResize()
	again := had != nil && had.same(want)
	switch {
	case err != nil || again:
	case had.offered():
		err = fmt.Errorf("%w: offer %s to resize this channel is not done with", ErrBusy, had.Offer.TerminalString())
	default:
		err = s.instruct(func(w *instructions) { w.Resize = want })
	}
	s.mu.Unlock()
	if err != nil || again {
		return err
	}
	if err := n.tendResize(ctx, s); err != nil {
		_, failed := s.changeWish(want, nil)
		return errors.Join(err, failed)
	}
	return nil
}

// KeepChannel takes back a wish to resize a channel that still waits for its matches. An offer is
// taken back by Decline.
func (n *offers) KeepChannel(id common.Hash) error {
	s, err := n.channels.session(id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r := s.instructions.Resize; {
	case r == nil:
		return nil
	case r.offered():
		return fmt.Errorf("%w: decline offer %s instead", ErrBusy, r.Offer.TerminalString())
	}
	return s.instruct(func(w *instructions) { w.Resize = nil })
}

// mayResize says why the channel can't be resized, if so. The lock is held.
func (s *channelState) mayResize() error {
	closing, _ := s.machine.Closing()
	switch phase := s.machine.Phase(); {
	case s.gone || phase == channel.Ended:
		return ErrEnded
	case phase == channel.Opening:
		return channel.ErrNotOpen
	case s.machine.Restored():
		return channel.ErrRestored
	case phase == channel.InContest || closing:
		return channel.ErrFrozen
	}
	return nil
}

// resize notes durably how the channel is to be resized.
func (s *channelState) resize(r *Resize) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.instruct(func(w *instructions) { w.Resize = r })
}

// changeWish is resize if the wish is still the one that it was. It reports whether it is.
func (s *channelState) changeWish(was, r *Resize) (same bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.instructions.Resize != was {
		return false, nil
	}
	return true, s.instruct(func(w *instructions) { w.Resize = r })
}

// tendResizes takes the next steps of every channel that is to be resized.
func (n *offers) tendResizes(ctx context.Context) (err error) {
	for _, s := range n.allSessions() {
		if failed := n.tendResize(ctx, s); !errors.Is(failed, ErrEnded) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// tendResize makes the offer once nothing is played in the channel, and forgets the wish once it is
// fulfilled or can't be.
func (n *offers) tendResize(ctx context.Context, s *session) error {
	n.resizing.Lock()
	defer n.resizing.Unlock()
	s.mu.Lock()
	wish, r, may, balances := s.instructions.Resize, s.resizing(), s.mayResize(), s.machine.Ledger().Balances
	s.mu.Unlock()
	switch {
	case r == nil:
		return nil
	case r.offered():
		return n.tendReplacing(ctx, s, r.Offer)
	case may != nil:
		n.tell(Event{Kind: OfferAnswered, Channel: s.id, Text: fmt.Sprintf("the channel is not resized: %v", may)})
		return s.resize(nil)
	case r.Waits != "" || n.blind() != nil:
		return nil
	}
	offer, err := n.offerReplacing(ctx, s, r, balances)
	if err != nil {
		return err
	}
	r.Offer = offer
	if same, err := s.changeWish(wish, r); same || err != nil {
		return err
	}
	return n.Decline(offer, "the channel is not to be resized so any more")
}

// tendReplacing takes the next steps of the offer that takes a channel's place. Once it is done
// with the channel is kept, or closed if all have signed that.
func (n *offers) tendReplacing(ctx context.Context, s *session, id common.Hash) error {
	o, err := n.offer(id)
	if err == nil && !o.done() && n.sure() < o.Terms.OpenBy {
		return n.tendOffer(ctx, &o, n.now())
	}
	if err != nil && !errors.Is(err, ErrUnknownOffer) {
		return err
	}
	return s.resize(nil)
}

// offerReplacing offers what takes a channel's place, or finds the offer made before a crash.
func (n *offers) offerReplacing(ctx context.Context, s *session, r *Resize, balances []uint256.Int) (common.Hash, error) {
	list, err := n.records.all()
	if had := replacing(list, s.id); had != nil {
		if !had.Mine() {
			return common.Hash{}, fmt.Errorf("%w: offer %s to resize this channel waits for your answer", ErrBusy, had.ID.TerminalString())
		}
		return had.ID, nil
	}
	if err != nil {
		return common.Hash{}, err
	}
	o := OpenRequest{Asset: s.terms.Asset, Window: s.terms.Window, Memo: r.Memo, replaces: s.id}
	for _, seat := range s.ownFirst() {
		deposit := r.Deposits[seat]
		if deposit == nil {
			deposit = &balances[seat]
		}
		if seat != s.seat {
			o.Peers = append(o.Peers, s.terms.Players[seat])
		}
		o.Deposits, o.balances = append(o.Deposits, *deposit), append(o.balances, balances[seat])
	}
	return n.offerChannel(ctx, o)
}

// ownFirst returns the seats in the order in which this node's player offers a channel to the
// others.
func (s *member) ownFirst() []int {
	list := []int{s.seat}
	for seat := range s.terms.Players {
		if seat != s.seat {
			list = append(list, seat)
		}
	}
	return list
}
