package node

import (
	"context"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// offerGroup offers a group its channel, unless the house may not pay its subsidy, or what all
// stake is not worth enforcing.
func (n *rounds) offerGroup(ctx context.Context, r *Round, i int) error {
	g := r.Groups[i]
	deposits, err := r.Stakes(&g)
	if err != nil {
		return err
	}
	g.Named = !slices.ContainsFunc(g.players(), func(a common.Address) bool { return !slices.Contains(r.Named, a) })
	earned, err := n.earned(r)
	switch {
	case err != nil:
		return err
	case !g.Named && earned.Lt(&deposits[games.House]):
		return n.drop(r.ID, i, "the house has not yet earned the subsidy of this group, and pays it in advance to accounts that it has named only")
	case n.expired(r):
		return n.drop(r.ID, i, "the players could not be reached in time")
	}
	if g.Offer, err = n.roundOffer(r, &g); err != nil {
		return err
	}
	if g.Offer == (common.Hash{}) {
		least, err := n.leastStake(r.Terms.Asset)
		if err != nil {
			return err
		}
		if err := money.Enforceable(deposits, games.House, true, &least); err != nil { // it would not be proposed
			return n.drop(r.ID, i, n.written(r.Terms.Asset, err).Error())
		}
		short, err := n.unpaid(ctx, r, i, &g)
		if err != nil {
			return err
		}
		if short {
			return nil
		}
		for _, peer := range r.Reach {
			if matchmaking.Registered(g.Players, peer.Account) {
				if err := n.net.Keep(peer.Account, peer.Addresses...); err != nil {
					n.config.Log.Warn("player not kept", "player", peer.Account, "error", err)
				}
			}
		}
		g.Offer, err = n.offers.offerChannel(ctx, OpenRequest{Peers: g.players(), Deposits: deposits, Asset: r.Terms.Asset,
			Window: r.Terms.Window, OpenBy: n.now() + r.openWithin(&g), Memo: roundMemo(r.ID)})
		if err != nil {
			return err
		}
	}
	g.State = GroupOffered
	return n.setGroup(r.ID, i, g, "group %d, %v: their channel is offered", i+1, g.players())
}

// unpaid checks again which players of a group have the money when its channel is offered, so that
// a player who has spent it keeps nobody waiting. If somebody has, the group goes on without that
// player, or is given up, and its offer follows.
func (n *rounds) unpaid(ctx context.Context, r *Round, i int, g *RoundGroup) (bool, error) {
	rich, err := n.solvent(ctx, r.Terms.Asset, g.Players)
	if err != nil {
		return false, err
	}
	if len(rich) == len(g.Players) {
		return false, nil
	}
	if len(rich) < int(r.Terms.Fewest) {
		return true, n.drop(r.ID, i, "too few players still have their stake in the bank")
	}
	left := RoundGroup{Players: rich, State: GroupDrawn}
	if err := n.setGroup(r.ID, i, left, "group %d goes on with the %d who still have their stake in the bank", i+1, len(rich)); err != nil {
		return true, err
	}
	return true, n.notifyLeftOut(r.ID, g, rich)
}

// solvent returns those of some players whose bank balances hold their stakes.
func (n *rounds) solvent(ctx context.Context, asset common.Address, players []matchmaking.Registration) (list []matchmaking.Registration, err error) {
	for _, e := range players {
		free, err := n.Bank(ctx, asset, e.Player)
		if err != nil {
			return nil, err
		}
		if !free.Lt(&e.Stake) {
			list = append(list, e)
		}
	}
	return list, nil
}

// notifyLeftOut tells those of a group that it goes on without, or all of them if nobody is left.
// They are kept no longer than players whose channels are over.
func (n *rounds) notifyLeftOut(id common.Hash, g *RoundGroup, left []matchmaking.Registration) error {
	fresh, err := n.Round(id)
	if err != nil {
		return err
	}
	out := slices.DeleteFunc(g.players(), func(player common.Address) bool { return matchmaking.Registered(left, player) })
	for _, player := range out {
		n.notify(&fresh, "", player)
	}
	n.partFrom(out)
	return nil
}

// roundOffer finds the offer of a group that was made before a crash.
func (n *rounds) roundOffer(r *Round, g *RoundGroup) (common.Hash, error) {
	list, err := n.offers.records.all()
	for _, o := range list {
		if o.Memo == roundMemo(r.ID) && slices.Equal(o.Terms.Players[1:], g.players()) {
			return o.ID, nil
		}
	}
	return common.Hash{}, err
}

// A channel that is not opened in time is offered again to those who answered, as long as they are
// enough: a player who does not answer, declines or lacks the money keeps nobody from playing. Each
// attempt has fewer players than the one before, and the last must begin within this many windows.
const attempts = 6

// expired reports whether it is too late to offer a channel for a round: windows are counted in
// blocks here.
func (n *rounds) expired(r *Round) bool {
	windows := uint64(2)
	if r.Terms.Table() {
		windows = attempts
	}
	return n.block() >= max(r.Terms.Closes, r.Terms.Begins())+windows*r.Terms.Window+n.confirmations()
}

// openWithin is how long a group's channel may be opened. Players who signed a failed attempt wait
// one more window before they sign the next, because until then it can still be mined.
func (r *Round) openWithin(g *RoundGroup) uint64 {
	if r.Terms.Table() && len(g.Players) < len(r.Entries) {
		return 3 * r.Terms.Window
	}
	return money.OpenWithin(r.Terms.Window)
}

// unopened goes on when a group's channel is declined or lapsed. Players wait for another attempt
// if there can be one.
func (n *rounds) unopened(ctx context.Context, r *Round, i int, g RoundGroup, o *Offer) error {
	why := fmt.Sprintf("its channel is %s: %s", o.State, o.Reason)
	again := RoundGroup{Players: g.Players, State: GroupDrawn}
	if !o.Mine() {
		if len(g.Players) == int(r.Terms.Fewest) || n.expired(r) {
			return n.drop(r.ID, i, why)
		}
		return n.setGroup(r.ID, i, again, "%s; the house may try again without those who did not come", why)
	}
	var err error
	if again.Players, err = n.came(ctx, &g, o); err != nil {
		return err
	}
	for _, player := range g.players() {
		if o.State == OfferDeclined && player != o.By {
			if err := n.send(player, message.OpenReply{OfferID: o.ID, Decline: message.Clip("taken back: " + o.Reason)}); err != nil {
				n.config.Log.Info("a player will find out later that the channel is not opened", "round", r.ID, "player", player, "error", err)
			}
		}
	}
	if len(again.Players) == len(g.Players) || len(again.Players) < int(r.Terms.Fewest) {
		return n.drop(r.ID, i, why)
	}
	if err := n.setGroup(r.ID, i, again, "%s; it is offered again to the %d who came", why, len(again.Players)); err != nil {
		return err
	}
	return n.notifyLeftOut(r.ID, &g, again.Players)
}

// came returns the players of a group who did their part of an opening that failed, and have the
// money.
func (n *rounds) came(ctx context.Context, g *RoundGroup, o *Offer) (list []matchmaking.Registration, err error) {
	signing, all := complete(&o.Terms), o.signedByOthers()
	// once all have signed, and no bank lacked its deposit, only a contract wallet can have taken
	// that back
	byKey := func(seat int) bool {
		return o.By != (common.Address{}) || protocol.Authority{}.Account(o.Terms.Players[seat], o.Terms.ID(n.domain), o.Signatures[seat]) == nil
	}
	for i, e := range g.Players {
		seat := i + 1
		absent := o.State == OfferLapsed && (o.Terms.Signers[seat] == (common.Address{}) || signing && o.Signatures[seat] == nil || all && !byKey(seat))
		if e.Player != o.By && !absent {
			list = append(list, e)
		}
	}
	return n.solvent(ctx, o.Terms.Asset, list)
}

// unseated says why an account that registered at a table does not play at it.
func (n *rounds) unseated(r *Round, account common.Address) string {
	switch {
	case !matchmaking.Registered(r.Entries, account):
		return ""
	case len(r.Groups) == 0:
		return "too few players"
	default:
		return "the table plays without you: you did not open the channel in time, or had not your stake in the bank"
	}
}
