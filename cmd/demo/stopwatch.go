package main

import (
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/games"
)

// stopwatch is a player that takes the time from one of its moves to its next. Between two of them lies a move of the other
// player's: both are chosen, signed, stored, sent and checked in that time.
type stopwatch struct {
	games.Player

	mu    sync.Mutex
	last  time.Time
	times []time.Duration
}

func (w *stopwatch) Auto(t games.Table) (*games.Decision, error) { return w.see(w.Player.Auto(t)) }
func (w *stopwatch) Bot(t games.Table) (*games.Decision, error)  { return w.see(w.Player.Bot(t)) }

func (w *stopwatch) see(d *games.Decision, err error) (*games.Decision, error) {
	if d == nil || err != nil {
		return d, err
	}
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
