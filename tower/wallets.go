package tower

import (
	"errors"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

var _ transport.Envoy = handler{}

var errClosed = errors.New("the tower is closed")

// Deputy implements transport.Envoy: a tower speaks for itself.
func (handler) Deputy() *protocol.SignedDeputy { return nil }

// Wallet implements transport.Envoy: a contract wallet's seat comes as its deputy. The caller has
// proved nothing yet, so Wallet spends a stranger's budget, unless the same appointment was good
// before for an account that has shown a seat.
func (h handler) Wallet(account common.Address, digest common.Hash, signature []byte) error {
	t := h.tower
	select {
	case <-t.ready:
	case <-t.run.Done():
		return errClosed
	}
	t.mu.Lock()
	who := budget.Who{Account: account, Friend: t.proved[account] == digest && digest != (common.Hash{})}
	t.mu.Unlock()
	if err := t.spend(t.budgets.chain, &who, 1); err != nil {
		return err
	}
	ctx := t.run
	if !who.Friend {
		ctx = chain.As(ctx, chain.Stranger)
	}
	if err := t.wallets.Signed(ctx, account, digest, signature); err != nil {
		return err
	}
	if t.prove(account, digest) {
		if err := t.config.Store.Commit(map[string][]byte{provedPrefix + account.Hex(): digest[:]}); err != nil {
			t.config.Log.Warn("an appointment is forgotten at the next start", "peer", account, "error", err)
		}
	}
	return nil
}

// prove remembers an appointment that is good, if the account has shown a seat, and reports whether
// that is news.
func (t *Tower) prove(account common.Address, digest common.Hash) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, seated := t.seated[account]; !seated || t.proved[account] == digest {
		return false
	}
	t.proved[account] = digest
	return true
}

// restoreProved takes up the appointments from before a restart, and forgets those of accounts that
// have no seat any more.
func (t *Tower) restoreProved() error {
	gone := map[string][]byte{}
	err := t.config.Store.Scan(provedPrefix, "", func(key string, digest []byte) error {
		if !t.prove(common.HexToAddress(strings.TrimPrefix(key, provedPrefix)), common.BytesToHash(digest)) {
			gone[key] = nil
		}
		return nil
	})
	return errors.Join(err, t.config.Store.Commit(gone))
}
