package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/metrics"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	towermetrics "github.com/ante-games/ante/tower/metrics"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// crowd is what the many nodes that come to a tower may use of its host. None of them is kept: they
// dial it.
var crowd = p2p.Limits{Connections: 8192, ConnectionsPerIP: 64, Strangers: 4096, Handshakes: 128, Reading: 80_000, Reservations: 1024, Circuits: 480}

// RunTower runs a tower until the context ends. Of the options it needs no API: ready is called
// once it answers, with where its metrics are, if anywhere.
func RunTower(ctx context.Context, o Options, ready func(t *tower.Tower, metrics string)) (err error) {
	if o.Config.Chain.Arena == (common.Address{}) {
		return errNoArena
	}
	s, err := store.Open(o.StoreDir, o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.Keys.Player() == nil {
		return fmt.Errorf("%w: a tower pays and answers by itself: it needs an account in the keystore", keys.ErrMissing)
	}
	seed, err := o.Keys.PeerSeed()
	if err != nil {
		return err
	}
	identity, err := p2p.IdentityFromSeed(seed.Reveal())
	if err != nil {
		return fmt.Errorf("make the identity among peers: %w", err)
	}
	for again := true; again && err == nil; {
		again, err = o.runTower(ctx, s, identity, ready)
	}
	return err
}

// runTower runs a tower until the context ends, or it is to be started again: rules that it lacked
// are known now.
func (o *Options) runTower(ctx context.Context, s store.Store, identity p2p.Identity, ready func(t *tower.Tower, metrics string)) (again bool, err error) {
	var t *tower.Tower
	var missing []foreign.Pin
	if started, err := o.untilReached(ctx, func(error) {}, func() (err error) {
		t, missing, err = o.startTower(ctx, s, identity)
		return err
	}); !started {
		return false, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	at, leave, err := o.tell(ctx, t)
	if err != nil {
		return false, err
	}
	defer leave()
	ready(t, at)
	if o.untilTold(ctx, s, missing, o.again()) {
		return true, nil
	}
	<-ctx.Done()
	o.Log.Info("stopping")
	return false, nil
}

func (o *Options) startTower(ctx context.Context, s store.Store, identity p2p.Identity) (t *tower.Tower, missing []foreign.Pin, err error) {
	o, missing, err = o.addForeign(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	c := o.Config
	t, err = tower.Start(ctx, tower.Config{
		Store:    s,
		Chain:    c.Chain.Endpoints(),
		Arena:    c.Chain.Arena,
		From:     c.Chain.From,
		Key:      o.Keys.Player(),
		GasPayer: chain.KeySigner(o.Keys.PlayerKey()),
		Games:    o.Games,
		Rules:    c.Games,
		Network: func(d protocol.Domain, h transport.Handler) (tower.Network, error) {
			return join(s, p2p.Config{
				Identity: identity, Signer: o.Keys.Player(), Domain: d, Handler: h, Limits: crowd,
				Listen: c.Peers.Listen, MDNS: c.Peers.MDNS, Log: o.Log, Relay: c.Peers.Relay,
			})
		},
		Policy: tower.Policy{Confirmations: c.Wait.Confirmations, Margin: c.Wait.Margin, Floor: c.Wait.Floor, Poll: c.Wait.Poll},
		Limits: tower.Limits{Seats: int(c.Tower.Seats), Bytes: int(c.Tower.Bytes), Disk: int(c.Tower.Disk), Keep: c.Tower.Keep, Locked: c.Tower.Least},
		Log:    o.Log,
	})
	return t, missing, err
}

// tell serves a tower's metrics where the settings say, until leave is called.
func (o *Options) tell(ctx context.Context, t *tower.Tower) (at string, leave func(), err error) {
	if o.Config.Tower.Metrics == "" {
		return "", func() {}, nil
	}
	var listening net.ListenConfig
	l, err := listening.Listen(ctx, "tcp", o.Config.Tower.Metrics)
	if err != nil {
		return "", nil, fmt.Errorf("serve the metrics: %w: set tower.metrics to another port, or stop what uses it", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics.Serve(towermetrics.Collector(t)))
	server := newServer(context.WithoutCancel(ctx), mux, o.Log)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			o.Log.Error("the metrics are no longer served", "error", err)
		}
	}()
	return "http://" + l.Addr().String() + "/metrics", func() { _ = server.Close(); <-done }, nil
}
