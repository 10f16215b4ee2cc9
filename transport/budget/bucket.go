package budget

import "time"

// bucket is what is used of a share.
type bucket struct {
	used int
	at   time.Duration // up to when the units that time gives back are given back
}

// settle gives back what time has given back.
func (b *bucket) settle(s Share, now time.Duration) {
	if s.Every == 0 {
		return
	}
	b.at = min(b.at, now)
	back := (now - b.at) / s.Every
	if back >= time.Duration(b.used) {
		b.used, b.at = 0, now
		return
	}
	b.used -= int(back)
	b.at += back * s.Every
}

// wait returns how long it takes until there is room for n more units; 0: time gives none back, or
// never enough.
func (b *bucket) wait(s Share, n int, now time.Duration) time.Duration {
	if s.Every == 0 || n > s.Burst {
		return 0
	}
	return time.Duration(b.used+n-s.Burst)*s.Every - (now - b.at)
}

// maxRemembered caps the keys of a shelf: above, keys share one bucket until others are unused
// again.
const maxRemembered = 1 << 12

// sweepEvery is how often a full shelf looks for unused buckets.
const sweepEvery = time.Second

// shelf is a bucket of each key.
type shelf[K comparable] struct {
	share Share
	of    map[K]*bucket
	rest  bucket        // of all keys that there is no room for
	swept time.Duration // when unused buckets were last dropped
}

func (s *shelf[K]) at(key K, now time.Duration) *bucket {
	if b := s.of[key]; b != nil {
		return b
	}
	if s.of == nil {
		s.of = map[K]*bucket{}
	}
	s.sweep(now)
	if len(s.of) >= maxRemembered {
		return &s.rest
	}
	b := &bucket{at: now}
	s.of[key] = b
	return b
}

func (s *shelf[K]) sweep(now time.Duration) {
	if len(s.of) < maxRemembered || now-s.swept < sweepEvery && now >= s.swept {
		return
	}
	s.swept = now
	for key, b := range s.of {
		if b.settle(s.share, now); b.used == 0 {
			delete(s.of, key)
		}
	}
}
