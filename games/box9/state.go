package box9

import (
	"encoding/binary"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Phase is what happens next in a match.
type Phase uint8

// The phases, in order. All but Over repeat each round.
const (
	Naming  Phase = iota // the house names the round's block, or ends the match
	Betting              // the players bet, the house includes their bets
	Drawing              // the chain draws
	Over
)

// Ending is why a match is over.
type Ending uint8

// The endings.
const (
	Played Ending = iota // all rounds
	Left                 // the house ended it between rounds
	Silent               // the house's time ran out
)

// State is a position of a match. Slices are by seat.
type State struct {
	Phase  Phase
	Round  uint8  // from 0
	Block  uint64 // of the round; when Naming, of the last one that had a block
	Pocket []uint256.Int
	Credit []uint256.Int // for referring others: it can only be bet
	Rolled []uint256.Int // what the seat put into prizes that nobody has won yet
	Bets   Masks         // Drawing
	Ending Ending        // Over; pockets are the payouts then
}

const headSize = 11

// EncodeState implements games.Typed. Layout: encoding.txt.
func (rules) EncodeState(s State) []byte {
	n := len(s.Pocket)
	b := make([]byte, 0, headSize+96*n+32)
	b = append(b, byte(s.Phase), byte(n), s.Round)
	b = binary.BigEndian.AppendUint64(b, s.Block)
	b = appendWords(b, s.Pocket)
	if s.Phase == Over {
		return append(b, byte(s.Ending))
	}
	b = appendWords(appendWords(b, s.Credit), s.Rolled)
	if s.Phase != Drawing {
		return b
	}
	bets := s.Bets.word()
	return append(b, bets[:]...)
}

func appendWords(b []byte, list []uint256.Int) []byte {
	for i := range list {
		w := list[i].Bytes32()
		b = append(b, w[:]...)
	}
	return b
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) < headSize {
		return s, games.BadState("%d bytes, want at least %d", len(b), headSize)
	}
	s = State{Phase: Phase(b[0]), Round: b[2], Block: binary.BigEndian.Uint64(b[3:])}
	n := int(b[1])
	body := b[headSize:]
	want := 96 * n
	switch s.Phase {
	case Naming, Betting:
	case Drawing:
		want += 32
	case Over:
		want = 32*n + 1
	default:
		return s, games.BadState("phase %d", s.Phase)
	}
	if n < 2 || n > games.MaxSeats || len(body) != want {
		return s, games.BadState("%d bytes for %d seats in phase %d", len(b), n, s.Phase)
	}
	s.Pocket, body = words(body, n)
	if s.Phase == Over {
		s.Ending = Ending(body[0])
		if s.Ending > Silent {
			return s, games.BadState("ending %d", s.Ending)
		}
		return s, nil
	}
	s.Credit, body = words(body, n)
	s.Rolled, body = words(body, n)
	if s.Phase == Drawing {
		s.Bets = masksOf(common.Hash(body))
		for seat := n; seat < len(s.Bets); seat++ {
			if s.Bets[seat] != 0 {
				return s, games.BadState("seat %d of %d bets", seat, n)
			}
		}
	}
	return s, nil
}

func words(b []byte, n int) (list []uint256.Int, rest []byte) {
	list = make([]uint256.Int, n)
	for i := range list {
		list[i].SetBytes32(b[32*i:])
	}
	return list, b[32*n:]
}

// check refuses states that a match with these parameters and stakes can't have. What the seats
// have is what they staked, no more and no less, and nobody bets what it has not.
func (s *State) check(c *games.Context, p Params) error {
	n := len(s.Pocket)
	if n != len(c.Stakes) || s.Round >= p.Rounds {
		return games.BadState("%d seats, round %d", n, s.Round)
	}
	if s.Phase == Over {
		return nil
	}
	total, err := sum(s.Pocket, s.Credit, s.Rolled)
	if err != nil {
		return err
	}
	if staked, err := sum(c.Stakes); err != nil || !staked.Eq(total) {
		return games.BadState("the seats have %s, which is not what they staked", total.Dec())
	}
	if s.Phase != Drawing {
		return nil
	}
	for seat, m := range s.Bets {
		if m != 0 && (seat == House || !m.Legal() || !s.affords(p, seat, m)) {
			return games.BadState("seat %d bets %#x", seat, uint16(m))
		}
	}
	return nil
}

// affords reports whether a seat has what a bet costs, in its pocket and its credit.
func (s *State) affords(p Params, seat int, m Mask) bool {
	has, overflow := new(uint256.Int).AddOverflow(&s.Pocket[seat], &s.Credit[seat])
	return overflow || !has.Lt(p.cost(m))
}

// sum fails when it overflows.
func sum(lists ...[]uint256.Int) (*uint256.Int, error) {
	total := new(uint256.Int)
	for _, list := range lists {
		for i := range list {
			if _, overflow := total.AddOverflow(total, &list[i]); overflow {
				return nil, fmt.Errorf("%w: amounts overflow 256 bits", games.ErrIllegal)
			}
		}
	}
	return total, nil
}
