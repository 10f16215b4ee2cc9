package node_test

import (
	"math/big"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
)

// boxTable is a house and players at Box 9, in a match that has started.
type boxTable struct {
	*table
	match common.Hash
	hurry *atomic.Bool // time flies for everybody's patience
}

func sitBox9(t *testing.T, players int, params string, change func(seat int, c *node.Config)) *boxTable {
	t.Helper()
	hurry, hours := new(atomic.Bool), new(atomic.Int64)
	tb := &boxTable{hurry: hurry, table: sit(t, players+1, func(seat int, c *node.Config) {
		c.Now = func() time.Time {
			if hurry.Load() {
				hours.Add(1)
			}
			return time.Now().Add(time.Duration(hours.Load()) * time.Hour)
		}
		if change != nil {
			change(seat, c)
		}
	})}
	tb.match = tb.table.match(t, "box9", params)
	return tb
}

// state is the newest position that a player knows.
func (tb *boxTable) state(t *testing.T, seat int) box9.State {
	t.Helper()
	m, err := tb.players[seat].Match(tb.match)
	must(t, err)
	s, err := box9.Codec().DecodeState(m.State)
	must(t, err)
	return s
}

// reaches waits until players (all, if none are named) are in a phase of a round.
func (tb *boxTable) reaches(t *testing.T, round uint8, phase box9.Phase, seats ...int) {
	t.Helper()
	for _, seat := range tb.these(seats) {
		tb.wait(t, tb.players[seat], func() bool {
			s := tb.state(t, seat)
			return s.Round == round && s.Phase == phase
		})
	}
}

// agree waits until players hold everybody's signature of the newest position.
func (tb *boxTable) agree(t *testing.T, seats ...int) {
	t.Helper()
	for _, seat := range tb.these(seats) {
		tb.wait(t, tb.players[seat], func() bool {
			m, err := tb.players[seat].Match(tb.match)
			return err == nil && m.Agreed
		})
	}
}

func (tb *boxTable) these(seats []int) []int {
	if len(seats) == 0 {
		for seat := range tb.players {
			seats = append(seats, seat)
		}
	}
	return seats
}

// mineTo mines until the chain is at a block, each block when the players (all, if none are named)
// have seen the one before.
func (tb *boxTable) mineTo(t *testing.T, block uint64, seats ...int) {
	t.Helper()
	for {
		for _, seat := range tb.these(seats) {
			p := tb.players[seat]
			tb.wait(t, p, func() bool { return p.Head().Block >= world(t).Chain.Head() })
		}
		if world(t).Chain.Head() >= block {
			return
		}
		must(t, world(t).Chain.Mine(1))
	}
}

// round plays a round off-chain, and returns what its block drew.
func (tb *boxTable) round(t *testing.T, number uint8, bets ...string) box9.Result {
	t.Helper()
	tb.reaches(t, number, box9.Betting)
	tb.agree(t)
	for i, text := range bets {
		must(t, tb.players[i+1].Play(tb.match, text))
	}
	tb.reaches(t, number, box9.Drawing)
	tb.agree(t)
	block := tb.state(t, 0).Block
	tb.mineTo(t, block)
	return tb.drawn(t, block)
}

// drawn is what a block draws at a table of ten coins.
func (tb *boxTable) drawn(t *testing.T, block uint64) box9.Result {
	t.Helper()
	client := world(t).Chain.Client()
	defer client.Close()
	header, err := client.HeaderByNumber(tb.ctx, new(big.Int).SetUint64(block))
	must(t, err)
	return box9.Draw(header.Hash(), 10)
}

// TestBox9_FourNodes: a house and three players over libp2p on a real chain; two rounds, nothing
// on-chain but the opening and the close.
func TestBox9_FourNodes(t *testing.T) {
	t.Parallel()
	tb := sitBox9(t, 3, `{"rounds": 2}`, nil)
	for number := range uint8(2) {
		r := tb.round(t, number, "1 2 3", "4,5,6", "789")
		t.Logf("round %d: gold %d, silver %d", number+1, r.Gold, r.Silver)
	}
	for _, p := range tb.players {
		res, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		if res.Reason != "" || res.Guilty != 0 {
			t.Errorf("%+v", res)
		}
	}
	tb.close(t)
}
