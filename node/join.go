package node

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Join bids for another player's invite. If the stake is in the invite's range, the match follows
// by itself: in a channel with that player, or in one that this node opens and pays the gas for.
// Otherwise the two negotiate: see Bid. An absent player learns of the bid upon return. It fails
// with ErrFunds when this player cannot pay.
func (n *meeting) Join(ctx context.Context, s matchmaking.SignedInvite, stake *uint256.Int) (common.Hash, error) {
	return n.join(ctx, s, stake, true)
}

// join is Join, of an invite whose player may be away or must be there.
func (n *meeting) join(ctx context.Context, s matchmaking.SignedInvite, stake *uint256.Int, away bool) (common.Hash, error) {
	id := s.ID(n.domain)
	if err := n.browser.mayJoin(&s, n.authority()); err != nil {
		return id, err
	}
	if err := n.playable(&s.Invite, stake); err != nil {
		return id, err
	}
	i := &Invite{SignedInvite: s, ID: id, State: InviteOpen, Negotiations: []Negotiation{{With: s.Player}}, Time: n.config.Now().Unix()}
	if err := n.canStake(ctx, i, s.Player, stake); err != nil {
		return id, err
	}
	if err := n.net.Keep(s.Player, s.Addresses...); err != nil {
		n.config.Log.Info("an invite's addresses are of no use", "invite", id, "error", err)
	}
	err := n.net.Connect(ctx, s.Player)
	if err != nil && !(away && (errors.Is(err, transport.ErrUnreachable) || errors.Is(err, transport.ErrUnknownPeer))) {
		return id, fmt.Errorf("the player of invite %s: %w", id.TerminalString(), err)
	}
	n.records.Lock()
	defer n.records.Unlock()
	if had, err := n.invite(id); !errors.Is(err, ErrUnknownInvite) {
		if err == nil {
			err = fmt.Errorf("%w: you joined %s before, it is %s; bid on it, or look for another", ErrBusy, id.TerminalString(), had.State)
		}
		return id, err
	}
	return id, n.answerBid(i, &i.Negotiations[0], stake)
}

// mostTried is how many invites JoinAny tries. Lobbies can show any number whose players are
// nowhere, and each that is tried is looked for as long as the node runs.
const mostTried = 16

// JoinAny joins a random public invite that fits, and tries the next if its player cannot be
// reached. It fails with ErrUnknownInvite when none is left. By parameters that are not the usual
// ones a match can be lost before it begins, so these are not joined unseen.
func (n *meeting) JoinAny(ctx context.Context, list []matchmaking.SignedInvite, stake *uint256.Int) (common.Hash, error) {
	var fitting []matchmaking.SignedInvite
	for i := range list {
		x := Invite{SignedInvite: list[i]}
		if x.Public() && x.takes(stake) && n.usual(&x.Invite) {
			fitting = append(fitting, list[i])
		}
	}
	err := fmt.Errorf("%w: no public invite with a game's usual parameters takes that stake", ErrUnknownInvite)
	for range min(len(fitting), mostTried) {
		at, random := rand.Int(n.config.Rand, big.NewInt(int64(len(fitting))))
		if random != nil {
			return common.Hash{}, fmt.Errorf("read randomness: %w", random)
		}
		k := int(at.Int64())
		id, failed := n.join(ctx, fitting[k], stake, false)
		if failed == nil {
			return id, nil
		}
		err = failed
		fitting = append(fitting[:k], fitting[k+1:]...)
	}
	return common.Hash{}, err
}

// usual reports whether an invite is for a game with its default parameters.
func (n *meeting) usual(i *matchmaking.Invite) bool {
	game, err := n.drive.Game(i.Rules)
	if err != nil {
		return false
	}
	params, err := game.Params.Encode(nil)
	return err == nil && bytes.Equal(params, i.Params)
}
