package node

import (
	"context"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Negotiation is the negotiation of a stake with one account. The two bid in turn, the joining
// player first, until one repeats the other's last bid.
type Negotiation struct {
	With  common.Address
	Bids  []uint256.Int // by round: the first, third … are the joining player's
	Ended string        // why there will be no further one; empty while it goes on
}

const (
	// maxRounds caps the bids of a negotiation.
	maxRounds = 16
	// maxNegotiations caps those that go on about one invite, keptNegotiations those that are
	// remembered.
	maxNegotiations  = 8
	keptNegotiations = 64
)

// agreed reports whether the last two bids are the same.
func (b *Negotiation) agreed() bool {
	last := len(b.Bids) - 1
	return last > 0 && b.Bids[last].Eq(&b.Bids[last-1])
}

// Waits reports whether the negotiation waits for the bid of this node's user.
func (i *Invite) Waits(b *Negotiation) bool {
	return i.State == InviteOpen && b.Ended == "" && (len(b.Bids)%2 == 1) == i.Mine
}

func (i *Invite) negotiation(with common.Address) *Negotiation {
	at := slices.IndexFunc(i.Negotiations, func(b Negotiation) bool { return b.With == with })
	if at < 0 {
		return nil
	}
	return &i.Negotiations[at]
}

// live returns the negotiations that go on.
func (i *Invite) live() (list []*Negotiation) {
	for j := range i.Negotiations {
		if i.Negotiations[j].Ended == "" {
			list = append(list, &i.Negotiations[j])
		}
	}
	return list
}

// Bid proposes a stake to somebody who bids for an invite of this player, or to the player of
// another's invite. Bidding what the other side bid last fixes it. It fails with
// channel.ErrNotYourTurn when the other side's bid is waited for.
func (n *meeting) Bid(ctx context.Context, id common.Hash, with common.Address, stake *uint256.Int) error {
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
	if err := n.placeBid(id, with, stake); err != nil {
		return err
	}
	return n.tendInvite(ctx, id)
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
func (n *meeting) placeBid(id common.Hash, with common.Address, stake *uint256.Int) error {
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
	case b == nil || b.Ended != "":
		return fmt.Errorf("%w: %s does not bid for %s", ErrUnknownInvite, with, id.TerminalString())
	case len(b.Bids) >= maxRounds:
		return fmt.Errorf("%w: there were %d bids already", ErrBusy, maxRounds)
	case !i.Waits(b):
		return fmt.Errorf("%w: the bid of %s is waited for", channel.ErrNotYourTurn, with)
	}
	return n.answerBid(i, b, stake)
}

// answerBid adds this side's bid to a negotiation whose turn it is, and sends it once it is
// durable. The invites' lock is held.
func (n *meeting) answerBid(i *Invite, b *Negotiation, stake *uint256.Int) error {
	b.Bids = append(b.Bids, *stake)
	message := message.Bid{InviteID: i.ID, Round: uint32(len(b.Bids)), Stake: *stake}
	if b.agreed() {
		if err := n.agree(i, b); err != nil {
			return err
		}
	} else if err := n.saveInvite(i); err != nil {
		return err
	}
	n.sayInvite(b.With, message)
	return nil
}

// agree notes that a stake is fixed. Whoever else bids is told that it is too late. The invites'
// lock is held.
func (n *meeting) agree(i *Invite, b *Negotiation) error {
	i.State, i.With, i.Stake, i.Agreed = InviteJoined, b.With, b.Bids[len(b.Bids)-1], n.config.Now().Unix()
	var late []common.Address
	for _, other := range i.live() {
		if other != b {
			other.Ended = "somebody else was quicker"
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
