package node

import (
	"cmp"
	"slices"

	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// keptInvites is how many invites are remembered that nothing more will come of.
const keptInvites = 100

// Invites returns the invites that this node's player made or joined and that are remembered,
// newest last.
func (n *meeting) Invites() ([]Invite, error) {
	list, err := n.records.all()
	slices.SortStableFunc(list, func(a, b Invite) int { return cmp.Compare(a.Time, b.Time) })
	return list, n.records.readable(err)
}

func (n *meeting) invite(id common.Hash) (*Invite, error) { return n.records.get(id) }

func (n *meeting) saveInvite(i *Invite, events ...Event) error {
	return n.records.save(i.ID, i, events...)
}

// pruneInvites forgets the oldest of the invites that nothing more will come of.
func (n *meeting) pruneInvites(list []Invite) error {
	over := slices.DeleteFunc(list, func(i Invite) bool { return i.State == InviteOpen || i.State == InviteJoined })
	return n.records.forget(over, keptInvites, func(i *Invite) common.Hash { return i.ID })
}

// show puts an open invite on this node's own board, asks the lobbies to show it, and sends it to
// its guests.
func (n *meeting) show(i *Invite) error {
	a := n.authority()
	// the invites are locked, and the player's wallet has said that it appointed the deputy
	a.Wallets = func(common.Address, common.Hash, []byte) error { return nil }
	if err := n.browser.board.Post(n.Account(), true, i.SignedInvite, a); err != nil {
		return err
	}
	for _, to := range n.audience(i) {
		n.sayInvite(to, message.PostInvite{Invite: i.SignedInvite})
	}
	return nil
}

// hide is show's opposite.
func (n *meeting) hide(i *Invite) {
	if !i.Mine {
		return
	}
	n.browser.board.Withdraw(n.Account(), i.ID)
	for _, to := range n.audience(i) {
		n.sayInvite(to, message.WithdrawInvite{InviteID: i.ID})
	}
}

// sayInvite sends a message of a meeting. What is lost is said again when the peer connects.
func (n *meeting) sayInvite(to common.Address, m message.Message) {
	if err := n.send(to, m); err != nil {
		n.config.Log.Debug("it will be said when the peer connects", "peer", to, "error", err)
	}
}

// restoreInvites shows again what was shown before a restart, and looks for those whose invites
// were being joined.
func (n *meeting) restoreInvites() error {
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for i := range list {
		switch x := &list[i]; {
		case x.State != InviteOpen && x.State != InviteJoined:
		case !x.Mine:
			err = n.net.Keep(x.Player, x.Addresses...)
		case x.State == InviteOpen:
			err = n.show(x)
		}
		if err != nil { // an expired one, or an address of no use: tendInvites sees to it
			n.config.Log.Debug("invite not taken up again", "invite", list[i].ID, "error", err)
		}
	}
	return nil
}
