package main

import (
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/games"
)

// stopwatch takes the time from one of a player's moves to its next. Between two of them lies a
// move of the other player's: both are chosen, signed, stored, sent and checked in that time.
type stopwatch struct {
	mu    sync.Mutex
	last  time.Time
	times []time.Duration
}

func (w *stopwatch) see(_ games.Table, d *games.Decision) (*games.Decision, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if !w.last.IsZero() {
		w.times = append(w.times, now.Sub(w.last))
	}
	w.last = now
	return d, nil
}

// median returns what one move took, in the middle of all, in microseconds; 0 when there were none.
func (w *stopwatch) median() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.times) == 0 {
		return 0
	}
	slices.Sort(w.times)
	return w.times[len(w.times)/2].Microseconds() / 2
}
