// Package roshambo is rock, paper, scissors for two, who choose in secret: the rules, equal to
// Roshambo.sol byte for byte. Its player side is in player.go.
package roshambo

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

//go:embed Roshambo.bin
var contract string

// Game is the entry for a catalog.
func Game() games.Game {
	return games.Game{
		Name: "roshambo", Summary: "rock, paper, scissors: the better hand wins the pot",
		Rules: games.Bytes(rules{}), Params: games.Numbers{}, Player: games.Seated(rules{}, player{}),
		Turns:    func([]byte) (uint64, error) { return 4, nil },
		Contract: common.FromHex(strings.TrimSpace(contract)),
		Liars: []games.Liar{{Name: "commits to no hand", Reason: "no hand", Player: func(uint32) games.Player {
			return games.Seated(rules{}, liar{})
		}}},
	}
}

// Tag keeps these commitments apart from others of the same seat and match.
var Tag = commit.NewTag("hand")

// Hand is what a seat chooses.
type Hand uint8

// The hands: each is beaten by the next one.
const (
	Rock Hand = iota
	Paper
	Scissors
	hands // how many
)

func (h Hand) String() string {
	return [...]string{"rock", "paper", "scissors", "nothing"}[min(h, hands)]
}

// secret is what is committed to.
func (h Hand) secret() common.Hash { return common.Hash{31: byte(h)} }

// State is where a match stands.
type State struct {
	Phase       uint8
	Commitments [2]common.Hash // by seat; zero until it commits
	Hands       [2]Hand        // by seat; zero until it opens
}

// The phases. In the first four the seat on move is the phase modulo 2; an ending of seat 1 is one
// more than that of seat 0.
const firstOpening, played, silent, lied, phases = 2, 4, 5, 7, 9

const stateSize = 1 + 2*32 + 2

type (
	// Move is a Commit or an Open.
	Move any
	// Commit is the digest of a hand and its salt.
	Commit common.Hash
	// Open shows what was committed to.
	Open struct {
		Hand Hand
		Salt common.Hash
	}
)

// rules implements games.Typed. There are no parameters.
type rules struct{}

func (rules) DecodeParams(b []byte) (struct{}, error) {
	_, err := games.Numbers{}.Values(b)
	return struct{}{}, err
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) != stateSize || b[0] >= phases {
		return s, fmt.Errorf("%w state", games.ErrIllegal)
	}
	s.Phase, s.Hands = b[0], [2]Hand{Hand(b[65]), Hand(b[66])}
	copy(s.Commitments[0][:], b[1:])
	copy(s.Commitments[1][:], b[33:])
	return s, nil
}

func (rules) EncodeState(s State) []byte {
	b := append([]byte{s.Phase}, s.Commitments[0][:]...)
	return append(append(b, s.Commitments[1][:]...), byte(s.Hands[0]), byte(s.Hands[1]))
}

func (rules) DecodeMove(_ State, b []byte) (Move, error) {
	switch len(b) {
	case 32:
		return Commit(b), nil
	case 33:
		return Open{Hand(b[0]), common.Hash(b[1:])}, nil
	}
	return nil, fmt.Errorf("%w move", games.ErrIllegal)
}

func (rules) EncodeMove(m Move) []byte {
	switch m := m.(type) {
	case Commit:
		return m[:]
	case Open:
		return append([]byte{byte(m.Hand)}, m.Salt[:]...)
	}
	return nil
}

func (rules) Start(c *games.Context, _ struct{}) (State, error) {
	_, err := games.Pot(c.Stakes) // two of them
	return State{}, err
}

func (rules) Mover(s State) uint8 {
	if s.Phase >= played {
		return games.Nobody
	}
	return s.Phase % 2
}

func (r rules) Play(c *games.Context, _ struct{}, s State, m Move) (State, error) {
	seat := r.Mover(s)
	commits, committing := m.(Commit)
	opens, opening := m.(Open)
	switch {
	case committing && s.Phase < firstOpening:
		s.Commitments[seat] = common.Hash(commits)
	case opening && s.Phase >= firstOpening && s.Phase < played:
		scope := commit.Scope{Tag: Tag, MatchID: c.MatchID, Seat: seat}
		if scope.Hash(opens.Hand.secret(), opens.Salt) != s.Commitments[seat] {
			return s, fmt.Errorf("%w: that is not what seat %d committed to", games.ErrIllegal, seat)
		}
		if s.Hands[seat] = opens.Hand; opens.Hand >= hands {
			s.Phase = lied + seat
			return s, nil
		}
	default:
		return s, fmt.Errorf("%w move in phase %d", games.ErrIllegal, s.Phase)
	}
	s.Phase++
	return s, nil
}

func (r rules) Expire(_ *games.Context, _ struct{}, s State) (State, error) {
	seat := r.Mover(s)
	if seat == games.Nobody {
		return s, fmt.Errorf("%w: the match is over", games.ErrIllegal)
	}
	s.Phase = silent + seat
	return s, nil
}

func (rules) Outcome(s State, stakes []uint256.Int) (o games.Outcome, err error) {
	pot, err := games.Pot(stakes)
	if err != nil || s.Phase < played {
		return o, fmt.Errorf("%w outcome", games.ErrIllegal)
	}
	o.Payouts = make([]uint256.Int, 2)
	var winner uint8
	switch {
	case s.Phase >= lied:
		winner, o.Guilty = lied+1-s.Phase, 1<<(s.Phase-lied)
		copy(o.Reason[:], "no hand")
	case s.Phase >= silent:
		winner = silent + 1 - s.Phase
		copy(o.Reason[:], "silence")
	case s.Hands[0] == s.Hands[1]:
		copy(o.Payouts, stakes)
		return o, nil
	case s.Hands[1] == (s.Hands[0]+1)%hands:
		winner = 1
	}
	o.Payouts[winner] = *pot
	return o, nil
}
