package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// crowd is what the many nodes that come to a tower may use of its host. None of them is kept: they dial it.
var crowd = p2p.Limits{Connections: 8192, ConnectionsPerIP: 64, Strangers: 4096, Handshakes: 128}

// RunTower runs a tower until the context ends. Of the options it needs no API: ready is called once it answers.
func RunTower(ctx context.Context, o Options, ready func(*tower.Tower)) (err error) {
	if o.Config.Chain.Arena == (common.Address{}) {
		return errNoArena
	}
	s, err := store.Open(o.StoreDir, o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := o.addForeign(ctx); err != nil {
		return err
	}
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
	c := o.Config
	t, err := tower.Start(ctx, tower.Config{
		Store:  s,
		Chain:  chain.Config{URL: c.Chain.URL, Second: c.Chain.Second, ChainID: c.Chain.ID},
		Arena:  c.Chain.Arena,
		From:   c.Chain.From,
		Key:    o.Keys.Player(),
		Wallet: chain.KeySigner(o.Keys.PlayerKey()),
		Games:  o.Games,
		Rules:  c.Games,
		Network: func(d channel.Domain, h transport.Handler) (tower.Network, error) {
			return p2p.New(p2p.Config{
				Identity: identity, Signer: o.Keys.Player(), Domain: d, Handler: h, Limits: crowd,
				Listen: c.Peers.Listen, MDNS: c.Peers.MDNS, Log: o.Log,
			})
		},
		Policy: tower.Policy{Confirmations: c.Wait.Confirmations, Margin: c.Wait.Margin, Floor: c.Wait.Floor, Poll: c.Wait.Poll},
		Limits: tower.Limits{Seats: int(c.Tower.Seats), Bytes: int(c.Tower.Bytes), Keep: c.Tower.Keep, Locked: c.Tower.Least},
		Log:    o.Log,
	})
	if err != nil {
		return err
	}
	ready(t)
	<-ctx.Done()
	o.Log.Info("stopping")
	return t.Close()
}
