package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
)

// ErrBlind says that the node is not sure of the chain's state now, so it agrees to nothing new
// that the chain might have to enforce.
var ErrBlind = errors.New("the chain is not seen for certain")

// following is the fault of not reading the chain.
const following = "following the chain"

// errUnread: blocks up to the newest one are still to be read, which takes a moment.
var errUnread = errors.New("its newest blocks are still being read; try again in a moment")

// readSoon is how long a user's call waits for the newest blocks.
const readSoon = time.Minute

// blinded refuses an input that agrees to a match while the node is not sure of the chain, and
// judges a proposal again later; or once the user has said to leave the channel, which the chain
// shows some blocks later. The lock is held.
func (s *channelState) blinded(in channel.Input) error {
	switch in.(type) {
	case channel.ApproveProposal, channel.ProposeMatch:
	default:
		return nil
	}
	if s.instructions.Exit {
		return channel.ErrFrozen
	}
	err := s.node.blind()
	if _, approves := in.(channel.ApproveProposal); approves && err != nil {
		s.unjudged = true
	}
	return err
}

// reconsider answers the offers that came while the node was not sure of the chain, once it is.
func (n *Node) reconsider(ctx context.Context) {
	sees := n.blind() == nil
	again := sees && !n.saw
	n.saw = sees
	if again {
		n.done.Go(func() { n.fault("answering offers", n.considerAll(ctx)) })
	}
}

// JudgeAgain answers what waits as if it came now, also by what the player arranged: who answers
// for the player may not have been there when it came.
func (n *Node) JudgeAgain() error {
	for s := range n.locked() {
		s.unjudged = true
	}
	n.nudge()
	return n.considerAll(n.run)
}

// stopped reports that clocks of this node's channels run while the chain takes no transactions: an
// Arena counts seconds, and its chain stands still.
func (n *Node) stopped() error {
	age := n.headAge()
	if age == 0 || n.drive.Arena.Clock() == chain.Blocks {
		return nil
	}
	clocks := 0
	for s := range n.locked() {
		clocks += s.clocks()
	}
	if clocks == 0 {
		return nil
	}
	return fmt.Errorf("the newest block is %v old, and %d clocks of your channels run in seconds: what is due meanwhile can't be mined, "+
		"and is late if the chain stands still until its deadline", age, clocks)
}

// clocks returns how many clocks run on-chain for a channel and its matches. The lock is held.
func (s *defence) clocks() int {
	view, now, n := s.watcher.View(), s.node.now(), 0
	if _, deadline := view.Ledger(); deadline > now {
		n++
	}
	for _, m := range s.machine.Matches() {
		if r := view.Record(m.ID); r.Deadline > now && r.Status < protocol.MatchFinal {
			n++
		}
	}
	return n
}
