package sumscows

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// solve lets the bot guess until it has found a list, or has made so many guesses.
func solve(t *testing.T, p Params, hidden List, r *rand.Rand, most int) (transcript []Entry) {
	t.Helper()
	for range most {
		if contradictory(p, transcript) {
			t.Fatalf("an honest server is accused: %v, %v", hidden, transcript)
		}
		guess := bestGuess(p, transcript, r)
		transcript = append(transcript, Entry{guess, Truth(hidden, guess)})
		if guess == hidden {
			break
		}
	}
	return transcript
}

// The bot finds the list in the guesses of the defaults, and in few more where there are more
// letters.
func TestBot_Solves(t *testing.T) {
	for _, c := range []struct {
		n, d, most uint8
		guesses    int // for all
	}{
		{26, 10, 12, 85}, {6, 3, 6, 39}, {12, 6, 9, 58}, {26, 13, 16, 104}, {26, 20, 40, 183}, {26, 5, 16, 100}, {3, 3, 6, 43}, {1, 1, 1, 10},
	} {
		if testing.Short() && c.d > 6 { // the race detector's run, say
			continue
		}
		p := small(c.n, c.d, c.most, 0, 0, 0)
		t.Run(fmt.Sprintf("%d of %d", c.d, c.n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(c.n)))
			total := 0
			const matches = 10
			for range matches {
				hidden := anyList(p, r)
				transcript := solve(t, p, hidden, r, int(c.most))
				total += len(transcript)
				if !transcript[len(transcript)-1].Answer.Found() {
					t.Errorf("%v is not found: %v", hidden, transcript)
				}
			}
			if total != c.guesses {
				t.Errorf("%d guesses for %d lists, want %d", total, matches, c.guesses)
			}
		})
	}
}

// The solver finds exactly the lists that a look at each of them finds, whether the answers are
// true or not.
func TestSolver_Exact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	empty, transcripts := 0, 800
	if testing.Short() {
		transcripts = 200
	}
	for range transcripts {
		p := small(uint8(1+r.IntN(6)), 0, 20, 0, 0, 0)
		p.D = uint8(1 + r.IntN(int(p.N)))
		all := lists(p, "")
		hidden := all[r.IntN(len(all))]
		s := State{D: p.D}
		for range r.IntN(7) {
			s.Guess = all[r.IntN(len(all))]
			answer := s.answer(hidden)
			if lie := answersAny(r, p); r.IntN(4) == 0 && s.contradicted(lie) < 0 {
				answer = lie
			}
			if answer.Found() {
				continue
			}
			s.Transcript = append(s.Transcript, Entry{s.Guess, answer})
		}
		var want []List
		for _, l := range all {
			if !slices.ContainsFunc(s.Transcript, func(e Entry) bool { return Truth(l, e.Guess) != e.Answer }) {
				want = append(want, l)
			}
		}
		var got []List
		if !newSolver(p, s.Transcript, r, 1<<30).search(func(l List) bool { got = append(got, l); return true }) {
			t.Fatal("the search was not finished")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%d of %d, %v: %v, want %v", p.D, p.N, s.Transcript, got, want)
		}
		if contradictory(p, s.Transcript) != (len(want) == 0) {
			t.Fatalf("%d of %d, %v: contradictory is wrong, left are %v", p.D, p.N, s.Transcript, want)
		}
		if len(want) == 0 {
			empty++
		}
	}
	if empty < transcripts/20 {
		t.Errorf("only %d transcripts were contradictory", empty)
	}
}

func answersAny(r *rand.Rand, p Params) Answer {
	for {
		if a := Answer(r.IntN(1 << 16)); a.Possible(p) {
			return a
		}
	}
}

// A lie of a server with the default lists is found out by the player itself, usually well before
// the last guess.
func TestBot_FindsLies(t *testing.T) {
	p := small(26, 10, 20, 0, 0, 0)
	r := rand.New(rand.NewPCG(5, 6))
	caught := 0
	for range 10 {
		hidden := anyList(p, r)
		s := State{D: p.D}
		for i := range 15 {
			if contradictory(p, s.Transcript) {
				caught++
				break
			}
			s.Guess = bestGuess(p, s.Transcript, r)
			answer := s.answer(hidden)
			if i == 3 {
				answer = otherThan(p, answer)
			}
			if answer.Found() {
				break
			}
			s.Transcript = append(s.Transcript, Entry{s.Guess, answer})
		}
	}
	if caught < 8 {
		t.Errorf("%d of 10 lies were found out", caught)
	}
}
