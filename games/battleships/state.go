package battleships

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Phase is what happens next in a match.
type Phase uint8

// The phases, in order. Shooting and Answering alternate.
const (
	Toss    Phase = iota // seat 0 commits to its board and to a side of the coin
	Calling              // seat 1 commits to its board and calls the coin
	Showing              // seat 0 shows the coin
	Shooting
	Answering
	Revealing // the second board is opened
	Over
)

// Ending is why a match is over.
type Ending uint8

// The endings.
const (
	AllHit      Ending = iota // who had hit all 18 cells opened an honest board
	EarlyReveal               // who opened first had not, and the other was honest
	BadFleet
	FalseAnswer // only of matches that trust answers
	Silence
)

// Board is what is public of a seat's board.
type Board struct{ Shots, Hits Cells }

// State is a position of a match. What a phase has no use for is zero.
type State struct {
	Phase Phase
	Seat  uint8  // that shoots (Shooting, Answering), opens (Revealing), has lost (Over); else 0
	Turn  uint16 // moves made

	Roots  [2]common.Hash // by seat, from its commitment on
	Coin   common.Hash    // Calling, Showing
	Call   uint8          // Showing: the side that seat 1 called
	Boards [2]Board       // by seat
	Cell   Cell           // Answering: the shot
	Fleets [2]Cells       // by seat, once opened: Revealing, Over
	Ending Ending         // Over
}

// sizes are the lengths of states by phase.
var sizes = [...]int{Toss: 4, Calling: 68, Showing: 101, Shooting: 100, Answering: 101, Revealing: 108, Over: 53}

// EncodeState implements games.Typed. Layout: encoding.txt.
func (rules) EncodeState(s State) []byte {
	b := make([]byte, 0, sizes[Revealing])
	b = append(b, byte(s.Phase), s.Seat)
	b = binary.BigEndian.AppendUint16(b, s.Turn)
	switch s.Phase {
	case Toss:
	case Calling:
		b = append(append(b, s.Roots[0][:]...), s.Coin[:]...)
	case Showing:
		b = append(append(b, s.Roots[0][:]...), s.Coin[:]...)
		b = append(append(b, s.Call), s.Roots[1][:]...)
	case Over:
		b = append(b, byte(s.Ending))
		b = appendCells(b, s.Boards[0].Shots, s.Boards[0].Hits, s.Boards[1].Shots, s.Boards[1].Hits, s.Fleets[0], s.Fleets[1])
	default:
		b = append(append(b, s.Roots[0][:]...), s.Roots[1][:]...)
		b = appendCells(b, s.Boards[0].Shots, s.Boards[0].Hits, s.Boards[1].Shots, s.Boards[1].Hits)
		if s.Phase == Answering {
			b = append(b, byte(s.Cell))
		}
		if s.Phase == Revealing {
			b = appendCells(b, s.Fleets[1-s.Seat])
		}
	}
	return b
}

func appendCells(b []byte, sets ...Cells) []byte {
	for _, s := range sets {
		b = binary.BigEndian.AppendUint64(b, uint64(s))
	}
	return b
}

func cellsAt(b []byte, i int) Cells { return Cells(binary.BigEndian.Uint64(b[8*i:])) }

// DecodeState implements games.Typed. It accepts every state that has the form of its phase and as
// many moves as it shows.
func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) < sizes[Toss] || int(b[0]) >= len(sizes) || len(b) != sizes[b[0]] {
		return s, games.BadState("%d bytes", len(b))
	}
	s = State{Phase: Phase(b[0]), Seat: b[1], Turn: binary.BigEndian.Uint16(b[2:])}
	b = b[4:]
	switch {
	case s.Phase < Shooting:
		if s.Seat != 0 || s.Turn != uint16(s.Phase) {
			return s, games.BadState("phase %v with seat %d and %d moves", s.Phase, s.Seat, s.Turn)
		}
		return s, s.decodeCoin(b)
	case s.Seat > 1:
		return s, games.BadState("seat %d", s.Seat)
	case s.Phase == Over:
		s.Ending = Ending(b[0])
		s.Fleets = [2]Cells{cellsAt(b[1:], 4), cellsAt(b[1:], 5)}
		b = b[1:]
	default:
		s.Roots = [2]common.Hash{common.Hash(b[:32]), common.Hash(b[32:64])}
		b = b[64:]
	}
	s.Boards = [2]Board{{cellsAt(b, 0), cellsAt(b, 1)}, {cellsAt(b, 2), cellsAt(b, 3)}}
	switch s.Phase {
	case Answering:
		s.Cell = Cell(b[32])
	case Revealing:
		s.Fleets[1-s.Seat] = cellsAt(b, 4)
	}
	return s, s.check()
}

func (s *State) decodeCoin(b []byte) error {
	if s.Phase >= Calling {
		s.Roots[0], s.Coin = common.Hash(b[:32]), common.Hash(b[32:64])
	}
	if s.Phase == Showing {
		s.Call, s.Roots[1] = b[64], common.Hash(b[65:])
	}
	if s.Call > 1 {
		return games.BadState("side %d", s.Call)
	}
	return nil
}

// check refuses boards and numbers of moves that no match has.
func (s *State) check() error {
	for _, b := range s.Boards {
		if b.Hits&^b.Shots != 0 {
			return games.BadState("a hit without a shot")
		}
	}
	if s.Phase == Over {
		if s.Ending > Silence || s.Turn > maxMoves {
			return games.BadState("ending %d after %d moves", s.Ending, s.Turn)
		}
		return nil
	}
	// The coin's three, two for each shot; then one that is to be answered, or an opened board.
	late := int(s.Turn) - 2*(s.Boards[0].Shots.Count()+s.Boards[1].Shots.Count())
	if late != int(s.Phase) && (s.Phase != Revealing || late != int(Answering)) {
		return games.BadState("%d moves in phase %v", s.Turn, s.Phase)
	}
	if s.Phase == Answering && !s.fresh(s.Cell) {
		return games.BadState("a shot at cell %d", s.Cell)
	}
	return nil
}

// fresh reports whether a cell is on the board and has not been shot at by the seat that shoots.
func (s *State) fresh(c Cell) bool { return c < boardCells && !s.Boards[1-s.Seat].Shots.Has(c) }
