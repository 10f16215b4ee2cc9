package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Bid is a stake that one side of a negotiation would play for. It replaces that side's older bids.
type Bid struct {
	By     common.Address
	Number uint32 // each side counts its own, from 1
	Stake  uint256.Int
	Agrees uint32 // to which bid of the other side; 0: to none
}

// Negotiation is the negotiation of a stake with one account. The joining player bids first; then
// either side may replace its own bid, until it agrees to one of the other's. Who agreed is bound
// until that bid is replaced.
//
// A replacement and an agreement may cross. So the inviting player's node alone decides whether
// there is an agreement: there is one once the joining side agrees to the bid that is its own
// newest. It then repeats that bid, and the joining node takes nothing else for an agreement. What
// the inviting player agrees to, the joining node agrees to in turn, if its bid still stands.
type Negotiation struct {
	With  common.Address
	Group string // of network addresses, of which it bid first
	// in the order in which this node came to know them; older programs stored plain stakes as Bids
	Bids  []Bid  `json:"Placed"`
	Ended string // why it does not go on; empty while it does
	// Displaced is one that ended only until its bid is repeated and finds a place. Until then this
	// node's user may replace its own, to which the other side may come back.
	Displaced bool `json:",omitempty"`
}

const (
	// maxBids caps the bids that the user of each side makes in a negotiation, maxNumber those with
	// which the nodes answer by themselves.
	maxBids   = 8
	maxNumber = maxBids + 2
	// maxNegotiations caps those that go on about one invite, keptNegotiations those that are
	// remembered.
	maxNegotiations  = 8
	keptNegotiations = 64
)

// theirs returns the other side's newest bid, and mine this side's: zero if there is none.
func (b *Negotiation) theirs() Bid { return b.newest(func(x Bid) bool { return x.By == b.With }) }
func (b *Negotiation) mine() Bid   { return b.newest(func(x Bid) bool { return x.By != b.With }) }

func (b *Negotiation) newest(of func(Bid) bool) (bid Bid) {
	for _, x := range b.Bids {
		if of(x) && x.Number > bid.Number {
			bid = x
		}
	}
	return bid
}

// next returns the number of this side's next bid. Where the other side agrees to one that this
// side has forgotten, it is beyond that one's successor, which would be taken for the agreement.
func (b *Negotiation) next() uint32 {
	number := b.mine().Number
	if forgotten := b.theirs().Agrees; forgotten > number {
		number = forgotten + 1
	}
	return number + 1
}

// agreesTo reports whether a bid agrees to another.
func (x Bid) agreesTo(other Bid) bool {
	return other.Number != 0 && x.Agrees == other.Number && x.Stake == other.Stake
}

// bound reports whether this side agreed to a bid that the other side has not replaced, as a
// displaced one's has been.
func (b *Negotiation) bound() bool { return !b.Displaced && b.mine().agreesTo(b.theirs()) }

// Waits reports whether a bid of the other side waits for this node's user.
func (i *Invite) Waits(b *Negotiation) bool {
	return i.MayBid(b) && !b.Displaced && b.Bids[len(b.Bids)-1].By == b.With
}

// MayBid reports whether this node's user may bid, be it to replace a bid.
func (i *Invite) MayBid(b *Negotiation) bool {
	return i.State == InviteOpen && !b.over() && len(b.Bids) > 0 && !b.bound() && b.mine().Number < maxBids
}

func (i *Invite) negotiation(with common.Address) *Negotiation {
	at := slices.IndexFunc(i.Negotiations, func(b Negotiation) bool { return b.With == with })
	if at < 0 {
		return nil
	}
	return &i.Negotiations[at]
}

// unfinished returns the negotiations that are not over, and live those of them that have a place.
func (i *Invite) unfinished() (list []*Negotiation) {
	for j := range i.Negotiations {
		if !i.Negotiations[j].over() {
			list = append(list, &i.Negotiations[j])
		}
	}
	return list
}

func (i *Invite) live() []*Negotiation {
	return slices.DeleteFunc(i.unfinished(), func(b *Negotiation) bool { return b.Displaced })
}

// full reports whether all places are taken: see yields.
func (i *Invite) full() bool { return len(i.live()) >= maxNegotiations }

// over reports whether a negotiation ended for good.
func (b *Negotiation) over() bool { return b.Ended != "" && !b.Displaced }

// end ends a negotiation for good.
func (b *Negotiation) end(reason string) {
	b.Ended, b.Displaced = cmp.Or(reason, "no reason given"), false
}

// needsPlace reports whether a bid of the other side, which may be its first, has to find a place:
// who comes back and agrees ends all other negotiations.
func (b *Negotiation) needsPlace(bid *Bid) bool {
	return b == nil || b.Displaced && !bid.agreesTo(b.mine())
}

// displace takes a negotiation's place away, and forgets the bid with which it comes back.
func (b *Negotiation) displace() {
	newest := b.theirs()
	b.Bids = slices.DeleteFunc(b.Bids, func(x Bid) bool { return x == newest })
	b.Ended, b.Displaced = "another bid has taken its place", true
}

// yields returns the negotiation that makes room for a first bid, nil if none does. To a bid that
// is answered at once yields one in which the user has not bid; else one that was answered at once
// and has not gone on; and last one in which the user bargains, or agreed. To any other bid yields
// only one of the first two kinds, of a group of network addresses that keeps no fewer places. Of
// each kind it is the oldest of the group with the most.
func (i *Invite) yields(bid *Bid, group string) (yields *Negotiation) {
	held := map[string]int{}
	for _, b := range i.live() {
		held[crowdOf(b.Group, b.With)]++
	}
	rank := func(b *Negotiation) int {
		stake := b.theirs().Stake
		switch {
		case i.bargains(b):
			return 2
		case i.takes(&stake):
			return 1
		}
		return 0
	}
	most := 0
	for _, b := range i.live() {
		crowd := held[crowdOf(b.Group, b.With)]
		if !i.takes(&bid.Stake) && (rank(b) > 1 || crowd <= held[crowdOf(group, bid.By)]+1) {
			continue
		}
		if yields == nil || cmp.Or(cmp.Compare(rank(yields), rank(b)), cmp.Compare(crowd, most)) > 0 {
			yields, most = b, crowd
		}
	}
	return yields
}

// bargains reports whether the user has bid in a negotiation: what the node answered by itself is
// no bid of the user's.
func (i *Invite) bargains(b *Negotiation) bool {
	return slices.ContainsFunc(b.Bids, func(x Bid) bool { return x.By != b.With && (x.Agrees == 0 || !i.takes(&x.Stake)) })
}

// forget makes room for a further negotiation among those that are remembered, and reports whether
// it could. The oldest goes that is over, or else that is displaced and in which the user has not
// bid. If the other side comes back with a bid that agrees to none of this side's, these are
// numbered anew, and where it knows one of that number, it ends the negotiation.
func (i *Invite) forget() bool {
	at := slices.IndexFunc(i.Negotiations, func(b Negotiation) bool { return b.over() })
	if at < 0 {
		at = slices.IndexFunc(i.Negotiations, func(b Negotiation) bool { return b.Displaced && !i.bargains(&b) })
	}
	if at >= 0 {
		i.Negotiations = slices.Delete(i.Negotiations, at, at+1)
	}
	return at >= 0
}

// Bid proposes a stake to somebody who bids for an invite of this player, or to the player of
// another's invite, in place of what this player proposed before. A stake that the other side bid
// last agrees to that bid. An agreement that names one by its number (0: none in particular) fails
// with channel.ErrStale when the other side has replaced it. Bid fails with ErrBusy once this
// player has agreed, or made too many.
func (n *meeting) Bid(ctx context.Context, id common.Hash, with common.Address, stake *uint256.Int, agrees uint32) error {
	i, err := n.invite(id)
	if err != nil {
		return err
	}
	if err := n.playable(&i.Invite, stake); err != nil {
		return err
	}
	if err := n.canStake(ctx, i, with, stake); err != nil {
		return err
	}
	return n.placeBid(id, with, stake, agrees)
}

// canStake checks that this player can pay a stake, in a channel with the other or in a new one.
func (n *meeting) canStake(ctx context.Context, i *Invite, with common.Address, stake *uint256.Int) error {
	if _, ok := n.shared(with, i.Asset, stake); ok {
		return nil
	}
	deposit := i.deposit(stake)
	return n.affords(ctx, i.Asset, &deposit, !i.Mine)
}

// placeBid makes this side's next bid.
func (n *meeting) placeBid(id common.Hash, with common.Address, stake *uint256.Int, agrees uint32) error {
	n.records.Lock()
	defer n.records.Unlock()
	i, err := n.invite(id)
	if err != nil {
		return err
	}
	b := i.negotiation(with)
	switch {
	case i.State != InviteOpen:
		return fmt.Errorf("%w: invite %s is %s", ErrUnknownInvite, id.TerminalString(), i.State)
	case b == nil || b.over():
		return fmt.Errorf("%w: %s does not bid for %s", ErrUnknownInvite, with, id.TerminalString())
	case b.bound():
		return fmt.Errorf("%w: you agreed to the bid of %s, wait for the answer", ErrBusy, with)
	case b.mine().Number >= maxBids:
		return fmt.Errorf("%w: you made %d bids already", ErrBusy, maxBids)
	}
	if theirs := b.theirs(); agrees != 0 && (theirs.Number != agrees || theirs.Stake != *stake) {
		if b.Displaced {
			return fmt.Errorf("%w: another bid has taken the place of that of %s", channel.ErrStale, with)
		}
		return fmt.Errorf("%w: %s bids %s now", channel.ErrStale, with, n.amount(i.Asset, &theirs.Stake))
	}
	return n.answerBid(i, b, stake)
}

// answerBid adds this side's next bid to a negotiation, and sends it once it is durable. The
// invites' lock is held.
func (n *meeting) answerBid(i *Invite, b *Negotiation, stake *uint256.Int) error {
	n.addBid(b, stake)
	if err := n.saveInvite(i); err != nil {
		return err
	}
	n.sayBid(i, b)
	return nil
}

// addBid adds this side's next bid, which agrees to the other side's newest if that is the same.
func (n *meeting) addBid(b *Negotiation, stake *uint256.Int) {
	bid := Bid{By: n.Account(), Number: b.next(), Stake: *stake}
	if theirs := b.theirs(); !b.Displaced && theirs.Stake == *stake {
		bid.Agrees = theirs.Number
	}
	b.Bids = append(b.Bids, bid)
}

// sayBid tells the other side this side's newest bid. For another's invite it is repeated until it
// is answered.
func (n *meeting) sayBid(i *Invite, b *Negotiation) {
	if !i.Mine {
		n.unanswered.add(i.ID, n.config.Now())
	}
	mine := b.mine()
	n.sayInvite(b.With, message.Bid{InviteID: i.ID, Number: mine.Number, Stake: mine.Stake, Agrees: mine.Agrees})
}

// remindBids repeats the bids that are due and unanswered: they were lost, or there was no room for
// them.
func (n *meeting) remindBids() error {
	return n.unanswered.each(n.config.Now(), n.remindBid)
}

func (n *meeting) remindBid(id common.Hash) error {
	n.records.Lock()
	defer n.records.Unlock()
	i, err := n.invite(id)
	if err != nil && !errors.Is(err, ErrUnknownInvite) {
		return err
	}
	if err == nil && i.State == InviteOpen {
		if b := i.negotiation(i.Player); b.Bids[len(b.Bids)-1].By != b.With {
			n.sayBid(i, b)
			return nil
		}
	}
	n.unanswered.drop(id)
	return nil
}

// agree notes that a stake is fixed. Whoever else bids is told that it is too late. The invites'
// lock is held.
func (n *meeting) agree(i *Invite, b *Negotiation) error {
	i.State, i.With, i.Stake, i.Agreed = InviteJoined, b.With, b.mine().Stake, n.config.Now().Unix()
	var late []common.Address
	for _, other := range i.unfinished() {
		if other != b {
			other.end("somebody else was quicker")
			late = append(late, other.With)
		}
	}
	if err := n.saveInvite(i, Event{Kind: InviteAgreed, Text: fmt.Sprintf("you and %s agree to play %s for %s each. Invite %s",
		b.With, n.gameName(i.Rules), n.amount(i.Asset, &i.Stake), i.ID)}); err != nil {
		return err
	}
	for _, account := range late {
		n.sayInvite(account, message.EndBids{InviteID: i.ID, Reason: "somebody else was quicker"})
	}
	n.hide(i)
	return nil
}
