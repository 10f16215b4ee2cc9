package tower

import (
	"errors"

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
func (h handler) Wallet(group string, account common.Address, digest common.Hash, signature []byte) error {
	t := h.tower
	select {
	case <-t.ready:
	case <-t.run.Done():
		return errClosed
	}
	who := budget.Who{Account: account, Group: group, Friend: t.appointments.Good(account, digest) && h.Befriended(account)}
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
	t.appointments.Note(account, digest, h.Befriended(account))
	return nil
}
