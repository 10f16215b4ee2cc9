package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// autoplay runs at each look for player sides of games that follow the chain: it takes the turns
// that waited for a block, makes the bots' offers, and sends what the rules contracts need. The
// caller holds no lock.
func (s *decider) autoplay(ctx context.Context) error {
	var failed error
	for _, id := range s.following() {
		if err := s.speak(id); err != nil {
			s.node.config.Log.Info("nothing was said", "channel", s.id, "match", id, "error", err)
		}
		failed = errors.Join(failed, s.upkeep(ctx, id))
	}
	s.decide()
	return failed
}

// following returns the running matches whose games follow the chain, and notes the turns that may
// be taken now.
func (s *decider) following() (list []common.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.machine.Matches() {
		if !m.Started || !m.Locked { // what others play is not started for this seat
			continue
		}
		// unknown rules follow nothing
		if game, _ := s.node.drive.Game(m.Terms.Rules); !games.Follows(game.Player) {
			continue
		}
		list = append(list, m.ID)
		if m.MayMove {
			s.todo = append(s.todo, decision{matchID: m.ID, turn: m.Turn})
		}
	}
	return list
}

// speak sends the bot's notes and offers in a match in which this seat does not move, or asks the
// user for them.
func (s *decider) speak(id common.Hash) error {
	m, p, err := s.at(id)
	talker, talks := games.As[games.Talker](p.game.Player)
	if !talks || m.Outcome != nil || int(m.Mover) == m.Seat {
		return err
	}
	if !p.bot {
		return s.askNote(&m, &p)
	}
	note, err := talker.Chat(p.table)
	if note == nil || err != nil {
		return err
	}
	return s.feed(say(id, m.Turn, note))
}

// askNote tells the user, once for each turn, what can be said in a match in which this seat does
// not move.
func (s *decider) askNote(m *channel.MatchView, p *seat) error {
	text, err := p.game.Player.Ask(p.table)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.machine.Match(m.ID); !ok || now.Turn != m.Turn {
		return channel.ErrStale
	}
	with, err := s.told(decision{matchID: m.ID, turn: m.Turn}, text)
	if err != nil || len(with.events) == 0 {
		return err
	}
	return s.stepLocked(with, channel.Idle{})
}

func say(id common.Hash, turn protocol.Turn, n *games.Note) channel.SayNote {
	return channel.SayNote{MatchID: id, Turn: turn, To: n.To, Text: n.Text}
}

// upkeep makes the call that the match's rules contract needs now, if any and if it is worth its
// gas, once.
func (s *decider) upkeep(ctx context.Context, id common.Hash) error {
	m, p, err := s.at(id)
	chained, follows := games.As[games.Chained](p.game.Player)
	if !follows {
		return err
	}
	call, err := chained.Upkeep(p.table)
	if call == nil || err != nil {
		return err
	}
	if !s.isWorth(&m, call) {
		return fmt.Errorf("%s: not sent: its gas costs more than what depends on it, or that is less than your floor", call.Why)
	}
	var before uint64
	if call.Before != 0 {
		before = s.node.clockIn(call.Before)
	}
	if err := s.node.drive.Upkeep(ctx, m.Terms.Rules, call, before); err != nil {
		return fmt.Errorf("%s: %w", call.Why, err)
	}
	return nil
}

// isWorth reports whether what of a match's stakes depends on a call is worth it. In tokens only
// the floor counts.
func (s *decider) isWorth(m *channel.MatchView, call *games.Call) bool {
	var pot uint256.Int
	for i := range m.Terms.Stakes { // the sum is known not to overflow
		pot.Add(&pot, &m.Terms.Stakes[i])
	}
	if call.Worth != nil && call.Worth.Lt(&pot) {
		pot = *call.Worth
	}
	cost := s.cost(call.Gas)
	return money.Worth(&pot, &s.node.config.Policy.Floor, &cost)
}
