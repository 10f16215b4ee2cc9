package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
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
