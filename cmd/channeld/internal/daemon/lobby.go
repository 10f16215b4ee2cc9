package daemon

import (
	"context"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/transport/p2p"
)

// The pauses between tries to reach a lobby for the first time.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

// findLobby connects to a lobby, and tries until it succeeds once or the context ends. From then on the node keeps the
// connection.
func (o *Options) findLobby(ctx context.Context, n *node.Node, host *p2p.Host, address string) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		account, err := host.Dial(ctx, address)
		if err == nil {
			err = n.AddLobby(account, address)
		}
		if err == nil {
			o.Log.Info("in the lobby", "address", address, "account", account)
			return
		}
		o.Log.Info("no way to the lobby", "address", address, "why", err, "again_in", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
