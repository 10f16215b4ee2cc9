package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_Withhold_RulesAway: bob's node runs without a game's rules for a while. Meanwhile
// alice moves, tells only the chain, and starts bob's clock. With the rules again bob answers.
func TestAttack_Withhold_RulesAway(t *testing.T) {
	t.Parallel()
	shut := new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			hasty(c, shut.Load)
			silence(c, shut)
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	all, rules := bob.config.Games, bob.config.Rules
	bob.config.Games = games.Catalog{mastermind.Game()}
	bob.config.Rules = map[string]common.Address{"mastermind": rules["mastermind"]}
	bob.restart(t)
	shut.Store(true)
	tb.play(t, alice, id, "pass 1")
	tb.pass(t, func() bool {
		m, err := alice.Match(id)
		must(t, err)
		return m.Record != nil && m.Record.Deadline != 0
	})
	bob.config.Games, bob.config.Rules = all, rules
	bob.restart(t)
	tb.play(t, bob, id, "win 1")
	tb.wait(t, alice, func() bool {
		m, err := alice.Match(id)
		must(t, err)
		return m.Outcome != nil && m.Outcome.Payouts[1].Eq(new(uint256.Int).Lsh(stake, 1))
	})
}
