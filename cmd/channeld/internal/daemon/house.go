package daemon

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
)

// sweep is how often a house looks for channels that nobody plays in.
const sweep = time.Minute

// house has the policy of an unattended daemon answer for the node; nil if there is none.
func (o *Options) house(c *node.Config) (*house.House, error) {
	p, err := o.housePolicy()
	if p == nil {
		return nil, err
	}
	return house.Join(c, p), nil
}

// housePolicy reads the policy of an unattended daemon; nil if there is none.
func (o *Options) housePolicy() (*house.Policy, error) {
	path := o.Config.Play.House
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("play.house: %w", err)
	}
	p, err := house.Parse(text, o.Games)
	if err != nil {
		return nil, fmt.Errorf("play.house: %s: %w", path, err)
	}
	return p, nil
}

// sweepHouse sweeps a house until the context ends.
func sweepHouse(ctx context.Context, h *house.House) {
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			h.Sweep(now)
		}
	}
}
