package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// look lets the channel look at the time by the Arena's clock: the machine learns it, and the watcher does what the chain
// and the evidence ask for.
func (s *session) look(ctx context.Context, now uint64, also ...channel.Input) error {
	err := s.step(append(also, channel.ClockAt{Now: s.node.sure(), Block: s.node.facts.Head()})...)
	if errors.Is(err, ErrStore) || errors.Is(err, ErrClosed) {
		return err
	}
	if errors.Is(err, ErrEnded) {
		return nil // let go a moment ago
	}
	err = errors.Join(err, s.attend(ctx))
	s.defend(ctx, now)
	s.again()
	err = errors.Join(err, s.tryToDecide())
	if s.over() {
		err = errors.Join(err, s.node.letGo(s))
	}
	return err
}

// defend plans and carries out what to do on-chain. A move that only the player's side can make is made first, so that
// the plan can post it. The caller holds no lock.
func (s *session) defend(ctx context.Context, now uint64) disputes.Plan {
	s.court.Lock()
	defer s.court.Unlock()
	if s.over() {
		return disputes.Plan{}
	}
	for _, w := range s.wanted(now) {
		if err := s.answer(w, now); err != nil {
			s.stuck(decision{matchID: w.MatchID, turn: w.Turn}, fmt.Errorf("%w; the clock runs until %d", err, w.Deadline))
		}
	}
	evidence, wishes := s.claims()
	plan := s.watcher.Step(ctx, now, evidence, wishes)
	s.raise(plan.Alarms)
	return plan
}

// over reports that there is nothing left to defend.
func (s *session) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.Phase() == channel.Ended
}

// wanted returns the moves that the plan lacks.
func (s *session) wanted(now uint64) []disputes.Want {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.machine.Held() {
		return nil
	}
	c := s.disputeCase()
	c.Now, c.Chain, c.Evidence, c.Wishes = now, s.watcher.View(), disputes.EvidenceOf(s.machine), s.wishes()
	return c.Plan().Wants
}

func (s *session) claims() (disputes.Evidence, disputes.Wishes) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return disputes.EvidenceOf(s.machine), s.wishes()
}

func (s *session) disputeCase() disputes.Case {
	p := &s.node.config.Policy
	margin := p.Margin
	if margin == 0 {
		margin = max(1, s.terms.Window/10)
	}
	return disputes.Case{
		Domain: s.node.domain, Terms: s.terms, Seat: s.seat, Rules: s.node.Rules,
		Policy: disputes.Policy{Margin: min(margin, s.terms.Window/4), Floor: p.Floor, GasPrice: p.GasPrice, Push: p.Push},
	}
}

// answer makes a forced move: what needs no person, and the bot's choice where the user allows it.
func (s *session) answer(w disputes.Want, now uint64) error {
	p, err := s.sit(w.MatchID, w.Turn)
	if errors.Is(err, channel.ErrStale) {
		return nil // the plan is made again in a moment
	}
	if err != nil {
		return err
	}
	p.table.State = w.State
	if s.node.config.Policy.BotAtDeadline && w.Deadline != 0 && now+s.disputeCase().Margin >= w.Deadline {
		p.bot = true
	}
	d, err := p.decideAlone()
	if d == nil || err != nil {
		return err
	}
	return s.feed(makeMove(w.MatchID, w.Turn, d))
}

// wishes says what the user, or the node's patience in the user's name, wants from the chain.
func (s *session) wishes() disputes.Wishes {
	w := disputes.Wishes{Exit: s.will.Exit, Demand: map[common.Hash]bool{}, Post: map[common.Hash]string{}}
	owed := map[string]bool{} // what peers owe us now
	for _, m := range s.machine.Matches() {
		if m.Seat < 0 || !m.Locked {
			continue
		}
		if why := s.post(&m); why != "" {
			w.Post[m.ID] = why
		}
		switch over := m.Outcome != nil || m.Agreement != nil || m.Decided; {
		case over:
			// The booking needs every seat: without it the lock is paid on-chain.
			if key := "booking " + m.ID.Hex(); s.patienceOver(key, owed) {
				w.Exit = true
			}
		case m.Bound && (m.Mover == games.Chance || int(m.Mover) == m.Seat):
			// Only the ledger that takes the booking's place, or the end of the channel, lets this seat move.
			if key := "ledger " + m.ID.Hex(); s.patienceOver(key, owed) {
				w.Exit = true
			}
		case m.Mover == games.Chance && m.Started && !m.Support.Full() && !s.undrawn(&m): // time has to pass
		case int(m.Mover) != m.Seat || !m.Started || !m.MayMove && (len(m.Terms.Seats) > 2 || m.Support.Full()):
			key := fmt.Sprintf("move %s %s", m.ID.Hex(), m.Turn)
			turn, demanded := s.will.Demand[m.ID]
			w.Demand[m.ID] = s.patienceOver(key, owed) || demanded && turn == m.Turn
		}
	}
	wanted, signed := s.machine.Closing()
	if wanted && signed == nil && s.patienceOver("closing", owed) {
		w.Exit = true
	}
	if signed != nil {
		// One seat sends it at once, so that not all pay for what only one can do; the others when it doesn't.
		late := s.patienceOver(fmt.Sprintf("close %d", signed.Version), owed)
		w.Close = late || closer(&signed.Ledger) == s.seat
	}
	for key := range s.waiting {
		if !owed[key] {
			delete(s.waiting, key)
		}
	}
	return w
}

// closer is the seat that sends a closing ledger: the versions take turns among the seats that get something by it.
func closer(l *channel.Ledger) int {
	n := len(l.Balances)
	first := int(l.Version % uint64(n)) //nolint:gosec // at most games.MaxSeats
	for i := range n {
		if seat := (first + i) % n; !l.Balances[seat].IsZero() {
			return seat
		}
	}
	return first
}

// patienceOver notes that peers owe us something, and reports whether they have for longer than the user's patience.
func (s *session) patienceOver(what string, owed map[string]bool) bool {
	owed[what] = true
	now := s.node.config.Now()
	since, known := s.waiting[what]
	if !known {
		s.waiting[what] = now
		return false
	}
	return now.Sub(since) >= s.node.config.Policy.Patience
}

// raise tells the user of alarms, each once until it is over or gets worse.
func (s *session) raise(alarms []disputes.Alarm) {
	now := s.node.config.Now().Unix()
	s.mu.Lock()
	before := s.raised
	s.raised = map[string]Event{}
	var fresh []Event
	for _, a := range alarms {
		key := fmt.Sprint(a.Kind, a.Level, a.MatchID)
		if _, twice := s.raised[key]; twice || a.Level == disputes.Notice {
			continue
		}
		e, stands := before[key]
		e.Kind, e.Channel, e.Match, e.Text = Alarm, s.id, a.MatchID, a.Text // which may count down
		if !stands {
			e.Time = now
			fresh = append(fresh, e)
		}
		s.raised[key] = e
	}
	s.mu.Unlock()
	for _, e := range fresh {
		s.node.config.Log.Error(e.Text, "channel", s.id, "match", e.Match)
		s.node.tell(e)
	}
}

// tick repeats what is outstanding, and keeps an eye on patience, until the node closes.
func (n *Node) tick(ctx context.Context) {
	every := min(tickEvery, n.config.Policy.Patience)
	t := time.NewTicker(max(every, time.Millisecond))
	defer t.Stop()
	for {
		var remind []channel.Input
		select {
		case <-ctx.Done():
			return
		case <-n.nudged:
		case <-t.C:
			remind = []channel.Input{channel.Tick{}}
			n.retell()
		}
		now := n.now()
		if now == 0 {
			continue // the chain was not heard of yet
		}
		for _, s := range n.allSessions() {
			n.fault("channel "+s.id.Hex(), s.look(ctx, now, remind...))
		}
		if remind != nil {
			n.fault("meeting opponents", n.tendInvites(ctx))
		}
	}
}

// nudge has the sessions look at once for what there is to do on-chain.
func (n *Node) nudge() {
	select {
	case n.nudged <- struct{}{}:
	default: // they will look anyway
	}
}

// tickEvery is how often peers are reminded of what is outstanding.
const tickEvery = 2 * time.Second
