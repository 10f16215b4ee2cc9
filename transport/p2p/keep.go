package p2p

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/ante-games/ante/transport"
)

// Keep remembers an account and where it is dialled, gives it a place that strangers can't take,
// and connects to it again and again until Forget. Addresses add to those known; without any, it
// has to dial us, or be found on the local network. It fails with ErrAddress, having done nothing.
func (h *Host) Keep(address common.Address, addresses ...string) error {
	infos, err := h.parseAddresses(addresses)
	if err != nil {
		return err
	}
	if address == h.account() || address == (common.Address{}) {
		return fmt.Errorf("%w: %s is this node's own account, or nobody's", transport.ErrAddress, address)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return transport.ErrClosed
	}
	a := h.accounts.at(address)
	for _, info := range infos {
		a.learn(info)
	}
	a.change()
	if a.kept {
		return nil
	}
	a.kept = true
	h.protect(a)
	ctx, stop := context.WithCancel(h.ctx)
	a.stop = stop
	h.running.Go(func() { h.keep(ctx, a) })
	return nil
}

// Forget stops keeping an account, and disconnects it.
func (h *Host) Forget(address common.Address) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.accounts[address]
	if a == nil {
		return
	}
	if a.kept {
		a.stop()
		a.kept, a.stop, a.reached, a.locations = false, nil, nil, nil
		h.protect(a)
	}
	a.end(errForgot)
	a.change()
	h.accounts.drop(a)
}

// keep dials an account whenever it isn't connected, with growing pauses, until ctx ends. The pause
// starts anew after a stream that lasted, so that a peer that drops us at once isn't dialled at
// once. Who could not be reached takes turns with others like it.
func (h *Host) keep(ctx context.Context, a *account) {
	pause := h.cfg.Limits.RetryMin
	var since time.Time // connected, as far as we know; zero: not
	failed := false     // to reach it, since it was connected
	for {
		h.mu.Lock()
		connected, changed, known := len(a.sessions) > 0, a.changed, len(h.whereabouts(a)) > 0
		h.mu.Unlock()
		if connected && since.IsZero() {
			since, failed = time.Now(), false
		}
		if connected || !known {
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
			continue
		}
		if !since.IsZero() {
			if time.Since(since) > h.cfg.Limits.RetryMax {
				pause = h.cfg.Limits.RetryMin
			}
			since = time.Time{}
			if !h.pause(ctx, changed, &pause) {
				return
			}
		}
		over := func() {}
		if failed {
			if over = h.turn(ctx, a, changed); over == nil {
				if ctx.Err() != nil {
					return
				}
				continue
			}
		}
		err := h.reach(ctx, a)
		over()
		if failed = err != nil; failed {
			h.cfg.Log.Info(unreached, "account", a.address, "why", err, "again_in", pause)
			if !h.pause(ctx, changed, &pause) {
				return
			}
		}
	}
}

const unreached = "can't reach peer"

// retries is how many accounts that could not be reached are dialled at once. Those who are gone
// for good are ever more, and would take all connections.
const retries = 16

// turn waits for the turn to dial an account again, or until something changes, and returns how to
// give it back, nil if it did not come. Friends of the handler have turns of their own: any number
// of others may be gone, each for minutes at all the peers that it named.
func (h *Host) turn(ctx context.Context, a *account, changed <-chan struct{}) (over func()) {
	turns := h.retrying
	if h.befriended(a.address) {
		turns = h.friendly
	}
	select {
	case turns <- struct{}{}:
		return func() { <-turns }
	case <-changed:
	case <-ctx.Done():
	}
	return nil
}

// pause waits, or until something changes, doubles the pause, and reports whether to go on. It
// varies by a quarter, so that two nodes that lost each other don't dial in step.
func (h *Host) pause(ctx context.Context, changed <-chan struct{}, p *time.Duration) bool {
	over := time.After(varied(*p, rand.IntN(256))) //nolint:gosec // it is no secret
	*p = min(2**p, h.cfg.Limits.RetryMax)
	select {
	case <-over:
		return true
	case <-changed:
		return true
	case <-ctx.Done():
		return false
	}
}

// varied varies a pause by what is drawn, of 0 to 255.
func varied(pause time.Duration, drawn int) time.Duration {
	return pause + pause/4*time.Duration(drawn-128)/128
}
