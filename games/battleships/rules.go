package battleships

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ethereum/go-ethereum/common"
)

// rules implements games.Typed; the contract twin is contracts/src/games/Battleships.sol.
type rules struct{}

func (rules) Start(c *games.Context, _ Params) (State, error) {
	_, err := games.Pot(c.Stakes)
	return State{}, err
}

func (rules) Mover(s State) uint8 {
	switch s.Phase {
	case Over:
		return games.Nobody
	case Calling, Answering:
		return 1 - s.Seat
	default:
		return s.Seat
	}
}

func (rules) Play(c *games.Context, p Params, s State, m Move) (State, error) { return m.play(c, p, s) }

func (m Commit) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Toss {
		return State{}, wrongPhase(s)
	}
	return State{Phase: Calling, Turn: 1, Roots: [2]common.Hash{m.Root}, Coin: m.Coin}, nil
}

func (m Call) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Calling {
		return State{}, wrongPhase(s)
	}
	if m.Side > 1 {
		return State{}, games.BadMove("a coin has sides 0 and 1, not %d", m.Side)
	}
	s.Phase, s.Turn, s.Call, s.Roots[1] = Showing, 2, m.Side, m.Root
	return s, nil
}

func (m Show) play(c *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Showing {
		return State{}, wrongPhase(s)
	}
	starter, ok := coin.Coin{Commitment: s.Coin, Call: s.Call}.Favours(CoinTag, c.MatchID, coin.Shown(m))
	if !ok {
		return State{}, games.BadMove("it does not open the coin")
	}
	return State{Phase: Shooting, Seat: starter, Turn: 3, Roots: s.Roots}, nil
}

func (m Shot) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Shooting {
		return State{}, wrongPhase(s)
	}
	if !s.fresh(Cell(m)) {
		return State{}, games.BadMove("cell %d is none, or was shot at before", m)
	}
	s.Phase, s.Cell = Answering, Cell(m)
	s.Turn++
	return s, nil
}

func (m Answer) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Answering {
		return State{}, wrongPhase(s)
	}
	target := 1 - s.Seat
	switch {
	case m.Ship > 1:
		return State{}, games.BadMove("an answer is 0 or 1, not %d", m.Ship)
	case (m.Proof == nil) != (p.Trusting == 1):
		return State{}, games.BadMove("an answer with a proof where none is asked for, or without")
	case m.Proof != nil && !m.Proof.shows(s.Roots[target], c.MatchID, target, s.Cell, m.Ship):
		return State{}, games.BadMove("the proof does not show what lies in %v", s.Cell)
	}
	b := &s.Boards[target]
	b.Shots |= s.Cell.set()
	if m.Ship == 1 {
		b.Hits |= s.Cell.set()
	} else {
		s.Seat = target // a miss passes the turn
	}
	s.Phase, s.Cell = Shooting, 0
	s.Turn++
	return s, nil
}

func (m Reveal) play(c *games.Context, _ Params, s State) (State, error) {
	if s.Phase < Shooting || s.Phase > Revealing {
		return State{}, wrongPhase(s)
	}
	seat := rules{}.Mover(s)
	if plant(c.MatchID, seat, m.Fleet, m.Secret).root() != s.Roots[seat] {
		return State{}, games.BadMove("it does not open the board")
	}
	s.Turn++
	s.Fleets[seat] = m.Fleet
	own := s.Boards[seat]
	switch {
	case !m.Fleet.Legal():
		return s.end(seat, BadFleet), nil
	case m.Fleet&own.Shots != own.Hits:
		return s.end(seat, FalseAnswer), nil
	case s.Phase == Revealing:
		return s.end(1-seat, EarlyReveal), nil
	case s.Boards[1-seat].Hits.Count() >= fleetCells:
		return s.end(1-seat, AllHit), nil
	}
	s.Phase, s.Seat, s.Cell = Revealing, 1-seat, 0
	return s, nil
}

func (r rules) Expire(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase == Over {
		return State{}, wrongPhase(s)
	}
	return s.end(r.Mover(s), Silence), nil
}

func (s *State) end(loser uint8, e Ending) State {
	return State{Phase: Over, Seat: loser, Turn: s.Turn, Boards: s.Boards, Fleets: s.Fleets, Ending: e}
}

func wrongPhase(s State) error { return games.BadMove("not in phase %v", s.Phase) }
