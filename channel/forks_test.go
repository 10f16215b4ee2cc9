package channel_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var forksFlag = flag.Int("forks.seeds", 100, "play against forked copies of the other seats so often")

// TestForks_Seeds: each other seat of an honest one runs several copies of itself, which went on
// from different records, and says and posts whatever any of them knows, with whatever else its key
// can sign. Processes restart, and the Arena's chain is reorganised. The honest seat
//
//   - signs one content for each turn and each version (the auditor listens);
//   - signs no position of a match while a ledger above that it signed does not lock the match;
//   - is not taken for an old copy, and not accused;
//   - takes in every event of the chain, every tick and every message, or says whose fault it is;
//   - has in its store what it knows;
//   - knows the matches of every ledger that can be paid out, and what it signed in them;
//   - holds or outranks what is recorded of a match for good, and can move when its clock runs.
func TestForks_Seeds(t *testing.T) {
	seeds := *forksFlag
	if testing.Short() {
		seeds = min(seeds, 20)
	}
	grounds := []*ground{newGround(t, 2), newGround(t, 3)}
	for seed := range uint64(seeds) { //nolint:gosec // a flag
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newForks(t, grounds[seed%2], seed)
			for range 250 {
				f.any()
			}
		})
	}
}

// forks is an honest seat among forked ones. What they say is on its way in the table's queue.
type forks struct {
	*table
	*rand.Rand
	*arena
	honest int
	calm   bool                 // messages come in order, and copies seldom part
	copies [][]*channel.Machine // by seat
	kept   [][][]channel.Entry  // what copies may start from, by seat

	said      []packet                           // to the honest seat, ever
	supports  map[common.Hash][]protocol.Support // that copies had, by match
	known     map[common.Hash]protocol.Ledger    // by digest
	fulls     []protocol.SignedLedger
	ledgers   []protocol.Ledger             // signed by the honest seat
	positions map[turnKey]bool              // the same
	marks     map[common.Hash]protocol.Turn // the highest of them, by match
}

const mostCopies = 4 // of a seat

func newForks(t *testing.T, g *ground, seed uint64) *forks {
	n := len(g.terms.Players)
	f := &forks{table: newTableAt(t, g.domain, n), Rand: rand.New(rand.NewPCG(seed, 1)), arena: g.open(), calm: seed%5 < 3,
		copies: make([][]*channel.Machine, n), kept: make([][][]channel.Entry, n), supports: map[common.Hash][]protocol.Support{},
		known: map[common.Hash]protocol.Ledger{}, positions: map[turnKey]bool{}, marks: map[common.Hash]protocol.Turn{}}
	f.honest = f.IntN(n)
	for i, s := range f.seats {
		s.cfg.Policy.Approve = func(*protocol.MatchTerms) bool { return true }
		f.withRules(i, toy.Rules{})
		f.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: f.id, Terms: f.terms}, Final: true})
		f.kept[i] = append(f.kept[i], s.m.Records())
	}
	f.deliverAll()
	f.locked(f.IntN(n), f.wish())
	for i, s := range f.seats {
		if i != f.honest {
			f.copies[i], f.kept[i] = []*channel.Machine{s.m}, append(f.kept[i], s.m.Records())
		}
	}
	if seed%3 == 0 {
		f.seats[f.honest].cfg.Policy.Approve = nil
		f.restart(f.honest)
	}
	return f
}

// me is the honest seat's machine.
func (f *forks) me() *channel.Machine { return f.seats[f.honest].m }

func (f *forks) any() {
	switch x := f.IntN(100); {
	case x < 30:
		i := f.other()
		m := f.copy(i)
		f.acts(i, m, f.choice(m))
	case x < 42:
		_ = f.does(f.choice(f.me()))
	case x < 80:
		f.network()
	case x < 83:
		f.again()
	case x < 88:
		f.ledgersFork()
	case x < 91:
		if v, ok := f.anyMatch(f.me()); ok {
			f.hears(f.other(), message.SyncReply{MatchID: v.ID, Support: f.evidence(&v)})
		}
	default:
		f.onChain()
	}
	f.passes(f.Uint64N(3))
}

// ledgersFork proposes ledgers on the honest seat's newest one, and completes any, in a row. Then
// the matches go on, as far as the honest seat lets them.
func (f *forks) ledgersFork() {
	for range 1 + f.IntN(8) {
		if f.IntN(2) == 0 {
			f.proposes()
		} else {
			f.completes()
		}
	}
	for _, v := range f.me().Matches() {
		if v.MayMove {
			_ = f.does(f.moves(&v))
		} else if v.Support != nil {
			f.hears(f.other(), message.SyncReply{MatchID: v.ID, Support: f.evidence(&v)})
		}
	}
	_ = f.does(channel.Idle{})
}

// moves is a move from the newest position that a seat knows.
func (f *forks) moves(v *channel.MatchView) channel.MakeMove {
	return channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: f.move(v.State, v.Mover, len(v.Terms.Seats))}
}

// other is a dishonest seat.
func (f *forks) other() int { return (f.honest + 1 + f.IntN(len(f.seats)-1)) % len(f.seats) }

// network delivers one of the next messages, to the honest seat or to copies of another.
func (f *forks) network() {
	if len(f.queue) == 0 {
		return
	}
	at, lost := f.IntN(min(len(f.queue), 6)), f.IntN(10) == 0
	if f.calm {
		at, lost = 0, false
	}
	p := f.queue[at]
	f.queue = slices.Delete(f.queue, at, at+1)
	switch {
	case lost:
	case p.to == f.honest:
		f.hears(p.from, p.msg)
	default:
		for _, m := range f.copies[p.to] {
			if f.calm || f.IntN(4) > 0 {
				f.acts(p.to, m, channel.Received{From: p.from, Message: p.msg})
			}
		}
	}
}

// again repeats what was said to the honest seat, mostly of late.
func (f *forks) again() {
	if n := len(f.said); n > 0 {
		p := f.said[n-1-f.IntN(n)>>(4*f.IntN(2))]
		f.hears(p.from, p.msg)
	}
}

// hears has the honest seat receive a message.
func (f *forks) hears(from int, m message.Message) {
	_ = f.does(channel.Received{From: from, Message: m})
}

// acts has a copy do something.
func (f *forks) acts(seat int, m *channel.Machine, in channel.Input) {
	fx, err := m.Step(in)
	if err != nil {
		return
	}
	f.audit.heard(f.table, fx.Events)
	for _, o := range fx.Messages {
		f.note(o.Message)
		p := packet{seat, o.To, o.Message}
		f.queue = append(f.queue, p)
		if o.To == f.honest {
			f.said = append(f.said, p)
		}
	}
	if v, ok := f.anyMatch(m); ok {
		f.supports[v.ID] = append(f.supports[v.ID], *v.Support)
	}
	if f.IntN(6) == 0 && !m.Restored() {
		f.kept[seat] = append(f.kept[seat], m.Records())
	}
}

// copy is one of a seat's processes, or a new one. Those that know what they are say nothing more.
func (f *forks) copy(seat int) *channel.Machine {
	list := slices.DeleteFunc(f.copies[seat], (*channel.Machine).Restored)
	if len(list) == 0 || f.IntN(12) == 0 && (!f.calm || f.IntN(60) == 0) {
		kept := f.kept[seat]
		if f.IntN(2) == 0 {
			kept = kept[max(0, len(kept)-4):]
		}
		m, err := channel.Restore(f.seats[seat].cfg, kept[f.IntN(len(kept))])
		if err != nil {
			f.t.Fatal(err)
		}
		list = append(list[max(0, len(list)-mostCopies+1):], m)
	}
	f.copies[seat] = list
	return list[f.IntN(len(list))]
}

// anyMatch is a match that a seat plays in.
func (f *forks) anyMatch(m *channel.Machine) (channel.MatchView, bool) {
	list := slices.DeleteFunc(m.Matches(), func(v channel.MatchView) bool { return v.Support == nil })
	if len(list) == 0 {
		return channel.MatchView{}, false
	}
	return list[f.IntN(len(list))], true
}

// choice is something that a seat's user or process may want.
func (f *forks) choice(m *channel.Machine) channel.Input {
	v, playing := f.anyMatch(m)
	seldom := func(n int) bool { return !f.calm || f.IntN(n) == 0 }
	switch x := f.IntN(16); {
	case x == 0 && (!playing || seldom(6)):
		return f.wish()
	case x < 3:
		return channel.Tick{}
	case x == 3 && seldom(10):
		return channel.WithdrawMatches{}
	case x == 4 && f.IntN(12) == 0:
		return channel.CloseChannel{}
	case x == 5 && playing && seldom(3):
		return channel.OfferAgreement{MatchID: v.ID, Turn: v.Turn, Payouts: f.shares(v.Terms.Stakes)}
	case x < 8 && len(v.Offers) > 0:
		o := v.Offers[f.IntN(len(v.Offers))]
		return channel.AcceptAgreement{MatchID: v.ID, Turn: v.Turn, Seat: o.Seat, Payouts: o.Payouts}
	case x == 8:
		return channel.Connected{Seat: (m.Seat() + 1 + f.IntN(len(f.seats)-1)) % len(f.seats)}
	case x == 9 && f.IntN(8) == 0:
		return channel.Hold{On: f.IntN(3) == 0}
	}
	if p := m.Proposal(); p != nil && p.Asked && f.IntN(2) == 0 {
		if f.IntN(4) == 0 {
			return channel.RefuseProposal{Version: p.Ledger.Version}
		}
		return channel.ApproveProposal{Version: p.Ledger.Version}
	}
	if v.MayMove {
		return f.moves(&v)
	}
	return channel.Idle{}
}

// wish is a match of all seats or of two.
func (f *forks) wish() channel.ProposeMatch {
	p := f.proposal(1 + f.Uint64N(300))
	if n := len(p.Seats); n > 2 && f.IntN(2) == 0 {
		out := f.IntN(n)
		p.Seats, p.Stakes = slices.Delete(p.Seats, out, out+1), p.Stakes[1:]
	}
	p.Rules, p.Params = f.game, f.params(len(p.Seats))
	return p
}

// params has any seat begin a match, and the next one move where a clock runs out.
func (f *forks) params(seats int) []byte { return toy.Params(uint8(f.IntN(seats)), toy.Fine, toy.Skip) }

// shares pays the stakes back, or all of them to one seat.
func (f *forks) shares(stakes []uint256.Int) []uint256.Int {
	out := slices.Clone(stakes)
	if winner := f.IntN(2 * len(out)); winner < len(out) {
		for i := range out {
			if i != winner {
				out[winner].Add(&out[winner], &out[i])
				out[i].Clear()
			}
		}
	}
	return out
}

// move is a move of a seat that differs from others of it, or the only one of the chain.
func (f *forks) move(state []byte, mover uint8, seats int) []byte {
	if mover == games.Chance {
		return toy.Pass(state[len(state)-1] % uint8(seats))
	}
	salt := byte(f.IntN(4))
	switch x := f.IntN(12); {
	case x < 4:
		return toy.Pass((mover+1)%uint8(seats), salt)
	case x < 7:
		return toy.Pass(mover, salt)
	case x < 9:
		return toy.Pass(games.Chance, salt)
	case f.IntN(2) == 0:
		return toy.Win(games.Nobody, salt)
	}
	return toy.Win(mover, salt)
}

// completes shows the honest seat a ledger that it signed, with the others' signatures.
func (f *forks) completes() {
	full := f.me().Ledger()
	open := slices.DeleteFunc(slices.Clone(f.ledgers), func(l protocol.Ledger) bool { return l.Version <= full.Version })
	if len(open) == 0 || f.settled {
		return
	}
	f.hears(f.other(), message.SyncReply{Ledger: f.signedByAll(open[f.IntN(len(open))])})
	full = f.me().Ledger()
	f.knows(&full.Ledger)
}

// proposes proposes a ledger that follows the honest seat's, and some of the others may sign it.
func (f *forks) proposes() {
	full := f.me().Ledger()
	signed, _ := f.me().Signed()
	by := f.other()
	version := max(signed, full.Version) + 1 + f.Uint64N(4)
	for int(version)%len(f.seats) != by {
		version++
	}
	var bookings []protocol.Booking
	for _, k := range full.Locks {
		v, ok := f.me().Match(k.MatchID)
		switch {
		case !ok || f.IntN(2) == 0:
		case v.Agreement != nil:
			bookings = append(bookings, protocol.Booking{MatchID: v.ID, Turn: v.Agreement.Turn, Payouts: v.Agreement.Payouts, Agreement: v.Agreement})
		case v.Outcome != nil:
			bookings = append(bookings, protocol.Booking{MatchID: v.ID, Turn: v.Turn, Payouts: v.Outcome.Payouts})
		}
	}
	var matches []protocol.MatchTerms
	if f.IntN(3) == 0 {
		pair := []uint8{uint8(f.honest), uint8(by)}
		slices.Sort(pair)
		matches = append(matches, protocol.MatchTerms{ChannelID: f.id, Nonce: version << 8, Rules: f.game, Params: f.params(2), Seats: pair, Stakes: numbers(20, 30)})
	}
	seats := func(id common.Hash) []uint8 { return f.view(f.honest, id).Terms.Seats }
	l, err := full.Successor(version, len(bookings) == len(full.Locks) && f.IntN(40) == 0, seats, bookings, matches, f.domain)
	if err != nil {
		return
	}
	p := f.propose(l, full.Version, matches, bookings)
	for i := range p.Signatures {
		if i != f.honest && f.IntN(4) == 0 {
			p.Signatures[i] = f.sign(i, l.Digest(f.domain))
		}
	}
	f.note(p)
	f.hears(by, p)
}
