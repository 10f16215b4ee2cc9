package node

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// gameToken encodes calls of game tokens and, as they are that, too, of any ERC-20 (EIP-20).
var gameToken = sync.OnceValue(bindings.NewGameToken)

// readToken makes a call of a token that returns an amount.
func (n *funds) readToken(ctx context.Context, token common.Address, call []byte) (*uint256.Int, error) {
	result, err := n.drive.Client.Call(ctx, token, call)
	if err != nil && !errors.As(err, new(*chain.Reverted)) {
		return nil, err
	}
	if len(result) < 32 { // or it was refused
		return nil, fmt.Errorf("%w: %s is no ERC-20 token on this chain: check the asset's address", ErrRequest, token)
	}
	return new(uint256.Int).SetBytes(result[:32]), nil
}

// allow lets the Arena take an amount of a token from the wallet, and waits until that is mined.
// The lock of funds is held.
func (n *funds) allow(ctx context.Context, token common.Address, amount *uint256.Int) error {
	allowed := func() (bool, error) {
		a, err := n.readToken(ctx, token, gameToken().PackAllowance(n.Account(), n.config.Arena))
		return err == nil && !a.Lt(amount), err
	}
	if done, err := allowed(); done || err != nil {
		return err
	}
	var id [8]byte
	if err := n.random(id[:]); err != nil {
		return err
	}
	err := n.spend(ctx, chain.Request{
		Key: fmt.Sprintf("funds/allow/%s/%x", token, id), Why: "let the Arena take " + n.amount(token, amount), To: token,
		Data: gameToken().PackApprove(n.config.Arena, amount.ToBig()),
	})
	if err != nil {
		return fmt.Errorf("let the Arena take %s: %w", n.amount(token, amount), err)
	}
	return n.Wait(ctx, allowed)
}
