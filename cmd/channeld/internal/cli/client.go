package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/wei"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// maxReply caps the bytes of a message from the daemon.
const maxReply = 16 << 20

// dial makes the client of the running daemon. That there is none shows at the first call.
func (a *app) dial(ctx context.Context) *remote {
	return &remote{
		app: a, ctx: ctx, known: map[string]wei.Unit{"": {}},
		NodeServiceClient: antev1connect.NewNodeServiceClient(&http.Client{Transport: a.door(ctx)}, "http://localhost",
			connect.WithInterceptors(bearer{a}), connect.WithReadMaxBytes(maxReply)),
	}
}

func (a *app) token() (string, error) {
	token, err := os.ReadFile(a.path(tokenFile))
	if errors.Is(err, fs.ErrNotExist) {
		if you := filepath.Join(a.dir, trialYou); a.ofTrial(you) {
			return "", fmt.Errorf("%s is a trial's: each of its daemons has a directory in it, yours is %s", a.dir, you)
		}
		if a.made() {
			return "", fmt.Errorf("%w that can be asked: the file %s of %s is missing: a new one is made when you start it again: channeld run",
				errNoDaemon, tokenFile, a.dir)
		}
		return "", fmt.Errorf("%w in %s: make one (channeld init), or say where it is with --dir or CHANNELD_DIR", errNoDaemon, a.dir)
	}
	if err != nil {
		return "", fmt.Errorf("read the API token: %w", err)
	}
	return strings.TrimSpace(string(token)), nil
}

var (
	errNoDaemon = errors.New("there is no daemon")
	errStopped  = errors.New("it left no address") // nothing can be listening
)

// runs reports whether a daemon runs, by the error of a call, if it is not the daemon's own.
func runs(err error) bool {
	dial, is := errors.AsType[*net.OpError](err)
	return !errors.Is(err, errNoDaemon) && !errors.Is(err, errStopped) && (!is || dial.Op != "dial")
}

// door leads to the daemon, wherever it is by now. After a crash somebody else may have got its
// port; so whatever answers has to prove itself on every connection before the token is shown to
// it. It is closed when the context ends.
func (a *app) door(ctx context.Context) http.RoundTripper {
	door := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		token, err := a.token()
		if err != nil {
			return nil, err
		}
		address, err := a.address()
		if err != nil {
			return nil, err
		}
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		if err := api.Prove(conn, token); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", address, err), conn.Close())
		}
		return conn, nil
	}}
	context.AfterFunc(ctx, door.CloseIdleConnections)
	return door
}

// address returns where the API is: where the daemon wrote that it is, else where it is set to be.
func (a *app) address() (string, error) {
	if address, err := os.ReadFile(a.path(addressFile)); err == nil {
		return strings.TrimSpace(string(address)), nil
	}
	c, err := config.Load(a.path(configFile), a.Environ, nil)
	if err != nil {
		return "", err
	}
	if _, port, err := net.SplitHostPort(c.API.Listen); err != nil || port == "0" {
		return "", errStopped
	}
	return c.API.Listen, nil
}

// bearer shows the token with every call.
type bearer struct{ app *app }

func (b bearer) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		token, err := b.app.token()
		if err != nil {
			return nil, err
		}
		r.Header().Set("Authorization", "Bearer "+token)
		return next(ctx, r)
	}
}

func (b bearer) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, s connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, s)
		token, _ := b.app.token() // without one nothing connects
		conn.RequestHeader().Set("Authorization", "Bearer "+token)
		return conn
	}
}

func (b bearer) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// nodeless reports whether an error is an answer of the daemon, which has proved to be it, that it
// has no node yet.
func nodeless(err error) bool {
	return connect.CodeOf(err) == connect.CodeUnavailable && connect.IsWireError(err)
}

// away says why the daemon doesn't answer.
func (a *app) away(err error) string {
	start := "start it with: channeld run"
	if a.ofTrial(a.dir) {
		start = errTrialOver.Error()
	}
	switch {
	case errors.Is(err, api.ErrStranger):
		return fmt.Sprintf("what listens at the address of the daemon of %s does not know the token in %s, so nothing was shown to it: "+
			"if the daemon is not running, %s (%v)", a.dir, a.path(tokenFile), start, err)
	case !runs(err) && a.hasTower():
		return fmt.Sprintf("in %s runs a tower, which has no account to show: channeld tower show says where it is; "+
			"how it is, its metrics say (tower.metrics). If it was killed, start it with: channeld tower", a.dir)
	case !runs(err):
		return fmt.Sprintf("the daemon of %s is not running: %s", a.dir, start)
	default:
		return fmt.Sprintf("the daemon of %s went away: if it does not run any more, %s (%v)", a.dir, start, err)
	}
}

// explain says what to do about an error of the API. Peers, contracts and the chain's endpoints
// have a say in the text.
func (a *app) explain(err error) string { return cleanLines(a.explained(err)) }

func (a *app) explained(err error) string {
	c, is := errors.AsType[*connect.Error](err)
	if !is {
		return err.Error()
	}
	switch c.Code() {
	case connect.CodeUnavailable:
		if nodeless(err) {
			return c.Message()
		}
		return a.away(err)
	case connect.CodeUnauthenticated:
		return fmt.Sprintf("the daemon does not know the token in %s: is it another one's directory? Say which with --dir", a.path(tokenFile))
	case connect.CodeUnimplemented:
		return "what answers there is no daemon of this version: " + c.Message()
	default:
		return c.Message()
	}
}
