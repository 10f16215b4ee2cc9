package chain

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
)

// Code returns the code of an account, none if it has none. Where there is a second endpoint, both must say the same:
// *Lying says that they do not.
func (c *Client) Code(ctx context.Context, account common.Address) ([]byte, error) {
	return both(c, func(e *endpoint) (code []byte, err error) {
		err = c.ask(ctx, e, func(e *endpoint) error {
			return e.do(ctx, func(ctx context.Context) error {
				code, err = e.eth.CodeAt(ctx, account, nil)
				return err
			})
		})
		return code, err
	}, bytes.Equal, fmt.Sprintf("the code of account %v", account))
}

// Constant calls a contract for what never changes. Where there is a second endpoint, both must say the same: *Lying says that
// they do not. A call that the contract refuses returns *Reverted with Data only.
func (c *Client) Constant(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	return both(c, func(e *endpoint) (result []byte, err error) {
		err = c.ask(ctx, e, func(e *endpoint) error {
			return e.do(ctx, func(ctx context.Context) error {
				result, err = e.eth.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
				return err
			})
		})
		return result, refusal(err)
	}, bytes.Equal, fmt.Sprintf("what contract %v says of itself", to))
}

// both asks both endpoints what must not depend on one of them. One that is down has no say; if they differ it is *Lying.
func both[T any](c *Client, ask func(*endpoint) (T, error), same func(a, b T) bool, what string) (T, error) {
	first, err := ask(c.first)
	if c.second == nil {
		return first, err
	}
	second, secondErr := ask(c.second)
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
