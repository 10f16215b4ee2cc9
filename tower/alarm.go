package tower

import (
	"context"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
)

// watchEvery is how often a tower checks what no block triggers.
const watchEvery = 10 * time.Second

// watch checks until the tower closes whether the account can pay, and whether the chain stands
// still, because then no block comes that would trigger a check.
func (t *Tower) watch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		t.lookAtGas(ctx)
		t.heed(&t.stands, t.stopped(), "the chain goes on")
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// alarm logs a fault of the chain or its endpoints, and notes what keeps the tower from following
// the chain.
func (t *Tower) alarm(a chain.Alarm) {
	t.config.Log.Error(a.String())
	t.mu.Lock()
	t.unseen.Take(a)
	t.mu.Unlock()
	t.wake()
}

// lookAtGas finds out whether the account can pay for disputes. While no endpoint answers, the last
// result counts.
func (t *Tower) lookAtGas(ctx context.Context) {
	r, err := t.drive.Sender.Reserve(ctx, 0)
	if err != nil {
		return
	}
	var short error
	switch {
	case r.Outbid():
		short = fmt.Errorf("gas costs more than fees.urgent, %d wei, so nobody may be defended: raise that limit, or wait for lower fees", r.Limit)
	case r.Short():
		short = fmt.Errorf("the account %s holds less ETH than disputes may cost, so nobody may be defended: send it some", r.Account)
	}
	t.heed(&t.short, short, "the account can pay for disputes again")
}

// stopped reports that clocks may run while the chain takes no transactions: an Arena counts
// seconds, and its chain stands still.
func (t *Tower) stopped() error {
	t.mu.Lock()
	newest, due := t.newest, len(t.disputes)
	t.mu.Unlock()
	if due == 0 || newest.Number == 0 || t.drive.Arena.Clock() == chain.Blocks || t.drive.Client.Age(newest) == 0 {
		return nil
	}
	// The text has no numbers that change: a changed text is logged again.
	return fmt.Errorf("the chain stands still: its newest block is older than %v, and the clocks of channels here run in seconds: what is due "+
		"meanwhile can't be mined, and is late if it lasts until their deadlines", t.config.Chain.MaxAge)
}

// heed notes what is wrong now (nil: nothing), and logs each new fault and its end once.
func (t *Tower) heed(noted *error, wrong error, over string) {
	t.mu.Lock()
	before := *noted
	*noted = wrong
	t.mu.Unlock()
	switch {
	case wrong != nil && (before == nil || before.Error() != wrong.Error()):
		t.config.Log.Error("nobody may be defended now", "error", wrong)
	case wrong == nil && before != nil:
		t.config.Log.Info(over)
	}
	t.wake()
}
