package sumscows

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/holiman/uint256"
)

func small(n, d, guesses uint8, start, fee, prize uint64) Params {
	return Params{n, d, guesses, *uint256.NewInt(start), *uint256.NewInt(fee), *uint256.NewInt(prize)}
}

func suite() gametest.Suite {
	var most uint256.Int
	most.Rsh(most.SetAllOne(), 128)
	return gametest.Suite{
		Game: Game(),
		Params: [][]byte{
			small(26, 10, 20, 1e15, 1e14, 4e15).Bytes(),
			small(3, 2, 6, 5, 1, 20).Bytes(),
			small(2, 1, 3, 0, 7, 9).Bytes(),
			small(4, 4, 5, 1, 0, 0).Bytes(),
			small(1, 1, 1, 0, 0, 1).Bytes(),
			{0: 26, 1: 26, 2: 100, 50: 0},
			Params{7, 4, 9, most, most, most}.Bytes(),
			small(6, 5, 8, 3, 2, 1).Bytes(),
			small(2, 2, 4, 1, 2, 9).Bytes(),
		},
		Gas:    250_000, // of any call; the worst is an opening after 100 guesses
		Odd:    odd,
		Choose: anyGuess,
		Page:   "../gametest/cheating.txt",
		Allowed: map[string]string{
			"guess/falls silent":           givingUp,
			"guess/lets one move time out": givingUp,
		},
		Reasons: []string{"", "unfounded claim", "false result", "illegal list", "silence"},
	}
}

const givingUp = "A player who stops keeps the fees of the guesses it has not made"

// odd claims, commits to what is no list, and answers whatever is possible.
func odd(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, p, err := read(t)
	if err != nil {
		return nil, err
	}
	switch s.Phase {
	case Committing:
		vault, err := commit.Open(t.Secrets, t.Context.MatchID, t.Seat, t.Random)
		if err != nil || vault.Has(ListTag, 0) {
			return nil, err
		}
		list := []byte(anyList(p, r)) // then with a letter too many, an illegal one, or one twice
		kind := r.IntN(3)
		if 2*p.D > p.N {
			kind = 0 // with fewer letters there may be no possible answer
		}
		switch kind {
		case 0:
			list = append(list, 0, 1)
		case 1:
			list[r.IntN(len(list))] = p.N
		default:
			list[0] = list[len(list)-1]
			if len(list) == 1 {
				list[0] = 255
			}
		}
		m, err := vault.Commit(ListTag, 0, List(list).secret())
		return &games.Decision{Move: m[:], Secrets: vault.Secrets()}, err
	case Guessing:
		if r.IntN(8) == 0 {
			return &games.Decision{Move: Claim(1 + r.IntN(2)).encode(), Secrets: t.Secrets}, nil
		}
	case Answering:
		for range 100 {
			if a := Answer(r.Uint32()); a.Possible(p) && s.contradicted(a) < 0 {
				return &games.Decision{Move: Reply(a).encode(), Secrets: t.Secrets}, nil
			}
		}
	}
	return nil, nil
}

// anyGuess guesses without a solver: often a list guessed before, or its letters in another order.
func anyGuess(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, p, err := read(t)
	if err != nil || s.Phase != Guessing {
		return nil, err
	}
	guess := anyList(p, r)
	if n := len(s.Transcript); n > 0 && r.IntN(3) == 0 {
		b := []byte(s.Transcript[r.IntN(n)].Guess)
		if r.IntN(2) == 0 {
			r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		}
		guess = List(b)
	}
	return &games.Decision{Move: Guess(guess).encode(), Secrets: t.Secrets}, nil
}

func read(t games.Table) (s State, p Params, err error) {
	if s, err = (rules{}).DecodeState(t.State); err != nil {
		return s, p, err
	}
	p, err = rules{}.DecodeParams(t.Context.Params)
	return s, p, err
}

func TestConformance(t *testing.T) { suite().Run(t) }

func FuzzRules(f *testing.F) { suite().Fuzz(f) }

func FuzzText(f *testing.F) { suite().FuzzText(f) }
