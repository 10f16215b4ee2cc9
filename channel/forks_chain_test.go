package channel_test

import (
	"maps"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// clock is what the chain's time tells.
func (f *forks) clock() channel.ClockAt {
	return channel.ClockAt{Now: f.mini.Block(), Block: f.mini.Block()}
}

// passes lets blocks pass, of which not everybody is told.
func (f *forks) passes(blocks uint64) {
	f.mini.Mine(blocks)
	if f.IntN(10) == 0 {
		_ = f.does(f.clock())
	}
}

// tell tells every process of every seat something.
func (f *forks) tell(in channel.Input) {
	f.t.Helper()
	_ = f.does(in)
	for seat, list := range f.copies {
		for _, m := range list {
			f.acts(seat, m, in)
		}
	}
}

// sends has a seat send something to the Arena, and tells what came of it.
func (f *forks) sends(seat int, a onchain.Action) error {
	f.t.Helper()
	if len(f.unfinal) == 0 {
		f.before, f.final = f.stand, f.mini.Checkpoint()
		f.before.latest = maps.Clone(f.latest)
	}
	said, err := f.send(f.terms.Players[seat], a)
	if err != nil {
		return err
	}
	for _, e := range said {
		if id, ours := onchain.Of(e); ours && id == f.id {
			f.happens(e)
		}
	}
	if f.IntN(2) == 0 {
		f.finalise()
	}
	return nil
}

// happens notes what an event changes, and tells it.
func (f *forks) happens(e onchain.Event) {
	f.t.Helper()
	switch e := e.(type) {
	case onchain.Recorded:
		old := f.latest[e.MatchID]
		next := recorded{e.Record.On(&old.Record), old.state}
		if v, ok := f.me().Match(e.MatchID); ok && e.Support != nil {
			way := f.way(&v, e.Support)
			next.state = way[len(way)-1]
		} else if e.State != nil {
			next.state = e.State
		}
		f.latest[e.MatchID] = next
	case onchain.Contested:
		f.contest = &e
	case onchain.Settled, onchain.Closed:
		f.over = true
	}
	f.unfinal = append(f.unfinal, e)
	f.tell(channel.ChainSeen{Event: e})
}

// finalise tells that all is final that has happened.
func (f *forks) finalise() {
	f.t.Helper()
	for _, e := range f.unfinal {
		f.tell(channel.ChainSeen{Event: e, Final: true})
		if _, paid := e.(onchain.Settled); paid {
			f.settles(&f.contest.Ledger.Ledger)
		}
	}
	f.unfinal = nil
}

// settles holds that what goes on after the channel is paid out by a ledger can go on.
func (f *forks) settles(l *protocol.Ledger) {
	f.t.Helper()
	f.settled = true
	f.knows(l)
	for _, k := range l.Locks {
		if f.view(f.honest, k.MatchID).Bound {
			f.t.Fatalf("match %s waits for a ledger though %d is paid out", short(k.MatchID), l.Version)
		}
	}
}

// reorganise takes back what is not final, while a contest can still be answered again.
func (f *forks) reorganise() {
	f.t.Helper()
	if len(f.unfinal) == 0 || f.contest != nil && f.mini.Block() >= f.contest.Deadline {
		return
	}
	for _, e := range slices.Backward(f.unfinal) {
		f.tell(channel.ChainUndone{Event: e})
	}
	now := f.mini.Block()
	f.mini.Rewind(f.final)
	f.mini.Mine(now - f.mini.Block())
	f.stand, f.unfinal = f.before, nil
	f.rebuts()
}

// onChain lets something happen at the Arena. The honest seat answers what is recorded.
func (f *forks) onChain() {
	f.t.Helper()
	f.rebuts()
	v, playing := f.anyMatch(f.me())
	switch x := f.IntN(12); {
	case x == 0:
		f.finalise()
	case x == 1:
		f.reorganise()
	case x == 2:
		f.passes(f.Uint64N(2 * f.terms.Window))
		f.tell(f.clock())
		f.finalise()
	case x == 3 || f.contest != nil && !f.over && x < 8:
		f.contests()
	case !playing || !v.Locked:
	case x == 4:
		f.ends(&v)
	case x == 5:
		i := f.other()
		if w, ok := f.copy(i).Match(v.ID); ok && w.Agreement != nil {
			_ = f.agrees(i, &v, w.Agreement)
		}
	default:
		_ = f.advances(f.other(), &v, f.evidence(&v), f.IntN(2) == 0)
	}
	if _, posted := f.latest[v.ID]; posted {
		f.answers(v.ID)
	}
}

// record is what the Arena holds of a match, nil if nothing.
func (f *forks) record(v *channel.MatchView) *protocol.Record {
	if r, ok := f.latest[v.ID]; ok {
		return &r.Record
	}
	return nil
}

// advances posts a support, with a demand of the seat or without.
func (f *forks) advances(seat int, v *channel.MatchView, s *protocol.Support, demand bool) error {
	a := onchain.Advance{Terms: f.terms, Match: v.Terms, Record: f.record(v), Support: *s}
	if a.Record == nil {
		a.Ledger = v.Ledger
	}
	if demand {
		sig := f.sign(seat, protocol.Demand{MatchID: v.ID, Turn: s.Last()}.Digest(f.domain))
		a.Demand = &sig
	}
	return f.sends(seat, a)
}

// agrees posts an agreement.
func (f *forks) agrees(seat int, v *channel.MatchView, a *protocol.SignedAgreement) error {
	return f.sends(seat, onchain.Agree{Terms: f.terms, Match: v.Terms, Record: f.record(v), Agreement: *a})
}

// ends ends a clock that has run out, or pays a lock.
func (f *forks) ends(v *channel.MatchView) {
	r, ok := f.latest[v.ID]
	switch {
	case !ok:
	case r.runs():
		_ = f.sends(f.other(), onchain.Expire{Terms: f.terms, Match: v.Terms, Record: r.Record, State: r.state})
	case f.settled:
		final := []onchain.FinalMatch{{Terms: v.Terms, Record: r.Record}}
		_ = f.sends(f.other(), onchain.Settle{Terms: f.terms, Ledger: f.contest.Ledger.Ledger, Matches: final})
	}
}

// answers has the honest seat do what the record of a match asks of it, and holds that it can.
func (f *forks) answers(id common.Hash) {
	f.t.Helper()
	_ = f.does(channel.Hold{})
	for range 3 {
		f.finalise()
		_ = f.does(f.clock())
		v, known := f.me().Match(id)
		r, posted := f.latest[id]
		now := f.mini.Block()
		if !known || !v.Locked || !posted || r.Status >= protocol.MatchFinal || r.Deadline != 0 && now >= r.Deadline {
			return
		}
		if v.Agreement != nil {
			if r.runs() && protocol.MarkOf(v.Agreement.Turn) >= r.Turn {
				if err := f.agrees(f.honest, &v, v.Agreement); err != nil {
					f.t.Fatalf("the agreement on match %s is refused: %v", short(id), err)
				}
			}
			return
		}
		if f.advances(f.honest, &v, v.Support, int(v.Mover) != v.Seat && f.IntN(2) == 0) == nil {
			continue
		}
		holds := protocol.MarkOf(v.Turn) == r.Turn && protocol.StateHash(v.State) == r.State
		if stands := len(v.Terms.Seats) == 2 || now >= r.Since+f.terms.Window; r.Status == protocol.MatchLive && stands && !holds {
			f.t.Fatalf("turn %s of match %s neither is nor outranks the record: %+v, %+v", v.Turn, short(id), v.Rank, r.Record)
		}
		if !holds || !r.runs() || int(r.Mover) != v.Seat || now < r.Clock {
			return
		}
		f.forced(&v)
	}
}

// forced has the honest seat move, as its clock runs.
func (f *forks) forced(v *channel.MatchView) {
	f.t.Helper()
	if err := f.does(f.moves(v)); err != nil {
		f.t.Fatalf("the clock of match %s runs, and there's no moving at turn %s: %v", short(v.ID), v.Turn, err)
	}
	next := f.view(f.honest, v.ID)
	if err := f.advances(f.honest, &next, next.Support, false); err != nil {
		f.t.Fatalf("the move to turn %s of match %s is refused: %v", next.Turn, short(v.ID), err)
	}
}
