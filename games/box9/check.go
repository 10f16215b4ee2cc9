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

// CheckRound returns an error if two positions of a match that follow each other are not those
// before and after a draw by its block's hash, of which it asks; nil if the first awaits no draw. A
// round that is void asks for none. Whether a round counts is proved by signatures, which are not
// looked at here.
func CheckRound(params, before, after []byte, hashOf func(block uint64) (common.Hash, error)) (*Checked, error) {
	p, err := rules{}.DecodeParams(params)
	if err != nil {
		return nil, err
	}
	s, err := rules{}.DecodeState(before)
	if err != nil || s.Phase != Drawing {
		return nil, err
	}
	c := &Checked{Round: uint32(s.Round) + 1, Block: s.Block, Price: p.Coins}
	leadsTo := func(hash common.Hash, counts Counts) bool {
		n := s.draw(p, hash, counts)
		return bytes.Equal(rules{}.EncodeState(n), after)
	}
	if leadsTo(common.Hash{}, Void) {
		c.Says = "the round is void, bets went back"
		return c, nil
	}
	if c.Hash, err = hashOf(s.Block); err != nil {
		return nil, err
	}
	for _, counts := range []Counts{Whole, Counted} {
		if leadsTo(c.Hash, counts) {
			c.Says = describeDraw(p, s, Reveal{counts, c.Hash})
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: block %d, whose hash is %s, does not draw round %d so", games.ErrIllegal, s.Block, c.Hash, c.Round)
}
