package node

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// InviteState says how far an invite has come.
type InviteState string

// The states of an invite.
const (
	// others are waited for, or a stake is being agreed on
	InviteOpen      InviteState = "open"
	InviteJoined    InviteState = "joined"    // a stake is agreed on; the match follows
	InvitePlayed    InviteState = "played"    // the match is locked
	InviteCancelled InviteState = "cancelled" // by this node's user
	InviteEnded     InviteState = "ended"     // without a match: see Reason
)

// Invite is an invite that this node's player made, or that it joins.
type Invite struct {
	matchmaking.SignedInvite
	ID     common.Hash
	Mine   bool
	State  InviteState
	Reason string // why it ended
	// with everybody who bids; for another's invite with its player alone
	Negotiations []Negotiation
	Time         int64 // when it was made or joined: Unix seconds, by this computer's clock

	// Set when it is joined.
	With   common.Address // the opponent
	Stake  uint256.Int    // of each of the two
	Agreed int64          // when: Unix seconds, by this computer's clock

	// of the channel that is opened for it; zero: none yet, or there is a channel already
	Offer   common.Hash
	Channel common.Hash // in which the match is to be played, once it is open
	After   uint64      // the match's nonce is above this
}

// InviteRequest says what match to look for.
type InviteRequest struct {
	Game    string
	Params  json.RawMessage // an object; what it leaves out takes its default
	Asset   common.Address
	Least   uint256.Int      // stake of each of the two, wei or token units
	Most    uint256.Int      // the same; zero: Least
	Deposit uint256.Int      // of each, where a channel is opened for the match; zero: the stake
	Window  uint64           // of that channel, in the Arena's clock
	Guests  []common.Address // who may join; none: anybody
	Life    time.Duration    // until it expires; a second to a week
}

// maxInvites caps the invites of a node that are open or agreed on, as a lobby does those of an
// account.
const maxInvites = 8

// Invite shows the guests, or everybody, that this player looks for an opponent, until somebody
// joins. It returns the invite's id. It fails with ErrFunds when the player's bank balance does not
// hold the largest deposit, unless every guest has a channel with the player already.
func (n *meeting) Invite(ctx context.Context, r InviteRequest) (common.Hash, error) {
	if r.Most.IsZero() {
		r.Most = r.Least
	}
	i, err := n.newInvite(&r)
	if err != nil {
		return common.Hash{}, err
	}
	if deposit := i.deposit(&i.Most); !n.knowsAll(&i.Invite) {
		if err := n.affords(ctx, i.Asset, &deposit, false); err != nil {
			return common.Hash{}, err
		}
	}
	n.records.Lock()
	defer n.records.Unlock()
	list, err := n.Invites()
	if err != nil {
		return common.Hash{}, err
	}
	open := 0
	for j := range list {
		if list[j].Mine && (list[j].State == InviteOpen || list[j].State == InviteJoined) { // which may be open again
			open++
		}
	}
	if open >= maxInvites {
		return common.Hash{}, fmt.Errorf("%w: %d invites of yours are open or agreed on; cancel one first", ErrBusy, open)
	}
	if uint64(n.config.Now().Unix()) >= i.Expiry { // a wallet may take its time to sign
		return common.Hash{}, fmt.Errorf("%w: it expired before it was signed", protocol.ErrTerms)
	}
	if err := n.saveInvite(i); err != nil {
		return common.Hash{}, err
	}
	return i.ID, n.show(i)
}

func (n *meeting) newInvite(r *InviteRequest) (*Invite, error) {
	game, at, err := n.deployed(r.Game)
	if err != nil {
		return nil, err
	}
	params, err := game.Params.Encode(r.Params)
	if err != nil {
		return nil, err
	}
	if err := n.offers.checkWindow(r.Window); err != nil {
		return nil, err
	}
	if r.Life < time.Second || r.Life > lobby.Life*time.Second {
		return nil, fmt.Errorf("%w: it would expire after %v; an invite lives a second to a week", protocol.ErrTerms, r.Life)
	}
	now := n.config.Now()
	i := &Invite{Mine: true, State: InviteOpen, Time: now.Unix()}
	i.Invite = matchmaking.Invite{
		Player: n.Account(), Rules: at, Params: params, Asset: r.Asset, Least: r.Least, Most: r.Most, Deposit: r.Deposit,
		Window: r.Window, Guests: r.Guests, Expiry: uint64(now.Add(r.Life).Unix()), Addresses: n.reachable(matchmaking.MaxAddresses),
	}
	for _, stake := range []*uint256.Int{&i.Least, &i.Most} {
		if err := n.playable(&i.Invite, stake); err != nil {
			return nil, err
		}
	}
	if err := n.random(i.Salt[:]); err != nil {
		return nil, err
	}
	if err := i.Check(); err != nil {
		return nil, n.written(i.Asset, err)
	}
	i.ID, i.Deputy = i.Invite.ID(n.domain), n.deputy.Load()
	if i.Signature, err = n.config.Player.Sign(i.ID); err != nil {
		return nil, fmt.Errorf("sign the invite: %w", err)
	}
	return i, nil
}

// playable checks that this node plays the game of an invite for a stake.
func (n *meeting) playable(i *matchmaking.Invite, stake *uint256.Int) error {
	game, err := n.drive.Game(i.Rules)
	if err != nil {
		return err
	}
	stakes := []uint256.Int{*stake, *stake}
	if game.Stakes != nil {
		least, err := game.Stakes(i.Params)
		if err != nil {
			return err
		}
		if len(least) != 2 || stake.Lt(&least[0]) || stake.Lt(&least[1]) {
			return fmt.Errorf("%w: with these parameters %s is not for two who stake %s each; open a channel and propose it there",
				protocol.ErrTerms, game.Name, n.amount(i.Asset, stake))
		}
	}
	if _, err := game.Rules.Start(&games.Context{Params: i.Params, Stakes: stakes, Signers: []common.Address{{1}, {2}}}); err != nil {
		return n.written(i.Asset, err)
	}
	least, err := n.leastStake(i.Asset)
	if err != nil {
		return fmt.Errorf("%w: %w", channel.ErrCheap, err)
	}
	if err := money.Enforceable(stakes, 0, false, &least); err != nil {
		return unlessAllowed(fmt.Errorf("%w: %w", channel.ErrCheap, n.written(i.Asset, err)))
	}
	return nil
}

// CancelInvite withdraws an invite that nobody has joined, or leaves one that this player joins. A
// cancelled invite stays cancelled: the node refuses whoever joins it later. It fails with
// ErrUnknownInvite when it is too late.
func (n *meeting) CancelInvite(id common.Hash, reason string) error {
	reason = cmp.Or(reason, "cancelled")
	if err := checkText("reason", reason); err != nil {
		return err
	}
	offer, err := n.cancelInvite(id, reason)
	if err != nil {
		return err
	}
	return n.takeBack(offer, reason)
}

// cancelInvite returns the offer of a channel that is to be taken back with it, if any.
func (n *meeting) cancelInvite(id common.Hash, reason string) (offer common.Hash, err error) {
	n.records.Lock()
	defer n.records.Unlock()
	i, err := n.invite(id)
	if err != nil {
		return offer, err
	}
	if i.State != InviteOpen && (i.Mine || i.State != InviteJoined || i.Channel != common.Hash{}) {
		return offer, fmt.Errorf("%w: it is too late to cancel %s, it is %s", ErrUnknownInvite, id.TerminalString(), i.State)
	}
	if offer, err = n.offerOf(i); err != nil {
		return offer, err
	}
	return offer, n.endInvite(i, InviteCancelled, reason)
}

// endInvite ends an invite without a match, and tells everybody who bids for it. The invites' lock
// is held.
func (n *meeting) endInvite(i *Invite, state InviteState, reason string, events ...Event) error {
	i.State, i.Reason = state, reason
	told := i.unfinished()
	for _, b := range told {
		b.end(reason)
	}
	if err := n.saveInvite(i, events...); err != nil {
		return err
	}
	for _, b := range told {
		n.sayInvite(b.With, message.EndBids{InviteID: i.ID, Reason: message.Clip(reason)})
	}
	n.hide(i)
	return nil
}

// deposit returns what each of the two locks in a channel that is opened for it.
func (i *Invite) deposit(stake *uint256.Int) uint256.Int {
	if i.Deposit.IsZero() {
		return *stake
	}
	return i.Deposit
}

// affords checks that this player has a deposit, as the opener of a channel or not. Only calls of
// the user come here.
func (n *meeting) affords(ctx context.Context, asset common.Address, deposit *uint256.Int, opens bool) error {
	n.untilRead(ctx)
	o := Offer{Seat: 1, Terms: protocol.Terms{Asset: asset, Deposits: []uint256.Int{*deposit, *deposit}}}
	if opens {
		o.Seat = 0
	}
	return n.offers.means.canOpen(ctx, &o)
}

// knowsAll reports whether there is a channel with everybody who may join.
func (n *meeting) knowsAll(i *matchmaking.Invite) bool {
	for _, guest := range i.Guests {
		if _, ok := n.shared(guest, i.Asset, &i.Most); !ok {
			return false
		}
	}
	return !i.Public()
}
