package sumscows

import (
	"testing"

	"github.com/ante-games/ante/games"
)

// Fees and prize are exact, whatever the number of guesses.
func TestChecklist_SumsAndCows_04_ExactBalances(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for n := uint64(1); n <= 5; n++ {
			for _, won := range []bool{true, false} {
				b := hiding(t, r, usual, hidden.secret())
				for range n - 1 {
					b.guess(hidden, miss)
				}
				paid, prize := 10+7*n, uint64(0)
				if won {
					b.guess(hidden, hidden)
					prize = 100
				} else if b.guess(hidden, miss); n < 5 {
					b.play(EndClaim)
				}
				b.open(hidden).ends(0, "", playerStake-paid+prize, serverStake+paid-prize)
			}
		}
	})
}

// No guess comes before the server's commitment, which is made on the way of a signed move.
func TestChecklist_SumsAndCows_05_ServerCommits(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, usual).refuse(Guess(miss)).refuse(EndClaim)
		b.play(b.commitment(hidden.secret())).refuse(Commit{})
		b.guess(hidden, miss).play(EndClaim).refuse(Reveal{miss.secret(), salt}).open(hidden)
	})
}

// Equal letters in another order are answered (d, d(d-1)/2), and only the identical list wins.
func TestChecklist_SumsAndCows_08_EqualSetsAreNoWin(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret())
		for _, l := range []string{"BFD", "DBF", "FDB"} {
			if b.guess(hidden, lettered(l)); b.Now().Transcript[len(b.Now().Transcript)-1].Answer != NewAnswer(3, 3) || b.Now().Phase != Guessing {
				t.Fatalf("%s: %+v", l, b.Now())
			}
		}
		b.guess(hidden, hidden).open(hidden).ends(0, "", playerStake-10-28+100, serverStake+10+28-100)
	})
}

// A claim of misbehaviour against an honest server ends the match; what was guessed is paid, and
// nobody is guilty.
func TestChecklist_SumsAndCows_14_FalseClaimEndsTheGame(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret()).guess(hidden, miss).play(Misbehaviour)
		b.refuse(Guess(hidden)).open(hidden).ends(0, "unfounded claim", playerStake-17, serverStake+17)
	})
}
