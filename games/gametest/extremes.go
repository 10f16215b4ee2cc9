package gametest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
)

// code checks that the contract's code can see nothing but what it is given: storage, the time, the
// gas that is left or its caller would show a player one thing and the Arena another.
func (s Suite) code(t testing.TB) {
	if p, ok := games.As[games.Chained](s.Game.Player); ok && p.Follows() {
		t.Logf("not looked at: the chain moves in this game")
		return
	}
	code, err := evm.Runtime(s.Game.Contract)
	if err == nil {
		err = foreign.Vet(code)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// extremeTurns is how far a match at an extreme is played.
const extremeTurns = 1000

// extremes plays a match with each parameter at either end of its range, the others being at their
// defaults, and with all of them at the same end.
func (s Suite) extremes(t testing.TB) {
	fields := s.Game.Params.Fields()
	var sets []map[string]string
	least, most := map[string]string{}, map[string]string{}
	for _, f := range fields {
		if f.Most == nil {
			continue
		}
		least[f.Name], most[f.Name] = f.Least.Dec(), f.Most.Dec()
		sets = append(sets, map[string]string{f.Name: least[f.Name]}, map[string]string{f.Name: most[f.Name]})
	}
	if len(sets) == 0 {
		return
	}
	none := 0
	for _, set := range append(sets, least, most) {
		if !s.extreme(t, set) {
			none++
		}
	}
	t.Logf("%d sets of parameters at an end of their ranges; %d can't be played with", len(sets)+2, none)
}

// extreme plays a match with parameters that are set, and reports whether one can.
func (s Suite) extreme(t testing.TB, set map[string]string) bool {
	object := make(map[string]json.RawMessage, len(set))
	for name, value := range set {
		object[name] = json.RawMessage(value)
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	params, err := s.Game.Params.Encode(raw)
	if err != nil {
		return false // a range may depend on other parameters
	}
	s.Params = [][]byte{params}
	p := s.pair(t)
	m := s.newMatch(t, p, 0)
	m.where = fmt.Sprintf("with %v: ", set)
	if _, err := m.start(m.c); err != nil {
		t.Fatalf("no match starts with %v, which Params.Encode takes (stakes %s): %v", set, decimal(m.c.Stakes), err)
	}
	m.enough = extremeTurns
	m.play()
	return true
}
