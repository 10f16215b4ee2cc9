package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// facts are what games may know of the chain (games.Facts). Hashes are fetched when their blocks are final and stored, so
// that what depended on one can be replayed after a restart.
type facts struct {
	node   *Node
	mu     sync.Mutex
	hashes map[uint64]common.Hash
	wanted map[uint64]bool // blocks that somebody asked for
}

const (
	factPrefix = "fact/block/"
	mostWanted = 256 // blocks; a peer can name some, but only through a position that this node's seat is to sign
)

// Head implements games.Facts.
func (f *facts) Head() uint64 {
	f.node.mu.Lock()
	defer f.node.mu.Unlock()
	return f.node.head.block.Number
}

// BlockHash implements games.Facts. A hash that isn't known is fetched at the next block, if there is one by then.
func (f *facts) BlockHash(number uint64) (common.Hash, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	hash, known := f.hashes[number]
	if !known && len(f.wanted) < mostWanted {
		f.wanted[number] = true
	}
	return hash, known
}

// fetch learns what was asked for and is final by now.
func (f *facts) fetch(ctx context.Context) error {
	confirmations := f.node.config.Policy.Confirmations
	if confirmations == 0 {
		confirmations = chain.DefaultConfirmations
	}
	for _, number := range f.due(f.Head(), confirmations) {
		block, err := f.node.client.At(ctx, number)
		if errors.Is(err, chain.ErrUnknownBlock) {
			continue // the endpoint lags behind another one
		}
		if err != nil {
			return fmt.Errorf("fetch block %d: %w", number, err)
		}
		value, err := json.Marshal(block.Hash)
		if err != nil {
			return err
		}
		if err := f.node.config.Store.Commit(map[string][]byte{fmt.Sprintf("%s%016x", factPrefix, number): value}); err != nil {
			return fmt.Errorf("%w: %w", ErrStore, err)
		}
		f.learn(number, block.Hash)
	}
	return nil
}

// due lists the wanted blocks that are final. A block counts itself among its confirmations.
func (f *facts) due(head, confirmations uint64) (list []uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for number := range f.wanted {
		if number+confirmations <= head+1 {
			list = append(list, number)
		}
	}
	return list
}

func (f *facts) learn(number uint64, hash common.Hash) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hashes[number] = hash
	delete(f.wanted, number)
}

// load reads the hashes that were stored.
func (f *facts) load() error {
	return f.node.config.Store.Scan(factPrefix, "", func(key string, value []byte) error {
		var number uint64
		var hash common.Hash
		if _, err := fmt.Sscanf(strings.TrimPrefix(key, factPrefix), "%x", &number); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		if err := json.Unmarshal(value, &hash); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		f.learn(number, hash)
		return nil
	})
}
