package chain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// Facts are what rules may know of the chain. They are fetched once their blocks are final and
// stored, so that what depended on one can be replayed after a restart. Safe for concurrent use.
type Facts struct {
	client        *Client
	store         Store
	confirmations uint64

	mu     sync.Mutex
	head   uint64 // the newest block that any endpoint told
	shared uint64 // the newest block that both endpoints have
	known  map[fact]common.Hash
	wanted map[fact]bool // what somebody asked for
}

// fact names what the chain tells once a block is final: that block's hash, or what a contract has
// noted by then.
type fact struct {
	block uint64
	rules common.Address // the contract; zero: it is the block's hash
	slot  common.Hash    // where the contract has it
}

const (
	hashPrefix = "fact/block/"
	notePrefix = "fact/note/"
	mostWanted = 256 // facts; a peer can name some
)

// stored is the fact's key in the store.
func (a fact) stored() string {
	if a.rules == (common.Address{}) {
		return fmt.Sprintf("%s%016x", hashPrefix, a.block)
	}
	return fmt.Sprintf("%s%x/%x/%016x", notePrefix, a.rules, a.slot, a.block)
}

// readKey returns the fact that a store has under a key.
func readKey(key string) (a fact, err error) {
	if of, found := strings.CutPrefix(key, hashPrefix); found {
		_, err = fmt.Sscanf(of, "%x", &a.block)
	} else {
		var rules, slot []byte
		_, err = fmt.Sscanf(strings.ReplaceAll(strings.TrimPrefix(key, notePrefix), "/", " "), "%x %x %x", &rules, &slot, &a.block)
		a.rules, a.slot = common.BytesToAddress(rules), common.BytesToHash(slot)
	}
	if err == nil && a.stored() != key {
		err = errors.New("it is no fact's key")
	}
	if err != nil {
		return a, fmt.Errorf("read %s: %w", key, err)
	}
	return a, nil
}

func (a fact) String() string {
	if a.rules == (common.Address{}) {
		return fmt.Sprintf("the hash of block %d", a.block)
	}
	return fmt.Sprintf("what contract %v has noted at %v before block %d", a.rules, a.slot, a.block)
}

// NewFacts returns the facts in a store, to which Fetch adds. A block is final with so many
// confirmations, itself included; 0: 12.
func NewFacts(client *Client, store Store, confirmations uint64) (*Facts, error) {
	confirmations = cmp.Or(confirmations, DefaultConfirmations)
	f := &Facts{client: client, store: store, confirmations: confirmations, known: map[fact]common.Hash{}, wanted: map[fact]bool{}}
	return f, f.load()
}

// At sets how far the chain is: the newest block of any endpoint, for deadlines, and the newest
// that both have, for finality.
func (f *Facts) At(r *Reach) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.head, f.shared = r.Highest, r.Shared.Number
}

// Head is the number of the newest block that any endpoint told.
func (f *Facts) Head() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head
}

// BlockHash returns the hash of a block that is final.
func (f *Facts) BlockHash(number uint64) (common.Hash, bool) { return f.ask(fact{block: number}) }

// Sure is the number of the newest block that both endpoints have.
func (f *Facts) Sure() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shared
}

// Known returns how many facts are known. None is ever forgotten or changed.
func (f *Facts) Known() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.known)
}

// RulesFacts are those that the rules of one contract may ask for. They implement games.Facts.
type RulesFacts struct {
	*Facts
	rules common.Address
}

// Of returns the facts for the rules of a contract.
func (f *Facts) Of(rules common.Address) RulesFacts { return RulesFacts{f, rules} }

// Noted implements games.Facts.
func (f RulesFacts) Noted(slot common.Hash, before uint64) (common.Hash, bool) {
	return f.ask(fact{before, f.rules, slot})
}

// ask returns a fact. One that is unknown is requested from the next Fetch; where more than
// mostWanted are, the one of the latest block is dropped.
func (f *Facts) ask(about fact) (common.Hash, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	word, known := f.known[about]
	if known {
		return word, true
	}
	f.wanted[about] = true
	if len(f.wanted) > mostWanted {
		last := about
		for w := range f.wanted {
			if w.block > last.block {
				last = w
			}
		}
		delete(f.wanted, last)
	}
	return word, false
}

// Fetch fetches the requested facts of blocks that are final by now.
func (f *Facts) Fetch(ctx context.Context) error {
	due := f.due()
	if len(due) == 0 {
		return nil
	}
	err := f.client.facts(ctx, due, f.confirmations, func(about fact, word common.Hash) error {
		value, err := json.Marshal(word)
		if err != nil {
			return err
		}
		if err := f.store.Commit(map[string][]byte{about.stored(): value}); err != nil {
			return fmt.Errorf("store %s: %w", about, err)
		}
		f.learn(about, word)
		return nil
	})
	if err != nil {
		return fmt.Errorf("fetch facts for rules: %w", err)
	}
	return nil
}

// due lists the wanted facts of blocks that are final. A block counts itself among its
// confirmations.
func (f *Facts) due() (list []fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for about := range f.wanted {
		if final(about.block, f.shared, f.confirmations) {
			list = append(list, about)
		}
	}
	return list
}

func (f *Facts) learn(about fact, word common.Hash) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known[about] = word
	delete(f.wanted, about)
}

// load reads the facts that were stored.
func (f *Facts) load() error {
	for _, prefix := range []string{hashPrefix, notePrefix} {
		err := f.store.Scan(prefix, "", func(key string, value []byte) error {
			about, err := readKey(key)
			if err != nil {
				return err
			}
			var word common.Hash
			if err := json.Unmarshal(value, &word); err != nil {
				return fmt.Errorf("read %s: %w", key, err)
			}
			f.learn(about, word)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// facts tells facts that are final at both endpoints, if there are two, and fails with *Lying if
// theirs differ. What one says while the other has no say is not told: a fact is never taken back.
// One that can't be told doesn't hold up the others. An endpoint that doesn't answer is waited for
// once, not for every fact.
func (c *Client) facts(ctx context.Context, due []fact, confirmations uint64, tell func(fact, common.Hash) error) error {
	return c.use(ctx, func(e *endpoint) error {
		h, err := c.heads(ctx, e)
		if err != nil {
			return err
		}
		var failed []error
		for _, about := range due {
			if !final(about.block, h.shared.Number, confirmations) {
				continue // it was once, at endpoints that are not asked now
			}
			word, err := h.fact(ctx, e, about)
			switch {
			case isDown(err), ctx.Err() != nil:
				return err
			case c.second != nil && h.other == nil: // or it went down just now
				return errors.Join(failed...)
			case err == nil:
				err = tell(about, word)
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", about, err))
			}
		}
		return errors.Join(failed...)
	})
}

// fact returns a fact as an endpoint tells it, and the other one as well.
func (h *heads) fact(ctx context.Context, e *endpoint, about fact) (common.Hash, error) {
	if about.rules == (common.Address{}) {
		block, err := h.at(ctx, e, about.block)
		return block.Hash, err
	}
	return agreed(h, e, func(e *endpoint) (common.Hash, error) { return h.stored(ctx, e, about) }, func(own, theirs common.Hash) *Lying {
		if own == theirs {
			return nil
		}
		return &Lying{What: fmt.Sprintf("of %s, one says %v, the other %v", about, own, theirs)}
	})
}

// stored returns what a contract stores in the newest block that both endpoints have: by number, so
// that one which does not have it fails, instead of telling what was stored before.
func (h *heads) stored(ctx context.Context, e *endpoint, about fact) (word common.Hash, err error) {
	told, err := once(ctx, e, func(ctx context.Context, e *endpoint) ([]byte, error) {
		return e.eth.StorageAt(ctx, about.rules, about.slot, new(big.Int).SetUint64(h.shared.Number))
	})
	if err == nil && len(told) != len(word) {
		err = fmt.Errorf("%d bytes are no word", len(told))
	}
	if err != nil && !isDown(err) && ctx.Err() == nil {
		err = &Refusing{Endpoint: e.name, What: fmt.Sprintf("what contract %v stores", about.rules), Err: err}
	}
	return common.BytesToHash(told), err
}
