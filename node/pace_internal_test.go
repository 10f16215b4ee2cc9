package node

import (
	"math"
	"testing"

	"github.com/ante-games/ante/chain"
)

// run adds the blocks from one number to another, so many in each span of so many seconds, and
// returns the time of the last.
func (p *pace) run(from, to, at, blocks, seconds uint64) (ended uint64) {
	for n := from; n <= to; n++ {
		ended = at + (n-from)*seconds/blocks
		p.add(chain.Block{Number: n, Time: ended})
	}
	return ended
}

// TestAttack_LateDeadline: the seconds until a block are never more than they turn out to be, on
// chains with several blocks in a second, after a pause of the chain, and after blocks that have
// left it or are a lie.
func TestAttack_LateDeadline(t *testing.T) {
	const at = 1_700_000_000
	for name, c := range map[string]struct {
		make        func(p *pace)
		ahead       uint64
		least, most uint64
	}{
		"four blocks a second": {func(p *pace) { p.run(1000, 1200, at, 4, 1) }, 40, 8, 10},
		"a block in 12 s":      {func(p *pace) { p.run(1000, 1200, at, 1, 12) }, 40, 470, 480},
		"after a pause": {func(p *pace) {
			p.run(1021, 1200, p.run(1000, 1020, at, 1, 1)+36_000, 1, 1)
		}, 40, 38, 40},
		"a fast half, just long enough": {func(p *pace) {
			p.run(1017, 1032, p.run(1000, 1016, at, 1, 1)+12, 1, 12)
		}, 40, 36, 40},
		"just after a pause": {func(p *pace) {
			p.run(1201, 1202, p.run(1000, 1200, at, 1, 1)+36_000, 1, 1)
		}, 40, 38, 40},
		"after another branch": {func(p *pace) {
			p.run(1000, 1200, at, 1, 1)
			p.run(1190, 1220, at+190, 1, 1)
		}, 40, 38, 40},
		"after a lie of the future": {func(p *pace) {
			p.run(1000, 1200, at, 1, 1)
			p.add(chain.Block{Number: 1201, Time: math.MaxUint64})
			p.run(1201, 1220, at+201, 1, 1)
		}, 40, 38, 40},
		"after a lie of the past": {func(p *pace) {
			p.run(1000, 1200, at, 1, 1)
			p.add(chain.Block{Number: 1201, Time: 1})
		}, 40, 0, 0},
		"one block":             {func(p *pace) { p.add(chain.Block{Number: 1000, Time: at}) }, 40, 0, 0},
		"no block":              {func(*pace) {}, 40, 0, 0},
		"two in the one second": {func(p *pace) { p.run(1000, 1001, at, 2, 1) }, 40, 0, 0},
		"far away":              {func(p *pace) { p.run(1000, 1200, at, 1, 1) }, math.MaxUint64, 1 << 19, 1 << 20},
		"a slow lie": {func(p *pace) {
			p.add(chain.Block{Number: 1000, Time: 1})
			p.add(chain.Block{Number: 1001, Time: math.MaxUint64})
		}, math.MaxUint64, 0, 1 << 52},
	} {
		t.Run(name, func(t *testing.T) {
			var p pace
			c.make(&p)
			if got := p.span(c.ahead); got < c.least || got > c.most {
				t.Errorf("%d blocks take %d s, want %d to %d", c.ahead, got, c.least, c.most)
			}
		})
	}
}

// TestClockInBlocks: what the clock shows in a block is told by the pace of the chain, before the
// newest block as after it, and so is how long it takes until one is final.
func TestClockInBlocks(t *testing.T) {
	t.Parallel()
	const at = 1_700_000_000
	n := newLab(t).node(nil)
	n.drive.Arena = new(chain.Arena) // whose clock counts seconds
	n.pace.run(1000, 1200, at, 1, 12)
	n.head = head{block: chain.Block{Number: 1200}, clock: at + 200*12}
	for block, want := range map[uint64]uint64{1200: n.head.clock, 1190: n.head.clock - 118, 1210: n.head.clock + 118} {
		if got := n.clockIn(block); got+12 < want || got > want+12 {
			t.Errorf("in block %d it shows %d, want about %d", block, got, want)
		}
	}
	n.config.Policy.Confirmations = 32
	if got := n.finality(); got < 30*12 || got > 31*12 {
		t.Errorf("a block is final after %d s, want %d", got, 31*12)
	}
}

// TestLearnsPace: an older block than the newest is asked for where there is one, and none is
// known.
func TestLearnsPace(t *testing.T) {
	t.Parallel()
	chained := Join(t, nil)
	for newest, want := range map[uint64]int{1: 0, 2: 2, 3: 2} {
		n := newLab(t).node(nil)
		n.drive.Arena, n.drive.Client = new(chain.Arena), chained.drive.Client
		if err := n.learnPace(t.Context(), chain.Block{Number: newest, Time: math.MaxUint64}); err != nil || len(n.pace.blocks) != want {
			t.Errorf("at block %d: %v, %v", newest, n.pace.blocks, err)
		}
	}
}
