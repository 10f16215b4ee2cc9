package p2p

import (
	"errors"
	"log/slog"
	"time"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
	"github.com/ethereum/go-ethereum/common"
)

// unit is how many bytes of a message one unit of the reading budget pays for.
const unit = 1 << 10

// reading returns the budget of what is read of accounts that aren't kept. What is above it waits
// at its sender: the stream's window fills.
func (l Limits) reading() budget.Limit {
	share := func(perSecond int) budget.Share {
		return budget.Rate(max(2*perSecond, 1+wire.MaxMessage/unit), time.Second/time.Duration(perSecond))
	}
	return budget.Limit{
		Name: "p2p/messages", Counts: "messages, and each whole KiB of one; the excess waits",
		Account: share(max(l.Reading/20, 1)), Group: share(max(l.Reading/10, 1)), Total: share(l.Reading),
		Friend: share(max(l.Reading/20, 1)),
	}
}

// readings pays for what is read of accounts that aren't kept. A message is first paid from its
// sender's own shares. Those of strangers then stand in one queue for the share of all strangers,
// so that small ones don't keep a large one waiting.
type readings struct {
	own, total *budget.Budget
	// held by who is first in the queue; those who wait to send on it are in order
	first chan struct{}
}

func newReadings(now func() time.Time, l budget.Limit) *readings {
	own, total := l, l
	own.Total, total.Account, total.Group = budget.Share{}, budget.Share{}, budget.Share{}
	return &readings{own: budget.New(now, own), total: budget.New(now, total), first: make(chan struct{}, 1)}
}

// payer says who pays for a message; free: nobody has to.
type payer func() (who budget.Who, free bool)

// await waits until n units are paid for, or until a session has ended.
func (r *readings) await(by payer, n int, ended <-chan struct{}) {
	pay(r.own, by, n, ended)
	if who, free := by(); free || who.Friend {
		return
	}
	select {
	case r.first <- struct{}{}:
		defer func() { <-r.first }()
		pay(r.total, by, n, ended)
	case <-ended:
	}
}

// pay waits until n units of a budget are paid for, or until a session has ended.
func pay(b *budget.Budget, by payer, n int, ended <-chan struct{}) {
	for {
		who, free := by()
		var spent *budget.Spent
		if free || !errors.As(b.Spend(who, n), &spent) {
			return
		}
		select {
		case <-time.After(max(spent.Again, time.Millisecond)):
		case <-ended:
			return
		}
	}
}

// awaitTurn waits until a message of n bytes of a session may be handled, or until the session is
// over.
func (h *Host) awaitTurn(a *account, s *session, n int) {
	h.read.await(func() (budget.Who, bool) {
		who := s.who()
		who.Friend = h.befriended(a.address)
		return who, h.keepsNow(a)
	}, 1+n/unit, s.ended)
}

// arrivalLimit bounds how often the handler hears that an account has connected: it may have a lot
// to repeat to each that does.
var arrivalLimit = budget.Limit{
	Name: "p2p/arrivals", Counts: "times that an account connects; the excess waits",
	Account: budget.Rate(8, 2*time.Second), Group: budget.Rate(32, 500*time.Millisecond), Total: budget.Rate(256, 50*time.Millisecond),
	Friend: budget.Rate(32, 500*time.Millisecond),
}

// awaitArrival waits until the handler may hear of a session, or until it is over. Whom we dialled
// does not wait for strangers.
func (h *Host) awaitArrival(a *account, s *session) {
	h.arrivals.await(func() (budget.Who, bool) {
		who := s.who()
		who.Friend = s.dialled || h.keepsNow(a) || h.befriended(a.address)
		return who, false
	}, 1, s.ended)
}

// befriended reports whether the handler has an account for a friend.
func (h *Host) befriended(account common.Address) bool {
	host, knows := h.cfg.Handler.(transport.Befriender)
	return knows && host.Befriended(account)
}

// logLimit bounds the lines about accounts that come and go and aren't kept; the others are for
// debugging.
var logLimit = budget.Limit{
	Name: "p2p/log", Counts: "lines in the log about who connects and leaves",
	Account: budget.Rate(4, time.Minute), Group: budget.Rate(16, 10*time.Second), Total: budget.Rate(64, 2*time.Second),
}

// level returns at which level the log has it that an account came or went.
func (h *Host) level(a *account, s *session) slog.Level {
	if h.keepsNow(a) || h.lines.Allow(s.who()) {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// keepsNow reports whether an account is kept.
func (h *Host) keepsNow(a *account) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return a.kept
}

// who says from whose shares of the strangers' budgets a session's account is paid for.
func (s *session) who() budget.Who {
	return budget.Who{Account: s.account, Group: groupOf(s.stream.Conn().RemoteMultiaddr())}
}
