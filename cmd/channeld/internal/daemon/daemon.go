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
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ante-games/ante/web"
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
	Adapt       func(*node.Config) error       // changes what the node is composed of, for tests that fault it; nil: nothing does
}

var errNoArena = errors.New("chain.arena is not set: say in the settings where the Arena contract is (init --network takes it from a file)")

// Run runs a daemon until the context ends.
func Run(ctx context.Context, o Options) (err error) {
	if o.Config.Chain.Arena == (common.Address{}) {
		return errNoArena
	}
	s, err := store.Open(o.StoreDir, o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	// The API's port is taken before anything is started: a second daemon with these settings ends here.
	listener, err := net.Listen("tcp", o.Config.API.Listen)
	if err != nil {
		return fmt.Errorf("serve the API: %w: set api.listen to another port, or stop what uses it", err)
	}
	defer listener.Close()
	if err := o.addForeign(ctx); err != nil {
		return err
	}
	var host *p2p.Host
	settings, err := o.compose(s, &host)
	if err != nil {
		return err
	}
	unattended, err := o.house(&settings)
	if err != nil {
		return err
	}
	if o.Adapt != nil {
		if err := o.Adapt(&settings); err != nil {
			return err
		}
	}
	n, err := node.Start(ctx, settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	looking, stop := context.WithCancel(ctx)
	var lookers sync.WaitGroup
	for _, address := range o.Config.Peers.Lobbies {
		lookers.Go(func() { o.findLobby(looking, n, host, address) })
	}
	for _, address := range o.Config.Peers.Towers {
		lookers.Go(func() { o.findTower(looking, n, host, address) })
	}
	defer lookers.Wait()
	defer stop()
	if unattended != nil {
		leave, err := keep(ctx, unattended, n)
		if err != nil {
			return err
		}
		defer leave()
	}
	handler := api.New(api.Config{
		Node: n, Store: settings.Store, Token: o.Token, Version: o.Version, Window: o.Config.Play.Window,
		Games: o.Games, Rules: o.Config.Games, Dial: host.Dial, Now: time.Now,
	})
	all := http.NewServeMux()
	all.Handle("GET /metrics", metrics.Handler(n))
	all.Handle("GET "+web.Path, web.Handler())
	all.Handle("GET /{$}", http.RedirectHandler(web.Path, http.StatusFound))
	all.Handle("/", handler)
	return o.serve(ctx, n, listener, all)
}

// serve answers until the context ends.
func (o *Options) serve(ctx context.Context, n *node.Node, listener net.Listener, handler http.Handler) error {
	address := listener.Addr().String()
	if err := os.WriteFile(o.AddressFile, []byte(address+"\n"), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(o.AddressFile), err)
	}
	defer os.Remove(o.AddressFile)
	running, stop := context.WithCancel(context.Background())
	defer stop()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return running }, // ends the streams
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	o.Ready(n, address)
	select {
	case err := <-failed:
		return fmt.Errorf("serve the API: %w", err)
	case <-ctx.Done():
	}
	o.Log.Info("stopping")
	stop()
	patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		return errors.Join(fmt.Errorf("stop the API: %w", err), server.Close())
	}
	return nil
}
