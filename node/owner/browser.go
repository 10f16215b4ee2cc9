package owner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// ErrNoRequest says that there is no such request: it was answered, or nobody waits for it any
// more.
var ErrNoRequest = errors.New("no such request of a signature")

// maxRequests is how many signatures are waited for at once: one for each opening and one deputy.
const maxRequests = 64

// Browser is a TypedSigner whose key a wallet in the player's browser holds. It keeps what is to be
// signed until the page, which asks the wallet, brings the signature or the person's refusal. What
// comes is verified, never trusted. Nothing is stored: callers ask again after a restart. Safe for
// concurrent use.
type Browser struct {
	account common.Address

	mu      sync.Mutex
	last    uint64
	waiting []*waiting // oldest first
}

// Request is a typed struct (EIP-712) that the wallet is to sign.
type Request struct {
	ID    uint64 // unique as long as the process runs
	Typed apitypes.TypedData
}

type waiting struct {
	Request
	digest common.Hash
	answer chan answer // takes one without blocking
}

type answer struct {
	signature []byte
	err       error
}

// NewBrowser makes the signer of the account of a wallet.
func NewBrowser(account common.Address) *Browser { return &Browser{account: account} }

// Account returns the account that signs.
func (b *Browser) Account() common.Address { return b.account }

// SignTyped implements TypedSigner: it waits until the wallet has answered or the context ends. A
// refusal is chain.ErrSignerRefused.
func (b *Browser) SignTyped(ctx context.Context, typed apitypes.TypedData) ([]byte, error) {
	digest, _, err := apitypes.TypedDataAndHash(typed)
	if err != nil {
		return nil, err
	}
	w := &waiting{Request: Request{Typed: typed}, digest: common.Hash(digest), answer: make(chan answer, 1)}
	if err := b.add(w); err != nil {
		return nil, err
	}
	defer b.take(w.ID)
	select {
	case a := <-w.answer:
		return a.signature, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *Browser) add(w *waiting) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == maxRequests {
		return fmt.Errorf("%w: %d requests wait for the wallet of %s: answer them on the page", chain.ErrSignerAway, maxRequests, b.account)
	}
	b.last++
	w.ID = b.last
	b.waiting = append(b.waiting, w)
	return nil
}

// take removes a request and returns it, nil if it is not there.
func (b *Browser) take(id uint64) *waiting {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, w := range b.waiting {
		if w.ID == id {
			b.waiting = slices.Delete(b.waiting, i, i+1)
			return w
		}
	}
	return nil
}

// Requests returns what waits for a signature, oldest first.
func (b *Browser) Requests() []Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]Request, len(b.waiting))
	for i, w := range b.waiting {
		list[i] = w.Request
	}
	return list
}

// Give delivers the wallet's signature. It refuses one that is not the account's for this request,
// which then keeps waiting.
func (b *Browser) Give(id uint64, signature []byte) error {
	b.mu.Lock()
	i := slices.IndexFunc(b.waiting, func(w *waiting) bool { return w.ID == id })
	if i < 0 {
		b.mu.Unlock()
		return fmt.Errorf("%w: %d", ErrNoRequest, id)
	}
	digest := b.waiting[i].digest
	b.mu.Unlock()
	sig, err := protocol.ParseSignature(signature)
	if err == nil {
		err = sig.Verify(digest, b.account)
	}
	if err != nil {
		return fmt.Errorf("%w: choose account %s in the wallet: %w", chain.ErrSignerLied, b.account, err)
	}
	return b.settle(id, answer{signature: sig[:]})
}

// Refuse delivers the person's refusal.
func (b *Browser) Refuse(id uint64) error {
	return b.settle(id, answer{err: fmt.Errorf("%w: the player refuses in the wallet of %s", chain.ErrSignerRefused, b.account)})
}

func (b *Browser) settle(id uint64, a answer) error {
	w := b.take(id)
	if w == nil {
		return fmt.Errorf("%w: %d", ErrNoRequest, id)
	}
	w.answer <- a
	return nil
}
