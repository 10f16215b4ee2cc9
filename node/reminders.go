package node

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

const (
	// remindMin is how long an offer of this player's waits before it is sent again; the pause
	// doubles up to remindMax.
	remindMin = 2 * time.Second
	remindMax = time.Minute
	// busyFor is when an offerer may come back where no budget says it.
	busyFor = 10 * time.Second
)

// reminders are the offers of this player's, or its bids, that others have not answered, and when
// they are sent again.
type reminders struct {
	mu  sync.Mutex
	due map[common.Hash]reminder
}

type reminder struct {
	at    time.Time
	pause time.Duration
	told  bool // that somebody is busy
}

// add has an offer sent again, from now on.
func (r *reminders) add(id common.Hash, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.due == nil {
		r.due = map[common.Hash]reminder{}
	}
	if _, there := r.due[id]; !there {
		r.due[id] = reminder{at: now.Add(remindMin), pause: remindMin}
	}
}

// each calls remind for what is to be sent now.
func (r *reminders) each(now time.Time, remind func(id common.Hash) error) (failed error) {
	for _, id := range r.next(now) {
		failed = errors.Join(failed, remind(id))
	}
	return failed
}

// next returns what is to be sent now, and notes when each is next.
func (r *reminders) next(now time.Time) (ids []common.Hash) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, x := range r.due {
		if now.Before(x.at) {
			continue
		}
		x.pause = min(2*x.pause, remindMax)
		x.at = now.Add(x.pause)
		r.due[id] = x
		ids = append(ids, id)
	}
	return ids
}

// putOff delays an offer, and reports whether for the first time.
func (r *reminders) putOff(id common.Hash, now time.Time, wait time.Duration) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, there := r.due[id]
	if !there {
		return false
	}
	x.pause = min(max(x.pause, wait), remindMax)
	first, x.told = !x.told, true
	x.at = now.Add(min(wait, remindMax))
	r.due[id] = x
	return first
}

func (r *reminders) drop(id common.Hash) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.due, id)
}

// remindOffers sends the offers again that are due, to those who have not answered.
func (n *offers) remindOffers() error {
	return n.reminders.each(n.config.Now(), n.remindOffer)
}

func (n *offers) remindOffer(id common.Hash) error {
	n.records.Lock()
	defer n.records.Unlock()
	o, err := n.offer(id)
	if err != nil && !errors.Is(err, ErrUnknownOffer) {
		return err
	}
	if o.State != OfferOpen || o.signedByOthers() { // or is forgotten
		n.reminders.drop(id)
		return nil
	}
	for seat := 1; seat < len(o.Signatures); seat++ {
		if o.Signatures[seat] == nil && (o.Terms.Signers[seat] == (common.Address{}) || complete(&o.Terms)) {
			n.sendOffer(&o, seat)
		}
	}
	return nil
}

// putOff notes that somebody has too much to do to answer an offer of this player's, and says when
// it is sent again.
func (n *offers) putOff(o *Offer, from common.Address, m *message.OpenReply) error {
	if o.State != OfferOpen {
		return nil
	}
	wait := time.Duration(m.Again) * time.Second
	if !n.reminders.putOff(o.ID, n.config.Now(), wait) {
		return nil
	}
	return n.saveOffer(o, Event{Kind: OfferAnswered, Text: fmt.Sprintf("%s can't answer offer %s now: %q; it is sent again in %s, and then until it is answered",
		from, o.ID, m.Decline, min(wait, remindMax))})
}
