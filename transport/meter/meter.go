// Package meter bounds how often accounts can make a node do something.
package meter

import (
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/time/rate"
)

// Pace is how often something may happen: a burst at once, and then once in every span.
type Pace struct {
	Every time.Duration
	Burst int
}

// Every makes a Pace.
func Every(span time.Duration, burst int) Pace { return Pace{Every: span, Burst: burst} }

func (p Pace) limiter() *rate.Limiter { return rate.NewLimiter(rate.Every(p.Every), p.Burst) }

// Meter bounds what strangers can make a node do that lasts: tell its user, write to its log, fill a list. Accounts cost
// nothing, so those with whom there is no channel share one allowance besides each one's own. Safe for concurrent use.
type Meter struct {
	now func() time.Time
	own Pace

	mu     sync.Mutex
	each   map[common.Address]*rate.Limiter
	shared *rate.Limiter
	swept  time.Time // when forget last looked
}

// maxMetered caps the accounts that a meter remembers.
const maxMetered = 1 << 14

// New returns a meter: each account has an allowance of its own, and strangers share one besides.
func New(now func() time.Time, own, shared Pace) *Meter {
	return &Meter{now: now, own: own, each: map[common.Address]*rate.Limiter{}, shared: shared.limiter()}
}

// Allow reports whether an account may once more, and counts it. An account that the meter has no room to remember counts
// as a stranger.
func (m *Meter) Allow(account common.Address, stranger bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	own := m.each[account]
	if own == nil {
		m.forget(now)
		if own = m.own.limiter(); len(m.each) < maxMetered {
			m.each[account] = own
		} else {
			stranger = true
		}
	}
	return own.AllowN(now, 1) && (!stranger || m.shared.AllowN(now, 1))
}

// forget drops the accounts that have their whole burst again, when there are too many, and not more often than that helps.
func (m *Meter) forget(now time.Time) {
	if len(m.each) < maxMetered || now.Sub(m.swept) < m.own.Every {
		return
	}
	m.swept = now
	for account, l := range m.each {
		if l.TokensAt(now) >= float64(m.own.Burst) {
			delete(m.each, account)
		}
	}
}
