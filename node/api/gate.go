package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"github.com/ethereum/go-ethereum/common"
)

// gate lets only those through who show a token whose scope covers what they ask for. A page of
// another site cannot: browsers don't send tokens along.
type gate struct {
	token, view string
	tokens      *book // nil: none but these two
	next        http.Handler
}

// caller is who asks.
type caller struct {
	id    common.Hash // the token's hash; zero: the daemon's own
	scope Scope
}

type callerKey struct{}

// asking returns who asks. Nobody comes past the gate without: the zero caller may do nothing.
func asking(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := g.known(r)
	if err == nil {
		err = c.scope.covers(r.URL.Path)
	}
	if err != nil {
		_ = connect.NewErrorWriter().Write(w, r, coding(err)) // the caller is gone if it fails
		return
	}
	g.next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
}

// known returns who shows a token.
func (g *gate) known(r *http.Request) (caller, error) {
	shown, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !ok || shown == "":
		return caller{}, errToken
	case same(shown, g.token):
		return caller{scope: Owner}, nil
	case same(shown, g.view) && viewed[r.URL.Path]:
		return caller{scope: Look}, nil
	}
	if g.tokens == nil {
		return caller{}, errToken
	}
	id := hashed(shown)
	scope, err := g.tokens.scope(id)
	if err != nil {
		return caller{}, err
	}
	return caller{id: id, scope: scope}, nil
}

// same compares in a time that tells nothing of how much is right.
func same(shown, token string) bool {
	got, want := sha256.Sum256([]byte(shown)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// standing ends what a token has under way when the token is revoked. It is inside of once, which
// goes on with a request whose caller is gone.
type standing struct{ tokens *book }

func (s standing) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (reply connect.AnyResponse, err error) {
		err = s.during(ctx, func(ctx context.Context) error {
			reply, err = next(ctx, r)
			return err
		})
		return reply, err
	}
}

func (s standing) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, c connect.StreamingHandlerConn) error {
		return s.during(ctx, func(ctx context.Context) error { return next(ctx, c) })
	}
}

func (standing) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// during makes a call as long as its token stands.
func (s standing) during(ctx context.Context, call func(context.Context) error) error {
	by := asking(ctx)
	if by.id == (common.Hash{}) {
		return call(ctx)
	}
	ctx, end, err := s.tokens.during(ctx, by.id)
	if err != nil {
		return err
	}
	defer end()
	if err = call(ctx); err != nil && errors.Is(context.Cause(ctx), errToken) {
		return errToken
	}
	return err
}
