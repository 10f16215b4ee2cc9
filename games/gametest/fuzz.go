package gametest

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Fuzz lets the fuzzer choose parameters, state and move freely, starting from the positions of a few matches. Both
// engines must answer every call alike.
func (s Suite) Fuzz(f *testing.F) {
	p := s.pair(f)
	for i := range 4 {
		m := s.newMatch(f, p, i)
		state, err := m.start(m.c)
		for err == nil {
			seat, _ := m.mover(state)
			if seat == games.Nobody {
				break
			}
			move := m.choose(state, seat)
			f.Add(m.c.Params, state, move)
			state, err = m.pair.play(m.c, state, move)
		}
		f.Add(m.c.Params, state, []byte{})
	}
	least := s.least(f, s.params(f, 0))
	f.Fuzz(func(t *testing.T, params, state, move []byte) {
		if len(state) > games.MaxState || len(move) > games.MaxMove {
			t.Skip("the Arena refuses these before any rules see them")
		}
		m := &match{pair: &pair{t: t, native: p.native, contract: p.contract, ceiling: s.Gas, gas: make(map[string]uint64)}}
		c := &games.Context{Params: params, Stakes: least, Signers: make([]common.Address, len(least)), Facts: &blocks{head: 1 << 20}}
		_, _ = m.start(c)
		m.all(c, state, move)
	})
}
