package node

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Head is the newest block that a node has handled: whatever it has to send to the chain because of it is sent.
type Head struct {
	Block uint64
	Clock uint64 // the Arena's
	Unit  string // of the clock: "blocks" or "seconds"
}

// Head returns how far the node has followed the chain.
func (n *Node) Head() Head {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Head{Block: n.handled.block.Number, Clock: n.handled.clock, Unit: n.drive.Arena.Clock().String()}
}

// Wallet returns the account that pays for gas.
func (n *Node) Wallet() common.Address { return n.config.GasPayer.Address() }

// GasPrice returns what a unit of gas costs in the newest block, in wei, without a tip.
func (n *Node) GasPrice(ctx context.Context) (*uint256.Int, error) {
	b, err := n.drive.Client.Head(ctx)
	if err != nil {
		return nil, err
	}
	return uint256.NewInt(b.BaseFee), nil
}

// Past returns the events after a cursor (0: from the oldest kept) that have happened by now, oldest first.
func (n *Node) Past(after uint64) ([]Event, error) {
	list, _, err := n.log.past(eventPrefix, after)
	return list, err
}

// Alarms returns the alarms that are kept, newest first. They are kept longer than other events.
func (n *Node) Alarms() ([]Event, error) {
	list, _, err := n.log.past(alarmPrefix, 0)
	slices.Reverse(list)
	return list, err
}

// Contest is a one-sided close that is under way on the chain.
type Contest struct {
	Version  uint64 // of the posted ledger
	Deadline uint64 // when it can be settled, in the Arena's clock
}

// Contest returns the one-sided close of a channel, nil if there is none.
func (n *Node) Contest(id common.Hash) (*Contest, error) {
	s, err := n.session(id)
	if errors.Is(err, ErrEnded) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ledger, deadline := s.watcher.View().Ledger()
	if ledger == nil {
		return nil, nil
	}
	return &Contest{Version: ledger.Version, Deadline: deadline}, nil
}
