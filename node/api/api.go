// Package api serves a node to its user's own programs: the service of proto/ante/v1/api.proto over
// Connect, that is as gRPC, gRPC-Web, or JSON over HTTP.
//
// Whoever shows the token may do everything that the user may, spend the money included; who shows
// View of it may look. The service has no encryption of its own: serve it on loopback. A client
// should make the service prove that it knows the token, too, before it shows it: see Prove.
package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// maxRequest caps the bytes of a request.
const maxRequest = 1 << 20

// Config is what the service is made of.
type Config struct {
	Node    *node.Node
	Store   store.Store // the node's, whose generation is shown
	Token   keys.Secret // that callers show
	Version string      // of the program
	Window  uint64      // of channels that are offered without one, in the Arena's clock

	Games games.Catalog             // the node's
	Rules map[string]common.Address // the node's

	Now func() time.Time
	// Dial connects to a peer at a multiaddr and returns the account that it proved to be.
	Dial func(ctx context.Context, address string) (common.Address, error)
}

// minToken is the least number of characters of a token: guessing it must be hopeless.
const minToken = 20

// CheckToken refuses a token that is empty or short enough to be guessed.
func CheckToken(token keys.Secret) error {
	if n := len(token.Reveal()); n < minToken {
		return fmt.Errorf("the API's token has %d characters, want %d or more: whoever guesses it can spend your money; delete the file api-token and run init again, which makes a new one",
			n, minToken)
	}
	return nil
}

// New returns the service.
func New(config Config) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(antev1connect.NewNodeServiceHandler(&service{config: config, node: config.Node},
		connect.WithReadMaxBytes(maxRequest), connect.WithInterceptors(coded{})))
	all := http.NewServeMux()
	token := string(config.Token.Reveal())
	all.Handle(provePath, prover(token))
	all.Handle("/", authenticated(mux, token))
	for _, procedure := range viewed {
		all.Handle(procedure, authenticated(mux, token, View(token)))
	}
	return all
}

// service implements antev1connect.NodeServiceHandler.
type service struct {
	antev1connect.UnimplementedNodeServiceHandler
	config Config
	node   *node.Node
}

// authenticated lets only those through who show one of the tokens. A page of another site cannot:
// browsers don't send them along.
func authenticated(next http.Handler, tokens ...string) http.Handler {
	refusal := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || !slices.ContainsFunc(tokens, func(token string) bool { return same(shown, token) }) {
			// the caller is gone if it fails
			_ = refusal.Write(w, r, connect.NewError(connect.CodeUnauthenticated, errToken))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// same compares in a time that tells nothing of how much is right.
func same(shown, token string) bool {
	got, want := sha256.Sum256([]byte(shown)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
