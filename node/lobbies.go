package node

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// AddLobby has an account's node show this player's invites from now on, and keeps a connection to it.
func (n *Node) AddLobby(account common.Address, addresses ...string) error {
	if err := n.net.Keep(account, addresses...); err != nil {
		return err
	}
	n.mu.Lock()
	if !slices.Contains(n.lobbies, account) {
		n.lobbies = append(n.lobbies, account)
	}
	n.mu.Unlock()
	return n.postAll(account)
}

func (n *Node) lobbyList() []common.Address {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lobbies)
}

// postAll asks a lobby to show every open invite of this player's.
func (n *Node) postAll(lobby common.Address) error {
	n.invites.Lock()
	defer n.invites.Unlock()
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Mine && list[i].State == InviteOpen {
			n.sayInvite(lobby, channel.PostInvite{Invite: list[i].SignedInvite})
		}
	}
	return nil
}

// receivePost shows an invite of another player's, if this node is a lobby.
func (n *Node) receivePost(from common.Address, m channel.PostInvite) error {
	err := fmt.Errorf("%w: this node is no lobby", ErrDeclined)
	if n.config.Lobby {
		if err = ErrBusy; n.posted.Allow(from, n.stranger(from)) {
			err = n.board.Post(from, m.Invite, uint64(n.config.Now().Unix()))
		}
	}
	if err != nil {
		n.sayInvite(from, channel.RefuseInvite{InviteID: m.Invite.ID(n.domain), Reason: channel.Clip(err.Error())})
	}
	return err
}

// receiveQuery answers who asks what this node shows.
func (n *Node) receiveQuery(from common.Address, m channel.ListInvites) error {
	if !n.queried.Allow(from, n.stranger(from)) {
		return fmt.Errorf("%w: too many questions", ErrBusy)
	}
	return n.send(from, n.board.Page(from, m, uint64(n.config.Now().Unix())))
}

// receiveRefusal tells the user that a lobby does not show an invite.
func (n *Node) receiveRefusal(from common.Address, m channel.RefuseInvite) error {
	i, err := n.invite(m.InviteID)
	if err != nil || !i.Mine || i.State != InviteOpen || !slices.Contains(n.lobbyList(), from) {
		return err
	}
	if n.asked.Allow(from, n.stranger(from)) {
		n.tell(Event{Kind: InviteOver, Text: fmt.Sprintf("lobby %s does not show invite %s: %q", from, i.ID, m.Reason)})
	}
	return nil
}

// resendBids repeats to an account that just connected what it may have missed: the newest word of each bargain, if that is
// this node's.
func (n *Node) resendBids(account common.Address) error {
	n.invites.Lock()
	defer n.invites.Unlock()
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for k := range list {
		i := &list[k]
		b := i.bargain(account)
		if b == nil || b.Ended != "" || len(b.Bids) == 0 || i.State != InviteOpen && i.State != InviteJoined {
			continue
		}
		if last := len(b.Bids); (last%2 == 0) == i.Mine {
			n.sayInvite(account, channel.Bid{InviteID: i.ID, Round: uint32(last), Stake: b.Bids[last-1]})
		}
	}
	return nil
}
