package dev

import (
	"sync"
	"time"
)

// Sandglass is a clock for nodes (node.Config.Now) that stands still until it is turned: until then
// nobody's patience ends, so that whoever is merely slow, on a busy machine, is not taken for
// silent. Safe for concurrent use.
type Sandglass struct {
	mu     sync.Mutex
	filled time.Time
	turned time.Time // zero: it stands still
}

// NewSandglass returns one that shows the time of now.
func NewSandglass() *Sandglass { return &Sandglass{filled: time.Now()} }

// Turn has time pass from now on. To turn it again does nothing.
func (g *Sandglass) Turn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.turned.IsZero() {
		g.turned = time.Now()
	}
}

// Now returns the time that it shows.
func (g *Sandglass) Now() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.turned.IsZero() {
		return g.filled
	}
	return g.filled.Add(time.Since(g.turned))
}
