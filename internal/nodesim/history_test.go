package nodesim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/transport/memory"
)

// history is one play of a Case, to the last payment of every channel. All chance in it comes from
// the case.
type history struct {
	*ground
	Case
	scene *scene
	world *world
	web   *web
	trace *trace
	began time.Time
	seats []*seat

	deeds   []deed // what is still to happen, by time
	diaryMu sync.Mutex
	diary   []string
	lost    []string
	house   []HouseMatch
}

// deed is something that happens after some blocks.
type deed struct {
	block uint64
	do    func()
}

// mostBlocks is how long a history may take.
const mostBlocks = 400

func (h *history) now() time.Time { return epoch.Add(time.Since(h.began)) }

// epoch is the time of day at which histories begin.
var epoch = time.Date(2027, 1, 15, 8, 0, 0, 0, time.UTC)

func (h *history) note(format string, args ...any) {
	h.diaryMu.Lock()
	defer h.diaryMu.Unlock()
	h.diary = append(h.diary, fmt.Sprintf("block %.1f: ", time.Since(h.began).Seconds()/blockTime.Seconds())+fmt.Sprintf(format, args...))
}

// lose says that an invariant is broken.
func (h *history) lose(format string, args ...any) {
	h.note("LOST: "+format, args...)
	h.diaryMu.Lock()
	defer h.diaryMu.Unlock()
	h.lost = append(h.lost, fmt.Sprintf(format, args...))
}

// fail is lose for what should never happen to a simulator.
func (h *history) fail(format string, args ...any) { h.lose(format, args...) }

// Play plays a case. It must be called in a bubble of testing/synctest, whose time is the
// history's.
func (s *Simulation) Play(c Case) *Verdict {
	h := &history{ground: s.ground, Case: c, began: time.Now(), trace: newTrace()}
	h.world = newWorld(s.ground, c.Seed)
	h.world.trace = h.trace
	ctx, cancel := context.WithCancel(context.Background())
	h.world.tell = func(e onchain.Event) { h.note("the Arena: %T %+v", e, e) }
	h.web = newWeb(c.Seed, h.weather(chance(c.Seed, "weather")))
	h.web.trace = h.trace
	var done sync.WaitGroup
	done.Go(func() { h.web.run(ctx) })
	if err := h.begin(ctx); err != nil {
		h.fail("the history doesn't begin: %v", err)
	}
	h.run(ctx)
	h.judge()
	h.house = h.housed()
	for _, s := range h.all() {
		s.stop()
	}
	for _, s := range h.seats {
		s.dismiss()
	}
	cancel()
	done.Wait()
	synctest.Wait()
	return h.verdict()
}

// weather is how far away the seats are: from next door to as slow as people who think about each
// move.
func (h *history) weather(r *rand.Rand) memory.Faults {
	far := []time.Duration{50 * time.Millisecond, 2 * time.Second, 8 * time.Second}[r.IntN(3)]
	return memory.Faults{Latency: far, Jitter: far}
}

// run makes blocks until everything is paid.
func (h *history) run(ctx context.Context) {
	for blocks := uint64(0); len(h.lost) == 0 && !h.over(blocks); blocks++ {
		if blocks == mostBlocks {
			if !h.cheating() { // else what is locked may be of those who cheat alone
				h.lose("nothing came of it in %d blocks: the money is still locked", blocks)
			}
			return
		}
		time.Sleep(blockTime)
		synctest.Wait()
		h.world.mine()
		for len(h.deeds) > 0 && h.deeds[0].block <= blocks {
			d := h.deeds[0]
			h.deeds = h.deeds[1:]
			synctest.Wait() // until what was done before has come to rest
			d.do()
		}
		for _, s := range h.all() {
			synctest.Wait()
			s.live(ctx, blocks)
		}
		if h.world.fault != nil {
			h.lose("%v", h.world.fault)
		}
	}
}

// over reports whether all channels are paid out, and every honest node knows it.
func (h *history) over(blocks uint64) bool {
	for _, s := range h.seats {
		n := s.running()
		if !s.honest {
			continue
		}
		if n == nil || !s.left(n, blocks) {
			return false
		}
	}
	return true
}

// left reports whether the seat's user has nothing more to play, and nothing in any channel.
func (s *seat) left(n *node.Node, blocks uint64) bool {
	list := n.Channels()
	if len(list) == 0 {
		return blocks > s.plan.leave+4*window && !s.opened() // the offer came to nothing
	}
	return !slices.ContainsFunc(list, func(c node.Channel) bool { return c.Status != node.ChannelEnded })
}

// cheating reports whether any seat cheats.
func (h *history) cheating() bool {
	return slices.ContainsFunc(h.seats, func(s *seat) bool { return !s.honest })
}

// opened reports whether any channel of the seat's ever was.
func (s *seat) opened() bool {
	return slices.ContainsFunc(s.world.events(), func(e onchain.Event) bool {
		o, is := e.(onchain.Opened)
		return is && slices.Contains(o.Terms.Players, s.account())
	})
}

// live is what the seat's user does at a block, and what is seen of it then.
func (s *seat) live(ctx context.Context, blocks uint64) {
	n := s.running()
	if n == nil {
		return
	}
	if s.honest {
		s.acceptDraws(n)
	}
	s.scene.use(ctx, s, n, blocks)
	s.look()
	s.watch(n)
	s.promised(n)
	s.learn()
}

// playOn proposes matches, if it is this seat that does, and leaves when all are played or it is
// time.
func (s *seat) playOn(ctx context.Context, n *node.Node, c *node.Channel, blocks uint64, asks bool) {
	running := slices.ContainsFunc(n.Matches(), func(m node.Match) bool { return m.Locked && m.Channel == c.ID })
	switch {
	case blocks > s.plan.leave+2*window:
		s.try("leave", n.Exit(ctx, c.ID))
	case running:
	case asks && s.asked < s.plan.matches && blocks < s.plan.leave:
		s.asked++
		s.try("propose a match", n.Propose(c.ID, node.MatchRequest{Game: s.plan.game, Params: []byte(s.plan.params), Stakes: s.plan.stakes}))
	case asks && s.asked == s.plan.matches || blocks >= s.plan.leave:
		s.try("close", n.CloseChannel(c.ID))
	}
}

// try notes what did not work. Users try again.
func (s *seat) try(what string, err error) {
	if err != nil {
		s.note("seat %d can't %s: %v", s.index, what, err)
	}
}
