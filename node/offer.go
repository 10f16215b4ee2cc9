package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// OfferState says how far an offer has come.
type OfferState string

// The states of an offer.
const (
	OfferOpen OfferState = "open" // waiting for an answer
	// this player has signed it, and everybody else, too, if the offer is its own: the opening
	// follows
	OfferAccepted OfferState = "accepted"
	OfferDeclined OfferState = "declined"
	OfferOpened   OfferState = "opened" // the deposits are locked
	OfferLapsed   OfferState = "lapsed" // not opened by OpenBy
)

// Offer is a channel that somebody wants to open.
type Offer struct {
	// the digest of the terms without their signers: an id names what is agreed to
	ID         common.Hash
	Terms      protocol.Terms
	Seat       int      // this node's
	Signatures [][]byte // the players' signatures of the terms so far, by seat
	Memo       string
	State      OfferState
	Reason     string         // why it was declined
	By         common.Address // who declined it, took it back (see TakenBack) or spent its deposit
	Group      string         // of network addresses, of which it was received first
	// when it was made or received: Unix seconds, by this computer's clock
	Time int64
	// the channel whose place it takes, which closes in the transaction that opens it; zero: none
	Replaces common.Hash
	// what each seat of the offer had in that channel when this node made or received the offer
	Balances []uint256.Int
}

// Mine reports whether this node made the offer: the offerer has seat 0.
func (o *Offer) Mine() bool { return o.Seat == 0 }

// TakenBack reports whether this node's player has withdrawn its acceptance of an opening. With the
// signature the channel can still be opened until OpenBy.
func (o *Offer) TakenBack() bool {
	return o.State == OfferAccepted && !o.Mine() && o.By == o.Terms.Players[o.Seat]
}

// OpenRequest says what channel to offer.
type OpenRequest struct {
	// the other players, in the order of their seats; this node has seat 0
	Peers    []common.Address
	Deposits []uint256.Int  // by seat, wei or token units
	Asset    common.Address // the ERC-20; zero for ETH
	Window   uint64         // in the Arena's clock
	OpenBy   uint64         // in the Arena's clock; 0: money.OpenWithin the window from now
	Memo     string         // shown to the other players; at most MaxMemo bytes

	replaces common.Hash // see Offer
	balances []uint256.Int
}

// offers are of channels, made and received, until they are open.
type offers struct {
	*core
	*funds
	channels *channels
	means    *means
	arranged arrangements

	records   records[Offer] // locked never while the chain or the user is asked
	reminders reminders
	resizing  lock // held while a channel's resize is taken on

	mu     sync.Mutex
	asking map[common.Hash]bool // offers whose opening the owner is being asked to sign
	// why it did not sign, of those that may wait for it still
	unsigned map[common.Hash]error
}

func newOffers(c *core, f *funds, channels *channels, means *means) *offers {
	return &offers{
		core: c, funds: f, channels: channels, means: means, asking: map[common.Hash]bool{}, unsigned: map[common.Hash]error{}, resizing: newLock(),
		records: records[Offer]{base: c.base, prefix: offerPrefix, unknown: ErrUnknownOffer},
	}
}

// MaxMemo caps the bytes of an offer's memo and of the reason of a refusal.
const MaxMemo = 200

// Offer asks other players to open a channel and returns the offer's id. It fails with ErrFunds
// when the player's bank balance and wallet don't hold the deposit, and with
// transport.ErrUnknownPeer when the node was never told where a player is. A player who is known
// but away is sent the offer when it connects.
func (n *offers) Offer(ctx context.Context, r OpenRequest) (common.Hash, error) {
	n.untilRead(ctx)
	return n.offerChannel(ctx, r)
}

func (n *offers) offerChannel(ctx context.Context, r OpenRequest) (common.Hash, error) {
	now, err := n.drive.Now(ctx)
	if err != nil {
		return common.Hash{}, err
	}
	r.OpenBy = cmp.Or(r.OpenBy, now+money.OpenWithin(r.Window))
	o := Offer{State: OfferOpen, Memo: r.Memo, Time: n.config.Now().Unix(), Replaces: r.replaces, Balances: r.balances, Terms: protocol.Terms{
		Players:  append([]common.Address{n.Account()}, r.Peers...),
		Signers:  make([]common.Address, len(r.Peers)+1),
		Asset:    r.Asset,
		Deposits: r.Deposits,
		Window:   r.Window,
		OpenBy:   r.OpenBy,
	}}
	if err := n.random(o.Terms.Salt[:]); err != nil {
		return common.Hash{}, err
	}
	o.ID = n.offerID(&o.Terms)
	o.Signatures = make([][]byte, len(o.Terms.Players))
	if err := n.joinTerms(&o, now, n.sure()); err != nil {
		return common.Hash{}, err
	}
	for _, peer := range r.Peers {
		if !n.seek(peer) {
			return common.Hash{}, fmt.Errorf("%w: tell the node first where %s is (channeld peer add)", transport.ErrUnknownPeer, peer)
		}
	}
	if err := n.means.canOpen(ctx, &o); err != nil {
		return common.Hash{}, err
	}
	n.records.Lock()
	defer n.records.Unlock()
	if err := n.saveOffer(&o); err != nil {
		return common.Hash{}, err
	}
	for seat := range r.Peers {
		n.sendOffer(&o, seat+1)
	}
	return o.ID, nil
}

// Accept signs an offer that was received and sends the signature to the offerer, who opens the
// channel. It fails with ErrFunds when the player's bank balance doesn't hold the deposit.
func (n *offers) Accept(ctx context.Context, id common.Hash) error {
	n.untilRead(ctx)
	return n.acceptOffer(ctx, id)
}

func (n *offers) acceptOffer(ctx context.Context, id common.Hash) error {
	o, err := n.offer(id)
	if err != nil {
		return err
	}
	if err := n.waitsForMe(&o); err != nil {
		return err
	}
	if err := n.mayReplace(&o); err != nil {
		return err
	}
	now, err := n.drive.Now(ctx)
	if err != nil {
		return err
	}
	if err := n.means.canOpen(ctx, &o); err != nil {
		return err
	}
	sig, err := n.presign(ctx, o, now)
	if err != nil {
		return err
	}
	n.records.Lock()
	defer n.records.Unlock()
	if o, err = n.offer(id); err != nil {
		return err
	}
	if err := n.waitsForMe(&o); err != nil {
		return err
	}
	return n.accept(&o, now, sig)
}

func (n *offers) waitsForMe(o *Offer) error {
	if o.Mine() || o.State != OfferOpen {
		return fmt.Errorf("%w: offer %s is %s and not waiting for your answer", ErrUnknownOffer, o.ID.TerminalString(), o.State)
	}
	return nil
}

// Decline refuses a received offer, withdraws an own offer that not all have accepted, or withdraws
// the acceptance of one whose channel is not on the chain yet. A signature given before stays valid
// until OpenBy.
func (n *offers) Decline(id common.Hash, reason string) error {
	reason = cmp.Or(reason, "no reason given")
	if err := checkText("reason", reason); err != nil {
		return err
	}
	n.records.Lock()
	defer n.records.Unlock()
	o, err := n.offer(id)
	if err != nil {
		return err
	}
	if o.State != OfferOpen && !n.mayTakeBack(&o) {
		return fmt.Errorf("%w: offer %s is %s already; a signed opening is good until clock time %d", ErrUnknownOffer,
			id.TerminalString(), o.State, o.Terms.OpenBy)
	}
	o.Reason, o.By = reason, n.Account()
	if o.State == OfferOpen || o.Signatures[o.Seat] == nil {
		o.State = OfferDeclined
	}
	if err := n.saveOffer(&o); err != nil {
		return err
	}
	for seat, player := range o.Terms.Players {
		if seat != o.Seat && (o.Mine() || seat == 0) {
			if err := n.send(player, message.OpenReply{OfferID: o.ID, Decline: reason}); err != nil {
				n.config.Log.Info("the other side will find out later that the offer is declined", "offer", id, "error", err)
			}
		}
	}
	return nil
}

// mayTakeBack reports whether an acceptance waits for a channel that the chain does not show.
func (n *offers) mayTakeBack(o *Offer) bool {
	s, err := n.channels.session(o.Terms.ID(n.domain))
	return o.State == OfferAccepted && !o.Mine() && !o.TakenBack() && (errors.Is(err, ErrUnknownChannel) || err == nil && !s.opened.Load())
}

// joinTerms fills in this node's session signer and checks what can be checked of the terms.
func (n *offers) joinTerms(o *Offer, now, sure uint64) error {
	if err := n.checkWindow(o.Terms.Window); err != nil {
		return err
	}
	if o.Terms.OpenBy <= now {
		return fmt.Errorf("%w: the channel had to be opened by clock time %d, and it is %d; make a new offer", protocol.ErrTerms, o.Terms.OpenBy, now)
	}
	_, most := n.drive.Arena.Windows()
	// until then a signature can be used, whatever becomes of the offer: how long that is one
	// endpoint alone must not say
	if far := min(now, sure) + 2*most; o.Terms.OpenBy > far {
		return fmt.Errorf("%w: it could be opened until clock time %d, which must be at most %d", protocol.ErrTerms, o.Terms.OpenBy, far)
	}
	signer, err := n.config.Sessions(o.Terms.Salt)
	if err != nil {
		return fmt.Errorf("make the channel's session key: %w", err)
	}
	o.Terms.Signers[o.Seat] = signer.Address()
	if err := checkText("memo", o.Memo); err != nil {
		return err
	}
	return checkOpenTerms(&o.Terms)
}

func checkText(what, text string) error {
	if len(text) > MaxMemo || !utf8.ValidString(text) {
		return fmt.Errorf("%w: the %s must be at most %d bytes of UTF-8", protocol.ErrTerms, what, MaxMemo)
	}
	return nil
}

// opensLate reports whether a channel may be opened for longer than so long from now on. Clocks may
// differ a little.
func (n *sight) opensLate(o *Offer, within uint64) bool {
	return o.Terms.OpenBy > n.now()+within+money.Soon
}

// checkWindow refuses a window that the Arena does not take, or that is over too soon: a seat may
// get but a quarter of it for an answer, and what comes of a clock that ran out, or of more moves
// than are followed off-chain, is answered once it is final. Half of that time must be left.
func (n *offers) checkWindow(window uint64) error {
	clock := n.drive.Arena.Clock()
	if least, most := n.drive.Arena.Windows(); window < least || window > most {
		return fmt.Errorf("%w: a window of %d; this Arena takes %d to %d %s", protocol.ErrTerms, window, least, most, clock)
	}
	if final := n.finality(); final > window/8 {
		return fmt.Errorf("%w: a window of %d; a block is final after %d %s here, and a window must be eight times as long", protocol.ErrTerms, window, final, clock)
	}
	return nil
}

// offerID returns the id of an offer of a channel under these terms, whichever signers they name
// already.
func (n *offers) offerID(t *protocol.Terms) common.Hash {
	unsigned := *t
	unsigned.Signers = nil
	return unsigned.ID(n.domain)
}

// checkOpenTerms checks terms whose signers need not all be there yet.
func checkOpenTerms(t *protocol.Terms) error {
	complete := *t
	complete.Signers = slices.Clone(t.Signers)
	for i, s := range complete.Signers {
		if s == (common.Address{}) {
			complete.Signers[i][0] = byte(i + 1)
		}
	}
	return complete.Check()
}

func complete(t *protocol.Terms) bool {
	return !slices.Contains(t.Signers, common.Address{})
}

// Opened waits until the channel of an offer is open for play. It fails with ErrDeclined when the
// offer is declined or lapses.
func (n *offers) Opened(ctx context.Context, offer common.Hash) (c Channel, err error) {
	err = n.Wait(ctx, func() (bool, error) {
		o, err := n.offer(offer)
		if err != nil {
			return false, err
		}
		if o.State == OfferDeclined || o.State == OfferLapsed {
			return false, fmt.Errorf("%w: offer %s is %s: %s", ErrDeclined, offer, o.State, o.Reason)
		}
		if c, err = n.channels.Channel(o.Terms.ID(n.domain)); errors.Is(err, ErrUnknownChannel) {
			return false, nil // not signed by all yet
		}
		if err != nil {
			return false, err
		}
		return c.Status != ChannelOpening, nil
	})
	return c, err
}
