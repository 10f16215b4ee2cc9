package node_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// hall is a house and players who know only the house, and agree to nothing but its tables. Bots
// bet for those who have one.
func hall(t *testing.T, bots ...bool) *table {
	t.Helper()
	return hallOf(t, func(_ int, n node.Network) node.Network { return n }, bots...)
}

// hallOf is a hall in which networks are of special kinds.
func hallOf(t *testing.T, network func(seat int, n node.Network) node.Network, bots ...bool) *table {
	t.Helper()
	tb := emptyTable(t)
	for seat, bot := range append([]bool{false}, bots...) {
		p := join(t, func(c *node.Config) {
			g := box9.Game()
			c.Games = games.Catalog{g}
			c.Rules = map[string]common.Address{g.Name: world(t).Rules[g.Name]}
			c.Policy.Bot = bot
			c.Policy.Patience = time.Minute
			c.Policy.Accept, c.Policy.Approve = nil, nil
			dev.Wrap(c, func(n node.Network) node.Network { return network(seat, n) })
		})
		p.fund(t)
		if len(tb.players) > 0 {
			must(t, dev.Connect(tb.ctx, p.Node, tb.players[0].Node))
		}
		tb.players = append(tb.players, p)
	}
	return tb
}

// announce announces a table of the first player's, and lets all others know it.
func (tb *table) announce(t *testing.T, params string, change func(*node.RoundRequest)) common.Hash {
	t.Helper()
	request := node.RoundRequest{Game: box9.GameName, Params: []byte(params), Least: *uint256.NewInt(1e17), Most: *uint256.NewInt(5e17),
		Window: 2000, Closes: world(t).Chain.Head() + 10_000, Seats: uint8(len(tb.players) - 1)} //nolint:gosec // few
	if change != nil {
		change(&request)
	}
	id, err := tb.players[0].OpenRound(request)
	must(t, err)
	for _, p := range tb.players[1:] {
		must(t, p.AskRounds(tb.ctx, tb.players[0].Account()))
	}
	return id
}

// sitDown has a player sit down, and waits until everybody who sits there knows.
func (tb *table) sitDown(t *testing.T, id common.Hash, seat int, stake uint64, referrer common.Address) {
	t.Helper()
	p := tb.players[seat]
	must(t, p.AskRounds(tb.ctx, tb.players[0].Account()))
	must(t, p.Register(tb.ctx, id, uint256.NewInt(stake), referrer))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			r, err := p.Round(id)
			must(t, err)
			return p != tb.players[0] && r.Own == nil || matchmaking.Registered(r.Entries, tb.players[seat].Account())
		})
	}
}

// standsAt waits until the group of everybody who plays at a table is as far as that.
func (tb *table) standsAt(t *testing.T, id common.Hash, state node.GroupState, seats ...int) {
	t.Helper()
	for _, seat := range seats {
		p := tb.players[seat]
		tb.wait(t, p, func() bool {
			r, err := p.Round(id)
			must(t, err)
			return len(r.Groups) == 1 && r.Groups[0].State == state
		})
	}
}

// tableMatch is the match that is played at a table.
func (tb *table) tableMatch(t *testing.T, p *player) node.Match {
	t.Helper()
	var found node.Match
	tb.wait(t, p, func() bool {
		for _, m := range p.Matches() {
			if m.Started {
				found = m
			}
		}
		return found.Started
	})
	return found
}

// TestChecklist_Box9_01_RegisterOnce: a player sits down once, names a referrer who sits there
// already, and itself or the house means nobody; the match has the referrers whom the players
// named, by the seats in which they sit.
func TestChecklist_Box9_01_RegisterOnce(t *testing.T) {
	t.Parallel()
	tb := hall(t, true, true, true)
	house, a, b, c := tb.players[0], tb.players[1], tb.players[2], tb.players[3]
	before := tb.banks(t)
	id := tb.announce(t, `{"rounds": 1}`, nil)
	for _, to := range []common.Address{b.Account(), {77}} {
		if err := a.Register(tb.ctx, id, uint256.NewInt(1e17), to); !isDeclined(err) {
			t.Errorf("referred by %s, who does not sit there: %v", to, err)
		}
	}
	tb.sitDown(t, id, 1, 1e17, nobody)
	if err := a.Register(tb.ctx, id, uint256.NewInt(2e17), nobody); !isDeclined(err) {
		t.Errorf("it sits down twice: %v", err)
	}
	tb.sitDown(t, id, 2, 2e17, a.Account())
	if err := b.Register(tb.ctx, id, uint256.NewInt(2e17), nobody); !isDeclined(err) {
		t.Errorf("it changes its referrer: %v", err)
	}
	tb.sitDown(t, id, 3, 3e17, b.Account())
	tb.mine(t)
	m := tb.tableMatch(t, c)
	p, err := box9.Codec().DecodeParams(m.Terms.Params)
	must(t, err)
	r, err := house.VerifyRound(tb.ctx, id)
	must(t, err)
	seat := func(p *player) uint8 {
		return uint8(1 + slices.IndexFunc(r.Groups[0].Players, func(e matchmaking.Registration) bool { return e.Player == p.Account() })) //nolint:gosec // few
	}
	want := p
	want.Referrers = 0
	want = want.Refer(seat(b), seat(a)).Refer(seat(c), seat(b))
	if p != want || p.Referrers == 0 {
		t.Errorf("referrers %x, want %x", p.Referrers, want.Referrers)
	}
	tb.standsAt(t, id, node.GroupDone, 0, 1, 2, 3)
	tb.paid(t, before)
}

// paid checks that every player has in the bank what it had, and won.
func (tb *table) paid(t *testing.T, before []*uint256.Int) {
	t.Helper()
	for i, p := range tb.players {
		results, err := p.Results()
		must(t, err)
		want := before[i].Clone()
		for _, r := range results {
			want.Sub(want, &r.Terms.Stakes[r.Seat]).Add(want, &r.Payouts[r.Seat])
		}
		if got := tb.free(t, p); !got.Eq(want) {
			t.Errorf("player %d has %s in the bank, want %s", i, got.Dec(), want.Dec())
		}
		if len(results) > 1 {
			t.Errorf("player %d has %d results", i, len(results))
		}
	}
}

func isDeclined(err error) bool { return errors.Is(err, node.ErrDeclined) }

// TestTable_NoShow: one who sits down and does not come when the channel is opened keeps nobody
// from playing, and loses nothing.
func TestTable_NoShow(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, tb *table, id common.Hash, absent *player){
		"away": func(t *testing.T, _ *table, _ common.Hash, absent *player) { must(t, absent.Close()) },
		"declines": func(t *testing.T, _ *table, id common.Hash, absent *player) {
			must(t, absent.EditRound(id, func(r *node.Round) { r.Trouble = "something better to do" }))
		},
		"spends the money": func(t *testing.T, tb *table, _ common.Hash, absent *player) {
			_, err := absent.Withdraw(tb.ctx, eth, ether, absent.Account())
			must(t, err)
			tb.wait(t, absent, func() bool { return tb.free(t, absent).IsZero() })
		},
		"does not sign": func(*testing.T, *table, common.Hash, *player) {},
	} {
		t.Run(name, func(t *testing.T) {
			tb := hallOf(t, func(seat int, n node.Network) node.Network {
				if seat == 3 && name == "does not sign" {
					return unsigning{n}
				}
				return n
			}, true, true, true)
			id := tb.announce(t, `{"rounds": 1}`, func(r *node.RoundRequest) { r.Fewest, r.Window = 2, 40 })
			for seat := range 3 {
				tb.sitDown(t, id, seat+1, 1e17, nobody)
			}
			leave(t, tb, id, tb.players[3])
			tb.players = tb.players[:3]
			before := tb.banks(t)
			for !tb.offered(t) {
				tb.block(t)
			}
			tb.wait(t, tb.players[0], func() bool { return tb.answered(t) }) // before time passes
			tb.mine(t)
			tb.standsAt(t, id, node.GroupDone, 0, 1, 2)
			tb.paid(t, before)
			if results, err := tb.players[1].Results(); err != nil || len(results) != 1 || len(results[0].Payouts) != 3 {
				t.Errorf("%v, %v", results, err)
			}
		})
	}
}

// offered reports whether the house has offered a channel.
func (tb *table) offered(t *testing.T) bool {
	t.Helper()
	list, err := tb.players[0].Offers()
	must(t, err)
	return len(list) > 0
}

// answered reports whether everybody who is there has answered the house's first offer, or it has
// come to nothing.
func (tb *table) answered(t *testing.T) bool {
	t.Helper()
	list, err := tb.players[0].Offers()
	must(t, err)
	o := &list[0]
	for _, p := range tb.players[1:] {
		if o.Terms.Signers[slices.Index(o.Terms.Players, p.Account())] == nobody {
			return o.State != node.OfferOpen
		}
	}
	return true
}

// TestTable_TooFew: a table with too few players locks nothing.
func TestTable_TooFew(t *testing.T) {
	t.Parallel()
	tb := hall(t, true)
	house, a := tb.players[0], tb.players[1]
	id := tb.announce(t, "", func(r *node.RoundRequest) { r.Fewest, r.Seats, r.Closes = 2, 5, world(t).Chain.Head()+3 })
	tb.sitDown(t, id, 1, 1e17, nobody)
	tb.mine(t)
	tb.wait(t, a, func() bool { r, err := a.Round(id); return err == nil && r.Trouble != "" })
	r, err := house.VerifyRound(tb.ctx, id)
	must(t, err)
	offers, err := house.Offers()
	must(t, err)
	if len(r.Groups) != 0 || len(offers) != 0 || len(a.Channels()) != 0 {
		t.Errorf("%d groups, %d offers", len(r.Groups), len(offers))
	}
}

// TestChecklist_Box9_03_Tables: a house announces the usual prices and one of its own, and a player
// sees all; the match is played at the price of the table at which it sits.
func TestChecklist_Box9_03_Tables(t *testing.T) {
	t.Parallel()
	tb := hall(t, true)
	house, a := tb.players[0], tb.players[1]
	ids := map[uint32]common.Hash{}
	for _, price := range append(box9.Prices(), 77) {
		ids[uint32(price)] = tb.announce(t, fmt.Sprintf(`{"rounds": 1, "price": %d}`, price), nil) //nolint:gosec // small
	}
	for price, id := range ids {
		r, err := a.Round(id)
		must(t, err)
		if p, err := box9.Codec().DecodeParams(r.Terms.Params); err != nil || p.Coins != price || r.Terms.House != house.Account() {
			t.Errorf("table %s has a price of %d, want %d: %v", id, p.Coins, price, err)
		}
	}
	for _, params := range []string{`{"price": 0}`, `{"price": 4294967296}`, `{"referrers": "16"}`} {
		if _, err := house.OpenRound(node.RoundRequest{Game: box9.GameName, Params: []byte(params), Window: 30, Closes: world(t).Chain.Head() + 10}); !errors.Is(err, games.ErrParams) {
			t.Errorf("%s: %v", params, err)
		}
	}
	tb.sitDown(t, ids[77], 1, 1e17, nobody)
	tb.mine(t)
	m := tb.tableMatch(t, a)
	if p, err := box9.Codec().DecodeParams(m.Terms.Params); err != nil || p.Coins != 77 {
		t.Errorf("the match's price is %d: %v", p.Coins, err)
	}
	tb.standsAt(t, ids[77], node.GroupDone, 0, 1)
}

// TestChecklist_Box9_17_LeavesATable: a player who stops betting is passed by at no cost, while the
// others go on.
func TestChecklist_Box9_17_LeavesATable(t *testing.T) {
	t.Parallel()
	tb := hall(t, true, false, true)
	house, leaver := tb.players[0], tb.players[2]
	before := tb.banks(t)
	id := tb.announce(t, `{"rounds": 3}`, nil)
	for seat := range 3 {
		tb.sitDown(t, id, seat+1, 1e17, nobody)
	}
	phase := func(p *player) (m node.Match, s box9.State) {
		list := p.Matches()
		if len(list) == 0 || list[0].State == nil {
			return m, s
		}
		s, err := box9.Codec().DecodeState(list[0].State)
		must(t, err)
		return list[0], s
	}
	for {
		if _, s := phase(house); s.Phase == box9.Betting {
			break
		}
		tb.block(t)
	}
	var m node.Match
	tb.wait(t, leaver, func() bool { // no block passes meanwhile
		var s box9.State
		m, s = phase(leaver)
		// bets wait for every seat's signature
		return s.Phase == box9.Betting && leaver.Play(m.ID, "1 2 3") == nil
	})
	tb.mine(t)
	var left *uint256.Int // what it has after the round
	tb.wait(t, leaver, func() bool {
		if _, s := phase(leaver); s.Round > 0 && s.Phase != box9.Over {
			left = s.Pocket[m.Seat].Clone()
		}
		return left != nil
	})
	tb.standsAt(t, id, node.GroupDone, 0, 1, 2, 3)
	tb.paid(t, before)
	results, err := leaver.Results()
	must(t, err)
	if got := &results[0].Payouts[m.Seat]; got.Lt(left) {
		t.Errorf("it had %s when it left, and is paid %s", left.Dec(), got.Dec())
	}
}
