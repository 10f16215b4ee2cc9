package sim

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// The referee asks for no more than the rules give, and for no less. A match of three: seat 0 moves
// first, and tells the honest seat 1 that seat 1 won. If seat 0 falls silent instead, seat 1 wins
// as well.
func TestRefereeKnowsWhatAMatchIsWorth(t *testing.T) {
	config := Config{Game: toy.Game(), Seats: 3}.complete()
	g, err := newGround(config.Game)
	if err != nil {
		t.Fatal(err)
	}
	h := newHistory(&config, g, 1)
	if err := config.check(g); err != nil {
		t.Fatal(err)
	}
	h.draw()
	s := h.seats[1]
	terms := protocol.MatchTerms{ChannelID: h.id, Rules: h.rules, Seats: []uint8{0, 1, 2}, Params: toy.Params(0),
		Stakes: []uint256.Int{*uint256.NewInt(10), *uint256.NewInt(20), *uint256.NewInt(30)}}
	id := terms.ID(h.domain)
	j, err := protocol.NewJudge(h.domain, &h.terms, &terms, h.game.Rules)
	if err != nil {
		t.Fatal(err)
	}
	start, err := j.Start()
	if err != nil {
		t.Fatal(err)
	}
	ends := func(winner uint8) []byte {
		state, err := j.Play(start, toy.Win(winner), 7, 0)
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	first := place{turn: 0, state: start}
	told := []place{first, {turn: 1, state: ends(1)}}
	equal, higher := protocol.Rank{Agreed: 1, Turn: 2}, protocol.Rank{Agreed: 2, Turn: 2}
	posted := func(by, winner uint8, flagged uint16) *course {
		return &course{began: true, over: true, rank: equal, flagged: flagged, stops: []stop{
			{turn: 0, state: start, mover: 0, by: games.Nobody}, {turn: 1, state: ends(winner), mover: games.Nobody, by: by},
		}}
	}
	for _, tc := range []struct {
		name  string
		claim claim
		chain *course
		want  uint64
	}{
		{"never begun", claim{line: told[:1]}, nil, 20},
		{"begun, and nothing posted", claim{started: true, line: told[:1]}, nil, 60},
		{"told of a win", claim{started: true, line: told}, nil, 60},
		{"begun and lost on the chain alone", claim{line: told[:1]}, posted(0, 2, 0), 0},
		{"begun and won on the chain alone", claim{line: told[:1]}, posted(0, 1, 0), 60},
		{"another end than was told", claim{started: true, line: told}, posted(0, 2, 0), 0},
		{"another end than was told, and who told it is convicted", claim{started: true, line: told}, posted(0, 0, 1), 24},
		{"another end than was told, which the seat should have refuted",
			claim{started: true, line: told, best: map[uint32]protocol.Rank{0: higher}}, posted(0, 2, 0), 60},
		{"another end, by a move of the seat's own that it never made", claim{started: true, line: told}, posted(1, 2, 0), 60},
		{"less by the seat's own word", claim{started: true, line: told, draw: terms.Stakes}, nil, 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := tc.claim
			c.terms, c.seat = terms, 1
			if c.best == nil {
				c.best = map[uint32]protocol.Rank{0: equal}
			}
			got, err := s.worth(id, &c, tc.chain)
			if err != nil || !got.IsUint64() || got.Uint64() != tc.want {
				t.Errorf("worth %s (%v), want %d", got.Dec(), err, tc.want)
			}
		})
	}
}
