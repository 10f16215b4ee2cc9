package chain

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// History returns how the sender's transactions stand, the newest first, at most limit of them.
func (s *Sender) History(limit int) ([]Report, error) {
	s.mu.Lock()
	reports := slices.Collect(maps.Values(s.live))
	s.mu.Unlock()
	prefix := s.outcomeKey("")
	err := s.config.Store.Scan(prefix, "", func(stored string, _ []byte) error {
		key := strings.TrimPrefix(stored, prefix)
		if slices.ContainsFunc(reports, func(r Report) bool { return r.Key == key }) {
			return nil
		}
		r, err := s.Status(key)
		reports = append(reports, r)
		return err
	})
	slices.SortFunc(reports, func(a, b Report) int {
		return cmp.Or(cmp.Compare(b.Nonce, a.Nonce), strings.Compare(a.Key, b.Key))
	})
	return reports[:min(limit, len(reports))], err
}
