package node_test

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
)

// secondTurn has alice and bob play a match until alice is on move again.
func secondTurn(t *testing.T) (tb *table, id common.Hash) {
	t.Helper()
	tb = sit(t, 2, nil)
	id = tb.match(t, "toy", "")
	tb.play(t, tb.players[0], id, "pass 1")
	tb.play(t, tb.players[1], id, "pass 0")
	return tb, id
}

// TestAskedAgainByTheClock: a turn that the user was told of is told once more when its clock runs
// on-chain, restarts or not.
func TestAskedAgainByTheClock(t *testing.T) {
	t.Parallel()
	tb, id := secondTurn(t)
	alice, bob := tb.players[0], tb.players[1]
	told := func() (list []string) {
		past, err := alice.Past(0)
		must(t, err)
		for _, e := range past {
			if e.Kind == node.YourTurn && e.Turn == 2 {
				list = append(list, e.Text)
			}
		}
		return list
	}
	tb.wait(t, alice, func() bool { return len(told()) == 1 })
	must(t, bob.Demand(tb.ctx, id))
	tb.wait(t, alice, func() bool { return len(told()) == 2 })
	if list := told(); !strings.HasPrefix(list[1], "your clock runs on-chain: ") || strings.HasPrefix(list[0], "your clock") {
		t.Errorf("told %q", list)
	}
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, bob, func() bool { m, err := bob.Match(id); return err == nil && m.Turn == 3 })
	if list := told(); len(list) != 2 {
		t.Errorf("told %q", list)
	}
}

// The user is told once of each turn that a person has to take, restarts or not.
func TestAskedOnce(t *testing.T) {
	t.Parallel()
	tb, id := secondTurn(t)
	alice, bob := tb.players[0], tb.players[1]
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove })
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	asked, moved := map[uint64]int{}, 0
	for e, err := range alice.Events(tb.ctx, 0) {
		must(t, err)
		switch {
		case e.Kind == node.YourTurn && e.Match == id:
			if asked[e.Turn]++; len(asked) == 2 && asked[e.Turn] == 1 {
				tb.play(t, alice, id, "pass 1")
			}
		case e.Kind == node.MatchMoved:
			moved++
		}
		if moved == 3 {
			break
		}
	}
	for turn, n := range asked {
		if n != 1 || len(asked) != 2 {
			t.Errorf("told %d times of turn %d, of %d turns", n, turn, len(asked))
		}
	}
}
