package sim

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// claim is what an honest seat has a right to in one match, as a referee sees it who looks over its
// shoulder: it follows the positions that the seat came to know, and asks the rules what they are
// worth.
type claim struct {
	terms   protocol.MatchTerms
	seat    uint8 // of the match
	started bool  // every seat signed turn 0; else the match is void, and the stake comes back
	line    []place
	agreed  protocol.Turn // the newest that every seat is known to have signed
	// by epoch: how the best evidence ranked that the seat ever held
	best  map[uint32]protocol.Rank
	draw  []uint256.Int // what all seats agreed to
	heard []byte        // the last move that another seat made
	// by seat of the match: the block in which the proof came that it signed two positions
	proofs map[uint8]uint64
}

// place is a position as the seat knew it, with what it had committed to by then.
type place struct {
	turn    protocol.Turn
	state   []byte
	secrets commit.Secrets
}

// witness looks at what a seat was told, before anything of it leaves.
func (s *seat) witness(events []channel.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case channel.MatchLocked:
			s.claim(e.MatchID, &e.Terms)
		case channel.MatchStarted:
			if c := s.claims[e.MatchID]; c != nil {
				c.started = true
			}
		case channel.Moved:
			s.remember(e.MatchID, e.Turn, e.State)
			if c := s.claims[e.MatchID]; c != nil {
				s.arrive(e.MatchID, c, &e)
				if e.Seat != c.seat {
					c.heard = e.Move
				}
			}
		case channel.MatchExpired:
			s.remember(e.MatchID, e.Turn, e.State)
			if c := s.claims[e.MatchID]; c != nil {
				s.expire(e, c)
			}
		case channel.AgreementReached:
			if c := s.claims[e.Agreement.MatchID]; c != nil {
				c.draw = e.Agreement.Payouts
			}
		case channel.SeatEquivocated:
			s.accused(&e.Proof)
			if c := s.claims[e.Proof.MatchID]; c != nil {
				c.proofs[e.Proof.Seat] = s.chain.Block()
			}
		}
	}
	for _, m := range s.machine.Matches() {
		if c := s.claims[m.ID]; c != nil && m.Rank.Agreed != 0 {
			c.agreed = max(c.agreed, m.Rank.Agreed.Turn())
			if epoch := m.Turn.Epoch(); m.Rank.Above(c.best[epoch]) {
				c.best[epoch] = m.Rank
			}
		}
	}
}

func (s *seat) claim(id common.Hash, terms *protocol.MatchTerms) {
	seat := slices.Index(terms.Seats, uint8(s.index))
	if seat < 0 || s.claims[id] != nil {
		return
	}
	c := &claim{terms: *terms, seat: uint8(seat), best: map[uint32]protocol.Rank{}, proofs: map[uint8]uint64{}}
	s.claims[id] = c
	if m, ok := s.machine.Match(id); ok && m.State != nil {
		c.line = []place{s.place(id, m.Turn, m.State)}
		s.remember(id, m.Turn, m.State)
	}
}

func (s *seat) place(id common.Hash, turn protocol.Turn, state []byte) place {
	return place{turn: turn, state: bytes.Clone(state), secrets: s.machine.Secret(id)}
}

// arrive follows the match to a new position. It may not go back behind what every seat signed.
func (s *seat) arrive(id common.Hash, c *claim, e *channel.Moved) {
	if s.honest && !s.machine.Restored() && e.Turn <= c.agreed {
		if i := slices.IndexFunc(c.line, func(p place) bool { return p.turn == e.Turn }); i < 0 || !bytes.Equal(c.line[i].state, e.State) {
			s.lose("seat %d's match %s went back to another turn %s, though all had signed turn %s", s.index, id, e.Turn, c.agreed)
		}
	}
	c.line = append(c.line, s.place(id, e.Turn, e.State))
}

// expire follows the match to what an expiry led to. What the seat was shown beyond the position
// whose clock ran out came too late to count.
func (s *seat) expire(e channel.MatchExpired, c *claim) {
	var before protocol.Record
	for _, said := range s.log {
		r, ok := said.event.(onchain.Recorded)
		if !ok || r.MatchID != e.MatchID {
			continue
		}
		if r.State != nil && r.Record.Turn == protocol.MarkOf(e.Turn) {
			break
		}
		// a conviction in a match of three or more leaves the record alone
		if r.Record.Status != protocol.MatchUnknown {
			before = r.Record
		}
	}
	if s.honest && before.Mover == c.seat && !s.machine.Restored() {
		s.lose("seat %d let its own time run out at turn %s of match %s", s.index, before.Turn.Turn(), e.MatchID)
	}
	for len(c.line) > 1 && protocol.MarkOf(c.last().turn) > before.Turn {
		c.line = c.line[:len(c.line)-1]
	}
	c.line = append(c.line, s.place(e.MatchID, e.Turn, e.State))
	c.agreed = e.Turn
}

func (c *claim) last() place { return c.line[len(c.line)-1] }

// remember notes that a position exists, whoever told whom, and that the match goes on for too
// long.
func (h *history) remember(id common.Hash, turn protocol.Turn, state []byte) {
	if most := h.turns; most != 0 && !h.failed() && max(uint64(turn.Moves()), uint64(turn.Epoch())) > most {
		h.fail("match %s is at turn %s and not over, though the game says that it takes %d turns at most", id, turn, most)
	}
	at := spot{id, turn}
	if hash := protocol.StateHash(state); !slices.Contains(h.positions[at], hash) {
		h.positions[at] = append(h.positions[at], hash)
		h.states[hash] = bytes.Clone(state)
	}
}

// spot is a turn of a match.
type spot struct {
	match common.Hash
	turn  protocol.Turn
}

// accused is a proof against a seat.
func (h *history) accused(p *protocol.Equivocation) {
	for _, s := range h.seats {
		c := s.claims[p.MatchID]
		if s.honest && c != nil && c.seat == p.Seat {
			h.lose("there is a proof that honest seat %d signed two positions of turn %s of match %s", s.index, p.Turn, p.MatchID)
		}
	}
}

// worth is the least that the claim must pay: where it ended, what the rules say; where it did not,
// what they give against opponents who are silent from there on; less only by the seat's own word
// in an agreement. In a match of three seats or more a position may be outrun that not all have
// signed: see fallback.
func (s *seat) worth(id common.Hash, c *claim, k *course) (uint256.Int, error) {
	if !c.started && (k == nil || !k.began) {
		return c.terms.Stakes[c.seat], nil
	}
	last := len(c.line) - 1
	for last > 0 && c.line[last].turn.Epoch() > 0 && c.line[last].turn.Moves() == 0 {
		last-- // what an expiry led to is what silence gives from the move before
	}
	due, err := s.silent(id, c, c.line[last])
	if err != nil {
		return due, err
	}
	if len(c.terms.Seats) > 2 {
		if i := slices.IndexFunc(c.line, func(p place) bool { return p.turn == c.agreed }); i >= 0 {
			least, err := s.fallback(id, c, k, c.line[i])
			if err != nil {
				return due, err
			}
			due = lesser(due, least)
		}
	}
	if c.draw != nil {
		due = lesser(due, c.draw[c.seat])
	}
	return due, nil
}

// fallback is what the newest position is worth that all seats signed. Its mover may fall silent;
// or move in another way than it told this seat, and have others sign that: what the rules make of
// such a fork counts where it stood, as long as nothing that the seat held ranked above it, and the
// seat itself moved nowhere in it.
func (s *seat) fallback(id common.Hash, c *claim, k *course, agreed place) (uint256.Int, error) {
	due, err := s.silent(id, c, agreed)
	if err != nil {
		return due, err
	}
	rest, through := k.after(agreed, c.seat)
	if !through || len(rest) == 0 || !k.over {
		return due, nil
	}
	for _, stood := range append(k.lapsed, k.last()) {
		if stood.turn >= agreed.turn && c.best[stood.turn.Epoch()].Outranks(stood.rank, false) {
			return due, nil // the seat should have refuted it
		}
	}
	out, err := s.game.Rules.Outcome(rest[len(rest)-1].state, c.terms.Stakes)
	if err != nil {
		return due, err
	}
	return lesser(due, k.share(out.Payouts, c.terms.Stakes, c.seat)), nil
}

func lesser(a, b uint256.Int) uint256.Int {
	if b.Lt(&a) {
		return b
	}
	return a
}

// silent asks the rules what the seat gets from a position on when nobody else ever moves again.
func (s *seat) silent(id common.Hash, c *claim, from place) (uint256.Int, error) {
	j, err := protocol.NewJudge(s.domain, &s.terms, &c.terms, s.mustRules())
	if err != nil {
		return uint256.Int{}, err
	}
	state, kept := from.state, from.secrets
	all := uint16(1)<<len(c.terms.Seats) - 1
	for range 10_000 {
		mover, err := j.Mover(state)
		if err != nil {
			return uint256.Int{}, err
		}
		if mover == games.Nobody {
			out, err := j.Outcome(state)
			if err != nil {
				return uint256.Int{}, err
			}
			return out.Payouts[c.seat], nil
		}
		ctx := j.Context(all, 0)
		ctx.Facts = s.world
		var d *games.Decision
		if mover == c.seat {
			d, err = s.play(games.Table{Context: ctx, State: state, Seat: c.seat, Secrets: kept, Random: s}, mover)
			if err != nil {
				return uint256.Int{}, fmt.Errorf("the player can't move in 0x%x: %w", state, err)
			}
		}
		if d == nil {
			state, err = s.mustRules().Expire(ctx, state)
		} else {
			kept = d.Secrets
			state, err = j.Play(state, d.Move, all, 0)
		}
		if err != nil {
			return uint256.Int{}, err
		}
	}
	return uint256.Int{}, fmt.Errorf("match %s never ends by silence", id)
}

func (s *seat) mustRules() games.Rules { return games.WithFacts(s.game.Rules, s.world) }
