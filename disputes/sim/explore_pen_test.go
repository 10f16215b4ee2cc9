package sim

import (
	"maps"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// pens are the session keys of an exploration. What one key signs is signed once, in whatever
// schedule.
type pens struct {
	memo  map[int]map[common.Hash]protocol.Signature
	spots map[common.Hash]spot // of digests that are of positions
	ends  map[*protocol.Support]*protocol.Replayed
}

func newPens() pens {
	return pens{memo: map[int]map[common.Hash]protocol.Signature{}, spots: map[common.Hash]spot{}, ends: map[*protocol.Support]*protocol.Replayed{}}
}

func (p pens) of(seat int) *pen {
	p.memo[seat] = map[common.Hash]protocol.Signature{}
	return &pen{Key: keys[1][seat], memo: p.memo[seat], signed: map[common.Hash]bool{}}
}

// pen is a session key that takes down what it signed in the schedule at hand.
type pen struct {
	*protocol.Key
	memo   map[common.Hash]protocol.Signature
	signed map[common.Hash]bool
	sum    common.Hash // over signed
}

func (p *pen) clone() *pen {
	c := *p
	c.signed = maps.Clone(p.signed)
	return &c
}

func (p *pen) Sign(digest common.Hash) (protocol.Signature, error) {
	if !p.signed[digest] {
		p.signed[digest] = true
		for i := range digest {
			p.sum[i] ^= digest[i]
		}
	}
	sig, known := p.memo[digest]
	if known {
		return sig, nil
	}
	sig, err := p.Key.Sign(digest)
	if err == nil {
		p.memo[digest] = sig
	}
	return sig, err
}

// signedOnce checks that every honest seat signed one position a turn, whoever saw that.
func (n *node) signedOnce() {
	for _, s := range n.seats {
		if !s.honest {
			continue
		}
		at := map[spot]bool{}
		for digest := range s.cfg.Signer.(*pen).signed {
			where := n.pens.find(n.history, digest)
			if where == (spot{}) {
				continue
			}
			if at[where] {
				n.lose("honest seat %d signed two positions of turn %s of match %s", s.index, where.turn, where.match)
			}
			at[where] = true
		}
	}
}

// signed reports whether a key signed a position of a turn.
func (p pens) signed(h *history, key *pen, at spot) bool {
	for digest := range key.signed {
		if p.find(h, digest) == at {
			return true
		}
	}
	return false
}

// find returns where a digest is a position's, and nowhere if it is not.
func (p pens) find(h *history, digest common.Hash) spot {
	if where, known := p.spots[digest]; known {
		return where
	}
	for at, list := range h.positions {
		for _, state := range list {
			p.spots[protocol.Position{MatchID: at.match, Turn: at.turn, State: state}.Digest(h.domain)] = at
		}
	}
	if _, known := p.spots[digest]; !known {
		p.spots[digest] = spot{}
	}
	return p.spots[digest]
}
