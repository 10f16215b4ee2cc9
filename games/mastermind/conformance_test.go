package mastermind

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
)

func suite() gametest.Suite {
	return gametest.Suite{
		Game: Game(),
		Params: [][]byte{
			{4, 6, 4, 12, 6, 0},
			{4, 6, 4, 12, 6, 1},
			{1, 2, 1, 1, 0, 0},
			{5, 8, 2, 32, 255, 1},
			{3, 2, 16, 2, 1, 0},
		},
		Gas:     20_000, // of any call; the worst is a reveal of 32 guesses
		Odd:     odd,
		Choose:  people,
		Page:    "../gametest/cheating.txt",
		Reasons: []string{"", "false feedback", "illegal code", "false accusation", "silence"},
	}
}

// odd commits to what is no code, and names many answers at once in a dispute.
func odd(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, err := rules{}.DecodeState(t.State)
	if err != nil {
		return nil, err
	}
	switch s.Phase {
	case Making:
		vault, err := commit.Open(t.Secrets, t.Context.MatchID, t.Seat, t.Random)
		if err != nil || vault.Has(CodeTag, uint32(s.Round)) {
			return nil, err
		}
		code := Code(7) // no colour in most matches
		if r.IntN(2) == 0 {
			code = 1 << 15 // no peg in any
		}
		m, err := vault.Commit(CodeTag, uint32(s.Round), code.secret())
		return &games.Decision{Move: m[:], Secrets: vault.Secrets()}, err
	case Disputing:
		mask := r.Uint32() & (1<<len(s.Transcript) - 1)
		return &games.Decision{Move: Dispute(mask).encode(), Secrets: t.Secrets}, nil
	default:
		return nil, nil
	}
}

// people guess anything, without listing all guesses there are, and dispute what is false.
func people(r *rand.Rand, t games.Table) (*games.Decision, error) {
	s, err := rules{}.DecodeState(t.State)
	if err != nil || s.Phase != Guessing && s.Phase != Disputing {
		return nil, err
	}
	p, err := rules{}.DecodeParams(t.Context.Params)
	if err != nil {
		return nil, err
	}
	if s.Phase == Disputing {
		return &games.Decision{Move: Dispute(s.lies(p)).encode(), Secrets: t.Secrets}, nil
	}
	var c Code
	for i := range p.Pegs {
		c |= Code(r.IntN(int(p.Colours))) << (3 * i)
	}
	return &games.Decision{Move: Guess(c).encode(), Secrets: t.Secrets}, nil
}

func TestConformance(t *testing.T) { suite().Run(t) }

func FuzzRules(f *testing.F) { suite().Fuzz(f) }

func FuzzText(f *testing.F) { suite().FuzzText(f) }
