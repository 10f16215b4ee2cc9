package node_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// idler is a house that keeps its table up to a phase, in which it does nothing any more.
type idler struct {
	games.Player
	phase box9.Phase
}

func (h idler) Unwrap() games.Player { return h.Player }

func (h idler) Auto(t games.Table) (*games.Decision, error) {
	if s, err := box9.Codec().DecodeState(t.State); err != nil || s.Phase == h.phase {
		return nil, err
	}
	return h.Player.Auto(t)
}

// careless is a player side that never has bets noted.
type careless struct {
	games.Player
	games.Chained
}

func (p careless) Unwrap() games.Player { return p.Player }

func (careless) Upkeep(games.Table) (*games.Call, error) { return nil, nil }

// plays has a node play Box 9 by such a player side.
func plays(c *node.Config, side func(games.Player) games.Player) {
	g := box9.Game()
	g.Player = side(g.Player)
	c.Games = games.Catalog{g}
	c.Rules = map[string]common.Address{g.Name: c.Rules[g.Name]}
}

// withholds has a node give nobody a signature of a position that it didn't move to, neither at
// once nor when it compares how far both are.
func withholds(c *node.Config, on *atomic.Bool) {
	nodetest.Lose(c, func(env *antev1.Envelope) bool {
		return on.Load() && (env.GetCountersign() != nil || env.GetSyncReply() != nil)
	})
}

// leaves closes a player's node for good. Time passes for the others, and they lose patience.
func (tb *boxTable) leaves(t *testing.T, seat int) {
	t.Helper()
	must(t, tb.players[seat].Close())
	tb.hurry.Store(true)
	var nodes []*node.Node
	for i, p := range tb.players {
		if i != seat {
			nodes = append(nodes, p.Node)
		}
	}
	t.Cleanup(world(t).PassTime(tb.ctx, nodes...))
}

// pays waits until a player's match is paid, and checks what it pays and why it ended so.
func (tb *boxTable) pays(t *testing.T, seat int, reason string, payouts func() []uint256.Int) {
	t.Helper()
	r, err := tb.players[seat].Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	want := payouts()
	if r.Reason != reason || r.Guilty != 0 || !slices.Equal(r.Payouts, want) {
		t.Errorf("it pays %v for %q, guilty %b; want %v for %q", r.Payouts, r.Reason, r.Guilty, want, reason)
	}
}

// stakes is what each player staked.
func (tb *boxTable) stakes() []uint256.Int {
	return slices.Repeat([]uint256.Int{*stake}, len(tb.players))
}

// fate is what is known of the block of a round: its hash, and the bets that were noted before it.
type fate struct{ hash, noted common.Hash }

func (fate) Head() uint64                                    { return 0 }
func (fate) Sure() uint64                                    { return 0 }
func (f fate) BlockHash(uint64) (common.Hash, bool)          { return f.hash, true }
func (f fate) Noted(common.Hash, uint64) (common.Hash, bool) { return f.noted, true }

// after is what a round that counts pays, from its closed bets on, if it is the last one.
func (tb *boxTable) after(t *testing.T, closed box9.State, counts box9.Counts) func() []uint256.Int {
	return func() []uint256.Int { return tb.draw(t, closed, counts) }
}

func (tb *boxTable) draw(t *testing.T, closed box9.State, counts box9.Counts) []uint256.Int {
	t.Helper()
	client := world(t).Chain.Client()
	defer client.Close()
	header, err := client.HeaderByNumber(tb.ctx, new(big.Int).SetUint64(closed.Block))
	must(t, err)
	f := fate{hash: header.Hash()}
	c := &games.Context{Stakes: tb.stakes(), Signed: 1<<len(tb.players) - 1}
	if state := box9.Codec().EncodeState(closed); counts == box9.Counted {
		f.noted = common.Hash(state[len(state)-len(f.noted):])
	}
	c.Facts = f
	p := box9.Params{Rounds: closed.Round + 1, Margin: 6, Coins: 10, Coin: 1e13}
	s, err := box9.Codec().Play(c, p, closed, box9.Reveal{Counts: counts, Hash: header.Hash(), Bets: closed.Bets})
	must(t, err)
	o, err := box9.Codec().Outcome(s, c.Stakes)
	must(t, err)
	return o.Payouts
}

// TestChecklist_Box9_18_HouseSilent: what was only bet goes back, what has been closed is drawn,
// and the match is over.
func TestChecklist_Box9_18_HouseSilent(t *testing.T) {
	t.Parallel()
	for name, phase := range map[string]box9.Phase{"naming": box9.Naming, "betting": box9.Betting, "closed": box9.Over} {
		t.Run(name, func(t *testing.T) {
			players := 1
			if phase == box9.Over {
				players = 2
			}
			tb := sitBox9(t, players, `{"rounds": 2}`, func(seat int, c *node.Config) {
				if seat == box9.House {
					plays(c, func(p games.Player) games.Player { return idler{p, phase} })
				}
			})
			if phase != box9.Naming {
				tb.reaches(t, 0, box9.Betting)
				tb.agree(t)
				for _, p := range tb.players[1:] {
					must(t, p.Play(tb.match, "1 2 3"))
				}
			}
			if phase != box9.Over {
				tb.leaves(t, box9.House)
				tb.pays(t, 1, "silence", tb.stakes)
				return
			}
			tb.reaches(t, 0, box9.Drawing)
			tb.agree(t)
			closed := tb.state(t, 1)
			tb.leaves(t, box9.House)
			tb.pays(t, 2, "silence", tb.after(t, closed, box9.Whole))
		})
	}
}

// TestAttack_FreeRoll: who is gone once the bets are closed, lest it pay what it lost, holds
// nothing back.
func TestAttack_FreeRoll(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]int{"the house": box9.House, "the player": 1} {
		t.Run(name, func(t *testing.T) {
			tb := sitBox9(t, 1, `{"rounds": 1}`, nil)
			tb.reaches(t, 0, box9.Betting)
			tb.agree(t)
			must(t, tb.players[1].Play(tb.match, "1 2 3 4"))
			tb.reaches(t, 0, box9.Drawing)
			tb.agree(t)
			closed := tb.state(t, 1)
			tb.leaves(t, gone)
			tb.pays(t, 1-gone, "", tb.after(t, closed, box9.Whole))
		})
	}
}

// unsigned is a table with one round, at which the player in seat 1 has bet and is gone without
// having signed the bets as the house closed them.
func unsigned(t *testing.T, players int, side func(seat int, p games.Player) games.Player) (tb *boxTable, closed box9.State) {
	t.Helper()
	return unsignedBy(t, players, side, func(int, *node.Config) {}, func() {})
}

// unsignedBy is unsigned; change adapts each seat's configuration, and closing runs before the
// house closes the bets.
func unsignedBy(
	t *testing.T, players int, side func(int, games.Player) games.Player, change func(int, *node.Config), closing func(),
) (tb *boxTable, closed box9.State) {
	t.Helper()
	lost := new(atomic.Bool)
	tb = sitBox9(t, players, `{"rounds": 1}`, func(seat int, c *node.Config) {
		change(seat, c)
		plays(c, func(p games.Player) games.Player { return side(seat, p) })
		if seat == 1 {
			withholds(c, lost)
		}
	})
	tb.reaches(t, 0, box9.Betting)
	tb.agree(t)
	closing()
	lost.Store(true)
	for _, p := range tb.players[1:] {
		must(t, p.Play(tb.match, "1 5 9"))
	}
	tb.reaches(t, 0, box9.Drawing)
	closed = tb.state(t, box9.House)
	tb.leaves(t, 1)
	return tb, closed
}

// TestAttack_LateBet_Noted: a player bets and won't sign the bets as they are closed, to see first
// what is drawn. The house has them noted before, and they count.
func TestAttack_LateBet_Noted(t *testing.T) {
	t.Parallel()
	tb, closed := unsigned(t, 2, func(_ int, p games.Player) games.Player { return p })
	tb.pays(t, box9.House, "", tb.after(t, closed, box9.Counted))
}

// TestNotedRoundGoesOn: a player's signature of the closed bets doesn't come in time. The house has
// them noted, once, and nothing else happens on-chain.
func TestNotedRoundGoesOn(t *testing.T) {
	t.Parallel()
	lost := new(atomic.Bool)
	tb := sitBox9(t, 1, `{"rounds": 2}`, func(seat int, c *node.Config) {
		if seat == 1 {
			withholds(c, lost)
		}
	})
	tb.reaches(t, 0, box9.Betting)
	tb.agree(t)
	lost.Store(true)
	must(t, tb.players[1].Play(tb.match, "1 5 9"))
	tb.reaches(t, 0, box9.Drawing)
	closed := tb.state(t, box9.House)
	tb.mineTo(t, closed.Block)
	lost.Store(false)
	t.Cleanup(world(t).PassTime(tb.ctx, tb.players[0].Node, tb.players[1].Node))
	tb.reaches(t, 1, box9.Betting)
	tb.saidOnce(t)
	if s := tb.state(t, 1); s.Pocket[1].Eq(stake) {
		t.Errorf("the round didn't count: %v", s)
	}
}

// saidOnce fails unless the chain says of the channel only that it is open, and of the match only
// that bets are noted.
func (tb *boxTable) saidOnce(t *testing.T) {
	t.Helper()
	client := world(t).Chain.Client()
	defer client.Close()
	for at, want := range map[common.Address]common.Hash{world(t).Arena: tb.channel, world(t).Rules[box9.GameName]: tb.match} {
		logs, err := client.FilterLogs(tb.ctx, ethereum.FilterQuery{Addresses: []common.Address{at}, Topics: [][]common.Hash{nil, {want}}})
		must(t, err)
		if len(logs) != 1 {
			t.Errorf("%v says %d things, want one: that the channel is open, or that the bets are noted", at, len(logs))
		}
	}
}

// TestNotedRoundGoesOn_LateSignature: at a table of three a player hears of the closed bets when it
// may no longer sign them. The house has them noted. Once that is sure the player signs them, and
// play goes on off-chain.
func TestNotedRoundGoesOn_LateSignature(t *testing.T) {
	t.Parallel()
	const late = 1
	deaf := new(atomic.Bool)
	tb := sitBox9(t, 2, `{"rounds": 2}`, func(seat int, c *node.Config) {
		if seat == late {
			join := c.Network
			c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) { return join(d, muffled{h, deaf}) }
		}
	})
	tb.reaches(t, 0, box9.Betting)
	tb.agree(t)
	deaf.Store(true)
	for _, p := range tb.players[1:] {
		must(t, p.Play(tb.match, "1 5 9"))
	}
	tb.reaches(t, 0, box9.Drawing, box9.House, 2)
	closed := tb.state(t, box9.House)
	tb.mineTo(t, closed.Block-1)
	deaf.Store(false)
	tb.reaches(t, 0, box9.Drawing, late)
	if m, err := tb.players[late].Match(tb.match); err != nil || m.Agreed {
		t.Errorf("the player has signed a block before the draw, %v", err)
	}
	t.Cleanup(world(t).PassTime(tb.ctx, tb.players[0].Node, tb.players[1].Node, tb.players[2].Node))
	tb.reaches(t, 1, box9.Betting)
	tb.saidOnce(t)
}

// muffled is a player that hears nothing while it is deaf.
type muffled struct {
	transport.Handler
	deaf *atomic.Bool
}

func (m muffled) Receive(from common.Address, env *antev1.Envelope) {
	if !m.deaf.Load() {
		m.Handler.Receive(from, env)
	}
}

// TestAttack_FreeRoll_HouseIdle: the house doesn't have them noted either. The other player has,
// and is paid what is drawn.
func TestAttack_FreeRoll_HouseIdle(t *testing.T) {
	t.Parallel()
	tb, closed := unsigned(t, 2, func(seat int, p games.Player) games.Player {
		if seat == box9.House {
			return careless{p, p.(games.Chained)}
		}
		return p
	})
	tb.pays(t, 2, "", tb.after(t, closed, box9.Counted))
}

// TestAttack_LateBet_Unmined: the house has the bets noted, and its endpoint takes no transaction.
// It says so before the block.
func TestAttack_LateBet_Unmined(t *testing.T) {
	t.Parallel()
	shut, at := newGate(t)
	tb, closed := unsignedBy(t, 2, func(_ int, p games.Player) games.Player { return p }, func(seat int, c *node.Config) {
		if seat == box9.House {
			c.Chain.URL = at
		}
	}, func() { shut.Store(1 << 30) })
	house, late := tb.players[box9.House], fmt.Sprintf("must land before %d", closed.Block)
	for e, err := range house.Events(tb.ctx, 0) {
		must(t, err)
		if e.Kind == node.Alarm && strings.Contains(e.Text, late) {
			break
		}
	}
	shut.Store(0)
}

// TestAttack_LateBet: bets that neither all have signed nor anybody has noted before the block go
// back.
func TestAttack_LateBet(t *testing.T) {
	t.Parallel()
	tb, _ := unsigned(t, 1, func(_ int, p games.Player) games.Player { return careless{p, p.(games.Chained)} })
	tb.pays(t, box9.House, "", tb.stakes)
}

// TestSilentPlayer: one who never bets loses nothing and holds up nothing that is worth anything.
func TestSilentPlayer(t *testing.T) {
	t.Parallel()
	tb := sitBox9(t, 2, `{"rounds": 1}`, nil)
	tb.leaves(t, 1)
	tb.pays(t, box9.House, "", tb.stakes)
}

// TestUpkeep: while a player doesn't sign what was drawn, the house has the hash kept for good
// before it goes on.
func TestUpkeep(t *testing.T) {
	t.Parallel()
	tb := sitBox9(t, 1, `{"rounds": 2}`, nil)
	tb.reaches(t, 0, box9.Betting)
	tb.agree(t)
	must(t, tb.players[1].Play(tb.match, "1 2 3 4"))
	tb.reaches(t, 0, box9.Drawing)
	tb.agree(t)
	closed := tb.state(t, 1)
	tb.leaves(t, 1)
	tb.reaches(t, 1, box9.Betting, box9.House)
	client := world(t).Chain.Client()
	defer client.Close()
	rules := world(t).Rules["box9"]
	kept, err := client.FilterLogs(tb.ctx, ethereum.FilterQuery{Addresses: []common.Address{rules}, Topics: [][]common.Hash{nil, {common.BigToHash(new(big.Int).SetUint64(closed.Block))}}})
	must(t, err)
	header, err := client.HeaderByNumber(tb.ctx, new(big.Int).SetUint64(closed.Block))
	must(t, err)
	if len(kept) != 1 || common.Hash(kept[0].Data) != header.Hash() || kept[0].BlockNumber > closed.Block+256 {
		t.Errorf("kept: %+v, want %s by block %d", kept, header.Hash(), closed.Block+256)
	}
}
