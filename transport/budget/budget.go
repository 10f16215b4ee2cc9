// Package budget bounds what others can make a program do. Each kind of work has one Limit, which
// names the shares of a single stranger, of a stranger's network address, of all strangers
// together, and of people with an open channel, whose shares no stranger can use up. A stranger is
// an account without an open channel: such accounts cost nothing.
package budget

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Limit is the budget of one kind of work. A share without a Burst does not limit.
type Limit struct {
	Name   string // what docs and refusals call it: "node/chain"
	Counts string // what one unit is: "requests to the chain"

	Account Share // each stranger's
	Group   Share // all strangers' behind one network address, see Group
	Total   Share // all strangers' together
	Friend  Share // each account's with an open channel
	Friends Share // of all accounts with open channels together
}

// Share is how many units may be used: Burst at once, and one more after every Every. Without Every
// a unit is a place: it is free again when its holder returns it.
type Share struct {
	Burst int
	Every time.Duration
}

// Rate is a share of so many units at once, and one more after every span.
func Rate(burst int, every time.Duration) Share { return Share{burst, every} }

// Places is a share of so many units at once.
func Places(n int) Share { return Share{Burst: n} }

// None is a share of nothing.
var None = Share{Burst: -1}

// Who causes work.
type Who struct {
	Account common.Address
	Group   string // of its network address, see Group; "": unknown
	Friend  bool   // it has an open channel
}

// The lengths of the prefixes of address groups: what one customer of a network may own.
const (
	GroupBits4 = 24
	GroupBits6 = 48
)

// Group returns the group of network addresses that an address counts with: its IPv4 /24, or its
// IPv6 /48. Addresses of this machine are in no group.
func Group(a netip.Addr) string {
	a = a.Unmap()
	if !a.IsValid() || a.IsLoopback() {
		return ""
	}
	bits := GroupBits6
	if a.Is4() {
		bits = GroupBits4
	}
	prefix, _ := a.Prefix(bits) // which fails for other bits only
	return prefix.String()
}

// ErrSpent is wrapped by every error of a budget that is used up.
var ErrSpent = errors.New("its budget is used up")

// Spent says whose share of which budget is used up. It wraps ErrSpent.
type Spent struct {
	Limit string
	Share string        // whose
	Again time.Duration // when there is room again; 0: when a place is returned
}

func (s *Spent) Error() string {
	text := fmt.Sprintf("%s: %s, share of %s", s.Limit, ErrSpent, s.Share)
	if s.Again != 0 {
		text += fmt.Sprintf("; try again in %s", s.Again.Round(time.Millisecond))
	}
	return text
}

// Unwrap returns ErrSpent.
func (*Spent) Unwrap() error { return ErrSpent }

// Budget enforces one Limit. Its memory is bounded, however many accounts come. Safe for concurrent
// use.
type Budget struct {
	limit Limit
	now   func() time.Time
	began time.Time

	mu       sync.Mutex
	accounts shelf[common.Address]
	groups   shelf[string]
	friends  shelf[common.Address]
	total    bucket // of all strangers
	open     bucket // of all with open channels
	refused  uint64
}

// New returns an unused budget. Only differences of now matter: setting the clock to another time
// grants at most one burst.
func New(now func() time.Time, l Limit) *Budget {
	return &Budget{
		limit: l, now: now, began: now(),
		accounts: shelf[common.Address]{share: l.Account}, groups: shelf[string]{share: l.Group}, friends: shelf[common.Address]{share: l.Friend},
	}
}

// Limit returns what the budget enforces.
func (b *Budget) Limit() Limit { return b.limit }

// Refused returns how often the budget was used up.
func (b *Budget) Refused() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

// Spend takes n units from all shares that apply, or from none: then the error is a *Spent.
func (b *Budget) Spend(who Who, n int) error {
	_, err := b.use(who, n)
	return err
}

// Allow is Spend of one unit, for callers that don't need the reason.
func (b *Budget) Allow(who Who) bool { return b.Spend(who, 1) == nil }

// Take takes a place. Release gives it back, once, however often it is called.
func (b *Budget) Take(who Who) (release func(), err error) {
	used, err := b.use(who, 1)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, c := range used {
			c.used--
		}
	}), nil
}

// claim is a share with what is used of it.
type claim struct {
	*bucket
	share Share
	whose string
}

func (b *Budget) use(who Who, n int) ([]claim, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now().Sub(b.began)
	claims := b.claims(who, now)
	for _, c := range claims {
		c.settle(c.share, now)
		if c.share.Burst != 0 && c.used+n > c.share.Burst {
			b.refused++
			return nil, &Spent{Limit: b.limit.Name, Share: c.whose, Again: c.wait(c.share, n, now)}
		}
	}
	for _, c := range claims {
		c.used += n
	}
	return claims, nil
}

// claims lists the shares that apply to somebody.
func (b *Budget) claims(who Who, now time.Duration) []claim {
	l := &b.limit
	if who.Friend {
		return []claim{{b.friends.at(who.Account, now), l.Friend, "this account"}, {&b.open, l.Friends, "all accounts with open channels"}}
	}
	list := []claim{{b.accounts.at(who.Account, now), l.Account, "this account"}}
	if who.Group != "" {
		list = append(list, claim{b.groups.at(who.Group, now), l.Group, "this network address"})
	}
	return append(list, claim{&b.total, l.Total, "all accounts without an open channel"})
}
