package node

import (
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/time/rate"
)

// pace is how often something may happen: a burst at once, and then once in every span.
type pace struct {
	every time.Duration
	burst int
}

func (p pace) limiter() *rate.Limiter { return rate.NewLimiter(rate.Every(p.every), p.burst) }

// meter bounds what strangers can make the node do that lasts: tell its user, write to its log, fill a list. Accounts cost
// nothing, so those with whom there is no channel share one allowance besides each one's own. Safe for concurrent use.
type meter struct {
	now func() time.Time
	own pace

	mu     sync.Mutex
	each   map[common.Address]*rate.Limiter
	shared *rate.Limiter
}

// maxMetered caps the accounts that a meter remembers.
const maxMetered = 1024

func newMeter(now func() time.Time, own, shared pace) *meter {
	return &meter{now: now, own: own, each: map[common.Address]*rate.Limiter{}, shared: shared.limiter()}
}

// allow reports whether an account may once more, and counts it.
func (m *meter) allow(account common.Address, stranger bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	own := m.each[account]
	if own == nil {
		m.forget(now)
		if own = m.own.limiter(); len(m.each) < maxMetered {
			m.each[account] = own
		}
	}
	return own.AllowN(now, 1) && (!stranger || m.shared.AllowN(now, 1))
}

// forget drops the accounts that have their whole burst again, when there are too many.
func (m *meter) forget(now time.Time) {
	if len(m.each) < maxMetered {
		return
	}
	for account, l := range m.each {
		if l.TokensAt(now) >= float64(m.own.burst) {
			delete(m.each, account)
		}
	}
}

// stranger reports whether there is no channel with an account.
func (n *Node) stranger(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.sessions {
		if s.terms.SeatOf(account) >= 0 {
			return false
		}
	}
	return true
}
