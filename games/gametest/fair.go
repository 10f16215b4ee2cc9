package gametest

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
)

// fair checks Game.Fair at stakes that matches can start with: it says something for each seat,
// asks no more of the seat itself than it stakes, and no less of anybody when that seat stakes
// more.
func (s Suite) fair(t testing.TB) {
	if s.Game.Fair == nil {
		return
	}
	p := s.pair(t)
	for i := range 100 {
		m := s.newMatch(t, p, i)
		for seat := range m.c.Stakes {
			problem, err := unfair(&s.Game, m.c, seat)
			if err != nil || problem != "" {
				t.Fatalf("match %d, stakes %s: what is fair to seat %d: %s (%v)", i, decimal(m.c.Stakes), seat, problem, err)
			}
		}
	}
}

func unfair(g *games.Game, c *games.Context, seat int) (string, error) {
	want, err := g.Fair(c.Params, c.Stakes, uint8(seat)) //nolint:gosec // at most games.MaxSeats
	switch {
	case err != nil:
		return "", err
	case len(want) != len(c.Stakes):
		return "not one amount for each seat", nil
	case c.Stakes[seat].Lt(&want[seat]):
		return "more of itself than it stakes", nil
	}
	less := slices.Clone(c.Stakes)
	less[seat].Rsh(&less[seat], 1)
	before, err := g.Fair(c.Params, less, uint8(seat)) //nolint:gosec // at most games.MaxSeats
	if err != nil {
		return "", err
	}
	for i := range before {
		if want[i].Lt(&before[i]) {
			return "less of another seat when it stakes more", nil
		}
	}
	return "", nil
}
