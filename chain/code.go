package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Code returns the code of an account, which may be empty. Where there is a second endpoint, both
// must agree, or it fails with *Lying. One that is down has no say, so agreed says whether two
// endpoints told the same: a lone one can give out any code.
func (c *Client) Code(ctx context.Context, account common.Address) (code []byte, agreed bool, err error) {
	return both(ctx, c, codeAt(account), bytes.Equal, fmt.Sprintf("the code of account %v", account))
}

// CodeWith returns the code of an account that has a hash, whichever endpoint tells it, because
// none can make up another with that hash. It fails where an endpoint that might have it doesn't
// answer; where all answer otherwise it returns what one of them says.
func (c *Client) CodeWith(ctx context.Context, account common.Address, hash common.Hash) (code []byte, err error) {
	for _, e := range []*endpoint{c.first, c.second} {
		if e == nil {
			continue
		}
		told, failed := answerOf(ctx, c, e, codeAt(account))
		if failed == nil && crypto.Keccak256Hash(told) == hash {
			return told, nil
		}
		code, err = told, errors.Join(err, failed)
	}
	return code, err
}

// Stored returns what a contract stores in a slot as of now. Where there is a second endpoint, both
// must agree, or it fails with *Lying. One that is down has no say.
func (c *Client) Stored(ctx context.Context, contract common.Address, slot common.Hash) (word common.Hash, err error) {
	told, _, err := both(ctx, c, func(ctx context.Context, e *endpoint) ([]byte, error) {
		return e.eth.StorageAt(ctx, contract, slot, nil)
	}, bytes.Equal, fmt.Sprintf("what contract %v stores", contract))
	return common.BytesToHash(told), err
}

func codeAt(account common.Address) func(context.Context, *endpoint) ([]byte, error) {
	return func(ctx context.Context, e *endpoint) ([]byte, error) { return e.eth.CodeAt(ctx, account, nil) }
}

// Constant calls a contract for a value that never changes. Where there is a second endpoint, both
// must agree, or it fails with *Lying. A call that the contract refuses returns *Reverted with Data
// only.
func (c *Client) Constant(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	result, _, err := c.constant(ctx, to, data)
	return result, err
}

// constant is Constant, and says whether two endpoints agreed.
func (c *Client) constant(ctx context.Context, to common.Address, data []byte) (result []byte, agreed bool, err error) {
	return both(ctx, c, func(ctx context.Context, e *endpoint) ([]byte, error) {
		result, err := e.eth.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
		return result, refusal(err)
	}, bytes.Equal, fmt.Sprintf("what contract %v says of itself", to))
}

// both asks both endpoints what must not depend on one of them, and says whether both answered, and
// agreed. One that is down has no say; if they differ, also in whether a contract refuses, it is
// *Lying.
func both[T any](ctx context.Context, c *Client, call func(context.Context, *endpoint) (T, error), same func(a, b T) bool, what string) (answer T, agreed bool, err error) {
	first, err := answerOf(ctx, c, c.first, call)
	if c.second == nil {
		return first, false, err
	}
	second, secondErr := answerOf(ctx, c, c.second, call)
	var none T
	switch {
	case isDown(err):
		return second, false, secondErr
	case isDown(secondErr):
		return first, false, err
	case err == nil && secondErr == nil && !same(first, second),
		err == nil && refused(secondErr), secondErr == nil && refused(err):
		return none, false, &Lying{Endpoint: pair(c.first, c.second), What: "they differ about " + what}
	case err == nil:
		err = secondErr
	}
	if err != nil {
		return none, false, err
	}
	return first, true, nil
}
