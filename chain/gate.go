package chain

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// ErrBudget says that a call was not made because the strangers' budget of requests is used up. The
// endpoint is not at fault: ask again later.
var ErrBudget = errors.New("the chain is asked for strangers as often as it may be: try again later")

// errBusy says that an endpoint isn't asked because it would have to be waited for too long.
var errBusy = errors.New("it is asked too often, and is not waited for")

const (
	// strangersRate and strangersBurst are what all strangers together may make an endpoint answer:
	// requests a second, and at once. Where the endpoint allows less than ten times that, they get
	// a tenth of it.
	strangersRate  = 4
	strangersBurst = 32
	// slowest is the rate, in requests a second, that an endpoint is never asked less often than.
	slowest = 1
	// longestRest is for how long an endpoint that says so is not asked at all.
	longestRest = 10 * time.Second
	// recovery is how much of its rate an endpoint that refused is asked more often again, each
	// second.
	recovery = 0.02
)

// gate shares out how often one endpoint may be asked. The rate is configured, or learnt when the
// endpoint says that it is asked too often (HTTP 429); there is none before. A bucket fills at the
// rate, up to a quarter of a second's worth. Each class leaves a part of the bucket to those before
// it, so that a class never waits for a later one. Safe for concurrent use.
type gate struct {
	now   func() time.Time
	after func(time.Duration) <-chan time.Time

	mu        sync.Mutex
	most      float64 // requests a second, as configured; 0: as many as it takes
	rate      float64 // requests a second; 0: as many as it takes
	tokens    float64 // below 0 after a batch
	filled    time.Time
	second    time.Time // when the second began in which asked are counted
	asked     float64   // requests since
	before    float64   // requests in the second before
	cut       time.Time // when the rate was last lowered
	resting   time.Time // until when nothing is asked
	strangers *rate.Limiter
}

func newGate(most float64, now func() time.Time, after func(time.Duration) <-chan time.Time) *gate {
	g := &gate{now: now, after: after, most: most, rate: most, filled: now(), second: now(), strangers: rate.NewLimiter(strangersRate, strangersBurst)}
	g.tokens = g.size()
	return g
}

// size is how many requests fit into the bucket.
func (g *gate) size() float64 { return max(g.rate/4, 1) }

// left is the part of the bucket that a class leaves to the classes before it, in quarters.
func left(c Class) float64 { return float64(c-Defence) / 4 }

// enter waits until a class may ask the endpoint for so much more, as long as there is patience,
// which it takes away; nil: without end. Strangers are not waited with: ErrBudget.
func (g *gate) enter(ctx context.Context, requests int, patience *time.Duration) error {
	class := classOf(ctx)
	for {
		wait, err := g.take(class, float64(requests))
		if wait == 0 {
			return err
		}
		if patience != nil {
			if *patience -= wait; *patience < 0 {
				return errBusy
			}
		}
		select {
		case <-g.after(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take takes requests out of the bucket, or says after which time to try again.
func (g *gate) take(class Class, requests float64) (wait time.Duration, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.fill(now)
	if rest := g.resting.Sub(now); rest > 0 {
		if class == Stranger {
			return 0, ErrBudget
		}
		return rest, nil
	}
	need := left(class)*g.size() + min(1, g.size()/4)
	if g.rate != 0 && g.tokens < need {
		if class == Stranger {
			return 0, ErrBudget
		}
		return max(time.Millisecond, time.Duration((need-g.tokens)/g.rate*float64(time.Second))), nil
	}
	if class == Stranger && !g.strangers.AllowN(now, min(int(requests), strangersBurst)) {
		return 0, ErrBudget
	}
	g.tokens -= requests
	g.asked += requests
	return 0, nil
}

// fill adds what has accumulated to the bucket, and lets the rate recover.
func (g *gate) fill(now time.Time) {
	passed := max(0, now.Sub(g.filled).Seconds())
	g.filled = now
	if now.Sub(g.second) >= time.Second {
		g.before, g.asked, g.second = g.asked, 0, now
	}
	if g.rate == 0 {
		return
	}
	g.rate += g.rate * recovery * min(passed, 1)
	if g.most != 0 {
		g.rate = min(g.rate, g.most)
	}
	g.share()
	g.tokens = min(g.tokens+passed*g.rate, g.size())
}

// share gives strangers their part of the rate.
func (g *gate) share() { g.strangers.SetLimit(rate.Limit(min(strangersRate, g.rate/10))) }

// refused lowers the rate after the endpoint said that it was asked too often, at most once a
// second.
func (g *gate) refused() {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if !g.cut.IsZero() && now.Sub(g.cut) < time.Second {
		return
	}
	g.cut = now
	if g.rate == 0 {
		// what was asked while it took any number does not count
		g.rate, g.filled, g.tokens = max(g.asked, g.before), now, 0
	}
	g.rate = max(slowest, g.rate*0.7)
	g.tokens = min(g.tokens, 0)
	g.share()
}

// rest asks nothing for as long as the endpoint wants, up to a limit: it could ask for silence
// throughout a dispute.
func (g *gate) rest(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.resting = g.now().Add(min(d, longestRest))
}
