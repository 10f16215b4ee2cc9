package nodesim

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// at has something happen some blocks after the beginning.
func (h *history) at(block uint64, do func()) {
	h.deeds = append(h.deeds, deed{block, do})
	slices.SortStableFunc(h.deeds, func(a, b deed) int { return cmp.Compare(a.block, b.block) })
}

// mostIll is how many blocks an endpoint is ill at most, and away how many a node is off. The
// shortest time for an answer is a quarter of the window after which an honest transaction needs
// some blocks too, so both are shorter than what is left of it.
const (
	mostIll = window / 6
	away    = window / 6
	soon    = 30 // blocks in which things begin
)

// troubles are what may befall an honest seat, or everybody. None of it lasts for as long as the
// Arena gives for an answer.
func troubles() []way {
	list := []way{
		{"crash", func(ctx context.Context, s *seat, r *rand.Rand) {
			from := r.Uint64N(soon)
			back := from + r.Uint64N(away)
			s.at(from, func() { s.note("seat %d crashes", s.index); s.stop() })
			s.at(back, func() { s.back(ctx) })
		}},
		{"partition", func(_ context.Context, s *seat, r *rand.Rand) {
			from := r.Uint64N(soon)
			until := from + 1 + r.Uint64N(soon)
			other := s.peers[r.IntN(len(s.peers))]
			s.at(from, func() {
				s.note("the network is cut")
				s.web.do(func() { s.web.net.Partition(s.account(), other.account()) })
			})
			s.at(until, func() { s.web.do(func() { s.web.net.Heal(s.account(), other.account()) }) })
		}},
		{"bad network", func(_ context.Context, s *seat, r *rand.Rand) {
			s.web.do(func() {
				f := s.weather(r)
				f.Lost, f.Doubled, f.Overtaken = r.IntN(100), r.IntN(100), r.IntN(100)
				s.web.net.SetFaults(f)
			})
		}},
		{illMute, func(_ context.Context, s *seat, r *rand.Rand) { s.port.fall(illMute, 4+r.Uint64N(soon), 3*window) }},
		{"tower", towered},
		{"strangers", flood}, {"reorganisations", reorganised},
		{"fee spike", func(_ context.Context, s *seat, r *rand.Rand) {
			from := r.Uint64N(soon)
			until := from + 1 + r.Uint64N(soon)
			base := (20 + r.Uint64N(60)) * gwei
			s.at(from, func() { s.note("the base fee is %d gwei", base/gwei); s.world.price(base) })
			s.at(until, func() { s.world.price(gwei) })
		}},
	}
	for _, kind := range []string{illDown, illRefuse, illStarved, illSlow, illLag, illLose} {
		list = append(list, way{kind, func(_ context.Context, s *seat, r *rand.Rand) {
			for range 1 + r.IntN(3) {
				s.port.fall(kind, r.Uint64N(soon), 1+r.Uint64N(mostIll))
			}
		}})
	}
	return list
}

// dire is what may cost a seat money whatever its node does: it lasts for longer than the Arena
// waits for an answer. Then an alarm must have stood.
func dire() []way {
	return []way{
		{"rpc down for windows", func(_ context.Context, s *seat, r *rand.Rand) { s.port.fall(illDown, 1+r.Uint64N(soon), 3*window) }},
		{"rpc losing for windows", func(_ context.Context, s *seat, r *rand.Rand) { s.port.fall(illLose, 1+r.Uint64N(soon), 3*window) }},
		{"old copy", olderCopy}, {"two copies", twoCopies},
		{"unpayable fees", func(_ context.Context, s *seat, r *rand.Rand) {
			from := 1 + r.Uint64N(soon)
			s.at(from, func() { s.note("the base fee is 20,000 gwei"); s.world.price(20_000 * gwei) })
			s.at(from+3*window, func() { s.world.price(gwei) })
		}},
		{"endpoint hides", func(_ context.Context, s *seat, r *rand.Rand) {
			s.pair() // who has but one endpoint sees what that shows
			s.port.fall(illHide, 1+r.Uint64N(soon), 3*window)
		}},
		{"empty wallet", func(_ context.Context, s *seat, r *rand.Rand) {
			from := 4 + r.Uint64N(soon)
			s.at(from, func() {
				s.note("the wallet of seat %d is empty", s.index)
				s.world.drain(s.account())
			})
			s.at(from+3*window, func() { s.world.refill(s.account()) })
		}},
	}
}

// drain takes all that an account has outside the Arena.
func (w *world) drain(account common.Address) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fees[account] = w.mini.Balance(account)
}

// refill gives an account ETH of its own.
func (w *world) refill(account common.Address) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mini.Fund(account, own)
}

// price sets the base fee from the next block on.
func (w *world) price(base uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.base = base
}

// fall has the endpoint fall ill for some blocks.
func (p *port) fall(kind string, from, blocks uint64) {
	begin := time.Duration(from) * blockTime                                           //nolint:gosec // some dozen
	p.ills = append(p.ills, ill{kind, begin, begin + time.Duration(blocks)*blockTime}) //nolint:gosec // some dozen
}

// back starts the node again, as a supervisor does: until it works.
func (s *seat) back(ctx context.Context) {
	if s.running() != nil {
		return
	}
	if err := s.start(ctx); err != nil {
		s.note("seat %d does not start: %v", s.index, err)
		s.at(s.world.head()-s.world.first+1, func() { s.back(ctx) })
		return
	}
	s.note("seat %d is back", s.index)
}
