package node

import (
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Patience counts the time in which this node ran and waited, not the time of day: a host clock
// that jumps costs a peer nothing, nor does time in which the node was off. The node stores at
// intervals what a peer has used up, so that a restart gives it nothing back.

// waitSteps is in how many steps patience is stored: the most of it that a crash gives back is one.
const waitSteps = 20

func (s *member) waitsKey() string { return s.prefix() + "waits" }

// running is how long the node runs.
func (n *base) running() time.Duration { return n.config.Now().Sub(n.began) }

// loadWaits goes on with what peers owed when the node stopped.
func (s *defence) loadWaits() error {
	err := load(s.node.config.Store, s.waitsKey(), &s.waited)
	now := int64(s.node.running())
	for what, long := range s.waited {
		s.owed[what] = now - long
	}
	return err
}

// storeWaits makes durable how much of the node's patience peers have used up, for all channels at
// once and in whole steps. What is owed for less is left out, so that a match that goes on writes
// nothing.
func (n *channels) storeWaits(step time.Duration) error {
	changes, waited := map[string][]byte{}, map[common.Hash]map[string]int64{}
	for s := range n.locked() {
		list, now := map[string]int64{}, n.running()
		for what, since := range s.owed {
			if long := (now - time.Duration(since)).Truncate(max(1, step)); long > 0 {
				list[what] = int64(long)
			}
		}
		if s.gone || maps.Equal(list, s.waited) {
			continue
		}
		value, err := json.Marshal(list)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			value = nil
		}
		changes[s.waitsKey()], waited[s.id] = value, list
	}
	if len(changes) == 0 {
		return nil
	}
	if err := n.config.Store.Commit(changes); err != nil {
		return errors.Join(ErrStore, err)
	}
	for s := range n.locked() {
		if list, stored := waited[s.id]; stored {
			s.waited = list
		}
	}
	return nil
}
