package node

import (
	"context"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Elsewhere says that only the player's account may send a transaction, and that this node cannot sign for it: the user sends it
// from there, with the contract wallet's own program, say.
type Elsewhere struct {
	Account common.Address // who has to send it
	Why     string
	To      common.Address
	Data    []byte
	Value   uint256.Int // wei
}

func (e *Elsewhere) Error() string {
	return fmt.Sprintf("%s: only %s itself may do that, and this node cannot sign for it: send from there a transaction to %s with the value %s wei and the data 0x%x",
		e.Why, e.Account, e.To, e.Value.Dec(), e.Data)
}

// spend submits a transaction of the player's own account.
func (n *Node) spend(ctx context.Context, r chain.Request) error {
	if n.purse == nil {
		return n.elsewhere(&r)
	}
	_, err := n.purse.Submit(ctx, r)
	return err
}

func (n *Node) elsewhere(r *chain.Request) error {
	return &Elsewhere{Account: n.Account(), Why: r.Why, To: r.To, Data: r.Data, Value: r.Value}
}

// separate reports whether gas is paid by another account than the player's, which then never holds money.
func (n *Node) separate() bool { return n.sender.Address() != n.Account() }

// openPurse makes the sender of the player's own account.
func (n *Node) openPurse(config chain.SenderConfig) (err error) {
	switch {
	case n.config.Purse == nil:
	case !n.separate():
		n.purse = n.sender
	default:
		config.Signer = n.config.Purse
		n.purse, err = chain.NewSender(n.client, config)
	}
	return err
}

// tendPurse looks after the transactions of the player's own account, apart from everything else: its signer may ask a person.
func (n *Node) tendPurse(ctx context.Context) {
	if n.purse == nil || n.purse == n.sender {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.spent:
		}
		reports, err := n.purse.Step(ctx)
		n.fault("sending the player's own transactions", err)
		for i := range reports {
			n.report(&reports[i])
		}
		n.log.wake()
	}
}

// status says how a transaction of either account stands.
func (n *Node) status(key string) (chain.Report, error) {
	r, err := n.sender.Status(key)
	if err == nil && r.Progress == chain.Unknown && n.purse != nil {
		return n.purse.Status(key)
	}
	return r, err
}

// Transactions returns how the node's transactions stand, the newest first; where the player's account is not the one that pays
// for gas, its own come first.
func (n *Node) Transactions(limit int) ([]chain.Report, error) {
	list, err := n.sender.History(limit)
	if err != nil || n.purse == nil || n.purse == n.sender {
		return list, err
	}
	own, err := n.purse.History(limit)
	list = append(own, list...)
	return list[:min(limit, len(list))], err
}
