package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Where the tokens lie in the store, each under its hash; and the matches that one has counted.
const (
	accessPrefix  = "api/access/"
	countedPrefix = "api/counted/"
)

// maxAccess is how many tokens there may be.
const maxAccess = 64

var (
	// ErrLimit is wrapped by refusals of what a token may not put at risk any more.
	ErrLimit = errors.New("it is more than this token may put at risk")
	// ErrUnknownAccess is returned for a token that was not made, or was revoked.
	ErrUnknownAccess = errors.New("there is no such token")
)

// access is a token as the store has it.
type access struct {
	Name   string
	Scope  Scope
	Limits map[common.Address]*uint256.Int `json:",omitempty"`
	Risked map[common.Address]*uint256.Int `json:",omitempty"`
	Made   int64
}

// book holds the tokens. The mutex is held from reading one until it is written.
type book struct {
	mu    sync.Mutex
	store store.Store
	calls map[*underway]struct{}
}

// underway is a call with a token.
type underway struct {
	token common.Hash
	end   context.CancelCauseFunc
}

func newBook(s store.Store) *book { return &book{store: s, calls: map[*underway]struct{}{}} }

func hashed(token string) common.Hash { return sha256.Sum256([]byte(token)) }

func (b *book) get(id common.Hash) (*access, error) {
	value, err := b.store.Get(accessPrefix + id.Hex())
	if err != nil {
		return nil, err
	}
	if value == nil {
		return nil, ErrUnknownAccess
	}
	a := new(access)
	return a, json.Unmarshal(value, a)
}

// scope returns what the token with a hash may do, or an error if it was not made or is revoked.
func (b *book) scope(id common.Hash) (Scope, error) {
	a, err := b.get(id)
	if errors.Is(err, ErrUnknownAccess) {
		return 0, connect.NewError(connect.CodeUnauthenticated, errToken)
	}
	if err != nil {
		return 0, err
	}
	return a.Scope, nil
}

// during returns the context of a call with a token, which ends when the token is revoked, and what
// to call at its end. It fails if it is revoked already: a request's body may come long after the
// token.
func (b *book) during(ctx context.Context, id common.Hash) (context.Context, func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, err := b.scope(id); err != nil {
		return nil, nil, err
	}
	ctx, end := context.WithCancelCause(ctx)
	c := &underway{id, end}
	b.calls[c] = struct{}{}
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.calls, c)
		end(nil)
	}, nil
}

func (b *book) all() (map[common.Hash]access, error) {
	list := map[common.Hash]access{}
	err := b.store.Scan(accessPrefix, "", func(key string, value []byte) error {
		var a access
		if err := json.Unmarshal(value, &a); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		list[common.HexToHash(strings.TrimPrefix(key, accessPrefix))] = a
		return nil
	})
	return list, err
}

// add makes a token.
func (b *book) add(a *access, now time.Time) (token string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all, err := b.all()
	if err != nil {
		return "", err
	}
	if len(all) >= maxAccess {
		return "", fmt.Errorf("%w: there are %d tokens; revoke one that is not needed", ErrRequest, len(all))
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(all)), func(other access) bool { return other.Name == a.Name }) {
		return "", fmt.Errorf("%w: there is a token %q already; revoke it, or take another name", ErrRequest, a.Name)
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	token = hex.EncodeToString(secret[:])
	a.Made = now.Unix()
	return token, b.put(hashed(token), a, nil)
}

// revoke ends a token at once with what it has under way, and then forgets what it counted, and the
// answers that it was given.
func (b *book) revoke(id common.Hash) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, err := b.get(id); err != nil {
		return err
	}
	if err := b.store.Commit(map[string][]byte{accessPrefix + id.Hex(): nil}); err != nil {
		return err
	}
	for c := range b.calls {
		if c.token == id {
			c.end(errToken)
		}
	}
	for _, prefix := range []string{countedPrefix, oncePrefix} {
		if err := store.Clear(b.store, prefix+id.Hex()+"/"); err != nil {
			return err
		}
	}
	return nil
}

func (b *book) put(id common.Hash, a *access, matches []common.Hash) error {
	value, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("write the token %s: %w", a.Name, err)
	}
	changes := map[string][]byte{accessPrefix + id.Hex(): value}
	for _, m := range matches {
		changes[counted(id, m)] = []byte{1}
	}
	return b.store.Commit(changes)
}

func counted(id, match common.Hash) string { return countedPrefix + id.Hex() + "/" + match.Hex() }

// counts reports whether a token has counted the stake of a match.
func (b *book) counts(id, match common.Hash) (bool, error) {
	value, err := b.store.Get(counted(id, match))
	return value != nil, err
}

// spend counts an amount towards a token's limit, durably, with the matches that it is for. It
// fails with ErrLimit where that leaves less than nothing.
func (b *book) spend(id common.Hash, asset common.Address, amount *uint256.Int, matches ...common.Hash) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, err := b.get(id)
	if err != nil {
		return err
	}
	left := new(uint256.Int)
	if limit := a.Limits[asset]; limit != nil {
		left.Set(limit)
	}
	risked := new(uint256.Int)
	if r := a.Risked[asset]; r != nil {
		risked.Set(r)
	}
	left.Sub(left, risked) // never below nothing: see the check below
	if amount.Gt(left) {
		return &limitError{asset: asset, left: *left, amount: *amount}
	}
	if a.Risked == nil {
		a.Risked = map[common.Address]*uint256.Int{}
	}
	a.Risked[asset] = risked.Add(risked, amount)
	return b.put(id, a, matches)
}

// limitError is ErrLimit with what the token has left.
type limitError struct {
	asset        common.Address
	left, amount uint256.Int
}

func (e *limitError) Unwrap() error { return ErrLimit }
func (e *limitError) Error() string { return ErrLimit.Error() }
