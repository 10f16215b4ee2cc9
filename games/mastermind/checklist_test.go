package mastermind

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
)

// Rows of the checklist that the tests of attacks, or those of other packages, don't carry the name
// of: see internal/repository/checklists.txt.

func TestChecklist_Mastermind_05_FairCoin(t *testing.T)         { TestAttack_CoinAbort(t) }
func TestChecklist_Mastermind_07_SaltedCommitment(t *testing.T) { TestAttack_CopiedCommitment(t) }
func TestChecklist_Mastermind_14_FalseOpening(t *testing.T)     { TestAttack_JunkSecret(t) }

// TestChecklist_Mastermind_06_RolesSwap: four rounds, each with the other seat as maker; the round
// is in every position, and so in what is signed.
func TestChecklist_Mastermind_06_RolesSwap(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for first := range uint8(2) {
			b := started(t, r, defaults, first)
			for round := range uint8(4) {
				if s := b.Now(); s.Phase != Making || s.Round != round || s.Maker != first^round&1 {
					t.Fatalf("round %d of maker %d: %+v", round, first, s)
				}
				before := slices.Clone(b.State)
				b.round(code, []Code{code}, nil)
				if slices.Equal(before[:3], b.State[:3]) {
					t.Errorf("the head of round %d does not change", round)
				}
				b.play(Reveal{code, salt})
			}
			if s := b.Now(); s.Phase != Over {
				t.Errorf("after four rounds: %+v", s)
			}
		}
	})
}

// TestChecklist_Mastermind_09_RoundEnds: a round ends when all pegs are right, or with the twelfth
// guess; a thirteenth is refused.
func TestChecklist_Mastermind_09_RoundEnds(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for n := 1; n <= 12; n++ {
			guesses := append(slices.Repeat([]Code{miss}, n-1), code)
			started(t, r, defaults, 0).round(code, guesses, nil).refuse(Guess(code)).play(Reveal{code, salt})
		}
		b := started(t, r, defaults, 0).round(code, slices.Repeat([]Code{miss}, 12), nil).refuse(Guess(miss))
		if s := b.play(Reveal{code, salt}).Now(); s.Points[0] != 18 {
			t.Errorf("a code that was not found in 12 guesses earns %v", s.Points)
		}
	})
}

// TestChecklist_Mastermind_10_EveryReveal: a lie in any round, the last included, is convicted by
// the reveal of that round.
func TestChecklist_Mastermind_10_EveryReveal(t *testing.T) { TestAttack_FalseAnswer(t) }
