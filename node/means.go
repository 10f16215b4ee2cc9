package node

import (
	"context"
	"fmt"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// means is whether this player has what its channels take: their deposits, and gas for disputes in
// them.
type means struct {
	*core
	*funds
	channels *channels
}

// Reserve returns what the gas account has, and what disputes in its channels could cost at the
// newest block's price.
func (n *means) Reserve(ctx context.Context) (chain.Reserve, error) {
	return n.drive.Sender.Reserve(ctx, 0)
}

// canDefend checks that all channels and so many more could be defended: that the limit of fees
// pays for gas now, and that there is gas for disputes in them, besides a sum of ETH that the same
// account is about to spend.
func (n *means) canDefend(ctx context.Context, more int, spends *uint256.Int) error {
	r, err := n.drive.Sender.Reserve(ctx, more)
	if err != nil {
		return err
	}
	if r.Outbid() {
		return fmt.Errorf("%w: an answer to a dispute would need more wei per gas and the limit is %d: raise it (fees.urgent), or wait for lower fees", ErrFunds, r.Limit)
	}
	need, overflow := new(uint256.Int).AddOverflow(&r.Need, spends)
	if !overflow && !r.Have.Lt(need) {
		return nil
	}
	return fmt.Errorf("%w: account %s pays for gas and has %s; disputes take up to %d gas at %s, that is %s, besides %s for the deposit: "+
		"send it the difference, or wait for lower fees", ErrFunds, r.Account, wei.Format(&r.Have), r.Gas, wei.Gwei(uint256.NewInt(r.Price)), wei.Format(&r.Need), wei.Format(spends))
}

// stillDefends checks that the gas account can still defend what is locked; and where nothing is,
// that a node which lends to anybody could defend what it is asked for.
func (n *means) stillDefends(ctx context.Context) error {
	if n.plays() {
		return n.canDefend(ctx, 0, new(uint256.Int))
	}
	if n.config.Policy.Lends == nil {
		return nil
	}
	return n.canDefend(ctx, 1, new(uint256.Int))
}

// plays reports whether a channel of this node goes on.
func (n *means) plays() bool {
	return slices.ContainsFunc(n.allSessions(), func(s *session) bool { return !s.over() })
}

// stillLends checks that a node which lends to anybody has money for it. While it plays its money
// may be in its channels.
func (n *means) stillLends(ctx context.Context) error {
	l := n.config.Policy.Lends
	if l == nil || n.plays() {
		return nil
	}
	n.learn(ctx, l.Asset)
	free, err := n.BankBalance(ctx, l.Asset)
	if err != nil {
		return err
	}
	if free.Lt(&l.Least) {
		return fmt.Errorf("%w: the bank balance of %s is %s, and no channel that it accepts takes less than %s: deposit that",
			ErrFunds, n.Account(), n.amount(l.Asset, free), n.amount(l.Asset, &l.Least))
	}
	return nil
}

// canOpen checks that this player has its deposit: in the bank, or, where it opens itself with ETH,
// in the wallet; and what it takes to defend it.
func (n *means) canOpen(ctx context.Context, o *Offer) error {
	if err := n.blind(); err != nil {
		return err
	}
	n.learn(ctx, o.Terms.Asset)
	missing, err := n.missing(ctx, o)
	if err != nil {
		return err
	}
	if !missing.IsZero() {
		if err := n.canPay(ctx, o, missing); err != nil {
			return err
		}
	}
	more := 1
	if o.Replaces != (common.Hash{}) {
		more = 0
	}
	return n.canDefend(ctx, more, missing)
}

// affordsSoon reports whether the bank lacks money for a channel and a deposit is on its way.
func (n *means) affordsSoon(ctx context.Context, o *Offer) (bool, error) {
	arrives, err := n.arriving(o.Terms.Asset)
	if !arrives || err != nil {
		return false, err
	}
	missing, err := n.missing(ctx, o)
	return err == nil && !missing.IsZero(), err
}

// canPay checks that this player can add what its bank balance lacks.
func (n *means) canPay(ctx context.Context, o *Offer, missing *uint256.Int) error {
	what := n.amount(o.Terms.Asset, missing)
	if !o.Mine() || o.Replaces != (common.Hash{}) || o.Terms.Asset != (common.Address{}) || n.separate() {
		arrives, err := n.arriving(o.Terms.Asset)
		if err != nil {
			return err
		}
		if arrives {
			return fmt.Errorf("%w: the bank balance of %s lacks %s of this channel's deposit, and your last deposit is not mined yet: wait for it", ErrBusy, n.Account(), what)
		}
		return fmt.Errorf("%w: the bank balance of %s lacks %s of this channel's deposit; deposit that first", ErrFunds, n.Account(), what)
	}
	wallet, err := n.WalletBalance(ctx)
	if err != nil {
		return err
	}
	if wallet.Lt(missing) {
		lack := n.amount(o.Terms.Asset, new(uint256.Int).Sub(missing, wallet))
		return fmt.Errorf("%w: bank and wallet of %s together lack %s of this channel's deposit", ErrFunds, n.Account(), lack)
	}
	return nil
}

// missing returns how much of this player's deposit is not in the bank.
func (n *means) missing(ctx context.Context, o *Offer) (*uint256.Int, error) {
	holds := n.holds(o.Replaces) // before the bank is looked up, which may be paid meanwhile
	free, err := n.BankBalance(ctx, o.Terms.Asset)
	if err != nil {
		return nil, err
	}
	need := &o.Terms.Deposits[o.Seat]
	if holds {
		free = new(uint256.Int).Add(free, &o.Balances[o.Seat])
	}
	if !free.Lt(need) {
		return new(uint256.Int), nil
	}
	return new(uint256.Int).Sub(need, free), nil
}

// holds reports whether the Arena has not paid out a channel's balances.
func (n *means) holds(id common.Hash) bool {
	s, err := n.channels.session(id)
	if err != nil {
		return false
	}
	status, _ := s.onChain()
	return status == disputes.Open || status == disputes.Contested
}
