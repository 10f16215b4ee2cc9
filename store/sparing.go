package store

import (
	"log/slog"
	"sync"
	"time"
)

// repeatEvery is how often a fault of the database is logged while it lasts. Pebble tries again at
// once, many times a second.
const repeatEvery = 10 * time.Second

// sparing logs errors that come again and again.
type sparing struct {
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex
	last    time.Time
	skipped int
}

// Error logs a message, unless one was logged a short while ago.
func (s *sparing) Error(message string, args ...any) {
	s.mu.Lock()
	now := s.now()
	if !s.last.IsZero() && now.Sub(s.last) < repeatEvery {
		s.skipped++
		s.mu.Unlock()
		return
	}
	args = append(args, "not_logged", s.skipped)
	s.last, s.skipped = now, 0
	s.mu.Unlock()
	s.log.Error(message, args...)
}
