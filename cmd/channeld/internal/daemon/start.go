package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/web"
)

// The pause after a start that the chain's endpoints did not answer doubles from the shortest to
// the longest.
const (
	shortestPause = time.Second
	longestPause  = 15 * time.Second
)

// What the API says while the node doesn't run.
var (
	errStarting  = errors.New("the daemon is starting")
	errUnreached = errors.New("the daemon can't follow the chain yet, so nobody watches your channels; it tries again")
)

// untilReached calls start until the chain's endpoints answer it, and reports whether it started.
// If it didn't, the error is nil where the context ended. It calls waiting with each error that may
// be over by itself.
func (o *Options) untilReached(ctx context.Context, waiting func(error), start func() error) (started bool, err error) {
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		err := start()
		switch {
		case err == nil:
			return true, nil
		case ctx.Err() != nil:
			return false, nil
		case !chain.Temporary(err):
			return false, err
		}
		o.Log.Error("can't follow the chain yet, so nobody watches the channels; tries again", "error", err, "pause", pause)
		waiting(err)
		select {
		case <-ctx.Done():
			return false, nil
		case <-time.After(pause):
		}
	}
}

// entrance is the daemon's HTTP handler: it answers that the daemon waits for the chain until open
// is called.
type entrance struct{ current atomic.Pointer[http.Handler] }

func (e *entrance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*e.current.Load()).ServeHTTP(w, r)
}

// open replaces what the daemon answers with.
func (e *entrance) open(handler http.Handler) { e.current.Store(&handler) }

// waiting is what a daemon answers with that has no node yet.
func (o *Options) waiting(s store.Store, why error) http.Handler {
	all := http.NewServeMux()
	all.Handle("GET /metrics", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, why.Error(), http.StatusServiceUnavailable)
	}))
	return o.withPage(all, s, api.Waiting(o.Token, s, why), o.Config.Chain.ID)
}

// starting says what the API answers with until the node runs.
func (o *Options) starting() error {
	if o.browser != nil {
		return fmt.Errorf("%w; if this is its first start it waits for your wallet: open the page (channeld page --play), and sign there", errStarting)
	}
	return errStarting
}

// withPage adds the page, and the API for all the rest. A wallet in the browser is told which chain
// to be on; 0: it isn't known yet.
func (o *Options) withPage(mux *http.ServeMux, s store.Store, handler http.Handler, chainID uint64) http.Handler {
	if o.browser != nil {
		handler = api.Wallet(handler, api.Config{Token: o.Token, Store: s, Now: time.Now}, o.browser, chainID)
	}
	mux.Handle("GET "+web.Path, web.Handler())
	mux.Handle("GET /{$}", http.RedirectHandler(web.Path, http.StatusFound))
	mux.Handle("/", handler)
	return mux
}
