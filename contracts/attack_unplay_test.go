package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
)

// closed closes the round with these bets, by seat.
func (b *boxes) closed(masks map[uint8]box9.Mask) *boxes {
	b.Helper()
	s, err := box9.Codec().DecodeState(b.at(-1).state)
	b.ok(err)
	var m box9.Close
	for seat := uint8(1); int(seat) < len(b.stakes); seat++ {
		if mask := masks[seat]; mask != 0 {
			digest := box9.BetDigest(b.context(0, 0), s.Round, mask)
			m = append(m, box9.Bet{Seat: seat, Mask: mask, Signature: b.signer(seat).sign(digest)})
		}
	}
	b.play(box9.Codec().EncodeMove(m))
	return b
}

// unplayed is the line of a house that leaves the bets out and then goes on alone, to the end of
// the match.
func (b *boxes) unplayed() *match {
	f := b.drawn(b.fork(1).play(box9.Codec().EncodeMove(box9.Close{})), 0)
	return f.play(box9.Codec().EncodeMove(box9.Name(0)))
}

// Of two lines that all seats agreed to as far as each other, the one that was recorded first
// stands, however long the other is; only what goes on from it, or what all agreed to further,
// takes its place.
func TestAttack_Unplay_Outrun(t *testing.T) {
	for _, seats := range []int{2, 3} {
		tb, m := newMatch(t, seats)
		m.play(toy.Pass(1))
		fork := m.fork(1).play(toy.Pass(1, 1), toy.Pass(1, 2), toy.Pass(1, 3), toy.Win(1))
		m.play(toy.Pass(1, 9), toy.Pass(0), toy.Pass(1))
		tb.must(m.advance(m.support(1, 2, m.everyone(1))))
		for last := 2; last <= fork.last(); last++ {
			tb.refused(codec.ErrNotHigher, fork.advance(fork.support(1, last, m.everyone(1))))
			tb.refused(codec.ErrNotHigher, fork.advance(fork.support(0, last, m.everyone(0), m.everyone(1))))
		}
		here := tb.checkpoint()
		// from below, through the recorded position
		tb.must(m.advance(m.support(1, 3, m.everyone(1))))
		here()
		tb.must(m.advance(m.support(2, 3))) // from the recorded position
		here()
		tb.must(fork.advance(fork.support(1, 4, m.everyone(1), fork.everyone(2))))
		if got := m.record().Rank(); got != (protocol.Rank{Agreed: protocol.MarkOf(2), Turn: protocol.MarkOf(4)}) {
			t.Errorf("%d seats: recorded %+v", seats, got)
		}
	}
}

// What all signed always beats what not all signed, recorded or not. So a round whose block a seat
// did not sign can be taken back: with that seat, the house has all agree to the block, and closes
// without the bets. Players don't bet in such a round (games/box9,
// TestAttack_Unplay_UnsignedBlock). In one whose block all signed, the same makes the round count
// as whole.
func TestAttack_Unplay_Withheld(t *testing.T) {
	for _, carolSigns := range []bool{false, true} {
		b := boxTable(t, 2, 3)
		block := b.name()
		evidence := [][]signed{b.everyone(0), {{1, 1}}}
		if carolSigns {
			evidence[1] = b.everyone(1)
		}
		b.bets()
		b.must(b.advance(b.support(0, 2, append(evidence, []signed{{2, 1}})...)))
		b.until(block, 1)
		fork := b.unplayed()
		if posted := fork.advance(fork.support(1, fork.last(), b.everyone(1))); carolSigns {
			b.refused(codec.ErrNotHigher, posted)
		} else {
			b.must(posted)
		}
	}
}
