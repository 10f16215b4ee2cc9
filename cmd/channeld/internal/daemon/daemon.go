// Package daemon composes a node from a user's settings and serves it to the user's programs.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/metrics"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// Options is what a daemon is made of.
type Options struct {
	Config      *config.Config
	Games       games.Catalog
	Foreign     foreign.Pins // rules that don't come with the program
	Keys        *keys.Ring
	StoreDir    string
	AddressFile string      // where the API's address is written while the daemon runs
	Token       keys.Secret // of the API
	Version     string
	Log         *slog.Logger
	Ready       func(n *node.Node, api string) // called once the daemon answers
	// changes what the node is composed of, for tests that fault it; nil: nothing does
	Adapt func(*node.Config) error

	ticks   <-chan time.Time // at which rules that are missing are asked for; nil: every askAgain
	browser *owner.Browser   // asks the player's wallet; nil: the key is elsewhere
}

var errNoArena = errors.New("chain.arena is not set: say in the settings where the Arena contract is (init --network takes it from a file)")

// Check finds what is wrong with the settings without a network.
func (o *Options) Check() error {
	if o.Config.Chain.Arena == (common.Address{}) {
		return errNoArena
	}
	pins, err := o.Foreign.List()
	if err != nil {
		return err
	}
	if _, err := o.housePolicy(); len(pins) == 0 || !errors.Is(err, games.ErrUnknownGame) { // else the chain may tell of the game
		return err
	}
	return nil
}

// Run runs a daemon until the context ends. While no endpoint of the chain answers at the start, it
// tries again, and the API says why.
func Run(ctx context.Context, o Options) (err error) {
	if o.Config.Chain.Arena == (common.Address{}) {
		return errNoArena
	}
	if err := api.CheckToken(o.Token); err != nil {
		return err
	}
	s, err := store.Open(o.StoreDir, o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	// The API's port is taken before anything is started: a second daemon with these settings ends
	// here.
	listener, err := net.Listen("tcp", o.Config.API.Listen)
	if err != nil {
		return fmt.Errorf("serve the API: %w: set api.listen to another port, or stop what uses it", err)
	}
	if o.Config.Keys.InBrowser() {
		o.browser = owner.NewBrowser(o.Config.Keys.Player)
	}
	var door entrance
	door.open(o.waiting(s, o.starting()))
	served, err := o.serve(listener, &door)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, served.stop()) }()
	for again := true; again && err == nil; {
		again, err = o.runNode(ctx, s, &door, served)
	}
	return err
}

// runNode runs a node until the context ends, or it is to be started again: rules that it lacked
// are known now.
func (o *Options) runNode(ctx context.Context, s store.Store, door *entrance, served *served) (again bool, err error) {
	var r *running
	wait := func(why error) { door.open(o.waiting(s, fmt.Errorf("%w: %w", errUnreached, why))) }
	if started, err := o.untilReached(ctx, wait, func() (err error) {
		r, err = o.start(ctx, s)
		return err
	}); !started {
		return false, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	door.open(r.handler)
	o.Ready(r.node, served.address)
	select {
	case err = <-served.failed:
		err = fmt.Errorf("serve the API: %w", err)
	case <-r.told:
		door.open(o.waiting(s, errStarting))
		return true, nil
	case <-ctx.Done():
	}
	o.Log.Info("stopping")
	_ = served.stop() // before the node that it shows; Run returns its error
	return false, err
}

// running is a node and what works with it.
type running struct {
	node    *node.Node
	handler http.Handler
	told    chan struct{} // closed once rules that were missing are known
	cancel  context.CancelFunc
	lookers sync.WaitGroup
}

// start starts a node and what works with it.
func (o *Options) start(ctx context.Context, s store.Store) (*running, error) {
	o, missing, err := o.addForeign(ctx, s)
	if err != nil {
		return nil, err
	}
	var host *p2p.Host
	settings, err := o.compose(s, &host)
	if err != nil {
		return nil, err
	}
	unattended, err := o.house(settings)
	switch {
	case err != nil && len(missing) > 0:
		o.Log.Error("the house stays closed while rules are missing", "error", err)
	case err != nil:
		return nil, err
	}
	if o.Adapt != nil {
		if err := o.Adapt(settings); err != nil {
			return nil, err
		}
	}
	n, err := node.Start(ctx, *settings)
	if err != nil {
		return nil, err
	}
	r := &running{node: n, told: make(chan struct{})}
	looking, stop := context.WithCancel(ctx)
	r.cancel = stop
	for i := range missing {
		n.Warn("the rules of "+missing[i].Manifest.Name, fmt.Sprintf("no endpoint tells the code of %s at %s that you agreed to, so its matches are neither played nor "+
			"defended: it is asked for again; name another endpoint", missing[i].Manifest.Name, missing[i].Rules))
	}
	r.lookers.Go(func() {
		if o.untilTold(looking, s, missing, o.again()) {
			close(r.told)
		}
	})
	for _, address := range o.Config.Peers.Lobbies {
		r.lookers.Go(func() { o.findLobby(looking, n, host, address) })
	}
	if o.Config.Peers.FindLobbies {
		r.lookers.Go(func() { o.findLobbies(looking, n, host) })
	}
	for _, address := range o.Config.Peers.Towers {
		r.lookers.Go(func() { o.findTower(looking, n, host, address) })
	}
	if unattended != nil {
		if err := unattended.Serve(n); err != nil {
			return nil, errors.Join(err, r.stop())
		}
		r.lookers.Go(func() { sweepHouse(looking, unattended) })
	}
	all := http.NewServeMux()
	all.Handle("GET /metrics", metrics.Handler(n))
	r.handler = o.withPage(all, settings.Store, api.New(api.Config{
		Node: n, Store: settings.Store, Token: o.Token, Version: o.Version, Window: o.Config.Play.Window,
		Games: o.Games, Rules: o.Config.Games, Dial: host.Dial, Now: time.Now, BrowserWallet: o.browser != nil,
	}), n.Domain().ChainID)
	return r, nil
}

func (r *running) stop() error {
	r.cancel()
	r.lookers.Wait()
	return r.node.Close()
}

// served is an API that is served.
type served struct {
	address string
	stop    func() error // calling it again only returns its error again
	failed  chan error
}

// serve writes down where the API is and serves it until stop is called.
func (o *Options) serve(listener net.Listener, handler http.Handler) (*served, error) {
	address := listener.Addr().String()
	if err := os.WriteFile(o.AddressFile, []byte(address+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write %s: %w", filepath.Base(o.AddressFile), err)
	}
	streams, end := context.WithCancel(context.Background())
	server := newServer(streams, api.Guard(o.Config.API.Origins, handler), o.Log)
	s := &served{address: address, failed: make(chan error, 1)}
	go func() { s.failed <- server.Serve(listener) }()
	s.stop = sync.OnceValue(func() error {
		defer os.Remove(o.AddressFile)
		end()
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(patience); err != nil {
			return errors.Join(fmt.Errorf("stop the API: %w", err), server.Close())
		}
		return nil
	})
	return s, nil
}
