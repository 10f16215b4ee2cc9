package disputes_test

import (
	"context"
	"slices"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// honest is a seat with a watcher. It makes the moves that the watcher wants.
type honest struct {
	*scene
	seat     int
	watcher  *disputes.Watcher
	evidence disputes.Evidence
	wishes   disputes.Wishes
	reply    func(*match, []byte) []byte // the move to make from a state
	matches  map[common.Hash]*match
	signed   map[protocol.Turn]common.Hash // what it signed, by turn, in its only match
	box      []disputes.Submission
	ids      []string // of all that it submitted
	plan     disputes.Plan
	alarms   []disputes.Alarm
}

// Submit keeps a submission for the next block.
func (h *honest) Submit(_ context.Context, s disputes.Submission) error {
	h.box, h.ids = append(h.box, s), append(h.ids, s.ID)
	return nil
}

// step plans, and plans again with the moves that were wanted.
func (h *honest) step() {
	for range 3 { // a move more, and once more to see that nothing is ordered twice
		h.plan = h.watcher.Step(h.Context(), h.chain.Block()-1, h.evidence, h.wishes)
		h.alarms = append(h.alarms, h.plan.Alarms...)
		moved := false
		for _, w := range h.plan.Wants {
			moved = h.move(w) || moved
		}
		if moved {
			continue
		}
		before := len(h.box)
		h.watcher.Step(h.Context(), h.chain.Block()-1, h.evidence, h.wishes)
		if len(h.box) > before {
			h.Errorf("ordered twice: %v", h.box[before:])
		}
		return
	}
}

// move makes the move that a plan wants, and reports whether it did.
func (h *honest) move(w disputes.Want) bool {
	m := h.matches[w.MatchID]
	if h.reply == nil || w.Chance {
		return false
	}
	move := h.reply(m, w.State)
	next, err := m.game.Play(m.context(), w.State, move)
	h.ok(err)
	s := h.from(w)
	s.Moves = append(slices.Clip(s.Moves), move)
	s.Signatures = append(slices.Clip(s.Signatures), protocol.SeatSignature{
		At: uint16(len(s.Moves)), Seat: m.seatOf(h.seat), Signature: h.sign(m, w.Turn+1, next),
	})
	h.hold(m, s)
	return true
}

// from returns the support that leads to a wanted position: the seat's own, or the posted one.
func (h *honest) from(w disputes.Want) *protocol.Support {
	list := h.watcher.View().Posted(w.MatchID)
	if own := h.evidence.Matches[w.MatchID].Support; own != nil {
		list = append(list, own)
	}
	for _, s := range slices.Backward(list) {
		if s.Last() == w.Turn && slices.Equal(h.matches[w.MatchID].replay(s), w.State) {
			clone := *s
			return &clone
		}
	}
	return &protocol.Support{Turn: w.Turn, Base: w.State}
}

// sign signs a position, and fails the test if that makes the honest seat an equivocator.
func (h *honest) sign(m *match, turn protocol.Turn, state []byte) protocol.Signature {
	hash := protocol.StateHash(state)
	if old, ok := h.signed[turn]; ok && old != hash {
		h.Fatalf("honest seat %d is to sign another position of turn %s", h.seat, turn)
	}
	h.signed[turn] = hash
	p := protocol.Position{MatchID: m.id, Turn: turn, State: hash}
	return h.board.sign(h.seat, p.Digest(h.domain))
}

// hold gives a seat its newest support of a match.
func (h *honest) hold(m *match, s *protocol.Support) {
	e := h.evidence.Matches[m.id]
	e.Terms, e.Support = m.terms, s
	h.evidence.Matches[m.id] = e
	h.matches[m.id] = m
}
