package tower

import (
	"context"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
)

// watchEvery is how often a tower looks whether the chain stands still.
const watchEvery = 10 * time.Second

// watch looks whether the chain stands still until the tower closes: then no block comes at which anything else would look.
func (t *Tower) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			t.heed(t.stopped())
		}
	}
}

// stopped says that clocks may run while the chain takes no transactions, if so: a chain that stands still for long in an Arena that
// counts seconds.
func (t *Tower) stopped() error {
	t.mu.Lock()
	newest, courts := t.newest, len(t.courts)
	t.mu.Unlock()
	if courts == 0 || newest.Number == 0 || t.arena.Clock() == chain.Blocks || t.client.Age(newest) == 0 {
		return nil
	}
	return fmt.Errorf("the chain stands still: block %d is older than %v, and the clocks of %d channels run in seconds: what is due meanwhile "+
		"can't be mined, and is late if it lasts until their deadlines", newest.Number, t.config.Chain.MaxAge, courts)
}

// heed logs that the chain stands still, and that it goes on, once each.
func (t *Tower) heed(stopped error) {
	t.mu.Lock()
	before := t.stands
	t.stands = stopped != nil
	t.mu.Unlock()
	switch {
	case stopped != nil && !before:
		t.config.Log.Error("trouble with the chain", "error", stopped)
		t.wake()
	case stopped == nil && before:
		t.config.Log.Info("the chain goes on")
		t.wake()
	}
}
