package chain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// Store keeps what a Sender must not forget.
type Store interface {
	// Get returns the value of a key, nil if it has none.
	Get(key string) ([]byte, error)
	// Scan visits the keys that begin with prefix and are not below from, in ascending order.
	Scan(prefix, from string, visit func(key string, value []byte) error) error
	// Commit changes all the keys or none, durably when it returns nil. An empty value deletes.
	Commit(changes map[string][]byte) error
}

// SenderConfig configures a Sender.
type SenderConfig struct {
	Signer Signer
	Store  Store
	Fees   Fees
	// blocks, its own included, that make a transaction final; 0: 12
	Confirmations uint64
	Now           func(context.Context) (uint64, error) // the Arena's clock, see Arena.Now
	// says in words why the contract refuses; nil: hexadecimal
	Explain func(revert []byte) error
	// how many channels the account may have to defend; must not block; nil: one
	Channels func() int
}

// Sender sends the transactions of one account: it must be the only one to use that account.
// Everything is stored before it is sent, so that a crash loses nothing and sends nothing twice. It
// does nothing by itself: call Step once for every new block.
//
// Methods are safe for concurrent use. Submit and Step take turns; a context that ends also ends
// the wait for a turn.
type Sender struct {
	client *Client
	config SenderConfig
	turn   chan struct{} // holds a token while nobody works

	mu   sync.Mutex // guards the reports of live jobs, for Status, and what they sent, for Sent
	live map[string]Report
	sent map[common.Hash]bool

	// Used in turn only.
	book  *book             // nil: it must be read again, which failed
	saved map[string][]byte // the book and its jobs as stored, by key
	lost  map[teller]int    // see believed

	untold []Report // what the next Step is to return
}

// NewSender returns a sender that continues with what its store holds.
func NewSender(client *Client, config SenderConfig) (*Sender, error) {
	if config.Signer == nil || config.Store == nil || config.Now == nil {
		return nil, errors.New("chain: a sender needs a signer, a store and the Arena's clock")
	}
	config.Confirmations = cmp.Or(config.Confirmations, DefaultConfirmations)
	if config.Explain == nil {
		config.Explain = func(data []byte) error { return fmt.Errorf("reverted with 0x%x", data) }
	}
	if config.Channels == nil {
		config.Channels = func() int { return 1 }
	}
	var err error
	if config.Fees, err = config.Fees.withDefaults(); err != nil {
		return nil, err
	}
	s := &Sender{client: client, config: config, turn: make(chan struct{}, 1), lost: map[teller]int{}}
	if err := s.load(); err != nil {
		return nil, err
	}
	s.publish()
	s.turn <- struct{}{}
	return s, nil
}

// Address returns the account.
func (s *Sender) Address() common.Address { return s.config.Signer.Address() }

func (s *Sender) bookKey() string {
	return fmt.Sprintf("chain/%d/%v/jobs", s.client.ChainID(), s.Address())
}

// jobPrefix begins the keys of the jobs: no request's key begins with a slash.
func (s *Sender) jobPrefix() string { return s.bookKey() + "/" }

func (s *Sender) landedKey(tx common.Hash) string {
	return fmt.Sprintf("chain/%d/%v/landed/%s", s.client.ChainID(), s.Address(), tx.Hex())
}

func (s *Sender) outcomeKey(key string) string {
	return fmt.Sprintf("chain/%d/%v/done/%s", s.client.ChainID(), s.Address(), key)
}

// take waits for the turn; the caller gives it back.
func (s *Sender) take(ctx context.Context) error {
	select {
	case <-s.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.book == nil {
		if err := s.load(); err != nil {
			s.give()
			return err
		}
	}
	return nil
}

func (s *Sender) give() { s.turn <- struct{}{} }

// save stores the jobs that changed, and the outcomes of those that are over. When it fails the
// jobs are read again: what isn't stored did not happen.
func (s *Sender) save(over map[string]*outcome) error {
	now, err := s.encode()
	if err != nil {
		return err
	}
	w := writer{store: s.config.Store, changes: map[string][]byte{}}
	for key, o := range over { // before its job goes: a crash between has that end once more
		encoded, failed := json.Marshal(o)
		w.err = errors.Join(w.err, failed)
		w.add(s.outcomeKey(key), encoded)
		w.add(s.landedKey(o.Landed.Tx), []byte(key))
	}
	// the book last: of version 1, it had the jobs
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(now))) {
		if !bytes.Equal(now[key], s.saved[key]) {
			w.add(key, now[key])
		}
	}
	for key := range s.saved {
		if now[key] == nil {
			w.add(key, nil)
		}
	}
	if err := w.flush(); err != nil {
		s.book = nil
		return errors.Join(err, s.load())
	}
	s.saved = now
	s.publish()
	return nil
}

// encode returns the book and its jobs as they are stored, by key.
func (s *Sender) encode() (map[string][]byte, error) {
	head, err := json.Marshal(book{Version: s.book.Version, Used: s.book.Used})
	all := map[string][]byte{s.bookKey(): head}
	for _, j := range s.book.Jobs {
		if err != nil {
			break
		}
		all[s.jobPrefix()+j.name()], err = json.Marshal(j)
	}
	return all, err
}

func (s *Sender) load() error {
	stored, err := s.config.Store.Get(s.bookKey())
	if err != nil {
		return err
	}
	b, err := decodeBook(stored)
	if err != nil {
		return err
	}
	saved := map[string][]byte{s.bookKey(): stored}
	err = s.config.Store.Scan(s.jobPrefix(), "", func(key string, value []byte) error {
		saved[key] = value
		return b.put(value)
	})
	if err != nil {
		return err
	}
	s.book, s.saved = b, saved
	return nil
}

func (s *Sender) publish() {
	live, sent := make(map[string]Report), make(map[common.Hash]bool)
	for _, j := range s.book.Jobs {
		if j.Key != "" {
			live[j.Key] = j.report()
		}
		for _, tx := range j.Sent {
			sent[tx] = true
		}
	}
	s.mu.Lock()
	s.live, s.sent = live, sent
	s.mu.Unlock()
}

// Sent says whether a transaction is one of this sender's, without asking the chain.
func (s *Sender) Sent(tx common.Hash) (bool, error) {
	s.mu.Lock()
	sent := s.sent[tx]
	s.mu.Unlock()
	if sent {
		return true, nil
	}
	key, err := s.config.Store.Get(s.landedKey(tx))
	return len(key) > 0, err
}

// Status says how a transaction stands, without asking the chain.
func (s *Sender) Status(key string) (Report, error) {
	s.mu.Lock()
	report, ok := s.live[key]
	s.mu.Unlock()
	if ok {
		return report, nil
	}
	o, err := s.outcome(key)
	if err != nil || o == nil {
		return Report{Key: key}, err
	}
	return o.report(key), nil
}

func (s *Sender) outcome(key string) (*outcome, error) {
	stored, err := s.config.Store.Get(s.outcomeKey(key))
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	o := new(outcome)
	if err := json.Unmarshal(stored, o); err != nil {
		return nil, fmt.Errorf("the stored outcome of %s is damaged: %w", key, err)
	}
	return o, nil
}
