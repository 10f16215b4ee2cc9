package node_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// chewing is a player side that thinks for as long as a test wants, once it is told to.
type chewing struct {
	games.Player
	slow *atomic.Bool
	done chan struct{} // it answers again
}

func (c chewing) chew() {
	if c.slow.Load() {
		<-c.done
	}
}

func (c chewing) Auto(t games.Table) (*games.Decision, error) { c.chew(); return c.Player.Auto(t) }
func (c chewing) Ask(t games.Table) (string, error)           { c.chew(); return c.Player.Ask(t) }
func (c chewing) View(t games.Table) (games.View, error)      { c.chew(); return c.Player.View(t) }

// TestAttack_SlowGame: while alice's node thinks about mallory's game, it tells so, and bob's old
// ledger in another channel is refuted.
func TestAttack_SlowGame(t *testing.T) {
	t.Parallel()
	maze := toyGame()
	maze.Name = "maze"
	receipt, err := world(t).Chain.Deploy(t.Context(), maze.Contract)
	must(t, err)
	brood := chewing{maze.Player, new(atomic.Bool), make(chan struct{})}
	configure := func(c *node.Config) {
		mine := maze
		c.Games = games.Catalog{toyGame(), mine}
		c.Rules = map[string]common.Address{"toy": world(t).Rules["toy"], "maze": receipt.ContractAddress}
	}
	tb := sit(t, 2, func(seat int, c *node.Config) {
		configure(c)
		if seat == 0 {
			c.Games[1].Player = brood
		}
	})
	alice := tb.players[0]
	hell := &table{ctx: tb.ctx, players: []*player{alice, join(t, configure)}}
	mallory := hell.players[1]
	must(t, dev.Connect(tb.ctx, alice.Node, mallory.Node))
	alice.fund(t)
	mallory.fund(t)
	offer, err := alice.Offer(tb.ctx, node.OpenRequest{Window: 20, Peers: []common.Address{mallory.Account()}, Deposits: []uint256.Int{*ether, *ether}})
	must(t, err)
	for _, p := range hell.players {
		c, err := p.Opened(tb.ctx, offer)
		must(t, err)
		hell.channel = c.ID
	}

	id := hell.match(t, "maze", "")
	hell.play(t, alice, id, "pass 1")
	hell.wait(t, mallory, func() bool { m, err := mallory.Match(id); return err == nil && m.MayMove })
	answer := sync.OnceFunc(func() { close(brood.done) })
	t.Cleanup(answer)
	brood.slow.Store(true)
	must(t, mallory.Play(id, "pass 0"))
	must(t, mallory.Demand(tb.ctx, id))
	late := func() bool {
		return slices.ContainsFunc(alice.Standing(), func(e node.Event) bool {
			return strings.Contains(e.Text, "looking after channel "+hell.channel.Hex())
		})
	}
	tb.wait(t, alice, late)
	tb.refutesStaleLedger(t)
	answer()
	tb.wait(t, alice, func() bool { return !late() })
}
