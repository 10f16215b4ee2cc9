package daemon

import (
	"context"
	"path"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/transport/p2p"
)

// maxFound is how many lobbies are added that the user didn't name: anybody can say that it is one.
const maxFound = 4

// findLobbies adds lobbies that others tell of, until there are enough of them.
func (o *Options) findLobbies(ctx context.Context, n *node.Node, host *p2p.Host) {
	known := map[string]bool{}
	for _, a := range o.Config.Peers.Lobbies {
		known[path.Base(a)] = true
	}
	pause := time.NewTimer(firstPause)
	defer pause.Stop()
	for added := 0; added < maxFound; pause.Reset(lastPause) {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
		list, err := host.Lobbies(ctx)
		if err != nil {
			o.Log.Debug("no lobbies found", "why", err)
		}
		for _, address := range list {
			if known[path.Base(address)] || added >= maxFound {
				continue
			}
			account, err := host.Dial(ctx, address)
			if err == nil {
				err = n.AddLobby(account, address)
			}
			if err != nil {
				o.Log.Debug("no way to a lobby that others tell of", "address", address, "why", err)
				continue
			}
			known[path.Base(address)] = true
			added++
			o.Log.Info("found a lobby that others tell of", "address", address, "account", account)
		}
	}
}
