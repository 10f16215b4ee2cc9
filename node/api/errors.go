package api

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
)

// ErrRequest is wrapped by every error about a request that makes no sense.
var ErrRequest = node.ErrRequest

var errToken = errors.New("without a token that the daemon knows nothing is shown or done")

// coding gives an error its code, and its number where it has one.
func coding(err error) error {
	if err == nil || errors.As(err, new(*connect.Error)) {
		return err
	}
	f := faultOf(err)
	if f == nil {
		return connect.NewError(connect.CodeInternal, err)
	}
	coded := f.numbered(err)
	if todo, is := errors.AsType[*node.Elsewhere](err); is {
		return sendElsewhere(coded, todo)
	}
	return coded
}

// readTime is how long a request that changes nothing may take: an endpoint of the chain that hangs
// must not hold its caller.
const readTime = 8 * time.Second

// reads reports whether a procedure changes nothing.
func reads(procedure string) bool {
	name := path.Base(procedure)
	return strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "List")
}

// coded gives every error its code. What only reads has readTime, and asks the chain as a person
// does, who doesn't hold up the player's channels; so does what a token to look may ask for. The
// text goes to the caller whole: it is the node's own user.
type coded struct{}

func (coded) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		procedure := r.Spec().Procedure
		if reads(procedure) {
			timely, cancel := context.WithTimeout(ctx, readTime)
			defer cancel()
			ctx = timely
		}
		if reads(procedure) || needs[procedure] == Look {
			ctx = chain.As(ctx, chain.User)
		}
		reply, err := next(ctx, r)
		return reply, coding(err)
	}
}

func (coded) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, c connect.StreamingHandlerConn) error { return coding(next(ctx, c)) }
}

func (coded) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}
