package node

import (
	"context"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Join starts a node in the world of a test. Tests outside of this package set it: worlds import
// this package.
var Join func(testing.TB, func(*Config)) *Node

// Deploy puts a contract on the chain of that world.
var Deploy func(t testing.TB, code []byte) common.Address

// Running returns how many channels are in memory.
func (n *Node) Running() int { return len(n.allSessions()) }

// Stopped says that clocks run while the chain stands still, if so.
func (n *Node) Stopped() error { return n.stopped() }

// Begun reports whether the match of a joined invite is locked, or was.
func (n *Node) Begun(i *Invite) (bool, error) { return n.begun(i) }

// RefusesRoundMatch reports whether what is proposed in a round's channel is not what the round
// drew.
func (n *Node) RefusesRoundMatch(p *Proposal) bool { return n.rounds.judge(p) == disapproved }

// EditRound changes what is stored of a round, as one does that lies: nothing that the node itself
// writes at the same time undoes it.
func (n *Node) EditRound(id common.Hash, change func(*Round)) error {
	return n.rounds.editRound(id, func(r *Round) ([]Event, error) { change(r); return nil, nil })
}

// TendInvites takes every invite on as far as it can be.
func (n *Node) TendInvites(ctx context.Context) error { return n.tendInvites(ctx) }

// ForgetPast forgets the results and channels that are over, but so many.
func (n *Node) ForgetPast(results, channels int) error { return n.forgetPast(results, channels) }

// Put returns how much is put off to be decided in a channel.
func (n *Node) Put(id common.Hash) (int, error) {
	s, err := n.session(id)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.later), nil
}

// ExpectsOffer reports whether an offered channel is what an invite calls for, of which nothing
// stays behind.
func (n *Node) ExpectsOffer(i Invite, o *Offer) (bool, error) {
	if err := n.saveInvite(&i); err != nil {
		return false, err
	}
	expects := n.expectsOffer(o)
	return expects, n.commit(map[string][]byte{invitePrefix + i.ID.Hex(): nil}, nil)
}

// ExpectsMatch is ExpectsOffer for a proposed match.
func (n *Node) ExpectsMatch(i Invite, p *Proposal) (bool, error) {
	if err := n.saveInvite(&i); err != nil {
		return false, err
	}
	expects := n.expectsMatch(p)
	return expects, n.commit(map[string][]byte{invitePrefix + i.ID.Hex(): nil}, nil)
}

// Shared reports whether there is a channel in which a match with another player can be played.
func (n *Node) Shared(with, asset common.Address, stake *uint256.Int) bool {
	_, ok := n.shared(with, asset, stake)
	return ok
}

// MayReply checks that a reply is an answer to an offer, of which nothing stays behind.
func (n *Node) MayReply(o *Offer, from common.Address, m *message.OpenReply) error {
	if err := n.saveOffer(o); err != nil {
		return err
	}
	_, _, err := n.mayReply(from, m)
	if failed := n.commit(map[string][]byte{offerPrefix + o.ID.Hex(): nil}, nil); failed != nil {
		return failed
	}
	return err
}

// OfferID names what an offer's terms agree to.
func (n *Node) OfferID(t *protocol.Terms) common.Hash { return n.offerID(t) }

// JoinTerms checks the terms of an offer that this node could join.
func (n *Node) JoinTerms(o *Offer, now, sure uint64) error { return n.joinTerms(o, now, sure) }

// PutOffer has a node hold an offer.
func (n *Node) PutOffer(o *Offer) error { return n.saveOffer(o) }

// PutInvite has a node hold an invite.
func (n *Node) PutInvite(i *Invite) error { return n.saveInvite(i) }

// Windows returns the shortest and the longest window of a channel.
func (n *Node) Windows() (least, most uint64) { return n.drive.Arena.Windows() }

// TakeOffer hands a node an offer, as if it came from an account.
func (n *Node) TakeOffer(from common.Address, m message.OpenOffer) error {
	return n.receiveOffer(n.run, from, m)
}

// TakeReply hands a node the answer to an offer of its own.
func (n *Node) TakeReply(from common.Address, m message.OpenReply) error {
	return n.receiveReply(n.run, from, m)
}

// Later has an offerer offer again, if what went wrong is that there was too much to do.
func (n *Node) Later(from common.Address, id common.Hash, why error) error {
	return n.later(from, id, why)
}
