package main

import (
	"sync"
	"time"
)

// patience is how long the nodes of a stage wait for somebody who is silent, by the stage's sandglass.
const patience = 500 * time.Millisecond

// sandglass is the clock of a stage's nodes. It stands still until somebody falls silent on purpose: who is merely slow, on
// a busy machine, is waited for.
type sandglass struct {
	mu     sync.Mutex
	filled time.Time
	turned time.Time // zero: it stands still
}

func newSandglass() *sandglass { return &sandglass{filled: time.Now()} }

// turn has time pass from now on.
func (g *sandglass) turn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.turned.IsZero() {
		g.turned = time.Now()
	}
}

func (g *sandglass) now() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.turned.IsZero() {
		return g.filled
	}
	return g.filled.Add(time.Since(g.turned))
}
