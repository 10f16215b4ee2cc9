package house

import "time"

// Warning is warning.
func (p *Policy) Warning(l *Loss) string { return p.warning(l) }

// Idle sets for how long a channel may be idle, and returns how long that was.
func (h *House) Idle(d time.Duration) (before time.Duration) {
	before, h.policy.Idle.Duration = h.policy.Idle.Duration, d
	return before
}
