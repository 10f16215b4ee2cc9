package gametest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// probe puts garbage in the place of the move, the state and the parameters. The engines may refuse
// it or not, but alike.
func (m *match) probe(state, move []byte) {
	if m.r.IntN(2) == 0 {
		m.playBoth(m.c, state, m.spoil(move))
	}
	if m.r.IntN(2) == 0 {
		m.all(m.c, m.spoil(state), move)
	}
	if m.r.IntN(8) == 0 {
		c := *m.c
		c.Params = m.spoil(c.Params)
		m.all(&c, state, move)
		c.Params = m.suite.params(m.t, m.r.IntN(1+len(m.suite.Params)))
		m.all(&c, state, move)
	}
	if m.r.IntN(8) == 0 {
		c := *m.c
		c.MatchID = m.hash()
		m.playBoth(&c, state, move)
	}
	if m.r.IntN(8) == 0 {
		seats := len(m.c.Stakes)
		_, _ = m.outcome(state, slices.Concat(m.c.Stakes, m.c.Stakes)[:m.r.IntN(seats+2)])
	}
}

// all makes every call there is; only their agreement matters.
func (m *match) all(c *games.Context, state, move []byte) {
	_, _ = m.mover(state)
	m.playBoth(c, state, move)
	_, _ = m.expire(c, state)
	_, _ = m.outcome(state, c.Stakes)
}

func (m *match) playBoth(c *games.Context, state, move []byte) { _, _ = m.pair.play(c, state, move) }

// spoil returns bytes that are nearly, or not at all, what is given.
func (m *match) spoil(b []byte) []byte {
	b = bytes.Clone(b)
	switch m.r.IntN(8) {
	case 0:
		return nil
	case 1:
		return m.bytes(m.r.IntN(100))
	case 2:
		return append(b, m.bytes(1+m.r.IntN(8))...)
	case 3:
		return b[:m.r.IntN(len(b)+1)]
	}
	if len(b) == 0 {
		return m.bytes(1)
	}
	// Most fields that decide anything stand in the first bytes or the last.
	i := m.r.IntN(len(b))
	switch m.r.IntN(3) {
	case 0:
		i = m.r.IntN(min(len(b), 8))
	case 1:
		i = len(b) - 1 - m.r.IntN(min(len(b), 3))
	}
	switch m.r.IntN(3) {
	case 0:
		b[i] ^= 1 << m.r.IntN(8)
	case 1:
		b[i] = byte(m.r.IntN(10))
	default:
		b[i] = byte(m.r.Uint32())
	}
	return b
}

// starts tries parameters, numbers of seats and stakes that no match can have. What starts all the
// same must come to an end that is paid.
func (s Suite) starts(t testing.TB) {
	p := s.pair(t)
	m := s.newMatch(t, p, 0)
	var most uint256.Int
	most.SetAllOne()
	for range 1000 {
		c := *m.c
		seats := m.r.IntN(games.MaxSeats + 2)
		c.Stakes, c.Signers = make([]uint256.Int, seats), make([]common.Address, seats)
		for i := range c.Stakes {
			c.Stakes[i] = m.stake()
			if m.r.IntN(4) == 0 {
				c.Stakes[i] = most
			}
		}
		if state, err := p.start(&c); err == nil {
			one := *m
			one.c = &c
			one.runOut(state)
		}
		c = *m.c
		c.Params = m.spoil(c.Params)
		_, _ = p.start(&c)
	}
	if p.refused == 0 || p.transitions == 0 {
		t.Fatalf("%d starts accepted and %d refused: there must be both", p.transitions, p.refused)
	}
}
