package chain

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// Code returns the code of an account, none if it has none. Where there is a second endpoint, both must say the same:
// *Lying says that they do not.
func (c *Client) Code(ctx context.Context, account common.Address) ([]byte, error) {
	code, err := c.codeAt(ctx, c.first, account)
	if c.second == nil {
		return code, err
	}
	other, otherErr := c.codeAt(ctx, c.second, account)
	switch {
	case isDown(err):
		return other, otherErr
	case err != nil || isDown(otherErr):
		return code, err
	case otherErr != nil:
		return nil, otherErr
	case !bytes.Equal(code, other):
		return nil, &Lying{Endpoint: c.first.name, What: fmt.Sprintf("account %v has %d bytes of code, and by the second endpoint other code", account, len(code))}
	}
	return code, nil
}

func (c *Client) codeAt(ctx context.Context, e *endpoint, account common.Address) (code []byte, err error) {
	err = c.ask(ctx, e, func(e *endpoint) error {
		return e.do(ctx, func(ctx context.Context) error {
			code, err = e.eth.CodeAt(ctx, account, nil)
			return err
		})
	})
	return code, err
}
