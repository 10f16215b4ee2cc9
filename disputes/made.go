package disputes

import (
	"maps"
	"reflect"

	"github.com/holiman/uint256"
)

// made is a plan and the question that it answers. A channel is looked at far more often than it
// changes, so a watcher plans again only when the question changes.
type made struct {
	of   question
	plan Plan // never modified in place
}

// question holds all that a watcher's plan depends on, except what never changes.
type question struct {
	changes  uint64 // Watcher.changes
	facts    int    // Case.Facts
	now      uint64
	price    uint256.Int
	evidence Evidence
	wishes   Wishes
}

// Wants returns the moves that the seat's plan needs, the most pressing first. It sends nothing:
// see Step.
func (w *Watcher) Wants(now uint64, e Evidence, wishes Wishes) []Want {
	return w.plan(now, e, wishes).Wants
}

func (w *Watcher) plan(now uint64, e Evidence, wishes Wishes) Plan {
	q := question{changes: w.changes, now: now, price: w.seat.GasPrice, evidence: e, wishes: wishes}
	if w.seat.Facts != nil {
		q.facts = w.seat.Facts()
	}
	q.evidence.Matches = maps.Clone(e.Matches)
	q.wishes.Demand = maps.Clone(wishes.Demand)
	if w.made == nil || !reflect.DeepEqual(q, w.made.of) {
		w.made = &made{q, w.work(&q)}
	}
	return w.made.plan
}

func (w *Watcher) work(q *question) Plan {
	if w.seat.Memory == nil {
		w.memory.Look()
	}
	c := w.seat
	c.Memory, c.Now, c.Chain, c.Evidence, c.Wishes = w.memory, q.now, &w.view, q.evidence, q.wishes
	c.Pending, c.Failed = w.pending, make(map[string]bool, len(w.failed))
	for k := range w.failed {
		c.Failed[k] = true
	}
	return c.Plan()
}
