package node

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// defence is what the chain says of a channel, and what is sent there for its player's money.
type defence struct {
	*channelState
	decider *decider

	disputeLock lock
	// used with disputeLock held; its View changes with both locks held, so either is enough to
	// read it
	watcher *disputes.Watcher
	opened  atomic.Bool      // the chain shows the channel's opening
	owed    disputes.Owed    // what peers owe us
	waited  map[string]int64 // how much of that is stored, see storeWaits
	raised  map[string]Event // alarms that stand
}

// look tells the machine the Arena's time, and has the watcher send what the chain and the evidence
// require.
func (s *session) look(ctx context.Context, now uint64, also ...channel.Input) error {
	err := s.step(append(also, channel.ClockAt{Now: s.node.told(), Block: s.node.drive.Facts.Head()})...)
	if errors.Is(err, ErrStore) || errors.Is(err, ErrClosed) {
		return err
	}
	if errors.Is(err, ErrEnded) {
		return nil // let go a moment ago
	}
	err = errors.Join(err, s.autoplay(ctx))
	s.defend(ctx, now)
	s.again()
	err = errors.Join(err, s.tryToDecide())
	if s.over() {
		err = errors.Join(err, s.node.letGo(s))
	}
	return err
}

// defend plans and sends the on-chain steps. It first makes a move that only the player side can
// make, so that the plan can post it. The caller holds no lock.
func (s *defence) defend(ctx context.Context, now uint64) disputes.Plan {
	for _, w := range s.wanted(now) {
		if err := s.answer(w, now); err != nil {
			s.decider.stuck(decision{matchID: w.MatchID, turn: w.Turn}, fmt.Errorf("%w; the clock runs until %d", err, w.Deadline))
		}
	}
	s.disputeLock.Lock()
	defer s.disputeLock.Unlock()
	if s.over() {
		return disputes.Plan{}
	}
	s.mu.Lock()
	evidence, wishes := disputes.EvidenceOf(s.machine), s.wishes()
	s.mu.Unlock()
	plan := s.watcher.Step(ctx, now, evidence, wishes)
	s.raise(plan.Alarms)
	return plan
}

// over reports that there is nothing left to defend.
func (s *channelState) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.Phase() == channel.Ended
}

// wanted returns the moves that the plan lacks.
func (s *defence) wanted(now uint64) []disputes.Want {
	s.disputeLock.Lock()
	defer s.disputeLock.Unlock()
	s.watcher.Price(s.node.drive.GasPrice())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.machine.Held() || s.machine.Phase() == channel.Ended {
		return nil
	}
	return s.watcher.Wants(now, disputes.EvidenceOf(s.machine), s.wishes())
}

func (s *member) disputeCase() disputes.Case {
	p := &s.node.config.Policy
	past := func(match common.Hash) (protocol.MatchTerms, error) {
		t, _, err := s.node.TermsOf(match)
		return t, err
	}
	return disputes.Case{
		Domain: s.node.domain, Terms: s.terms, Seat: s.seat, Rules: s.node.drive.Rules, Past: past, Facts: s.node.drive.Facts.Known,
		Policy: disputes.Policy{Margin: disputes.MarginOf(p.Margin, s.terms.Window), Floor: p.Floor, GasPrice: s.node.drive.GasPrice(), Push: p.Push},
	}
}

// answer makes a forced move: one that needs no person, or the bot's choice where the user allows
// it.
func (s *defence) answer(w disputes.Want, now uint64) error {
	p, err := s.sit(w.MatchID, w.Turn)
	if errors.Is(err, channel.ErrStale) {
		return nil // the plan is made again in a moment
	}
	if err != nil {
		return err
	}
	p.table.State = w.State
	p.bot = p.bot || s.node.config.Policy.BotAtDeadline && w.Pressing(now, s.disputeCase().Margin)
	d, err := p.decideAlone()
	if d == nil || err != nil {
		return err
	}
	// made meanwhile
	if err := s.feed(makeMove(w.MatchID, w.Turn, d)); !errors.Is(err, channel.ErrStale) {
		return err
	}
	return nil
}

// wishes returns what the user, or the node's patience in the user's name, wants from the chain.
// The lock is held.
func (s *defence) wishes() disputes.Wishes {
	seat := s.asSeat()
	return seat.Wishes()
}

// asSeat is this node's seat as the disputes package asks it. The lock is held.
func (s *defence) asSeat() disputes.Seat {
	return disputes.Seat{
		Index: s.seat, Machine: s.machine, Exit: s.instructions.Exit, Leave: s.node.config.Policy.Leave,
		Replaced: s.instructions.Resize.offered(),
		Sit: func(m *channel.MatchView) (games.Player, games.Table, error) {
			game, table, err := s.table(m.ID, m.State)
			return game.Player, table, err
		},
		Demand: func(m *channel.MatchView) bool {
			turn, demanded := s.instructions.Demand[m.ID]
			return demanded && turn == m.Turn
		},
		Now: int64(s.node.running()), Patience: int64(s.node.config.Policy.Patience), Owed: s.owed,
	}
}

// raise tells the user of alarms, each once until it is over or gets worse.
func (s *defence) raise(alarms []disputes.Alarm) {
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

// tick repeats unanswered messages and checks patience, until the node closes.
func (n *Node) tick(ctx context.Context) {
	every := min(tickEvery, n.config.Policy.Patience)
	t := time.NewTicker(max(every, time.Millisecond))
	defer t.Stop()
	for {
		remind := false
		select {
		case <-ctx.Done():
			return
		case <-n.nudged:
		case <-t.C:
			remind = true
			n.retell()
			n.tellPresence()
			n.renewDeputy()
			n.fault("storing how long peers are silent", n.storeWaits(n.config.Policy.Patience/waitSteps))
			n.fault("answering on a chain that stands still", n.stopped())
			n.fault("offering channels", n.remindOffers())
			n.fault("registering for rounds", n.registerAgain())
		}
		if n.now() == 0 {
			continue // the chain was not heard of yet
		}
		n.reconsider(ctx)
		n.fault("resizing channels", n.tendResizes(ctx))
		for _, s := range n.allSessions() {
			s.looking.soon(ctx, remind)
		}
		if remind {
			n.fault("meeting opponents", n.tendInvites(ctx))
		}
	}
}

// nudge has the sessions check at once what to do on-chain.
func (n *channels) nudge() {
	poke(n.nudged)
}

// tickEvery is how often peers are reminded of what is outstanding.
const tickEvery = 2 * time.Second
