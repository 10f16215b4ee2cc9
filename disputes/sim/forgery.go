package sim

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// pays returns what a move pays its seat if it ends the match.
func (s *seat) pays(t games.Table, d *games.Decision) (amount uint256.Int, over bool) {
	next, err := s.mustRules().Play(t.Context, t.State, d.Move)
	if err != nil {
		return amount, false
	}
	if mover, err := s.game.Rules.Mover(next); err != nil || mover != games.Nobody {
		return amount, false
	}
	out, err := s.game.Rules.Outcome(next, t.Context.Stakes)
	if err != nil {
		return amount, false
	}
	return out.Payouts[t.Seat], true
}

func postLedger(g *gang, by *seat) {
	l := g.ledgers[g.r.IntN(len(g.ledgers))]
	sig, err := by.cfg.Signer.Sign(protocol.Contest{ChannelID: g.id, Version: l.Version}.Digest(g.domain))
	if err != nil {
		return
	}
	g.note("seat %d contests with ledger %d of %d", by.index, l.Version, g.ledgers[len(g.ledgers)-1].Version)
	g.post(by, onchain.ContestLedger{Terms: g.terms, Ledger: *l, Seat: uint8(by.index), Signature: sig[:]})
}

func postPosition(g *gang, by *seat) {
	id, a := g.anyMatch()
	if a == nil || len(a.supports) == 0 {
		return
	}
	s := a.supports[min(g.r.IntN(len(a.supports)), g.r.IntN(len(a.supports)))] // rather an old one
	if g.r.IntN(3) == 0 {
		// or a new one, which may be a fork
		s = a.supports[len(a.supports)-1-g.r.IntN(min(3, len(a.supports)))]
	}
	demand := g.r.IntN(2) == 0
	g.note("seat %d posts turn %s of match %x, with a Demand: %v", by.index, s.Last(), id[:4], demand)
	g.post(by, g.advance(by, id, a, s, demand))
}

func goOn(g *gang, by *seat) {
	id, a := g.anyMatch()
	if a == nil {
		return
	}
	r := g.view.Recorded(id)
	if r == nil || r.Status != protocol.MatchLive || int(r.Mover) != slices.Index(a.terms.Seats, uint8(by.index)) {
		return
	}
	state, known := g.states[r.State]
	if !known {
		return
	}
	c := a.judge.Context(0, r.Block)
	for i, m := range r.Marks {
		if m == r.Turn {
			c.Signed |= 1 << i
		}
	}
	c.Facts = g.world
	t := games.Table{Context: c, State: state, Seat: r.Mover, Secrets: by.machine.Secret(id), Random: by}
	d, err := by.play(t, r.Mover)
	if err != nil || d == nil {
		return
	}
	s, _ := g.extend(by, id, a, &protocol.Support{Turn: r.Turn.Turn(), Base: state}, state, d.Move, c.Signed, r.Block)
	if s == nil {
		return
	}
	a.add(s)
	demand := g.r.IntN(2) == 0
	g.note("seat %d moves on from the recorded turn %s of match %x, with a Demand: %v", by.index, r.Turn.Turn(), id[:4], demand)
	g.post(by, g.advance(by, id, a, s, demand))
}

func collude(g *gang, by *seat) {
	id, a := g.anyMatch()
	if a == nil || len(a.supports) == 0 {
		return
	}
	s := a.supports[g.r.IntN(len(a.supports))]
	end, err := a.judge.Replay(s, nil, g.now())
	if err != nil {
		return // it began at a recorded position, say: goOn is for that
	}
	state, signed := end.State, end.Signed
	for range 1 + g.r.IntN(4) {
		mover, err := a.judge.Mover(state)
		member := g.member(a, mover)
		if err != nil || member == nil {
			break
		}
		c := a.judge.Context(signed, 0)
		c.Facts = g.world
		d, err := member.play(games.Table{Context: c, State: state, Seat: mover, Secrets: member.machine.Secret(id), Random: member}, mover)
		if err != nil || d == nil {
			break
		}
		longer, _ := g.extend(member, id, a, s, state, d.Move, signed, 0)
		if longer == nil {
			break
		}
		state, _ = a.judge.Play(state, d.Move, signed, 0) // legal: it was just played
		s, signed = g.cosign(id, a, longer, state, g.members)
	}
	a.add(s)
	demand := g.r.IntN(2) == 0
	g.note("seat %d posts turn %s of match %x, which only its like played on to, with a Demand: %v", by.index, s.Last(), id[:4], demand)
	g.post(by, g.advance(by, id, a, s, demand))
}

func meddle(g *gang, by *seat) {
	id, a := g.anyMatch()
	if a == nil {
		return
	}
	r := g.view.Recorded(id)
	switch g.r.IntN(4) {
	case 0:
		if l, _ := g.view.Ledger(); l != nil {
			g.post(by, onchain.Settle{Terms: g.terms, Ledger: l.Ledger})
		}
	case 1:
		if r != nil {
			sig, err := by.cfg.Signer.Sign(protocol.Demand{MatchID: id, Turn: r.Turn.Turn()}.Digest(g.domain))
			if err == nil {
				g.note("seat %d demands a move at turn %s", by.index, r.Turn.Turn())
				g.post(by, onchain.DemandMove{Terms: g.terms, Match: a.terms, Record: *r, Signature: sig})
			}
		}
	case 2:
		if r != nil {
			g.post(by, onchain.Expire{Terms: g.terms, Match: a.terms, Record: *r, State: g.states[r.State]})
		}
	case 3:
		g.accuse(by, id, a, r)
	}
}

// accuse brings two signatures of a seat together that are of different turns, or of nothing.
func (g *gang) accuse(by *seat, id common.Hash, a *album, r *protocol.Record) {
	if len(a.supports) == 0 {
		return
	}
	s := a.supports[g.r.IntN(len(a.supports))]
	if len(s.Signatures) == 0 {
		return
	}
	one, two := s.Signatures[g.r.IntN(len(s.Signatures))], s.Signatures[g.r.IntN(len(s.Signatures))]
	proof := protocol.Equivocation{MatchID: id, Turn: s.Turn + protocol.Turn(one.At), Seat: one.Seat,
		Signatures: [2]protocol.Signature{one.Signature, two.Signature}}
	proof.States[0] = protocol.StateHash(s.Base)
	proof.States[1][0] = byte(g.r.UintN(256))
	g.post(by, onchain.Convict{Terms: g.terms, Match: a.terms, Record: r, Proof: proof})
}

// advance is a member's advance with a support, with its Demand or without.
func (g *gang) advance(by *seat, id common.Hash, a *album, s *protocol.Support, demand bool) onchain.Advance {
	out := onchain.Advance{Terms: g.terms, Match: a.terms, Record: g.view.Recorded(id), Support: *s}
	if out.Record == nil {
		out.Ledger = a.ledger
	}
	if demand {
		if sig, err := by.cfg.Signer.Sign(protocol.Demand{MatchID: id, Turn: s.Last()}.Digest(g.domain)); err == nil {
			out.Demand = &sig
		}
	}
	return out
}

// member returns who of the gang has a seat of a match, nil if nobody.
func (g *gang) member(a *album, seat uint8) *seat {
	for _, s := range g.members {
		if slices.Index(a.terms.Seats, uint8(s.index)) == int(seat) {
			return s
		}
	}
	return nil
}

// cosign adds the signatures of some members to the end of a support, and returns who has signed
// that then.
func (g *gang) cosign(id common.Hash, a *album, s *protocol.Support, state []byte, by []*seat) (*protocol.Support, uint16) {
	out, at := *s, uint16(len(s.Moves))
	p := protocol.Position{MatchID: id, Turn: s.Last(), State: protocol.StateHash(state)}
	out.Signatures = slices.DeleteFunc(slices.Clone(s.Signatures), func(sig protocol.SeatSignature) bool { return sig.At == at })
	signed := uint16(0)
	for seat := range uint8(len(a.terms.Seats)) {
		if m := g.member(a, seat); slices.Contains(by, m) {
			if sig, err := m.cfg.Signer.Sign(p.Digest(g.domain)); err == nil {
				out.Signatures = append(out.Signatures, protocol.SeatSignature{At: at, Seat: seat, Signature: sig})
				signed |= 1 << seat
			}
		}
	}
	return &out, signed
}

// extend returns a support with one move more, which the member signs, whatever it signed before,
// and the hash of the state that it signs; nil where the move is illegal.
func (g *gang) extend(by *seat, id common.Hash, a *album, s *protocol.Support, from, move []byte, signed uint16, recorded uint64) (*protocol.Support, common.Hash) {
	next, err := a.judge.Play(from, move, signed, recorded)
	if err != nil {
		return nil, common.Hash{}
	}
	p := protocol.Position{MatchID: id, Turn: s.Last() + 1, State: protocol.StateHash(next)}
	sig, err := by.cfg.Signer.Sign(p.Digest(g.domain))
	if err != nil {
		return nil, common.Hash{}
	}
	g.remember(id, p.Turn, next)
	out := *s
	out.Moves = append(slices.Clip(out.Moves), move)
	out.Signatures = append(slices.Clip(out.Signatures), protocol.SeatSignature{
		At: uint16(len(out.Moves)), Seat: uint8(slices.Index(a.terms.Seats, uint8(by.index))), Signature: sig,
	})
	return &out, p.State
}
