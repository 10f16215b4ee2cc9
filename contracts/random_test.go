package contracts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/google/go-cmp/cmp"
)

// TestRandomMatches plays random steps, legal and illegal ones, by random seats at random times on
// the Arena and on the model of it: they must take and refuse the same, record the same to the bit,
// and pay the same.
func TestRandomMatches(t *testing.T) {
	tried := map[string]int{}
	const matches = 400
	for seed := range uint64(matches) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { newChaos(t, seed, tried).run(30) })
	}
	for _, step := range []string{"advance", "demand", "expire", "agree", "convict"} {
		if took, refused := tried[step+" true"], tried[step+" false"]; took < matches/10 || refused < matches/10 {
			t.Errorf("%s was taken %d times and refused %d times", step, took, refused)
		}
	}
	t.Log(tried)
}

// chaos is one random match: lines of play that may all be posted, and what both judges made of it
// so far.
type chaos struct {
	*table
	rnd   *rand.Rand
	m     *match
	model *model
	lines []*match
	tried map[string]int
}

func newChaos(t *testing.T, seed uint64, tried map[string]int) *chaos {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	n := 2 + rnd.IntN(4)
	tb := newTable(t, n).open()
	stakes, rest := make([]uint64, n), make([]uint64, n)
	for i := range stakes {
		stakes[i] = rnd.Uint64N(1000)
		rest[i] = stake - stakes[i]
	}
	onExpiry := []uint8{toy.Fine, toy.Skip, toy.Again, toy.Revert}[rnd.IntN(4)]
	m := tb.match(2<<8, toy.Params(uint8(rnd.IntN(n)), toy.Fine, onExpiry), stakes...)
	tb.ledger(2, rest, m)
	return &chaos{
		table: tb, rnd: rnd, m: m, model: &model{m: m, window: window}, lines: []*match{m.fork(0)}, tried: tried,
	}
}

func (c *chaos) run(steps int) {
	c.Helper()
	for range steps {
		c.step()
		if c.rnd.IntN(3) == 0 {
			c.wait([]uint64{1, window / 5, window / 4, window - 1, window, window + 1}[c.rnd.IntN(6)])
		}
		if c.Failed() {
			return
		}
	}
	c.settleUp()
}

func (c *chaos) step() {
	c.Helper()
	n := len(c.seats)
	now := c.chain.Block()
	line := c.lines[c.rnd.IntN(len(c.lines))]
	switch c.rnd.IntN(12) {
	default:
		line = c.extend(line)
		base, last := c.span(line)
		marks := c.marks(line, base, last)
		demand := c.rnd.IntN(2*n) - n // half of the time nobody
		a := c.advanceOf(line, base, last, marks, demand)
		c.compare("advance", a, func() bool { return c.model.advance(line, base, last, marks, max(demand, -1), now, now) })
	case 6:
		seat := c.rnd.IntN(n)
		if at, line := c.recorded(); line != nil {
			c.compare("demand", line.demands(at, uint8(seat)), func() bool { return c.model.demand(seat, now) })
		}
	case 7, 8, 9:
		if at, line := c.recorded(); line != nil {
			before := c.model.rec.Turn
			a := line.expire(at)
			c.compare("expire", a, func() bool { return c.model.expire(line, at, now, now) })
			if r := c.model.rec; r.Status == protocol.MatchLive && r.Turn.Turn().Epoch() != before.Turn().Epoch() {
				c.lines = append(c.lines, line.fork(at).expired())
			}
		}
	case 10:
		turn := line.at(c.rnd.IntN(len(line.line))).turn + protocol.Turn(c.rnd.IntN(3))
		payouts := make([]uint64, n)
		all := total(c.m.terms.Stakes)
		payouts[c.rnd.IntN(n)] = all.Uint64() + uint64(c.rnd.IntN(8)/7) // sometimes too much
		agreement := c.m.agreement(turn, payouts...)
		c.compare("agree", c.m.agree(agreement), func() bool { return c.model.agree(turn, amounts(payouts...), now) })
	case 11:
		if c.rnd.IntN(3) > 0 {
			return // else few matches last
		}
		seat := uint8(c.rnd.IntN(n))
		at := c.rnd.IntN(line.last() + 1)
		one, two := line.fork(at), line.fork(at)
		two.line[at].state = append([]byte{1}, two.line[at].state...)
		c.compare("convict", c.m.convict(one.equivocation(two, seat)), func() bool { return c.model.convict(seat, one.at(-1).turn, now) })
	}
}

// compare does an action on the Arena and on the model.
func (c *chaos) compare(step string, a onchain.Action, judge func() bool) {
	c.Helper()
	_, err := c.send(a)
	before := c.model.rec
	want := judge()
	c.tried[fmt.Sprintf("%s %v", step, want)]++
	if (err == nil) != want {
		c.Fatalf("%s at %d: the Arena says %v, the model %v\nrecord %+v", step, c.chain.Block(), err, want, before)
	}
	got := c.m.record()
	if c.model.rec == nil {
		return
	}
	if got == nil {
		c.Fatalf("%s: the Arena told no record of %+v", step, c.model.rec)
	}
	plain := *got
	plain.Flagged = 0 // told by the conviction only
	if d := cmp.Diff(*c.model.rec, plain); d != "" {
		c.Fatalf("%s at %d: model and Arena differ:\n%s", step, c.chain.Block(), d)
	}
}

// extend returns a line that is a little longer, or a fork of it.
func (c *chaos) extend(line *match) *match {
	n := len(c.seats)
	if c.rnd.IntN(4) == 0 {
		line = line.fork(c.rnd.IntN(len(line.line)))
		c.lines = append(c.lines, line)
	}
	for range c.rnd.IntN(3) {
		if line.at(-1).mover == games.Nobody {
			break
		}
		salt, to := byte(c.rnd.IntN(3)), uint8(c.rnd.IntN(n))
		switch c.rnd.IntN(12) {
		case 0:
			line.play(toy.Win(to, salt))
		case 1:
			line.play(toy.Lie(to, salt))
		case 2:
			line.play(toy.Pass(games.Chance, salt))
		default:
			line.play(toy.Pass(to, salt))
		}
	}
	return line
}

// span chooses what a support shows: often from the recorded position or from the start.
func (c *chaos) span(line *match) (base, last int) {
	last = line.last() - c.rnd.IntN(min(3, len(line.line)))
	low := line.epochStart(last) // no support reaches across an expiry
	base = low + c.rnd.IntN(last-low+1)
	if c.rnd.IntN(2) == 0 && c.model.rec != nil {
		for i := low; i <= last; i++ {
			if hash(line.line[i].state) == c.model.rec.State {
				return i, last
			}
		}
	}
	return base, last
}

// epochStart returns where the epoch of a position begins.
func (m *match) epochStart(at int) int {
	for at > 0 && m.line[at].turn.Moves() != 0 {
		at--
	}
	return at
}

// marks are the signatures that a support shows: the movers', those of a position by everybody, and
// a few more; or one is missing.
func (c *chaos) marks(line *match, base, last int) []signed {
	var list []signed
	for i := base + 1; i <= last; i++ {
		if line.line[i].by != games.Chance {
			list = append(list, signed{i, line.line[i].by})
		}
	}
	if c.rnd.IntN(2) == 0 {
		list = append(list, line.everyone(base+c.rnd.IntN(last-base+1))...)
	}
	for range c.rnd.IntN(3) {
		list = append(list, signed{base + c.rnd.IntN(last-base+1), uint8(c.rnd.IntN(len(c.seats)))})
	}
	if c.rnd.IntN(6) == 0 && len(list) > 0 {
		list = slices.Delete(list, 0, 1)
	}
	slices.SortFunc(list, func(a, b signed) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return int(a.seat) - int(b.seat)
	})
	return slices.Compact(list)
}

// advanceOf builds an advance with exactly the signatures told, and the Demand of a seat unless it
// is below 0.
func (c *chaos) advanceOf(line *match, base, last int, marks []signed, demand int) onchain.Advance {
	s := protocol.Support{Turn: line.line[base].turn, Base: line.line[base].state}
	for i := base + 1; i <= last; i++ {
		s.Moves = append(s.Moves, line.line[i].move)
	}
	for _, k := range marks {
		s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(k.at - base), Seat: k.seat, Signature: line.sign(k.at, k.seat)})
	}
	if demand < 0 {
		return line.advance(s)
	}
	return line.advance(s, line.demand(last, uint8(demand)))
}

// recorded finds the recorded position in the lines.
func (c *chaos) recorded() (int, *match) {
	if c.model.rec == nil || c.m.record() == nil {
		return 0, nil
	}
	for _, line := range c.lines {
		for i := range line.line {
			if hash(line.line[i].state) == c.model.rec.State && protocol.MarkOf(line.line[i].turn) == c.model.rec.Turn {
				return i, line
			}
		}
	}
	return 0, nil
}

// settleUp contests and settles, and compares who is paid what.
func (c *chaos) settleUp() {
	c.Helper()
	c.must(c.contest(*c.newest, 0))
	c.wait(window)
	if !c.model.final(c.chain.Block()) {
		return
	}
	before := c.banks()
	c.must(c.settle(*c.newest, c.m))
	want := c.model.payouts()
	for i, after := range c.banks() {
		if got := after - before[i] - c.newest.Balances[i].Uint64(); got != want[i].Uint64() {
			c.Errorf("%s gets %d, want %s", c.table.seats[i].name, got, want[i].Dec())
		}
	}
	c.empty(c.T)
	c.tried["paid"]++
}
