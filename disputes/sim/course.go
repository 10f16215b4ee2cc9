package sim

import (
	"bytes"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// course is how a match went as the chain tells it: the positions that lead to the recorded one,
// and who was convicted.
type course struct {
	stops []stop
	// a position was recorded that every seat has signed something of: the match exists
	began bool
	over  bool          // the last stop is what was paid for
	rank  protocol.Rank // of the last stop, as far as signatures go
	// the seats that were convicted of equivocation in a match of three or more, as a bit mask
	flagged uint16
	guilty  uint16          // the seats that were convicted of anything
	ended   uint64          // the block from which on nothing changes any more; 0: it is not over
	lapsed  []standing      // what was recorded when a clock ran out, in order
	record  protocol.Record // the newest
	// what the chain paid to each seat; nil: it was booked off the chain, or not paid
	paid []uint256.Int
}

// standing is a position that stood, and how it ranked.
type standing struct {
	stop
	rank protocol.Rank
}

// stop is a position of a course, and who moved to it.
type stop struct {
	turn  protocol.Turn
	state []byte
	mover uint8 // whose move it is
	by    uint8 // games.Nobody: the chain's clock, or whoever posted it first
}

// course reads the log of the chain, as it is at the end. Nil: nothing of the match was ever
// posted.
func (h *history) course(id common.Hash, terms *protocol.MatchTerms) (*course, error) {
	j, err := protocol.NewJudge(h.domain, &h.terms, terms, games.WithFacts(h.game.Rules, h.world))
	if err != nil {
		return nil, err
	}
	var c *course
	for _, said := range h.log {
		switch e := said.event.(type) {
		case onchain.Recorded:
			if e.MatchID != id {
				continue
			}
			if c == nil {
				c = &course{}
			}
			if err := c.take(j, &e, said.block); err != nil {
				return nil, err
			}
		case onchain.LockPaid:
			if e.MatchID == id && c != nil {
				c.paid = e.Payouts
			}
		}
	}
	return c, nil
}

// take follows the record to what an event says.
func (c *course) take(j *protocol.Judge, r *onchain.Recorded, block uint64) error {
	c.flagged |= r.Record.Flagged
	c.guilty |= r.Guilty
	if r.Record.Status == protocol.MatchUnknown {
		return nil // a conviction that leaves the record alone
	}
	before := c.record
	c.record, c.over, c.ended = r.Record, r.Record.Status >= protocol.MatchOver, r.Record.Deadline
	switch r.Record.Status {
	case protocol.MatchFinal:
		c.ended = block
	case protocol.MatchLive, protocol.MatchUnsigned:
		c.ended = 0
	}
	switch {
	case r.Support != nil:
		c.began = c.began || r.Record.Status != protocol.MatchUnsigned
		return c.follow(j, r.Support, &before, r.Record.Since)
	case len(r.State) > 0:
		c.lapsed = append(c.lapsed, c.last())
		mover, err := j.Mover(r.State)
		c.stops = append(c.stops, stop{r.Record.Turn.Turn(), r.State, mover, games.Nobody})
		c.rank = protocol.Rank{Agreed: r.Record.Turn, Turn: r.Record.Turn}
		return err
	case r.Record.Status != protocol.MatchLive && r.Record.Status != protocol.MatchUnsigned:
		c.over = false // an agreement, a conviction or a void: no position was paid for
	}
	return nil
}

// follow replays a support from where it leaves what was recorded.
func (c *course) follow(j *protocol.Judge, s *protocol.Support, before *protocol.Record, at uint64) error {
	if before.Status == protocol.MatchUnknown {
		before = nil
	}
	out, err := j.Replay(s, before, at)
	if err != nil {
		return err
	}
	c.rank = out.Rank()
	from := slices.IndexFunc(c.stops, func(p stop) bool { return p.turn == s.Turn && bytes.Equal(p.state, s.Base) })
	if from >= 0 {
		c.stops = c.stops[:from+1]
	} else {
		c.stops = []stop{{s.Turn, s.Base, out.Movers[0], games.Nobody}}
	}
	for i := range s.Moves {
		c.stops = append(c.stops, stop{s.Turn + protocol.Turn(i+1), out.States[i+1], out.Movers[i+1], out.Movers[i]})
	}
	return nil
}

func (c *course) last() standing { return standing{stop: c.stops[len(c.stops)-1], rank: c.rank} }

// after returns the stops that follow a position, if the course goes through it and others alone
// went on from there: a seat's own move that it doesn't know of is nothing that it has to put up
// with.
func (c *course) after(p place, seat uint8) (rest []stop, through bool) {
	if c == nil {
		return nil, false
	}
	i := slices.IndexFunc(c.stops, func(s stop) bool { return s.turn == p.turn && bytes.Equal(s.state, p.state) })
	if i < 0 || slices.ContainsFunc(c.stops[i+1:], func(s stop) bool { return s.by == seat }) {
		return nil, false
	}
	return c.stops[i+1:], true
}

// share adds what an unflagged seat gets of the payouts of those that are flagged.
func (c *course) share(payouts, stakes []uint256.Int, seat uint8) uint256.Int {
	var taken, weight uint256.Int
	for i := range payouts {
		if c.flagged>>i&1 != 0 {
			taken.Add(&taken, &payouts[i])
		} else {
			weight.Add(&weight, &stakes[i])
		}
	}
	total := payouts[seat]
	if !weight.IsZero() && c.flagged>>seat&1 == 0 {
		part, _ := new(uint256.Int).MulDivOverflow(&taken, &stakes[seat], &weight)
		total.Add(&total, part)
	}
	return total
}
