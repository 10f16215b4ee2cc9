package box9

import (
	"bytes"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Checked is a round of a match whose draw was checked.
type Checked struct {
	Round uint32 // from 1
	Block uint64
	Hash  common.Hash // zero where the round is void
	Price uint32      // of a box in coins
	Says  string      // how it was drawn, in words
}

// CheckRound checks that two positions which follow each other are those before and after a draw by
// the block's hash, for which it asks, of the bets that were closed or noted. It returns nil if the
// first awaits no draw, and ErrNotYet while what was noted is unknown. It does not look at
// signatures.
func CheckRound(c *games.Context, before, after []byte, hashOf func(block uint64) (common.Hash, error)) (*Checked, error) {
	p, err := rules{}.DecodeParams(c.Params)
	if err != nil {
		return nil, err
	}
	s, err := rules{}.DecodeState(before)
	if err != nil {
		return nil, err
	}
	then := func(n State) State { return n.next(p) }
	switch {
	case s.Phase == Betting && len(after) > 0 && Phase(after[0]) == Over: // the house's time ran out
		then = func(n State) State { return n.end(Silent) }
	case s.Phase != Drawing:
		return nil, nil
	}
	leadsTo := func(r Reveal) bool {
		return bytes.Equal(rules{}.EncodeState(then(s.draw(p, r.Hash, r.Counts, r.Bets))), after)
	}
	out := &Checked{Round: uint32(s.Round) + 1, Block: s.Block, Price: p.Coins}
	if leadsTo(Reveal{Counts: Void}) {
		if s.Phase == Betting {
			return nil, nil
		}
		out.Says = "the round is void, bets went back"
		if s.Bets == (Masks{}) {
			out.Says = "no bets were closed"
		}
		return out, nil
	}
	if out.Hash, err = hashOf(s.Block); err != nil {
		return nil, err
	}
	draws := []Reveal{{Whole, out.Hash, s.Bets}, {Counted, out.Hash, s.Bets}}
	d, known := s.fate(c)
	if known && d.noted != (Masks{}) {
		_, bets := s.shown(c, p, d)
		draws = append(draws, Reveal{Counted, out.Hash, bets})
	}
	for _, r := range draws {
		if leadsTo(r) {
			out.Says = describeDraw(p, s, r)
			return out, nil
		}
	}
	if !known {
		return nil, fmt.Errorf("%w: what was noted of round %d is not known", games.ErrNotYet, out.Round)
	}
	return nil, fmt.Errorf("%w: block %d, whose hash is %s, does not draw round %d so", games.ErrIllegal, s.Block, out.Hash, out.Round)
}
