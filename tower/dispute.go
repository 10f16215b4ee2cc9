package tower

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// dispute is a channel in which something is due on-chain, or may soon be. The tower drops it when
// there is nothing to wait for, and makes it again from the store when the chain says more. Its
// fields, except next and stirred, belong to the channel's lock.
type dispute struct {
	watchers map[int]*disputes.Watcher // by seat; nil: not made yet
	memory   disputes.Memory           // of all watchers
	held     map[string]piece          // the evidence as it was read last, by its place in the store
	settled  *disputes.View            // what is final of the channel; nil: not read yet
	raised   map[string]bool           // alarms that stand
	looks    int                       // at new evidence since the newest block
	weight   int                       // bytes of evidence of which nothing was replayed yet. With the tower's mutex held
	idle     bool                      // there is nothing to wait for: it is dropped at next

	// when to look again, in the Arena's clock; 0: at no set time. With the tower's mutex held
	next    uint64
	stirred bool // look at the next block. With the tower's mutex held
}

// restore takes up the channels in which something may be due, counts the seats, and knows their
// accounts again.
func (t *Tower) restore() error {
	err := t.config.Store.Scan(hotPrefix, "", func(key string, _ []byte) error {
		t.disputes[common.HexToHash(strings.TrimPrefix(key, hotPrefix))] = &dispute{stirred: true}
		return nil
	})
	if err != nil {
		return err
	}
	err = t.config.Store.Scan(holdingPrefix, "", func(key string, value []byte) error {
		h, err := readHolding(value)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		t.count(1, h.Bytes)
		t.seat(common.Address{}, h.Account)
		if c := t.disputes[channelOf(key)]; c != nil {
			c.weight += h.Bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.appointments.Restore(handler{t}.Befriended)
}

// channelOf returns the channel that a holding is of, by its key.
func channelOf(key string) common.Hash {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, holdingPrefix), "/")
	return common.HexToHash(name)
}

// dispute returns a channel's dispute, and makes it if there is none. The caller holds the
// channel's lock.
func (t *Tower) dispute(id common.Hash) *dispute {
	t.mu.Lock()
	c := t.disputes[id]
	t.mu.Unlock()
	if c == nil {
		c = &dispute{weight: t.weigh(id)}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.disputes[id] = c
	c.stirred, c.idle = true, false
	return c
}

// weigh returns how many bytes are held for the seats of a channel, as far as that can be read.
func (t *Tower) weigh(id common.Hash) (bytes int) {
	_ = t.config.Store.Scan(holdingPrefix+id.Hex()+"/", "", func(_ string, value []byte) error {
		h, err := readHolding(value)
		bytes += h.Bytes
		return err
	})
	return bytes
}

// disturb reports an event to a channel's watchers. The caller holds the channel's lock.
func (t *Tower) disturb(id common.Hash, e *chain.Event, ours bool) {
	c, news := t.dispute(id), logged{Event: e.Event, block: e.Block.Number, ours: ours}
	if e.Stage == chain.Undone && c.settled != nil {
		c.settled.Unhappened(news.block)
	}
	for _, w := range c.watchers {
		if e.Stage == chain.Undone {
			w.Unhappened(news.block)
		} else {
			news.tell(w)
		}
	}
}

// failed tells a channel's watchers that a transaction failed; each watcher knows its own.
func (t *Tower) failed(id common.Hash, r *chain.Report) {
	defer t.lock(id)()
	t.mu.Lock()
	c := t.disputes[id]
	t.mu.Unlock()
	if c == nil {
		return
	}
	for _, w := range c.watchers {
		w.Failed(r.Key, driver.Failure(r))
	}
}

// mostWeight is after how many bytes of evidence that were never replayed the channels that are due
// are left to the next block, which may be more pressing. To replay as much takes seconds.
const mostWeight = 16 << 20

// due lists the channels to look at, those first that take the least time: whoever owns all seats
// of a channel decides how long it takes. It reports whether these are all.
func (t *Tower) due(now uint64) (list []common.Hash, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, c := range t.disputes {
		if c.stirred || c.next != 0 && now >= c.next {
			list = append(list, id)
		}
	}
	slices.SortFunc(list, func(a, b common.Hash) int {
		return cmp.Or(cmp.Compare(t.disputes[a].weight, t.disputes[b].weight), a.Cmp(b))
	})
	weight := 0
	for i, id := range list {
		if weight >= mostWeight {
			return list[:i], false
		}
		weight += t.disputes[id].weight
	}
	return list, true
}

// sit has a channel's watchers send what is due. It fails only when the store does.
func (t *Tower) sit(ctx context.Context, id common.Hash, now uint64) error {
	defer t.lock(id)()
	t.mu.Lock()
	c := t.disputes[id]
	if c == nil {
		t.mu.Unlock()
		return nil
	}
	c.looks, c.stirred = 0, false
	t.mu.Unlock()
	err := t.sitLocked(ctx, id, c, now)
	if err != nil {
		t.mu.Lock()
		c.stirred = true
		t.mu.Unlock()
	}
	return err
}

func (t *Tower) sitLocked(ctx context.Context, id common.Hash, c *dispute, now uint64) error {
	if err := t.summon(id, c); err != nil {
		return err
	}
	evidence, err := t.evidence(id, c)
	if err != nil {
		return err
	}
	c.memory.Look()
	var next uint64
	work := 0
	raised := map[string]bool{}
	for _, w := range c.watchers {
		w.Price(t.drive.GasPrice())
		plan := w.Step(ctx, now, evidence, disputes.Wishes{})
		t.raise(id, c, plan.Alarms, raised)
		work += len(plan.Orders) + len(plan.Underway)
		next = disputes.Earliest(next, plan.Next)
	}
	c.raised = raised
	t.mu.Lock()
	defer t.mu.Unlock()
	c.next, c.stirred, c.weight = next, c.stirred || work > 0, 0
	switch {
	case c.stirred || next != 0:
		c.idle = false
	case c.idle:
		delete(t.disputes, id)
	default:
		c.idle, c.next = true, now+t.linger()
	}
	return nil
}

// linger is for how long nothing must have come of a channel before its dispute is dropped, in the
// Arena's clock: who makes it again has all that is held of the channel replayed.
func (t *Tower) linger() uint64 { return t.config.Limits.keep(t.drive.Arena.Clock()) >> 14 }

// summon makes the watchers of a channel: one for each seat that gave evidence. Only they need all
// of the channel's logs.
func (t *Tower) summon(id common.Hash, c *dispute) error {
	f, err := t.opening(id)
	if err != nil || f == nil {
		return err
	}
	var seats []int
	for seat := range f.terms.Seats() {
		if c.watchers[seat] != nil {
			continue
		}
		h, err := t.holding(id, seat)
		if err != nil {
			return err
		}
		if h != nil {
			seats = append(seats, seat)
		}
	}
	if len(seats) == 0 {
		return nil
	}
	if f, err = t.file(id); err != nil {
		return err
	}
	if c.watchers == nil {
		c.watchers = map[int]*disputes.Watcher{}
	}
	for _, seat := range seats {
		own := t.disputeCase(f.terms, seat)
		own.Memory = &c.memory
		w := disputes.NewWatcher(own, nil, t.drive)
		f.tell(w)
		c.watchers[seat] = w
	}
	return nil
}

func (t *Tower) disputeCase(terms protocol.Terms, seat int) disputes.Case {
	p := &t.config.Policy
	return disputes.Case{
		Domain: t.domain, Terms: terms, Seat: seat, Rules: t.drive.Rules, Facts: t.drive.Facts.Known,
		Policy: disputes.Policy{Margin: disputes.MarginOf(p.Margin, terms.Window), Floor: p.Floor, GasPrice: t.drive.GasPrice(), Frugal: true},
	}
}

// raise logs alarms, each once until it is over.
func (t *Tower) raise(id common.Hash, c *dispute, alarms []disputes.Alarm, raised map[string]bool) {
	for _, a := range alarms {
		key := fmt.Sprint(a.Kind, a.Level, a.MatchID) // one that gets worse is news
		if !c.raised[key] && !raised[key] {
			log := t.config.Log.Warn
			if a.Level == disputes.Critical {
				log = t.config.Log.Error
			}
			log(a.Text, "channel", id, "kind", a.Kind, "deadline", a.Deadline)
		}
		raised[key] = true
	}
}

// sweep drops, at intervals, channels whose seats were silent for too long, unless something is due
// in them; not by the word of one endpoint while the other one has no say, since what is dropped
// may never be given again.
func (t *Tower) sweep(now uint64) error {
	pause := t.config.Limits.keep(t.drive.Arena.Clock()) / 64
	t.mu.Lock()
	due := now >= t.swept+pause && !t.drive.Client.Alone()
	if due {
		t.swept = now
	}
	t.mu.Unlock()
	if !due {
		return nil
	}
	var old []common.Hash
	err := t.config.Store.Scan(holdingPrefix, "", func(key string, value []byte) error {
		h, err := readHolding(value)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		if h.Expiry <= now {
			if id := channelOf(key); !slices.Contains(old, id) {
				old = append(old, id)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range old {
		if err := t.expire(id, now); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tower) expire(id common.Hash, now uint64) error {
	defer t.lock(id)()
	t.mu.Lock()
	wanted := t.disputes[id] != nil
	t.mu.Unlock()
	f, err := t.opening(id)
	if err != nil || wanted || f == nil || !f.open {
		return err
	}
	for seat := range f.terms.Seats() {
		h, err := t.holding(id, seat)
		if err != nil {
			return err
		}
		if h != nil && h.Expiry <= now {
			if err := t.drop(id, holdingKey(id, seat), proofsBy(id, seat)); err != nil {
				return err
			}
		}
	}
	return nil
}
