package disputes_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// standing is a machine as its driver sees it.
type standing struct {
	matches []channel.MatchView
	closing bool
	signed  *protocol.SignedLedger
}

func (s standing) Matches() []channel.MatchView            { return s.matches }
func (s standing) Closing() (bool, *protocol.SignedLedger) { return s.closing, s.signed }

// block is the player side of a game that follows the chain.
type block struct {
	games.Player
	move []byte
	err  error
}

func (b block) Follows() bool                           { return true }
func (b block) Chance(games.Table) ([]byte, error)      { return b.move, b.err }
func (b block) Upkeep(games.Table) (*games.Call, error) { return nil, nil }

// pacer is the player side of a game whose mover may wait for a block.
type pacer struct {
	games.Player
	until uint64
	err   error
}

func (p pacer) Until(games.Table) (uint64, error) { return p.until, p.err }

// What a seat wants at once, and what once its patience is over.
func TestSeat(t *testing.T) {
	id := common.Hash{31: 1}
	match := func(change func(*channel.MatchView)) standing {
		m := channel.MatchView{ID: id, Locked: true, Started: true, State: []byte{1}, Terms: protocol.MatchTerms{Seats: []uint8{0, 1}}}
		change(&m)
		return standing{matches: []channel.MatchView{m}}
	}
	twice := func(change func(*channel.MatchView)) standing {
		s := match(func(m *channel.MatchView) { m.Mover = 1 })
		other := match(change).matches[0]
		other.ID = common.Hash{31: 2}
		s.matches = append(s.matches, other)
		return s
	}
	full := &protocol.Support{Moves: make([][]byte, protocol.MaxRun)}
	closing := func(version uint64, balances ...uint64) *protocol.SignedLedger {
		l := protocol.SignedLedger{Ledger: protocol.Ledger{Version: version}}
		for _, b := range balances {
			l.Balances = append(l.Balances, *uint256.NewInt(b))
		}
		return &l
	}
	nothing := disputes.Wishes{}
	exit := disputes.Wishes{Exit: true}
	leave := disputes.Wishes{Exit: true, Asked: true}
	calm, demand := disputes.Wishes{Demand: map[common.Hash]bool{id: false}}, disputes.Wishes{Demand: map[common.Hash]bool{id: true}}
	leaving := disputes.Wishes{Demand: demand.Demand, Leave: true}
	for _, c := range []struct {
		what        string
		machine     standing
		player      games.Player // nil: the game is not known
		seat        disputes.Seat
		first, late disputes.Wishes
	}{
		{"own move", match(func(m *channel.MatchView) { m.MayMove = true }), nil, disputes.Seat{}, nothing, nothing},
		{"own move, which waits for an acknowledgement", match(func(*channel.MatchView) {}), nil, disputes.Seat{}, nothing, nothing},
		{"own move at the end of a long turn", match(func(m *channel.MatchView) { m.Support = full }), nil, disputes.Seat{}, calm, demand},
		{"own move of three", match(func(m *channel.MatchView) { m.Terms.Seats, m.MayMove = []uint8{0, 1, 2}, true }), nil, disputes.Seat{}, nothing, nothing},
		{"own move of three, which waits", match(func(m *channel.MatchView) { m.Terms.Seats = []uint8{0, 1, 2} }), nil, disputes.Seat{}, calm, demand},
		{"the peer's move", match(func(m *channel.MatchView) { m.Mover = 1 }), nil, disputes.Seat{}, calm, demand},
		{"the peer's move in a game that follows the chain", match(func(m *channel.MatchView) { m.Mover = 1 }), block{move: []byte{1}}, disputes.Seat{}, calm, demand},
		{"the peer's move, and it may wait for a block", match(func(m *channel.MatchView) { m.Mover = 1 }), pacer{until: 7}, disputes.Seat{}, calm, calm},
		{"the peer's move, and the block is there", match(func(m *channel.MatchView) { m.Mover = 1 }), pacer{}, disputes.Seat{}, calm, demand},
		{"the peer's move, and the game can't tell", match(func(m *channel.MatchView) { m.Mover = 1 }), pacer{until: 7, err: errors.New("no block")}, disputes.Seat{}, calm, demand},
		{"the first move, and it may wait for a block", match(func(m *channel.MatchView) { m.Started = false }), pacer{until: 7}, disputes.Seat{}, calm, demand},
		{"the peer's move, which may wait, asked for", match(func(m *channel.MatchView) { m.Mover = 1 }), pacer{until: 7},
			disputes.Seat{Demand: func(*channel.MatchView) bool { return true }}, demand, demand},
		{"the peer's move, asked for", match(func(m *channel.MatchView) { m.Mover = 1 }), nil,
			disputes.Seat{Demand: func(*channel.MatchView) bool { return true }}, demand, demand},
		{"the peer's move, and the user leaves with the clock", match(func(m *channel.MatchView) { m.Mover = 1 }), nil, disputes.Seat{Leave: true}, calm, leaving},
		{"the same, where another match is over", twice(func(m *channel.MatchView) { m.Outcome = new(games.Outcome) }), nil, disputes.Seat{Leave: true}, calm,
			disputes.Wishes{Demand: demand.Demand, Leave: true, Exit: true}},
		{"the same, where another match was agreed to", twice(func(m *channel.MatchView) { m.Agreement = new(protocol.SignedAgreement) }), nil, disputes.Seat{Leave: true}, calm,
			disputes.Wishes{Demand: demand.Demand, Leave: true, Exit: true}},
		{"the same, where another match is decided", twice(func(m *channel.MatchView) { m.Decided = true }), nil, disputes.Seat{Leave: true}, calm,
			disputes.Wishes{Demand: demand.Demand, Leave: true, Exit: true}},
		{"the same, where another match is not locked any more", twice(func(m *channel.MatchView) { m.Locked = false }), nil, disputes.Seat{Leave: true}, calm, leaving},
		{"the same, where another match is played", twice(func(m *channel.MatchView) { m.MayMove = true }), nil, disputes.Seat{Leave: true}, calm, demand},
		{"the same, where others play", twice(func(m *channel.MatchView) { m.Seat = -1 }), nil, disputes.Seat{Leave: true}, calm, demand},
		{"the peer's move, asked for, and the user leaves when patience ends", match(func(m *channel.MatchView) { m.Mover = 1 }), nil,
			disputes.Seat{Leave: true, Demand: func(*channel.MatchView) bool { return true }}, demand, leaving},
		{"not begun", match(func(m *channel.MatchView) { m.Started = false }), nil, disputes.Seat{}, calm, demand},
		{"of others", match(func(m *channel.MatchView) { m.Seat, m.Mover = -1, 1 }), nil, disputes.Seat{}, nothing, nothing},
		{"not locked any more", match(func(m *channel.MatchView) { m.Locked, m.Mover = false, 1 }), nil, disputes.Seat{}, nothing, nothing},
		{"over, not booked", match(func(m *channel.MatchView) { m.Outcome = new(games.Outcome) }), nil, disputes.Seat{}, nothing, exit},
		{"agreed, not booked", match(func(m *channel.MatchView) { m.Agreement = new(protocol.SignedAgreement) }), nil, disputes.Seat{}, nothing, exit},
		{"decided, not booked", match(func(m *channel.MatchView) { m.Decided = true }), nil, disputes.Seat{}, nothing, exit},
		{"bound, own move", match(func(m *channel.MatchView) { m.Bound = true }), nil, disputes.Seat{}, nothing, exit},
		{"bound, the chain's move", match(func(m *channel.MatchView) { m.Bound, m.Mover = true, games.Chance }), nil, disputes.Seat{}, nothing, exit},
		{"bound, the peer's move", match(func(m *channel.MatchView) { m.Bound, m.Mover = true, 1 }), nil, disputes.Seat{}, calm, demand},
		{"the chain's move, which can be made", match(func(m *channel.MatchView) { m.Mover = games.Chance }), block{move: []byte{1}}, disputes.Seat{}, nothing, nothing},
		{"the chain's move, before the match has begun", match(func(m *channel.MatchView) { m.Mover, m.Started = games.Chance, false }), block{move: []byte{1}}, disputes.Seat{}, calm, demand},
		{"the chain's move at the end of a long turn", match(func(m *channel.MatchView) { m.Mover, m.Support = games.Chance, full }), block{move: []byte{1}}, disputes.Seat{}, calm, demand},
		{"the chain's move, later", match(func(m *channel.MatchView) { m.Mover = games.Chance }), block{err: games.ErrNotYet}, disputes.Seat{}, nothing, nothing},
		{"the chain's move, later, asked for", match(func(m *channel.MatchView) { m.Mover = games.Chance }), block{err: games.ErrNotYet},
			disputes.Seat{Demand: func(*channel.MatchView) bool { return true }}, demand, demand},
		{"the chain's move, which nobody can make", match(func(m *channel.MatchView) { m.Mover = games.Chance }), block{}, disputes.Seat{}, calm, demand},
		{"the chain's move, without a player side", match(func(m *channel.MatchView) { m.Mover = games.Chance }), nil, disputes.Seat{}, calm, demand},
		{"the chain's move of three, which can be made", match(func(m *channel.MatchView) {
			m.Mover, m.Agreed, m.Terms.Seats = games.Chance, true, []uint8{0, 1, 2}
		}), block{move: []byte{1}}, disputes.Seat{}, nothing, nothing},
		{"the chain's move of three, again", match(func(m *channel.MatchView) {
			m.Mover, m.MayMove, m.Terms.Seats = games.Chance, true, []uint8{0, 1, 2}
		}), block{move: []byte{1}}, disputes.Seat{}, nothing, nothing},
		{"the chain's move of three, later", match(func(m *channel.MatchView) { m.Mover, m.Terms.Seats = games.Chance, []uint8{0, 1, 2} }),
			block{err: games.ErrNotYet}, disputes.Seat{}, nothing, nothing},
		{"the chain's move of three, from what not all have signed", match(func(m *channel.MatchView) { m.Mover, m.Terms.Seats = games.Chance, []uint8{0, 1, 2} }),
			block{move: []byte{1}}, disputes.Seat{}, calm, demand},
		{"leaving", standing{}, nil, disputes.Seat{Exit: true}, leave, leave},
		{"leaving, and a match is over, not booked", match(func(m *channel.MatchView) { m.Decided = true }), nil, disputes.Seat{Exit: true}, leave, leave},
		{"leaving, and a match is bound", match(func(m *channel.MatchView) { m.Bound = true }), nil, disputes.Seat{Exit: true}, leave, leave},
		{"leaving, and closing, not signed", standing{closing: true}, nil, disputes.Seat{Exit: true}, leave, leave},
		{"closing, not signed", standing{closing: true}, nil, disputes.Seat{}, nothing, exit},
		{"closing, signed, own turn to send", standing{signed: closing(4, 1, 1)}, nil, disputes.Seat{}, disputes.Wishes{Close: true}, disputes.Wishes{Close: true}},
		{"closing, signed, the peer's turn to send", standing{closing: true, signed: closing(5, 1, 1)}, nil, disputes.Seat{}, nothing, disputes.Wishes{Close: true}},
		{"closing, signed, and the peer gets nothing", standing{signed: closing(5, 1, 0)}, nil, disputes.Seat{}, disputes.Wishes{Close: true}, disputes.Wishes{Close: true}},
	} {
		s := c.seat
		s.Machine, s.Patience, s.Owed = c.machine, 10, disputes.Owed{"move that was made": 5}
		s.Sit = func(*channel.MatchView) (games.Player, games.Table, error) { return c.player, games.Table{}, nil }
		if s.Demand == nil {
			s.Demand = func(*channel.MatchView) bool { return false }
		}
		for _, at := range []struct {
			now  int64
			want disputes.Wishes
		}{{100, c.first}, {109, c.first}, {110, c.late}} {
			s.Now = at.now
			got := s.Wishes()
			if want := whole(at.want); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, at %d: wishes %+v, want %+v", c.what, at.now, got, want)
			}
		}
		for what, since := range s.Owed {
			if since != 100 {
				t.Errorf("%s: %q is owed since %d, and nobody owed it at 100", c.what, what, since)
			}
		}
	}
}

func whole(w disputes.Wishes) disputes.Wishes {
	if w.Demand == nil {
		w.Demand = map[common.Hash]bool{}
	}
	return w
}

// Where a match's table can't be had the game is not asked: nobody knows what it would tell of.
func TestSeatWithoutATable(t *testing.T) {
	id := common.Hash{31: 1}
	s := disputes.Seat{
		Machine: standing{matches: []channel.MatchView{{ID: id, Locked: true, Started: true, State: []byte{1}, Mover: games.Chance}}},
		Sit: func(*channel.MatchView) (games.Player, games.Table, error) {
			return block{move: []byte{1}}, games.Table{}, errors.New("no table")
		},
		Demand: func(*channel.MatchView) bool { return true },
		Owed:   disputes.Owed{},
	}
	if w := s.Wishes(); !w.Demand[id] {
		t.Errorf("wishes %+v", w)
	}
}

// What the user has not chosen a margin before the deadline is chosen for it; without a clock
// nothing presses.
func TestPressing(t *testing.T) {
	var at []uint64
	for now := uint64(95); now < 102; now++ {
		if w := (disputes.Want{Deadline: 100}); w.Pressing(now, 3) {
			at = append(at, now)
		}
		if w := (disputes.Want{}); w.Pressing(now, 3) {
			t.Errorf("presses at %d without a clock", now)
		}
	}
	if !slices.Equal(at, []uint64{97, 98, 99, 100, 101}) {
		t.Errorf("presses at %v", at)
	}
}
