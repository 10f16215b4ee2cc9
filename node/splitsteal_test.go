package node_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// chooser plays like the game's own player side, but where that would choose, it chooses what it
// was told to.
type chooser struct {
	games.Player
	text string
}

func (c chooser) Bot(t games.Table) (*games.Decision, error) { return c.Choose(t, c.text) }

// dying is a network that fails from the first message on that says anything of a turn or later
// ones.
type dying struct {
	node.Network
	turn int
	once sync.Once
	dead chan struct{}
}

func (d *dying) Send(to common.Address, env *antev1.Envelope) error {
	if said(env) >= d.turn {
		d.once.Do(func() { close(d.dead) })
	}
	select {
	case <-d.dead:
		return transport.ErrNotConnected
	default:
		return d.Network.Send(to, env)
	}
}

// booking stands for the turn after the last of any match.
const booking = splitsteal.Turns + 1

// said returns the turn that a message brings a signature of, -1 if none.
func said(env *antev1.Envelope) int {
	switch m := env.Body.(type) {
	case *antev1.Envelope_Move:
		return int(m.Move.Turn)
	case *antev1.Envelope_Countersign:
		return int(m.Countersign.Turn)
	case *antev1.Envelope_Approve:
		if len(m.Approve.Starts) > 0 {
			return 0
		}
		// the ledger that locks the match has version 3, as seat 0 proposes it
		if m.Approve.Version > 3 {
			return booking
		}
	case *antev1.Envelope_Propose:
		if len(m.Propose.Bookings) > 0 {
			return booking
		}
	}
	return -1
}

// stealTable is a table of X, Y and the house, in this order, in which X splits and Y steals. One
// of them falls silent at a turn; nobody does, if that is none of their seats.
func stealTable(t *testing.T, silent, turn int) (*table, *dying) {
	t.Helper()
	d := &dying{turn: turn, dead: make(chan struct{})}
	tb := sit(t, 3, func(seat int, c *node.Config) {
		g := splitsteal.Game()
		g.Player = chooser{g.Player, []string{"split", "steal", "-"}[seat]}
		c.Games = games.Catalog{g}
		c.Rules = map[string]common.Address{g.Name: world(t).Rules[g.Name]}
		c.Policy.Bot = true
		hasty(c, func() bool { return isClosed(d.dead) })
		if seat == silent {
			dev.Wrap(c, func(net node.Network) node.Network { d.Network = net; return d })
		}
	})
	return tb, d
}

var stealStakes = []uint256.Int{*uint256.NewInt(1e17), *uint256.NewInt(1e17), *uint256.NewInt(5e16)}

// ends checks what is in everybody's bank once the channel is paid out.
func (tb *table) ends(t *testing.T, before []*uint256.Int, payouts [3]uint64, seats ...int) {
	t.Helper()
	for _, seat := range seats {
		must(t, tb.players[seat].Closed(tb.ctx, tb.channel))
		want := new(uint256.Int).Add(before[seat], ether)
		want.Add(want, uint256.NewInt(payouts[seat])).Sub(want, &stealStakes[seat])
		if got := tb.free(t, tb.players[seat]); !got.Eq(want) {
			t.Errorf("seat %d has %s in the bank, want %s", seat, got.Dec(), want.Dec())
		}
	}
}

func (tb *table) banks(t *testing.T) (list []*uint256.Int) {
	t.Helper()
	for _, p := range tb.players {
		list = append(list, tb.free(t, p))
	}
	return list
}

// TestChecklist_SplitOrSteal_16_CooperativeClose: three nodes play off-chain, and leave by one
// transaction.
func TestChecklist_SplitOrSteal_16_CooperativeClose(t *testing.T) {
	t.Parallel()
	tb, _ := stealTable(t, 3, 0)
	before := tb.banks(t)
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: splitsteal.Name, Stakes: stealStakes}))
	for seat, p := range tb.players {
		r, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		if r.Seat != seat || r.Guilty != 0 || r.Reason != "" {
			t.Errorf("seat %d: %+v", seat, r)
		}
	}
	must(t, tb.players[2].CloseChannel(tb.channel))
	tb.ends(t, before, [3]uint64{25e15, 175e15, 5e16}, 0, 1, 2)
	sent := 0
	for _, p := range tb.players {
		list, err := p.Transactions(100)
		must(t, err)
		for _, r := range list {
			if r.Err != nil {
				t.Errorf("%s: %v", r.Key, r.Err)
			}
			sent++
		}
	}
	if sent != 2+1+1 { // the deposits of two, the opening, the close
		t.Errorf("%d transactions", sent)
	}
}

// TestChecklist_SplitOrSteal_15_PhasesByDeadline: whoever falls silent, and at whatever step, the
// others end the match by themselves, with no other authority than the clock.
func TestChecklist_SplitOrSteal_15_PhasesByDeadline(t *testing.T) {
	t.Parallel()
	const whole = 2e17
	void := [3]uint64{1e17, 1e17, 5e16}
	played := [3]uint64{25e15, 175e15, 5e16}
	for silent, byTurn := range [3][6][3]uint64{
		{void, {0, whole, 5e16}, {0, whole, 5e16}, {0, whole, 5e16}, played, played},
		{void, {whole, 0, 5e16}, {whole, 0, 5e16}, {whole, 0, 5e16}, {whole, 0, 5e16}, played},
		{void, played, played, played, played, played},
	} {
		for turn, payouts := range byTurn {
			t.Run(fmt.Sprintf("%s at turn %d", []string{"X", "Y", "the house"}[silent], turn), func(t *testing.T) {
				tb, d := stealTable(t, silent, turn)
				before := tb.banks(t)
				must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: splitsteal.Name, Stakes: stealStakes}))
				select {
				case <-d.dead:
				case <-tb.ctx.Done():
					t.Fatal("it never spoke of that turn")
				}
				honest := slices.Delete([]int{0, 1, 2}, silent, silent+1)
				for _, seat := range honest { // what it said before arrives
					p := tb.players[seat]
					tb.wait(t, p, func() bool {
						m := p.Matches()
						return turn == 0 || len(m) == 1 && m[0].Started && int(m[0].Turn) >= turn-1
					})
				}
				must(t, tb.players[silent].Close())
				if turn == 0 { // the match is not there yet, and nobody waits for it: they leave
					tb.exit(t, tb.players[honest[0]])
				}
				tb.mine(t)
				tb.ends(t, before, payouts, honest...)
			})
		}
	}
}
