package node

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// following returns the round that follows one when that is sealed: under the same terms, and open
// for as many blocks.
func (n *rounds) following(r *Round) (*Round, error) {
	next := &Round{Game: r.Game, rules: r.rules, Terms: r.Terms, Named: r.Named, Again: r.Again - 1, Span: r.Span}
	next.Terms.Closes = n.block() + r.Span
	if !r.Terms.Table() {
		next.Terms.Shuffle = next.Terms.Closes + r.Terms.Shuffle - r.Terms.Closes
	}
	return next, n.signRound(next)
}

// StopRound lets no further round follow one of this house's. The round itself goes on: its players
// have registered for it. It fails with ErrDeclined when none would follow.
func (n *rounds) StopRound(id common.Hash) error {
	return n.editRound(id, func(r *Round) ([]Event, error) {
		if r.Again == 0 {
			return nil, fmt.Errorf("%w: no other follows %s by itself", ErrDeclined, id)
		}
		r.Again = 0
		return roundNews(r, "the last: no other follows by itself"), nil
	})
}
