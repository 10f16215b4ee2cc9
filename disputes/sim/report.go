package sim

import (
	"fmt"
	"strings"
)

// Verdict is what one history came to.
type Verdict struct {
	Seed     uint64
	Game     string
	Seats    []string // by seat: how it plays
	Names    []string // of the strategies that were at work
	Matches  int
	Blocks   uint64 // from the opening to the last payment
	Honest   bill   // of all honest seats together
	Hostile  bill
	Disputed bool     // the channel was closed one-sidedly, or a match was posted
	Lost     []string // what was lost that should not have been, and at which step; empty: nothing

	diary []string
}

// OK reports whether nobody lost anything.
func (v *Verdict) OK() bool { return len(v.Lost) == 0 }

// String says what was lost, by which strategies, at which step, and how to see it again.
func (v *Verdict) String() string {
	if v.OK() {
		return fmt.Sprintf("seed %d of %s: nothing was lost", v.Seed, v.Game)
	}
	step := "before anything happened"
	if len(v.diary) > 0 {
		step = v.diary[len(v.diary)-1]
	}
	return fmt.Sprintf("-sim.seed=%d (%s): %s\n  seats: %s\n  last step: %s", v.Seed, v.Game, strings.Join(v.Lost, "\n  and "),
		strings.Join(v.Seats, "; "), step)
}

// Story is the whole history as it was played, as far as it is kept.
func (v *Verdict) Story() string {
	return fmt.Sprintf("seed %d of %s, %s\n%s", v.Seed, v.Game, strings.Join(v.Seats, "; "), strings.Join(v.diary, "\n"))
}

func (v *Verdict) finish(h *history) {
	v.diary = h.diary
	for _, s := range h.seats {
		how := "honest"
		if !s.honest {
			how = strings.Join(s.hooks.names, ", ")
			v.Hostile.join(s.bill)
		} else {
			v.Honest.join(s.bill)
		}
		v.Seats = append(v.Seats, fmt.Sprintf("seat %d: %s", s.index, how))
		v.Matches = max(v.Matches, len(s.claims))
	}
	v.Names = h.gang.names()
	v.Blocks = h.chain.Block() - h.began
	v.Disputed = h.disputed
}

func (b *bill) join(o bill) {
	b.Gas += o.Gas
	b.Sent += o.Sent
	b.Refused += o.Refused
}
