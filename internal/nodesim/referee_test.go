package nodesim

import (
	"bytes"
	"maps"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// claim is what a seat has a right to in one match: the newest position that its node knew, and
// what it agreed to.
type claim struct {
	in      common.Hash // the channel
	locked  bool        // the seat's stake ever was
	terms   protocol.MatchTerms
	game    string
	seat    uint8
	started bool
	since   uint64 // the block in which it started
	turn    protocol.Turn
	state   []byte
	mover   uint8
	draw    []uint256.Int

	forgotten *claim // what it was before the seat's store was put back; nil: it never was
}

// look has the referee look over the seat's shoulder.
func (s *seat) look() {
	n := s.running()
	if n == nil {
		return
	}
	matches, standing := n.Matches(), n.Standing()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range matches {
		s.see(&matches[i])
	}
	for _, a := range standing {
		if !s.alarms[a.Text] {
			s.note("seat %d is alarmed: %s", s.index, a.Text)
		}
		s.alarms[a.Text] = true
	}
}

// see follows a match to the newest position. The lock is held.
func (s *seat) see(m *node.Match) {
	c := s.claims[m.ID]
	if c == nil {
		c = &claim{in: m.Channel, terms: m.Terms, game: m.Game, seat: uint8(m.Seat)} //nolint:gosec // a seat
		s.claims[m.ID] = c
	}
	c.locked = c.locked || m.Locked
	if m.State != nil && (c.state == nil || m.Turn >= c.turn) {
		if c.state == nil || m.Turn > c.turn || m.Started && !c.started {
			s.note("seat %d is at turn %s of match %x, begun: %v, agreed: %v", s.index, m.Turn, m.ID[:4], m.Started, m.Rank.Agreed)
		}
		c.turn, c.state, c.mover = m.Turn, bytes.Clone(m.State), m.Mover
	}
	if m.Started && !c.started {
		c.started, c.since = true, s.world.head()
	}
	if m.Agreement != nil {
		c.draw = m.Agreement.Payouts
	}
}

// due is the least that a match must pay to the seat: where it is over, what the rules say; where
// an opponent is on move, what they give when it never moves again. Where the seat itself is on
// move nothing is sure: its bot decides. Nor is it where its time ran out while it was away, and
// only a move would have answered.
func (s *seat) due(id common.Hash, c *claim, terms *protocol.Terms) (uint256.Int, error) {
	switch {
	case c.draw == nil && slices.ContainsFunc(s.ranOut(id, c), func(r protocol.Record) bool { return s.helpless(id, &r) }):
		return uint256.Int{}, nil
	case !c.started || s.voided(id, c):
		return c.terms.Stakes[c.seat], nil
	case c.draw != nil:
		return c.draw[c.seat], nil
	}
	game, err := s.games.Find(c.game)
	if err != nil {
		return uint256.Int{}, err
	}
	j, err := protocol.NewJudge(s.domain, terms, &c.terms, game.Rules)
	if err != nil {
		return uint256.Int{}, err
	}
	state := c.state
	for range 100 {
		mover, err := j.Mover(state)
		if err != nil {
			return uint256.Int{}, err
		}
		switch mover {
		case games.Nobody:
			out, err := j.Outcome(state)
			if err != nil {
				return uint256.Int{}, err
			}
			return out.Payouts[c.seat], nil
		case c.seat:
			return uint256.Int{}, nil
		}
		if state, err = game.Rules.Expire(j.Context(uint16(1)<<len(c.terms.Seats)-1, 0), state); err != nil {
			return uint256.Int{}, err
		}
	}
	return uint256.Int{}, nil
}

// voided reports whether a match began too late for the chain: somebody had asked there for the
// signatures that it lacked, and the last came when the clock had run out, or so shortly before
// that nothing could be posted in time.
func (h *history) voided(id common.Hash, c *claim) bool {
	var asked uint64
	for _, r := range h.world.recorded(id) {
		switch {
		case r.Record.Status == protocol.MatchUnsigned:
			asked = r.Record.Deadline
		case r.Record.Status == protocol.MatchFinal && asked != 0:
			return c.since+mostIll+2 > asked
		default:
			asked = 0
		}
	}
	return false
}

// judge looks at who has what in the end.
func (h *history) judge() {
	// who cheats may leave its own money
	if err := h.world.auditor.Empty(); err != nil && len(h.lost) == 0 && !h.cheating() {
		h.lose("at the end: %v", err)
	}
	for _, s := range h.seats {
		if s.honest {
			s.paid()
			s.blameless()
			s.remembers()
		}
	}
	h.scene.judge(h)
}

// paid checks that the seat has all that is due to it. Gas is paid from another pocket.
func (s *seat) paid() {
	n := s.running()
	if n == nil {
		return
	}
	s.finish(n)
	ids := slices.Collect(maps.Keys(s.claims))
	if s.copy != nil {
		if other := s.copy.running(); other != nil {
			s.copy.finish(other)
		}
		ids = slices.AppendSeq(ids, maps.Keys(s.copy.claims)) // what a copy plays is played
	}
	slices.SortFunc(ids, common.Hash.Cmp)
	ids = slices.Compact(ids)
	due := new(uint256.Int).Set(bank)
	for _, c := range n.Channels() {
		for _, id := range ids {
			worth, stake, err := s.owed(id, &c)
			if err != nil {
				s.fail("what match %s is worth to seat %d: %v", id, s.index, err)
				return
			}
			due.Add(due, worth)
			due.Sub(due, stake)
		}
	}
	if got := s.world.bank(s.account()); got.Lt(due) {
		s.harmed("honest seat %d has %s of the %s that are due to it", s.index, got.Dec(), due.Dec())
	}
}

// owed returns the least that a match in a channel must pay to the seat, by what its nodes know and
// by what they knew and have forgotten, and what the seat staked.
func (s *seat) owed(id common.Hash, in *node.Channel) (worth, stake *uint256.Int, err error) {
	known := []*claim{s.claims[id]}
	if s.copy != nil {
		known = append(known, s.copy.claims[id])
	}
	for _, c := range known {
		for ; c != nil && c.in == in.ID; c = c.forgotten {
			is, err := s.due(id, c, &in.Terms)
			if err != nil {
				return nil, nil, err
			}
			if worth == nil || is.Lt(worth) {
				worth, stake = &is, &c.terms.Stakes[c.seat]
			}
		}
	}
	if worth == nil {
		return new(uint256.Int), new(uint256.Int), nil
	}
	s.note("seat %d staked %s in match %x and is due %s", s.index, stake.Dec(), id[:4], worth.Dec())
	return worth, stake, nil
}

// finish takes over results of positions that no look saw: the last move and the booking may come
// at one instant. A result never changes what a position was worth that was over.
func (s *seat) finish(n *node.Node) {
	results, err := n.Results()
	if err != nil {
		s.fail("seat %d has no results: %v", s.index, err)
	}
	for _, r := range results {
		c := s.claims[r.Match]
		if c == nil || c.mover == games.Nobody || r.Turn <= c.turn || r.Turn.Epoch() != c.turn.Epoch() || r.Guilty&(1<<c.seat) != 0 {
			continue
		}
		c.turn, c.draw = r.Turn, r.Payouts
	}
}

// harmed says that the seat lost money. Where that could not be helped its user must have been
// alarmed.
func (s *seat) harmed(format string, args ...any) {
	switch {
	case !s.dire:
		s.lose(format, args...)
	case len(s.alarms) == 0 && (s.copy == nil || len(s.copy.alarms) == 0):
		s.lose("without an alarm: "+format, args...)
	default:
		s.note("what could not be helped, and the user was alarmed: "+format, args...)
	}
}

// blameless checks that the chain convicted the seat of nothing, and that no clock of its own ran
// out that it could have answered.
func (s *seat) blameless() {
	for id, c := range s.claims {
		for _, r := range s.world.recorded(id) {
			if r.Guilty&(1<<c.seat) != 0 && !s.warned() {
				s.lose("honest seat %d was convicted of %q", s.index, bytes.TrimRight(r.Reason[:], "\x00"))
			}
		}
		for _, r := range s.ranOut(id, c) {
			if !s.helpless(id, &r) && !s.harmless(id, c.in) {
				s.harmed("honest seat %d let its own time run out at turn %s", s.index, r.Turn.Turn())
			}
		}
	}
}

// ranOut returns the records of a match on which the seat's own clock ran out.
func (s *seat) ranOut(id common.Hash, c *claim) (list []protocol.Record) {
	var before protocol.Record
	for _, r := range s.world.recorded(id) {
		if r.State != nil && before.Mover == c.seat && before.Status == protocol.MatchLive {
			list = append(list, before)
		}
		before = r.Record
	}
	return list
}

// recorded returns what the Arena recorded of a match.
func (w *world) recorded(id common.Hash) (list []onchain.Recorded) {
	for _, e := range w.events() {
		if r, is := e.(onchain.Recorded); is && r.MatchID == id {
			list = append(list, r)
		}
	}
	return list
}
