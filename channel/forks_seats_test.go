package channel_test

import (
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

// acts has a copy do something.
func (f *forks) acts(seat int, m *channel.Machine, in channel.Input) {
	fx, err := m.Step(in)
	if err != nil {
		return
	}
	f.audit.heard(f.table, fx.Events)
	for _, o := range fx.Messages {
		f.note(o.Message)
		f.queue = append(f.queue, packet{seat, o.To, o.Message})
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
		m, err := channel.Restore(f.seats[seat].cfg, f.kept[seat][f.late(len(f.kept[seat]))])
		if err != nil {
			f.t.Fatal(err)
		}
		list = append(list[max(0, len(list)-mostCopies+1):], m)
	}
	f.copies[seat] = list
	return list[f.IntN(len(list))]
}

// network delivers one of the next messages, to the honest seat or to copies of another. Some it
// delivers again later.
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
	if f.IntN(12) == 0 {
		f.queue = append(f.queue, p)
	}
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

// hears has the honest seat receive a message.
func (f *forks) hears(from int, m message.Message) {
	_ = f.does(channel.Received{From: from, Message: m})
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
	if winner := f.IntN(2 * len(stakes)); winner < len(stakes) {
		return all(stakes, winner)
	}
	return stakes
}

// all pays all stakes to a seat.
func all(stakes []uint256.Int, seat int) []uint256.Int {
	out := make([]uint256.Int, len(stakes))
	for i := range stakes {
		out[seat].Add(&out[seat], &stakes[i])
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

// moves is a move from the newest position that a seat knows.
func (f *forks) moves(v *channel.MatchView) channel.MakeMove {
	return channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: f.move(v.State, v.Mover, len(v.Terms.Seats))}
}
