package node

import (
	"errors"

	"github.com/ante-games/ante/disputes"
	"github.com/ethereum/go-ethereum/common"
)

// Contest is a one-sided close that is under way on the chain.
type Contest struct {
	Version  uint64 // of the posted ledger
	Deadline uint64 // when it can be settled, in the Arena's clock
	Settled  bool   // it is: the free balances are paid out
}

// Contest returns the one-sided close of a channel, nil if there is none.
func (n *channels) Contest(id common.Hash) (*Contest, error) {
	s, err := n.session(id)
	if errors.Is(err, ErrEnded) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	view := s.watcher.View()
	ledger, deadline := view.Ledger()
	if ledger == nil {
		return nil, nil
	}
	return &Contest{Version: ledger.Version, Deadline: deadline, Settled: view.Status() == disputes.Settled}, nil
}
