package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// The three functions of an ERC-20 that a deposit needs (EIP-20). Arguments are addresses and
// amounts only, one word each.

func tokenCall(signature string, words ...[]byte) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, w := range words {
		data = append(data, common.LeftPadBytes(w, 32)...)
	}
	return data
}

// readToken asks a token for an amount.
func (n *funds) readToken(ctx context.Context, token common.Address, signature string, about ...common.Address) (*uint256.Int, error) {
	words := make([][]byte, len(about))
	for i := range about {
		words[i] = about[i][:]
	}
	result, err := n.drive.Client.Call(ctx, token, tokenCall(signature, words...))
	if refused := new(chain.Reverted); err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	if len(result) < 32 { // or it was refused
		return nil, fmt.Errorf("%w: %s is no ERC-20 token on this chain: check the asset's address", ErrFunds, token)
	}
	return new(uint256.Int).SetBytes(result[:32]), nil
}

// allow lets the Arena take an amount of a token from the wallet, and waits until that is mined.
// The lock of funds is held.
func (n *funds) allow(ctx context.Context, token common.Address, amount *uint256.Int) error {
	allowed := func() (bool, error) {
		a, err := n.readToken(ctx, token, "allowance(address,address)", n.Account(), n.config.Arena)
		return err == nil && !a.Lt(amount), err
	}
	if done, err := allowed(); done || err != nil {
		return err
	}
	var id [8]byte
	if err := n.random(id[:]); err != nil {
		return err
	}
	to, value := n.config.Arena, amount.Bytes32()
	err := n.spend(ctx, chain.Request{
		Key: fmt.Sprintf("funds/allow/%s/%x", token, id), Why: "let the Arena take " + n.amount(token, amount), To: token, Data: tokenCall("approve(address,uint256)", to[:], value[:]),
	})
	if err != nil {
		return fmt.Errorf("let the Arena take %s: %w", n.amount(token, amount), err)
	}
	return n.Wait(ctx, allowed)
}
