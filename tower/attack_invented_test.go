package tower

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAttack_LyingRPC_Rank: one endpoint of a tower's invents that seats signed a recorded position
// far on, and takes it back. A seat gave evidence meanwhile that goes on from there: it isn't held
// for more than it shows, so that what the seat gives later takes its place.
func TestAttack_LyingRPC_Rank(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.act(0, onchain.Advance{Terms: s.terms, Match: s.match, Ledger: &s.ledger, Support: *s.support(0, 1)})
	s.mine(2)
	said := s.events(chain.Seen)
	lie := said[len(said)-1]
	recorded, ok := lie.Event.(onchain.Recorded)
	if !ok {
		t.Fatalf("a %T", lie.Event)
	}
	lie.Log.Index += 1000
	lie.Log.Data = bytes.Clone(lie.Log.Data)
	for seat := range s.seats {
		at := bytes.Index(lie.Log.Data, recorded.Record.State[:]) + 76 + 14*seat
		binary.BigEndian.PutUint64(lie.Log.Data[at:], 1<<40)
	}
	s.must(s.happened(&lie))
	for moves := 1; moves <= 2; moves++ {
		e, mark := s.evidenceOf(), protocol.MarkOf(protocol.Turn(moves))
		e.Support = s.played(moves)
		if r := s.give(1, e); r.Match(s.matchID).Rank != (protocol.Rank{Agreed: mark, Turn: mark}) {
			t.Errorf("%d moves: %q, %+v is held", moves, r.Refusal, r.Match(s.matchID).Rank)
		}
		lie.Stage = chain.Undone
		s.must(s.happened(&lie))
	}
}

// TestAttack_LyingRPC_Stood: one endpoint tells a time at which a position of three seats would
// have stood for a window. What goes on from it ranks no higher for that, until both tell it.
func TestAttack_LyingRPC_Stood(t *testing.T) {
	h := mob(t, 3, 1, 0)
	e := h.run(0, 1, 0)
	h.act(0, onchain.Advance{Terms: h.terms, Match: h.matches[0], Ledger: &h.ledger, Support: *e.Support})
	h.mine(2)
	newer := h.run(0, 2, 0)
	s := newer.Support
	judge, err := protocol.NewJudge(h.domain, &h.terms, &h.matches[0], toy.Rules{})
	h.must(err)
	base, err := judge.Play(s.Base, s.Moves[0], 0, 0)
	h.must(err)
	last := s.Signatures[len(s.Signatures)-1]
	last.At = 1
	newer.Support = &protocol.Support{Turn: 1, Base: base, Moves: s.Moves[1:], Signatures: []protocol.SeatSignature{last}}
	agreed := func() protocol.Mark {
		h.hand(0, newer)
		held, err := h.holding(h.id, 0)
		h.must(err)
		return held.Match(newer.MatchID).Agreed
	}
	h.mu.Lock()
	h.newest.Number += h.terms.Window
	h.mu.Unlock()
	if a := agreed(); a != 1 {
		t.Errorf("by the word of one, all agreed up to %d", a)
	}
	h.mine(int(h.terms.Window))
	if a := agreed(); a != 2 {
		t.Errorf("a window later, all agreed up to %d", a)
	}
}

// played is the match after so many moves of the first seat, of which the other signed the last.
func (s *siege) played(moves int) *protocol.Support {
	s.Helper()
	judge, err := protocol.NewJudge(s.domain, &s.terms, &s.match, toy.Rules{})
	s.must(err)
	out := s.support(0, 1)
	state := out.Base
	for at := 1; at <= moves; at++ {
		move := toy.Pass(0)
		state, err = judge.Play(state, move, 0, 0)
		s.must(err)
		out.Moves = append(out.Moves, move)
		for seat := range s.seats {
			if seat == 0 || at == moves {
				d := judge.Digest(protocol.Turn(at), protocol.StateHash(state))
				out.Signatures = append(out.Signatures, protocol.SeatSignature{At: uint16(at), Seat: uint8(seat), Signature: s.sign(s.seats[seat], d)})
			}
		}
	}
	return out
}
