package disputes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// planner is one run of Plan.
type planner struct {
	*Case
	plan  Plan
	steps []Step
}

// Plan returns what to do now. It is a pure function of the case: no I/O, no clock, nothing
// remembered but what it would work out again: see Memory.
func (c *Case) Plan() Plan {
	checked := *c
	checked.Memory = cmp.Or(c.Memory, new(Memory))
	p := &planner{Case: &checked}
	if p.id == (common.Hash{}) {
		p.id = c.Terms.ID(c.Domain)
	}
	if p.sound() && p.Chain.Status() != Closed && !p.closing() {
		final := p.matches()
		p.ledgers()
		p.settle(final)
	}
	p.order()
	return p.finish()
}

// sound drops evidence that can't be true, and reports whether the rest is enough to plan with.
func (p *planner) sound() bool {
	for _, l := range []**protocol.SignedLedger{&p.Ledger, &p.Closing} {
		if *l != nil && (*l).Check(&p.Terms) != nil {
			p.alarm(Critical, "bad evidence", common.Hash{}, 0, "the stored ledger %d doesn't fit the channel: the store is damaged", (*l).Version)
			*l = nil
		}
	}
	posted, _ := p.Chain.Ledger()
	if posted == nil && p.Chain.Status() == Settled {
		p.alarm(Critical, "bad posting", common.Hash{}, 0, "the channel is paid out by a ledger that nobody posted, so the endpoint hides events; use another one")
		return false
	}
	if posted == nil {
		return true
	}
	if err := posted.Check(&p.Terms); err != nil {
		p.alarm(Critical, "bad posting", common.Hash{}, 0,
			"the posted ledger doesn't fit the channel, so the endpoint lies; use another one: %v", err)
		return false
	}
	return true
}

func (p *planner) finish() Plan {
	slices.SortStableFunc(p.plan.Alarms, func(a, b Alarm) int { return cmp.Compare(b.Level, a.Level) })
	slices.SortStableFunc(p.plan.Wants, func(a, b Want) int {
		return cmp.Compare(a.Deadline-1, b.Deadline-1) // no deadline comes last
	})
	return p.plan
}

// add plans a step unless it costs more than it can save, and reports whether it did. A step that
// is on its way counts as planned but is not ordered again.
func (p *planner) add(s Step) bool {
	if !s.asked && !p.pays(&s) {
		p.forgo(&s)
		return false
	}
	p.look(s.Deadline)
	p.look(s.Deadline - min(p.Margin, s.Deadline))
	if !p.answers(s) {
		return false
	}
	if p.presses(&s) {
		p.alarm(Warning, "pressing", s.MatchID, s.Deadline, "%d left on the chain's clock to get this in, check the gas account and the endpoint: %s",
			s.Deadline-p.Now, s.Why)
	}
	if p.Pending[s.Key] {
		p.plan.Underway = append(p.plan.Underway, s)
	} else {
		p.steps = append(p.steps, s)
	}
	return true
}

// answers reports whether a tower sends a step now, and not later or never: see Policy.Frugal.
func (p *planner) answers(s Step) bool {
	switch {
	case !p.Frugal, s.before.called == 0, p.Pending[s.Key]:
		return true
	case s.before.acted < 2:
		return p.urgent(s.Deadline) // where there is none too
	}
	p.alarm(Notice, "answered", s.MatchID, s.Deadline, "not done, because it was answered twice since somebody else did something about it: %s", s.Why)
	return false
}

// cost returns what a step commits its seat to pay at today's price, in wei; 0 in a token channel,
// where that can't be compared with the stake.
func (p *planner) cost(s *Step) uint256.Int {
	if p.Terms.Asset != (common.Address{}) {
		return uint256.Int{}
	}
	return money.Cost(s.commits(), &p.GasPrice)
}

// pays reports whether a step is worth what it commits its seat to pay at today's price.
func (p *planner) pays(s *Step) bool {
	cost := p.cost(s)
	return money.Worth(&s.Stake, &p.Floor, &cost)
}

// forgo reports that a step is not worth its cost now, and asks for another plan, because fees
// change. It warns if money waits for the step; it does not warn about money below the user's
// floor, unless somebody is taking it.
func (p *planner) forgo(s *Step) {
	cost := p.cost(s)
	why := fmt.Sprintf("it costs about %d gas, that is %s wei now, and %s wei are at stake: it is sent when gas is cheap enough", s.commits(), cost.Dec(), s.Stake.Dec())
	below := s.Stake.Lt(&p.Floor)
	if below {
		why = fmt.Sprintf("%s wei or token units are at stake, and your floor is %s", s.Stake.Dec(), p.Floor.Dec())
	}
	if _, closing := s.Action.(onchain.Close); closing {
		why += "; ask for a one-sided exit to send it at any price"
	}
	level := Warning
	if s.Stake.IsZero() || below && s.Deadline == 0 && p.Chain.Status() != Contested {
		level = Notice
	}
	p.alarm(level, "worthless", s.MatchID, s.Deadline, "not sent, because %s: %s", why, s.Why)
	pause := uint64(1)
	if s.Deadline == 0 {
		pause = max(1, p.Margin)
	}
	p.look(p.Now + pause)
}

// commits returns the gas that a step commits its seat to: later steps follow from it.
func (s *Step) commits() uint64 {
	if s.sign {
		return gasDispute
	}
	return s.Gas
}

// urgent reports whether there is a deadline so near that waiting has ended.
func (p *planner) urgent(deadline uint64) bool {
	return p.Now+p.Margin >= deadline
}

// presses reports whether waiting has ended for a step.
func (p *planner) presses(s *Step) bool {
	return s.Deadline != 0 && p.urgent(s.Deadline)
}

// look asks for another plan at a time in the future.
func (p *planner) look(at uint64) {
	if at > p.Now {
		p.plan.Next = Earliest(p.plan.Next, at)
	}
}

func (p *planner) alarm(level Level, kind string, matchID common.Hash, deadline uint64, format string, args ...any) {
	p.plan.Alarms = append(p.plan.Alarms, Alarm{Level: level, Kind: kind, MatchID: matchID, Deadline: deadline, Text: fmt.Sprintf(format, args...)})
}

// order puts the steps into transactions. Steps share one where they can, because each transaction
// saved is 21,000 gas. What is urgent or has failed before goes alone, so that nobody can delay it
// by making another call fail; so does everything that a tower sends. What can't wait comes first,
// and of that on which most depends, because the gas account may not pay for all.
func (p *planner) order() {
	slices.SortStableFunc(p.steps, func(a, b Step) int { return a.compare(&b) })
	var calm Order
	send := func() {
		p.lean(&calm)
		p.plan.Orders = append(p.plan.Orders, calm)
	}
	for _, s := range p.steps {
		if p.alone(&s) || p.precedes(&s) {
			p.plan.Orders = append(p.plan.Orders, Order{Steps: []Step{s}})
			continue
		}
		if len(calm.Steps) > 0 && calm.Gas()+s.Gas > maxBatch {
			send()
			calm = Order{}
		}
		calm.Steps = append(calm.Steps, s)
	}
	if len(calm.Steps) > 0 {
		send()
	}
}

// rank is what depends on a step. A settlement comes after all that leads to it, and is never late.
func (s *Step) rank() *uint256.Int {
	if _, settles := s.Action.(onchain.Settle); settles {
		return new(uint256.Int)
	}
	return &s.Stake
}

// compare is negative if a step goes before another: that one can wait, or less depends on it.
func (s *Step) compare(o *Step) int {
	switch {
	case s.Waits == o.Waits:
		return o.rank().Cmp(s.rank())
	case s.Waits:
		return 1
	}
	return -1
}

// precedes reports whether a step goes before one that goes alone.
func (p *planner) precedes(s *Step) bool {
	return slices.ContainsFunc(p.steps, func(o Step) bool {
		return p.alone(&o) && !o.rank().IsZero() && s.compare(&o) < 0
	})
}

func (p *planner) alone(s *Step) bool {
	return p.Frugal || p.presses(s) || p.Failed[s.Key]
}

// key names a step by its target and by the state of the chain that it builds on.
func key(target common.Hash, on ...any) string {
	stamp := crypto.Keccak256([]byte(fmt.Sprintln(on...)))
	return fmt.Sprintf("%x/%x", target[:6], stamp[:6])
}

// pot returns the sum of amounts that are known not to overflow: a lock's stakes.
func pot(amounts []uint256.Int) uint256.Int {
	var total uint256.Int
	for i := range amounts {
		total.Add(&total, &amounts[i])
	}
	return total
}
