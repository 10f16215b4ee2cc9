package node

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Running returns how many channels are in memory.
func (n *Node) Running() int { return len(n.allSessions()) }

// Begun reports whether the match of a joined invite is locked, or was.
func (n *Node) Begun(i *Invite) (bool, error) { return n.begun(i) }

// JudgeRoundMatch says whether to play what is proposed in a round's channel.
func (n *Node) JudgeRoundMatch(p *Proposal) (known, play bool) { return n.judgeRoundMatch(p) }

// Earned is what the rounds of this house like this one have won beyond what they cost.
func (n *Node) Earned(like *Round) (*uint256.Int, error) { return n.earned(like) }

// TendInvites takes every invite on as far as it can be.
func (n *Node) TendInvites(ctx context.Context) error { return n.tendInvites(ctx) }

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
