package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// decide does what waits to be decided, and what follows from that.
func (s *seat) decide() {
	for range 10_000 {
		if len(s.todo) == 0 {
			return
		}
		d := s.todo[0]
		s.todo = s.todo[1:]
		if d.version != 0 {
			_ = s.feed(channel.ApproveProposal{Version: d.version}) // it may be gone
			continue
		}
		s.takeTurn(d)
	}
	s.fail("seat %d never stops deciding", s.index)
}

// takeTurn makes a move from the newest position, if there is one to make.
func (s *seat) takeTurn(d decision) {
	m, ok := s.machine.Match(d.matchID)
	if !ok || m.Turn != d.turn || !m.MayMove || s.failed() {
		return
	}
	move, err := s.think(&m)
	if err != nil {
		if s.honest {
			s.fail("seat %d cannot move at turn %s in 0x%x: %v", s.index, m.Turn, m.State, err)
		}
		return
	}
	if move == nil {
		_ = s.feed(channel.Idle{})
		return
	}
	err = s.feed(channel.MakeMove{MatchID: m.ID, Turn: m.Turn, Move: move.Move, Secret: move.Secrets})
	if err == nil && m.Record != nil {
		s.forced++
	}
}

// think is what the seat's player decides: nil where it waits.
func (s *seat) think(m *channel.MatchView) (*games.Decision, error) {
	t, err := s.table(m)
	if err != nil {
		return nil, err
	}
	honest := func() (*games.Decision, error) { return s.play(t, m.Mover) }
	if s.hooks.chooses != nil && m.Mover != games.Chance {
		return s.hooks.chooses(m, t, honest)
	}
	return honest()
}

// play is an honest decision.
func (s *seat) play(t games.Table, mover uint8) (*games.Decision, error) {
	p := s.game.Player
	if s.hooks.player != nil {
		p = s.hooks.player
	}
	if mover == games.Chance {
		c, ok := games.As[games.Chained](p)
		if !ok {
			return nil, fmt.Errorf("the chain moves, but the player side is no games.Chained")
		}
		move, err := c.Chance(t)
		if errors.Is(err, games.ErrNotYet) {
			return nil, nil
		}
		if move == nil || err != nil {
			return nil, err
		}
		return &games.Decision{Move: move, Secrets: t.Secrets}, nil
	}
	if d, err := p.Auto(t); d != nil || err != nil {
		return d, err
	}
	if s.config.Choose != nil {
		if d, err := s.config.Choose(rand.New(s.random), t); d != nil || err != nil {
			return d, err
		}
	}
	if list, err := p.Moves(t.Context, t.State); !s.honest && err == nil && len(list) > 0 {
		return &games.Decision{Move: list[rand.New(s.random).IntN(len(list))], Secrets: t.Secrets}, nil
	}
	return p.Bot(t)
}

// follows has a game that depends on blocks look at the newest.
func (s *seat) follows() {
	if !games.Follows(s.game.Player) {
		return
	}
	for _, m := range s.machine.Matches() {
		if m.Seat < 0 || !m.Started || !m.Locked || m.Outcome != nil {
			continue
		}
		s.speak(&m)
		s.upkeep(&m)
		if m.MayMove {
			s.todo = append(s.todo, decision{matchID: m.ID, turn: m.Turn})
		}
	}
	s.decide()
}

func (s *seat) speak(m *channel.MatchView) {
	talker, talks := games.As[games.Talker](s.game.Player)
	if !talks || int(m.Mover) == m.Seat {
		return
	}
	t, err := s.table(m)
	if err != nil {
		return
	}
	if note, err := talker.Chat(t); note != nil && err == nil {
		_ = s.feed(channel.SayNote{MatchID: m.ID, Turn: m.Turn, To: note.To, Text: note.Text})
	}
}

func (s *seat) upkeep(m *channel.MatchView) {
	t, err := s.table(m)
	if err != nil {
		return
	}
	chained, _ := games.As[games.Chained](s.game.Player)
	call, err := chained.Upkeep(t)
	if call == nil || err != nil {
		return
	}
	id := string(call.Data)
	if s.orders[id] != nil {
		return
	}
	up := &tx{from: s, id: id, to: s.rules}
	up.call.Data = call.Data
	s.orders[id] = &order{tx: up}
	s.pool = append(s.pool, up)
}

func (s *seat) table(m *channel.MatchView) (games.Table, error) {
	j := s.machine.Judge(m.ID)
	if j == nil {
		return games.Table{}, fmt.Errorf("seat %d has no rules for match %s", s.index, m.ID)
	}
	c := j.Context(m.Signed, m.Recorded)
	c.Facts = s.world
	return games.Table{
		Context: c, State: m.State, Seat: uint8(m.Seat), Secrets: s.machine.Secret(m.ID), Random: s, Notes: m.Notes, Made: m.Made,
		Sign: func(digest common.Hash) ([]byte, error) {
			sig, err := s.cfg.Signer.Sign(digest)
			return sig[:], err
		},
	}, nil
}

// offered has a seat take an offer to end a match that gives its stake back, now and then.
func (s *seat) offered(o *channel.AgreementOffered) {
	m, ok := s.machine.Match(o.MatchID)
	if !ok || m.Seat < 0 || int(o.Seat) == m.Seat || o.Payouts[m.Seat].Lt(&m.Terms.Stakes[m.Seat]) || s.random.Uint64()%2 == 0 {
		return
	}
	// Refused when the match has moved on.
	_ = s.feed(channel.AcceptAgreement{MatchID: o.MatchID, Turn: o.Turn, Seat: o.Seat, Payouts: o.Payouts})
}
