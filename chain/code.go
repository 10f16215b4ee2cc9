package chain

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
)

// Code returns the code of an account, which may be empty. Where there is a second endpoint, both
// must agree, or it fails with *Lying.
func (c *Client) Code(ctx context.Context, account common.Address) ([]byte, error) {
	return both(ctx, c, func(ctx context.Context, e *endpoint) ([]byte, error) {
		return e.eth.CodeAt(ctx, account, nil)
	}, bytes.Equal, fmt.Sprintf("the code of account %v", account))
}

// Constant calls a contract for a value that never changes. Where there is a second endpoint, both
// must agree, or it fails with *Lying. A call that the contract refuses returns *Reverted with Data
// only.
func (c *Client) Constant(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	return both(ctx, c, func(ctx context.Context, e *endpoint) ([]byte, error) {
		result, err := e.eth.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
		return result, refusal(err)
	}, bytes.Equal, fmt.Sprintf("what contract %v says of itself", to))
}

// both asks both endpoints what must not depend on one of them. One that is down has no say; if
// they differ it is *Lying.
func both[T any](ctx context.Context, c *Client, call func(context.Context, *endpoint) (T, error), same func(a, b T) bool, what string) (T, error) {
	first, err := answerOf(ctx, c, c.first, call)
	if c.second == nil {
		return first, err
	}
	second, secondErr := answerOf(ctx, c, c.second, call)
	var none T
	switch {
	case isDown(err):
		return second, secondErr
	case err != nil || isDown(secondErr):
		return first, err
	case secondErr != nil:
		return none, secondErr
	case !same(first, second):
		return none, &Lying{Endpoint: pair(c.first, c.second), What: "they differ about " + what}
	}
	return first, nil
}
