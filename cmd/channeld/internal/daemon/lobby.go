package daemon

import (
	"context"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// The pauses between tries to reach a lobby or a tower for the first time.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

func (o *Options) findLobby(ctx context.Context, n *node.Node, host *p2p.Host, address string) {
	o.find(ctx, host, "lobby", address, func(account common.Address) error { return n.AddLobby(account, address) }, func(error) {})
}

// findTower connects to a tower. That there is no way to it is an alarm: the user counts on it.
func (o *Options) findTower(ctx context.Context, n *node.Node, host *p2p.Host, address string) {
	o.find(ctx, host, "tower", address, func(account common.Address) error { return n.AddTower(account, address) },
		func(err error) { n.MissTower(address, err) })
}

// find tries to reach a node that others run until it succeeds once or the context ends. From then
// on the network keeps the connection.
func (o *Options) find(ctx context.Context, host *p2p.Host, what, address string, add func(common.Address) error, tried func(error)) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		account, err := host.Dial(ctx, address)
		if err == nil {
			err = add(account)
		}
		if ctx.Err() != nil {
			return
		}
		tried(err)
		if err == nil {
			o.Log.Info("found the "+what, "address", address, "account", account)
			return
		}
		o.Log.Info("no way to the "+what, "address", address, "why", err, "again_in", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
