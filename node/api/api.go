// Package api serves a node to its user's own programs: the service of proto/ante/v1/api.proto over
// Connect, that is as gRPC, gRPC-Web, or JSON over HTTP.
//
// Whoever shows the daemon's token may do everything that the user may, spend the money included.
// Other tokens may do as much as their Scope says: see CreateAccess. The service has no encryption
// of its own: serve it on loopback. A client should make the service prove that it knows the token,
// too, before it shows it: see Prove.
//
// A new call begins with its messages in api.proto (what is named Get or List changes nothing) and
// make proto. Then come a method of node; the handler here, what a token needs for it in scope.go,
// what it puts at risk counted as in risk.go, numbers of its errors in faults.go and from it
// faults.txt (go test ./internal/repository -run Current -update); the command in
// cmd/channeld/internal/cli and its script in cmd/channeld/testdata; npm run generate -w
// @ante/client, make client web, and the page.
package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// maxRequest caps the bytes of a request, and maxTokenless those of one without a token, of which
// strangers may begin as many as the connections take.
const (
	maxRequest   = 1 << 20
	maxTokenless = 1 << 10
)

// minPacked is the least number of bytes of an answer that is worth compressing.
const minPacked = 4 << 10

// Config is what the service is made of.
type Config struct {
	Node    *node.Node
	Store   store.Store // the node's, whose generation is shown
	Token   keys.Secret // that callers show
	Version string      // of the program
	Window  uint64      // of channels that are offered without one, in the Arena's clock

	Games games.Catalog             // the node's
	Rules map[string]common.Address // the node's

	BrowserWallet bool // the player's key is in a browser's wallet: see Wallet

	Now func() time.Time
	// Dial connects to a peer at a multiaddr and returns the account that it proved to be.
	Dial func(ctx context.Context, address string) (common.Address, error)
}

// minToken is the least number of characters of a token: guessing it must be hopeless.
const minToken = 20

// CheckToken refuses a token that is empty or short enough to be guessed.
func CheckToken(token keys.Secret) error {
	if n := len(token.Reveal()); n < minToken {
		return fmt.Errorf("the API's token has %d characters, want %d or more: whoever guesses it can spend your money; delete the file api-token and start the daemon again, which makes a new one",
			n, minToken)
	}
	return nil
}

// New returns the service.
func New(config Config) http.Handler {
	tokens := newBook(config.Store)
	mux := http.NewServeMux()
	mux.Handle(antev1connect.NewNodeServiceHandler(newService(&backend{config, config.Node, tokens}), answering(&config, tokens)))
	reflector := grpcreflect.NewStaticReflector(antev1connect.NodeServiceName, grpchealth.HealthV1ServiceName)
	mux.Handle(grpcreflect.NewHandlerV1(reflector, connect.WithReadMaxBytes(maxRequest)))
	mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, connect.WithReadMaxBytes(maxRequest)))
	return entrance(config.Token, tokens, grpchealth.StatusServing, mux)
}

// answering is how a service reads requests and answers them. Without a book there are no tokens
// but the daemon's own.
func answering(c *Config, tokens *book) connect.HandlerOption {
	return connect.WithHandlerOptions(connect.WithReadMaxBytes(maxRequest), connect.WithCompressMinBytes(minPacked), strictly(),
		connect.WithInterceptors(coded{}, connect.UnaryInterceptorFunc(newOnce(c.Store, c.Now).wrap), standing{tokens},
			connect.UnaryInterceptorFunc(legible)))
}

// backend is what calls of more than one kind use.
type backend struct {
	config Config
	node   *node.Node
	tokens *book
}

// service implements antev1connect.NodeServiceHandler, by kinds of calls.
type service struct {
	accessCalls
	channelCalls
	disputeCalls
	eventCalls
	historyCalls
	inviteCalls
	matchCalls
	moneyCalls
	offerCalls
	peerCalls
	proposalCalls
	roundCalls
	statusCalls
}

type (
	accessCalls   struct{ *backend }
	channelCalls  struct{ *backend }
	disputeCalls  struct{ *backend }
	eventCalls    struct{ *backend }
	historyCalls  struct{ *backend }
	inviteCalls   struct{ *backend }
	matchCalls    struct{ *backend }
	moneyCalls    struct{ *backend }
	offerCalls    struct{ *backend }
	peerCalls     struct{ *backend }
	proposalCalls struct{ *backend }
	roundCalls    struct{ *backend }
	statusCalls   struct{ *backend }
)

func newService(b *backend) *service {
	return &service{
		accessCalls{b}, channelCalls{b}, disputeCalls{b}, eventCalls{b}, historyCalls{b}, inviteCalls{b}, matchCalls{b}, moneyCalls{b}, offerCalls{b},
		peerCalls{b}, proposalCalls{b}, roundCalls{b}, statusCalls{b},
	}
}

// done does what a request asks unless reading the request failed, and returns the empty reply.
func done[R any](unread error, do func() error) (*connect.Response[R], error) {
	if unread != nil {
		return nil, unread
	}
	return connect.NewResponse(new(R)), do()
}

// entrance proves that it knows the daemon's token, and lets those through who show one. Health is
// told to whoever asks: what supervises a daemon needs no token then, and it says no more than that
// an answer to Prove says, and whether the node runs.
func entrance(token keys.Secret, tokens *book, health grpchealth.Status, next http.Handler) http.Handler {
	all := http.NewServeMux()
	known := string(token.Reveal())
	all.Handle(provePath, prover(known))
	checker := grpchealth.NewStaticChecker()
	checker.SetStatus("", health)
	checker.SetStatus(antev1connect.NodeServiceName, health)
	all.Handle(grpchealth.NewHandler(checker, connect.WithReadMaxBytes(maxTokenless)))
	all.Handle("/", &gate{token: known, view: View(known), tokens: tokens, next: next})
	return all
}
