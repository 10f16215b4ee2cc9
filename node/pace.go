package node

import (
	"math"
	"slices"

	"github.com/ante-games/ante/chain"
)

const (
	paceBlocks = 64      // how many blocks a pace is of
	paceLeast  = 16      // a part of them with fewer blocks tells too little by itself
	paceFar    = 1 << 20 // blocks further away count as so far away
)

// pace estimates how fast the chain makes blocks now, by the newest that the node has seen.
type pace struct {
	blocks []chain.Block // the newest last: numbers ascend, times don't descend
}

// add notes the newest block. It forgets the blocks that this one contradicts: they have left the
// chain, or never were in it.
func (p *pace) add(b chain.Block) {
	for n := len(p.blocks); n > 0 && (p.blocks[n-1].Number >= b.Number || p.blocks[n-1].Time > b.Time); n = len(p.blocks) {
		p.blocks = p.blocks[:n-1]
	}
	p.blocks = append(p.blocks, b)
	if n := len(p.blocks); n > paceBlocks {
		p.blocks = slices.Clone(p.blocks[n-paceBlocks:])
	}
}

// known reports whether there is anything to estimate by.
func (p *pace) known() bool { return len(p.blocks) > 1 }

// span returns how many seconds so many blocks take, rather too few than too many: 0 if nothing is
// known. It uses the faster half of the blocks, so that a pause of the chain doesn't count.
func (p *pace) span(blocks uint64) uint64 {
	if !p.known() {
		return 0
	}
	oldest, middle, newest := p.blocks[0], p.blocks[len(p.blocks)/2], p.blocks[len(p.blocks)-1]
	least := uint64(math.MaxUint64)
	for _, half := range [][2]chain.Block{{oldest, middle}, {middle, newest}} {
		if half[1].Number-half[0].Number >= paceLeast {
			least = min(least, spanBy(half[0], half[1], blocks))
		}
	}
	if least == math.MaxUint64 {
		return spanBy(oldest, newest, blocks)
	}
	return least
}

// spanBy is span by what two blocks tell. Their times are of whole seconds, so up to one second
// less has passed between them.
func spanBy(from, to chain.Block, blocks uint64) uint64 {
	passed := min(max(to.Time-from.Time, 1)-1, math.MaxUint32)
	return min(blocks, paceFar) * passed / (to.Number - from.Number)
}
