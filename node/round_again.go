package node

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// followRound opens the round that follows one by itself, if one does, once the one closes, under
// the same terms and for as many blocks, and announces it to the players of the one.
func (n *rounds) followRound(id common.Hash) error {
	r, next, err := n.follow(id)
	if err != nil || next == nil {
		return err
	}
	for _, e := range r.Entries {
		n.notify(next, "", e.Player)
	}
	return nil
}

// follow makes the round that follows durable together with the end of the one, so that a crash
// neither loses nor doubles it. Of a round that nobody entered nothing is left then.
func (n *rounds) follow(id common.Hash) (r Round, next *Round, err error) {
	n.records.Lock()
	defer n.records.Unlock()
	if r, err = n.Round(id); err != nil || r.Again == 0 || n.block() < r.Terms.Closes {
		return r, nil, err
	}
	next = &Round{Game: r.Game, rules: r.rules, Terms: r.Terms, Named: r.Named, Again: r.Again - 1, Span: r.Span}
	next.Terms.Closes = n.block() + r.Span
	if !r.Terms.Table() {
		next.Terms.Shuffle = next.Terms.Closes + r.Terms.Shuffle - r.Terms.Closes
	}
	if err := n.signRound(next); err != nil {
		return r, nil, err
	}
	r.Again = 0
	changes := map[string][]byte{}
	if len(r.Entries) > 0 {
		err = n.records.put(changes, id, &r)
	} else {
		changes[n.records.key(id)] = nil
	}
	if err = errors.Join(err, n.records.put(changes, next.ID, next), n.forgetOwn(changes)); err != nil {
		return r, nil, err
	}
	return r, next, n.commit(changes, opened(next))
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
