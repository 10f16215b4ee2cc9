package api

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
)

// ErrRequest is wrapped by every error about a request that makes no sense.
var ErrRequest = errors.New("bad request")

var errToken = errors.New("show the daemon's token in the header Authorization: Bearer …")

// codes says which code of Connect an error gets; the first that matches. Others are Internal.
var codes = []struct {
	code connect.Code
	errs []error
}{
	{connect.CodeCanceled, []error{context.Canceled}},
	{connect.CodeDeadlineExceeded, []error{context.DeadlineExceeded}},
	{connect.CodeNotFound, []error{node.ErrUnknownChannel, node.ErrUnknownMatch, node.ErrUnknownOffer, node.ErrUnknownInvite, node.ErrUnknownRound, ErrUnknownAccess, games.ErrUnknownGame, owner.ErrNoRequest}},
	{connect.CodePermissionDenied, []error{ErrScope, ErrLimit}},
	{connect.CodeInvalidArgument, []error{ErrRequest, games.ErrText, games.ErrIllegal, games.ErrParams, protocol.ErrTerms, chain.ErrSignerLied}},
	{connect.CodeResourceExhausted, []error{store.ErrFull, errMany}},
	{connect.CodeFailedPrecondition, []error{
		ErrReused, ErrUnsure, node.ErrEnded, node.ErrFunds, node.ErrDeclined, node.ErrBusy, node.ErrBlind, node.ErrNoScoreboard, games.ErrNotYourTurn,
		channel.ErrNotOpen, channel.ErrFrozen, channel.ErrRestored, channel.ErrHeld, channel.ErrNoMatch, channel.ErrNotYourTurn, channel.ErrChainMoves, channel.ErrStale,
		channel.ErrWaiting, channel.ErrOver, channel.ErrSigned, protocol.ErrFunds, channel.ErrCheap, protocol.ErrBusy, protocol.ErrLocked,
		transport.ErrNotConnected, transport.ErrUnknownPeer,
	}},
	{connect.CodeAborted, []error{node.ErrClosed, store.ErrClosed, store.ErrFailed}},
}

func code(err error) connect.Code {
	if todo := new(node.Elsewhere); errors.As(err, &todo) {
		return connect.CodeFailedPrecondition
	}
	for _, c := range codes {
		for _, e := range c.errs {
			if errors.Is(err, e) {
				return c.code
			}
		}
	}
	return connect.CodeInternal
}

func coding(err error) error {
	var already *connect.Error
	if err == nil || errors.As(err, &already) {
		return err
	}
	if errors.Is(err, channel.ErrNotYourTurn) || errors.Is(err, games.ErrNotYourTurn) {
		err = fmt.Errorf("it is the other player's turn, wait for the move: %w", err)
	}
	coded := connect.NewError(code(err), err)
	if todo := new(node.Elsewhere); errors.As(err, &todo) {
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
// does, who doesn't hold up the player's channels. The text goes to the caller whole: it is the
// node's own user.
type coded struct{}

func (coded) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		if reads(r.Spec().Procedure) {
			timely, cancel := context.WithTimeout(ctx, readTime)
			defer cancel()
			ctx = chain.As(timely, chain.User)
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
