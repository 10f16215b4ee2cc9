package chain

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// BlockHashes implements games.Facts. It fetches hashes once their blocks are final and stores
// them, so that what depended on one can be replayed after a restart. Safe for concurrent use.
type BlockHashes struct {
	client        *Client
	store         Store
	confirmations uint64

	mu     sync.Mutex
	head   uint64 // the newest block that any endpoint told
	shared uint64 // the newest block that both endpoints have
	hashes map[uint64]common.Hash
	wanted map[uint64]bool // blocks that somebody asked for
}

const (
	factPrefix = "fact/block/"
	mostWanted = 256 // blocks; a peer can name some
)

// NewBlockHashes returns the hashes in a store, to which Fetch adds. A block is final with so many
// confirmations, itself included; 0: 12.
func NewBlockHashes(client *Client, store Store, confirmations uint64) (*BlockHashes, error) {
	confirmations = cmp.Or(confirmations, DefaultConfirmations)
	f := &BlockHashes{client: client, store: store, confirmations: confirmations, hashes: map[uint64]common.Hash{}, wanted: map[uint64]bool{}}
	return f, f.load()
}

// At sets how far the chain is (Batch): the newest block of any endpoint, for deadlines, and the
// newest that both have, for finality.
func (f *BlockHashes) At(head, shared Block) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.head, f.shared = head.Number, shared.Number
}

// Head implements games.Facts.
func (f *BlockHashes) Head() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head
}

// BlockHash implements games.Facts. An unknown hash is requested from the next Fetch.
func (f *BlockHashes) BlockHash(number uint64) (common.Hash, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	hash, known := f.hashes[number]
	if !known && len(f.wanted) < mostWanted {
		f.wanted[number] = true
	}
	return hash, known
}

// Known returns how many hashes are known. None is ever forgotten or changed.
func (f *BlockHashes) Known() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.hashes)
}

// Fetch fetches the requested hashes of blocks that are final by now.
func (f *BlockHashes) Fetch(ctx context.Context) error {
	due := f.due()
	if len(due) == 0 {
		return nil
	}
	err := f.client.each(ctx, due, func(block Block) error {
		value, err := json.Marshal(block.Hash)
		if err != nil {
			return err
		}
		if err := f.store.Commit(map[string][]byte{fmt.Sprintf("%s%016x", factPrefix, block.Number): value}); err != nil {
			return fmt.Errorf("store the hash of block %d: %w", block.Number, err)
		}
		f.learn(block.Number, block.Hash)
		return nil
	})
	if err != nil {
		return fmt.Errorf("fetch block hashes: %w", err)
	}
	return nil
}

// due lists the wanted blocks that are final. A block counts itself among its confirmations.
func (f *BlockHashes) due() (list []uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for number := range f.wanted {
		if number+f.confirmations <= f.shared+1 {
			list = append(list, number)
		}
	}
	return list
}

func (f *BlockHashes) learn(number uint64, hash common.Hash) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hashes[number] = hash
	delete(f.wanted, number)
}

// load reads the hashes that were stored.
func (f *BlockHashes) load() error {
	return f.store.Scan(factPrefix, "", func(key string, value []byte) error {
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
