package nodesim

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// deepest is how many blocks a reorganisation takes back at most: none that a node holds for final.
const deepest = confirmed - 1

// reorganised has blocks taken back some times in which the Arena said something. As many and one
// more come instead.
func reorganised(_ context.Context, s *seat, r *rand.Rand) {
	times, depth := 1+r.IntN(4), 1+r.Uint64N(deepest)
	to := s.world.past()
	for block := 4 + r.Uint64N(soon); block < 4*soon; block += depth {
		s.at(block, func() {
			if times > 0 && s.world.spoke(to) && s.world.rewind(to, r) {
				s.note("%d blocks are taken back", depth)
				for range depth + 1 {
					s.world.mine()
				}
				times--
			}
			to = s.world.past()
		})
	}
}

// spoke reports whether the Arena has said something in the newest blocks, none of which is final.
func (w *world) spoke(since *past) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.said) > since.said && len(w.blocks)-since.blocks <= deepest
}

// past is a chain's whole state at one moment.
type past struct {
	mini         *minichain.Checkpoint
	rewound      int // how often the chain was before
	blocks, said int
	mined        int
	nonces       map[common.Address]uint64
	fees         map[common.Address]*uint256.Int
	receipts     map[common.Hash]*types.Receipt
}

// past keeps where the chain stands, for rewind.
func (w *world) past() *past {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &past{
		mini: w.mini.Checkpoint(), rewound: w.rewound, blocks: len(w.blocks), said: len(w.said), mined: len(w.mined),
		nonces: maps.Clone(w.nonces), fees: map[common.Address]*uint256.Int{}, receipts: maps.Clone(w.receipts),
	}
	for account, paid := range w.fees {
		p.fees[account] = paid.Clone()
	}
	return p
}

// rewind takes the chain back, unless it was since. Transactions that were mined wait again, but
// for those of some accounts, which are lost: whoever sent them has to notice.
func (w *world) rewind(to *past, r *rand.Rand) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if to.rewound != w.rewound {
		return false
	}
	w.rewound++
	w.mini.Rewind(to.mini)
	again := slices.Concat(w.mined[to.mined:], w.pool)
	w.blocks, w.said, w.mined = w.blocks[:to.blocks], w.said[:to.said], w.mined[:to.mined]
	w.nonces, w.fees, w.receipts = to.nonces, to.fees, to.receipts
	w.pool = nil
	lost := map[common.Address]bool{}
	for _, t := range again {
		if _, known := lost[t.from]; !known {
			lost[t.from] = r.IntN(3) == 0
		}
		if !lost[t.from] {
			w.pool = append(w.pool, t)
		}
	}
	w.auditor = audit.New(w)
	for _, e := range w.said {
		if err := w.auditor.Post(e); err != nil {
			w.wrong(err)
		}
	}
	return true
}
