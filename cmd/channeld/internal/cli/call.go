package cli

import (
	"context"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"
)

// remote is the running daemon, as one command calls it and prints its replies.
type remote struct {
	*app
	antev1connect.NodeServiceClient
	ctx   context.Context     //nolint:containedctx // of one command
	known map[string]wei.Unit // by asset, see unit

	people *antev1.ListPeersResponse // see peers
}

// client makes a command of what it does with the daemon.
func (a *app) client(do func(api *remote, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error { return do(a.dial(c.Context()), args) }
}

// about makes a command of what it does with the thing that its first argument names. It also gets
// the arguments after that one.
func about[T any](a *app, find func(*remote, string) (T, error), do func(*remote, T, []string) error) func(*cobra.Command, []string) error {
	return a.client(func(api *remote, args []string) error {
		x, err := find(api, first(args))
		if err != nil {
			return err
		}
		return do(api, x, args[min(1, len(args)):])
	})
}

// method is a method of the daemon's API.
type method[Q, R any] = func(context.Context, *connect.Request[Q]) (*connect.Response[R], error)

// reply is what such a method returns.
type reply[R any] interface {
	*R
	proto.Message
}

func call[Q, R any](api *remote, m method[Q, R], request *Q) (*R, error) {
	r, err := m(api.ctx, connect.NewRequest(request))
	if err != nil {
		return nil, err
	}
	return r.Msg, nil
}

// show calls a method and prints the reply: as JSON with --json, else as the given function does.
func show[Q, R any, P reply[R]](api *remote, m method[Q, R], request *Q, people func(P)) error {
	r, err := call(api, m, request)
	if err != nil {
		return err
	}
	return api.print(P(r), func() { people(r) })
}

// act calls a method that does something, and prints a line about that.
func act[Q, R any, P reply[R]](api *remote, m method[Q, R], request *Q, format string, args ...any) error {
	return show(api, m, request, func(P) { api.printf(format, args...) })
}
