package node_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// block lets one block pass, and waits until everybody has done what it does about it.
func (tb *table) block(t *testing.T) {
	t.Helper()
	must(t, world(t).Chain.Mine(1))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { return p.Head().Block >= world(t).Chain.Head() })
	}
}

// sealing is a house's network. Before the house says that the list is sealed, and so before it
// offers a channel, something else happens.
type sealing struct {
	node.Network
	before *func()
}

func (s sealing) Send(to common.Address, env *antev1.Envelope) error {
	if n := env.GetRoundNotice(); n != nil && len(n.GetSeal()) > 0 {
		(*s.before)()
	}
	return s.Network.Send(to, env)
}

// TestAttack_ChangedTable: once somebody sits at a table, a house that plays under other terms than
// were announced and registered for plays with nobody, and everybody has what it had.
func TestAttack_ChangedTable(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*node.Round){
		"price": func(r *node.Round) {
			p, err := box9.Codec().DecodeParams(r.Terms.Params)
			must(t, err)
			p.Coins = 50
			r.Terms.Params = p.Bytes()
		},
		"referrer": func(r *node.Round) {
			for i := range r.Groups[0].Players {
				r.Groups[0].Players[i].Referrer = nobody
			}
		},
		"stake":  func(r *node.Round) { r.Groups[0].Players[1].Stake = *uint256.NewInt(4e17) },
		"order":  func(r *node.Round) { slices.Reverse(r.Groups[0].Players) },
		"window": func(r *node.Round) { r.Terms.Window++ },
		"players": func(r *node.Round) {
			r.Groups[0].Players = r.Groups[0].Players[:1]
		},
	} {
		t.Run(name, func(t *testing.T) {
			var swindle func()
			tb := hallOf(t, func(seat int, n node.Network) node.Network {
				if seat == 0 {
					return sealing{n, &swindle}
				}
				return n
			}, true, true)
			before := tb.banks(t)
			id := tb.announce(t, `{"rounds": 1}`, func(r *node.RoundRequest) { r.Fewest, r.Window = r.Seats, 40 })
			swindle = sync.OnceFunc(func() {
				if err := tb.players[0].EditRound(id, change); err != nil {
					t.Error(err)
				}
			})
			tb.sitDown(t, id, 1, 1e17, nobody)
			tb.sitDown(t, id, 2, 2e17, tb.players[1].Account())
			tb.mine(t)
			tb.wait(t, tb.players[0], func() bool {
				r, err := tb.players[0].Round(id)
				must(t, err)
				return len(r.Groups) == 1 && (r.Groups[0].State == node.GroupDropped || r.Groups[0].State == node.GroupDone)
			})
			for i, p := range tb.players {
				tb.wait(t, p, func() bool {
					return !slices.ContainsFunc(p.Channels(), func(c node.Channel) bool { return c.Status != node.ChannelEnded })
				})
				results, err := p.Results()
				must(t, err)
				if free := tb.free(t, p); len(results) > 0 || len(p.Matches()) > 0 || !free.Eq(before[i]) {
					t.Errorf("player %d has played %d, and has %s, not %s", i, len(results), free.Dec(), before[i].Dec())
				}
			}
		})
	}
}

// TestAttack_LeftOut: a player whom the house leaves out of the list says so, locks nothing, and
// keeps nobody from playing.
func TestAttack_LeftOut(t *testing.T) {
	t.Parallel()
	tb := hall(t, true, true)
	house, out := tb.players[0], tb.players[1]
	before := tb.free(t, out)
	id := tb.announce(t, `{"rounds": 1}`, func(r *node.RoundRequest) { r.Seats, r.Closes, r.Window = 3, world(t).Chain.Head()+2, 40 })
	tb.sitDown(t, id, 1, 1e17, nobody)
	tb.sitDown(t, id, 2, 1e17, nobody)
	must(t, house.EditRound(id, func(r *node.Round) {
		r.Entries = slices.DeleteFunc(r.Entries, func(e matchmaking.Registration) bool { return e.Player == out.Account() })
	}))
	tb.mine(t)
	tb.wait(t, out, func() bool { r, err := out.Round(id); return err == nil && r.Trouble != "" })
	tb.standsAt(t, id, node.GroupDone, 0, 2)
	if free := tb.free(t, out); !free.Eq(before) || len(out.Channels()) > 0 {
		t.Errorf("it has %s of %s, and %d channels", free.Dec(), before.Dec(), len(out.Channels()))
	}
}

// TestAttack_TableFlood: a table takes each account once, with money for its stake, until it is
// full.
func TestAttack_TableFlood(t *testing.T) {
	t.Parallel()
	tb := hall(t, true, true)
	house, a, b := tb.players[0], tb.players[1], tb.players[2]
	id := tb.announce(t, "", nil)
	join := func(p *player, stake uint64, referrer common.Address) {
		t.Helper()
		e := matchmaking.Registration{Player: p.Account(), Stake: *uint256.NewInt(stake), Referrer: referrer}
		var err error
		e.Signature, err = p.config.Player.Sign(e.Digest(p.Domain(), id))
		must(t, err)
		must(t, p.Network().Send(house.Account(), message.Envelope(common.Hash{}, message.RoundJoin{RoundID: id, Entry: e})))
		must(t, p.AskRounds(tb.ctx, house.Account())) // it has been dealt with then
	}
	_, err := b.Withdraw(tb.ctx, eth, ether, b.Account())
	must(t, err)
	tb.wait(t, b, func() bool { return tb.free(t, b).IsZero() })
	join(b, 1e17, nobody)               // without the money
	join(a, 1e17, b.Account())          // referred by somebody who does not sit there
	join(a, 1e17, common.Address{0xab}) // or by nobody
	join(a, 1e17, a.Account())
	r, err := house.Round(id)
	must(t, err)
	if len(r.Entries) != 0 {
		t.Fatalf("the house took %v", r.Entries)
	}
	for i := range 20 {
		join(a, 1e17+uint64(i), nobody) //nolint:gosec // few
	}
	r, err = house.Round(id)
	must(t, err)
	if len(r.Entries) != 1 || r.Entries[0].Stake.Uint64() != 1e17 {
		t.Errorf("the house took %v", r.Entries)
	}
}

// unsigning is a network on which the signatures of openings get lost.
type unsigning struct{ node.Network }

func (u unsigning) Send(to common.Address, env *antev1.Envelope) error {
	if r := env.GetOpenReply(); r != nil && slices.ContainsFunc(r.Signatures, func(s []byte) bool { return len(s) > 0 }) {
		return nil
	}
	return u.Network.Send(to, env)
}

// TestAttack_SpentStake: who sits down at a table and takes its money away before play begins keeps
// nobody waiting: the house looks again who has a stake, and its first offer is to those who do.
func TestAttack_SpentStake(t *testing.T) {
	t.Parallel()
	tb := hall(t, false, false, false)
	house, mallory := tb.players[0], tb.players[1]
	id := tb.announce(t, `{}`, nil)
	tb.sitDown(t, id, 1, 1e17, common.Address{})
	r, err := mallory.Withdraw(tb.ctx, eth, ether, mallory.Account())
	must(t, err)
	_, err = mallory.Mined(tb.ctx, r.Key)
	must(t, err)
	tb.sitDown(t, id, 2, 1e17, common.Address{})
	tb.sitDown(t, id, 3, 1e17, common.Address{})
	tb.mine(t)
	tb.standsAt(t, id, node.GroupPlaying, 0)
	offers, err := house.Offers()
	must(t, err)
	if len(offers) != 1 || slices.Contains(offers[0].Terms.Players, mallory.Account()) {
		t.Errorf("the house made %d offers, the first to %v", len(offers), offers[0].Terms.Players)
	}
	tb.wait(t, mallory, func() bool { r, err := mallory.Round(id); return err == nil && r.Trouble != "" })
}

// lateSigning is a network on which the signatures of openings wait.
type lateSigning struct {
	node.Network
	on   *atomic.Bool
	kept chan func() error
}

func (h lateSigning) Send(to common.Address, env *antev1.Envelope) error {
	if !h.on.Load() || !signed(env) {
		return h.Network.Send(to, env)
	}
	select {
	case h.kept <- func() error { return h.Network.Send(to, env) }:
	default: // said again
	}
	return nil
}

// TestAttack_SpentStake_Back: who has no stake as long as the channel can be opened, and has it
// again when that is over, is left out of the next attempt all the same.
func TestAttack_SpentStake_Back(t *testing.T) {
	t.Parallel()
	on, kept := new(atomic.Bool), make(chan func() error, 1)
	on.Store(true)
	tb := hallOf(t, func(seat int, n node.Network) node.Network {
		if seat == 3 {
			return lateSigning{n, on, kept}
		}
		return n
	}, true, true, true)
	house, mallory := tb.players[0], tb.players[3]
	id := tb.announce(t, `{"rounds": 1}`, func(r *node.RoundRequest) { r.Fewest, r.Window = 2, 40 })
	for seat := range 3 {
		tb.sitDown(t, id, seat+1, 1e17, nobody)
	}
	for !tb.offered(t) {
		tb.block(t)
	}
	signs := <-kept
	r, err := mallory.Withdraw(tb.ctx, eth, ether, mallory.Account())
	must(t, err)
	_, err = mallory.Mined(tb.ctx, r.Key)
	must(t, err)
	on.Store(false)
	must(t, signs())
	var offers []node.Offer
	tb.wait(t, house, func() bool {
		offers, err = house.Offers()
		must(t, err)
		return offers[0].State == node.OfferAccepted
	})
	for house.Head().Clock < offers[0].Terms.OpenBy {
		tb.block(t)
	}
	mallory.fund(t)
	tb.mine(t)
	tb.played(t, id, 3)
}

// played waits until a table's house is done with it, and checks that it was played by so many.
func (tb *table) played(t *testing.T, id common.Hash, seats int) {
	t.Helper()
	house := tb.players[0]
	tb.wait(t, house, func() bool {
		r, err := house.Round(id)
		must(t, err)
		return len(r.Groups) == 1 && (r.Groups[0].State == node.GroupDone || r.Groups[0].State == node.GroupDropped)
	})
	if results, err := house.Results(); err != nil || len(results) != 1 || len(results[0].Payouts) != seats {
		t.Errorf("%v, %v", results, err)
	}
}
