package node

import (
	"context"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Elsewhere says that only the player's account may send a transaction and that this node cannot
// sign it: the user sends it, for example with the contract wallet's own program.
type Elsewhere struct {
	ChainID uint64         // on which chain: a wallet may be on several
	Account common.Address // who has to send it
	Why     string
	To      common.Address
	Data    []byte
	Value   uint256.Int // wei
}

func (e *Elsewhere) Error() string {
	return fmt.Sprintf("%s: only %s itself may do that, and this node cannot sign for it: send from there, on chain %d, a transaction to %s with the value %s wei and the data 0x%x",
		e.Why, e.Account, e.ChainID, e.To, e.Value.Dec(), e.Data)
}

// spend submits a transaction of the player's own account.
func (n *funds) spend(ctx context.Context, r chain.Request) error {
	if n.ownerSender == nil {
		return n.elsewhere(&r)
	}
	_, err := n.ownerSender.Submit(ctx, r)
	return err
}

func (n *funds) elsewhere(r *chain.Request) error {
	return &Elsewhere{ChainID: n.domain.ChainID, Account: n.Account(), Why: r.Why, To: r.To, Data: r.Data, Value: r.Value}
}

// separate reports whether gas is paid by another account than the player's, which then never holds
// money.
func (n *funds) separate() bool { return n.drive.Sender.Address() != n.Account() }

// openOwnerSender makes the sender of the player's own account.
func (n *funds) openOwnerSender() (err error) {
	switch {
	case n.config.OwnerSigner == nil:
	case !n.separate():
		n.ownerSender = n.drive.Sender
	default:
		n.ownerSender, err = n.drive.NewSender(n.config.OwnerSigner)
	}
	return err
}

// status says how a transaction of either account stands.
func (n *funds) status(key string) (chain.Report, error) {
	r, err := n.drive.Sender.Status(key)
	if err == nil && r.Progress == chain.Unknown && n.ownerSender != nil {
		return n.ownerSender.Status(key)
	}
	return r, err
}

// Transactions returns how the node's transactions stand, the newest first; where the player's
// account is not the one that pays for gas, its own come first.
func (n *funds) Transactions(limit int) ([]chain.Report, error) {
	list, err := n.drive.Sender.History(limit)
	if err != nil || n.ownerSender == nil || n.ownerSender == n.drive.Sender {
		return list, err
	}
	own, err := n.ownerSender.History(limit)
	list = append(own, list...)
	return list[:min(limit, len(list))], err
}
