package gametest

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// Fuzz lets the fuzzer choose parameters, state and move freely, starting from the positions of a
// few matches. Both engines must answer every call alike.
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

// seatAt is a seat on move in a position of a match.
type seatAt struct {
	table   games.Table
	secrets []byte
}

// FuzzText lets the fuzzer type moves, in positions of a few matches in which a person chooses.
// Each text must be a legal move, or refused as Choose says.
func (s Suite) FuzzText(f *testing.F) {
	p := s.pair(f)
	var seats []seatAt
	for i := range 4 {
		m := s.newMatch(f, p, i)
		state, err := m.start(m.c)
		for err == nil {
			seat, _ := m.mover(state)
			if seat == games.Nobody {
				break
			}
			if seat != games.Chance {
				table, c, chain := m.table(state, seat), *m.c, *m.chain
				c.Facts, table.Context = &chain, &c
				if ask, _ := s.Game.Player.Ask(table); ask != "" {
					for _, word := range append(strings.Fields(ask), ask) {
						f.Add(uint16(len(seats)), strings.Trim(word, `"',.:()`))
					}
				}
				seats = append(seats, seatAt{table, m.secrets[seat].Expose()})
			}
			state, err = m.pair.play(m.c, state, m.choose(state, seat))
		}
	}
	f.Add(uint16(0), "1 2 3")
	f.Fuzz(func(t *testing.T, at uint16, text string) {
		x := seats[int(at)%len(seats)]
		x.table.Secrets, x.table.Random = commit.Load(x.secrets), rand.NewChaCha8([32]byte{1})
		d, err := s.Game.Player.Choose(x.table, text)
		switch {
		case err == nil && d == nil:
			t.Fatalf("%q is no move and no error", text)
		case err == nil:
			if _, err := p.native.Play(x.table.Context, x.table.State, d.Move); err != nil {
				t.Fatalf("%q is move 0x%x, which is illegal in 0x%x: %v", text, d.Move, x.table.State, err)
			}
		case !errors.Is(err, games.ErrText) && !errors.Is(err, games.ErrIllegal) && !errors.Is(err, games.ErrNotYourTurn):
			t.Fatalf("%q in 0x%x: %v", text, x.table.State, err)
		}
	})
}
