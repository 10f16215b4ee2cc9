package node

import (
	"cmp"
	"fmt"

	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// placeFor finds a place for another offer of an account among those that wait, oldest first. It
// returns the offer that makes room: where strangers have too many, of the group of network
// addresses with the most, the oldest of the stranger with the most. A group that has as many takes
// no place of another's, but one of its own. Friends have places of their own.
func placeFor(list []Offer, from common.Address, group string, friend func(common.Address) bool) (yields *Offer, err error) {
	var waiting []*Offer
	held, groups := map[common.Address]int{}, map[string]int{}
	for i := range list {
		if o := &list[i]; o.State == OfferOpen && !o.Mine() && friend(o.Terms.Players[0]) == friend(from) {
			waiting = append(waiting, o)
			held[o.Terms.Players[0]]++
			groups[crowdOf(o.Group, o.Terms.Players[0])]++
		}
	}
	own, all := held[from], len(waiting)
	each, total := offerLimit.Account.Burst, offerLimit.Total.Burst
	if friend(from) {
		each, total = offerLimit.Friend.Burst, offerLimit.Friends.Burst
	}
	switch {
	case own >= each || friend(from) && all >= total:
		return nil, fmt.Errorf("%w: %d offers of %s, of %d in all, wait for an answer already", ErrDeclined, own, from, all)
	case all < total:
		return nil, nil
	}
	most, mine := 0, crowdOf(group, from)
	for _, o := range waiting {
		player := o.Terms.Players[0]
		crowd := crowdOf(o.Group, player)
		if crowd != mine && groups[crowd] <= groups[mine] {
			continue
		}
		if yields == nil || cmp.Or(cmp.Compare(groups[crowd], most), cmp.Compare(held[player], held[yields.Terms.Players[0]])) > 0 {
			yields, most = o, groups[crowd]
		}
	}
	return yields, nil
}

// hungUp is the group of network addresses of who is not connected any more once it is asked for:
// to hang up at once must not make a group of one's own.
const hungUp = "hung up"

// groupOf returns the group of network addresses with which what an account asks for now counts.
func (n *core) groupOf(account common.Address) string { return cmp.Or(n.net.Group(account), hungUp) }

// crowdOf returns with whom an account's place counts: its group of network addresses, or nobody
// where an older program has noted none.
func crowdOf(group string, account common.Address) string { return cmp.Or(group, account.Hex()) }

// yield declines an offer that nobody here will answer. The offers' lock is held.
func (n *offers) yield(o *Offer, why string) error {
	o.State, o.Reason, o.By = OfferDeclined, why, n.Account()
	if err := n.saveOffer(o); err != nil {
		return err
	}
	if err := n.send(o.Terms.Players[0], message.OpenReply{OfferID: o.ID, Decline: why}); err != nil {
		n.config.Log.Debug("an offerer will not hear that its offer is declined", "offer", o.ID, "error", err)
	}
	return nil
}

// waitsFor is how long a stranger's offer waits for an answer, in seconds by this computer's clock.
const waitsFor = 60 * 60

// yieldOld declines the offers of strangers that nobody has answered for too long.
func (n *offers) yieldOld(list []Offer) error {
	n.records.Lock()
	defer n.records.Unlock()
	now := n.config.Now().Unix()
	for i := range list {
		if o := &list[i]; o.State != OfferOpen || o.Mine() || now-o.Time <= waitsFor || n.friend(o.Terms.Players[0]) {
			continue
		}
		o, err := n.offer(list[i].ID)
		if err == nil && o.State == OfferOpen { // else it was answered since it was listed
			err = n.yield(&o, "nobody has answered it for an hour")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
