package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// AddLobby has another node show this player's invites from now on, and keeps a connection to it.
func (n *meeting) AddLobby(account common.Address, addresses ...string) error {
	if err := n.choose(account, addresses...); err != nil {
		return err
	}
	n.mu.Lock()
	if !slices.Contains(n.lobbies, account) {
		n.lobbies = append(n.lobbies, account)
	}
	n.mu.Unlock()
	return n.postAll(account)
}

func (n *meeting) lobbyList() []common.Address {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lobbies)
}

// postAll sends an account this player's open invites that are for it: all of them to a lobby, for
// others to see.
func (n *meeting) postAll(to common.Address) error {
	n.records.Lock()
	defer n.records.Unlock()
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Mine && list[i].State == InviteOpen && slices.Contains(n.audience(&list[i]), to) {
			n.sayInvite(to, message.PostInvite{Invite: list[i].SignedInvite})
		}
	}
	return nil
}

// audience returns who is sent an invite: the lobbies and, of a private one, the guests.
func (n *meeting) audience(i *Invite) []common.Address {
	to := n.lobbyList()
	for _, guest := range i.Guests {
		if guest != n.Account() && !slices.Contains(to, guest) {
			to = append(to, guest)
		}
	}
	return to
}

// receivePost shows an invite of another player's, if this node is a lobby, or if its own player is
// a guest.
func (n *meeting) receivePost(from common.Address, m message.PostInvite) error {
	err := fmt.Errorf("%w: this node is no lobby", ErrDeclined)
	named := slices.Contains(m.Invite.Guests, n.Account())
	if n.config.Lobby || named {
		err = n.takePost(from, m.Invite)
	}
	switch {
	case chain.Temporary(err): // which endpoint this node asks is not for others to read
		n.refuseInvite(from, &m, "its signature can't be checked at the moment")
	case err != nil:
		n.refuseInvite(from, &m, err.Error())
	case named:
		n.tellInvited(&m.Invite.Invite)
	}
	return err
}

func (n *meeting) refuseInvite(from common.Address, m *message.PostInvite, reason string) {
	n.sayInvite(from, message.RefuseInvite{InviteID: m.Invite.ID(n.domain), Reason: message.Clip(reason)})
}

func (n *meeting) takePost(from common.Address, i matchmaking.SignedInvite) error {
	if err := n.charge(n.budgets.posts, from, 1); err != nil {
		return err
	}
	a, err := n.checkedFor(n.who(from), 1)
	if err != nil {
		return err
	}
	return n.browser.board.Post(from, n.friend(from), i, a)
}

// tellInvited tells the user of an invite by name, once for as long as the node runs, within the
// budget of its player. The board has checked it.
func (n *meeting) tellInvited(i *matchmaking.Invite) {
	id, now := i.ID(n.domain), uint64(n.config.Now().Unix())
	if _, err := n.drive.Game(i.Rules); err != nil {
		return // it can't be played here
	}
	if _, err := n.invite(id); !errors.Is(err, ErrUnknownInvite) {
		return // joined already
	}
	n.mu.Lock()
	maps.DeleteFunc(n.invited, func(_ common.Hash, expiry uint64) bool { return expiry <= now })
	_, told := n.invited[id]
	n.mu.Unlock()
	if told || !n.allows(n.budgets.told, i.Player) {
		return
	}
	n.mu.Lock()
	n.invited[id] = i.Expiry
	n.mu.Unlock()
	n.learnFrom(i.Player, i.Asset)
	stake := n.amount(i.Asset, &i.Least)
	if !i.Least.Eq(&i.Most) {
		stake += " to " + n.amount(i.Asset, &i.Most)
	}
	n.tell(Event{Kind: Invited, Text: fmt.Sprintf("%s invites you to play %s for %s each. Invite %s", i.Player, n.gameName(i.Rules), stake, id)})
}

// receiveRefusal tells the user that a lobby does not show an invite.
func (n *meeting) receiveRefusal(from common.Address, m message.RefuseInvite) error {
	i, err := n.invite(m.InviteID)
	if err != nil || !i.Mine || i.State != InviteOpen || !slices.Contains(n.lobbyList(), from) {
		return err
	}
	if n.allows(n.budgets.told, from) {
		n.tell(Event{Kind: InviteOver, Text: fmt.Sprintf("lobby %s does not show invite %s: %q", from, i.ID, m.Reason)})
	}
	return nil
}

// resendBids repeats to an account that just connected what it may have missed: this side's newest
// bid of each negotiation.
func (n *meeting) resendBids(account common.Address) error {
	n.records.Lock()
	defer n.records.Unlock()
	list, err := n.Invites()
	if err != nil {
		return err
	}
	for k := range list {
		i := &list[k]
		b := i.negotiation(account)
		if b == nil || b.over() || i.State != InviteOpen && i.State != InviteJoined {
			continue
		}
		if b.mine().Number > 0 {
			n.sayBid(i, b)
		}
	}
	return nil
}
