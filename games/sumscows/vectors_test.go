package sumscows

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ante-games/ante/games"
)

type vectors struct {
	Cases struct {
		Result []struct {
			N, D          uint8
			Secret, Guess []int
			Common        int `json:"size_R"`
			Sum           int `json:"sum_R"`
			Win           bool
			Why           string
		}
		Possible []struct {
			N, D     uint8
			Common   int `json:"size_R"`
			Sum      int `json:"sum_R"`
			Possible bool
		}
		Numbering []struct {
			N, D    uint8
			Letters []int
			Valid   bool
		} `json:"numbering_valid"`
		Audit []struct {
			N, D     uint8
			Secret   []int
			Guesses  [][]int
			Results  [][2]int
			FirstLie int `json:"first_lie"`
		}
	}
}

func load(t *testing.T) (v vectors) {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases.Result) != 206 || len(v.Cases.Possible) != 1023 || len(v.Cases.Numbering) != 4 || len(v.Cases.Audit) != 60 {
		t.Fatal("vectors are missing")
	}
	return v
}

func list(letters []int) List {
	b := make([]byte, len(letters))
	for i, l := range letters {
		b[i] = byte(l)
	}
	return List(b)
}

// Each result is the true one, for the code that answers and for both engines that judge; with
// another sum it is a lie.
func TestVectors_Result(t *testing.T) {
	cases := load(t).Cases.Result
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			hidden, guess := list(v.Secret), list(v.Guess)
			truth := NewAnswer(v.Common, v.Sum)
			if v.Win {
				truth |= found
			}
			if got := Truth(hidden, guess); got != truth {
				t.Errorf("%v at %v (%s): %v, want %v", guess, hidden, v.Why, got, truth)
			}
			p := small(v.N, v.D, 1, 0, 1, 9)
			b := hiding(t, r, p, hidden.secret()).guess(hidden, guess, truth).open(hidden)
			if v.Win {
				b.ends(0, "", 2+9, 5+1)
			} else {
				b.ends(0, "", 2, 9+5+1)
			}
			for _, lie := range []Answer{NewAnswer(v.Common, v.Sum+1), NewAnswer(v.Common, v.Sum-1), NewAnswer(v.Common+1, v.Sum), truth ^ found} {
				if lie.Possible(p) {
					hiding(t, r, p, hidden.secret()).guess(hidden, guess, lie).open(hidden).ends(0b10, "false result", 3+9+5, 0)
				}
			}
		}
	})
}

// An impossible result is no legal move: no opening is needed to refuse it.
func TestVectors_Possible(t *testing.T) {
	cases := load(t).Cases.Possible
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			if v.Common < 0 || v.Sum < 0 || v.Common > 31 || v.Sum > 1023 {
				if v.Possible {
					t.Errorf("%+v can't be written", v)
				}
				continue // there are no bytes to say this
			}
			p := small(v.N, v.D, 2, 0, 0, 0)
			b := hiding(t, r, p, example(p).secret()).play(Guess(example(p)))
			a := NewAnswer(v.Common, v.Sum)
			possible := false
			for _, a := range []Answer{a, a | found} {
				_, err := r.Play(b.C, b.State, Reply(a).encode())
				possible = possible || err == nil
				if (err == nil) != a.Possible(p) {
					t.Errorf("%d of %d: %v: %v", v.D, v.N, a, err)
				}
			}
			if possible != v.Possible {
				t.Errorf("%+v: possible %v", v, possible)
			}
		}
	})
}

func TestVectors_Numbering(t *testing.T) {
	cases := load(t).Cases.Numbering
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			p := small(v.N, v.D, 1, 0, 0, 0)
			l := list(v.Letters)
			b := hiding(t, r, p, l.secret())
			if _, err := r.Play(b.C, b.State, Guess(l).encode()); (err == nil) != v.Valid {
				t.Errorf("%v: %v, want valid %v", v.Letters, err, v.Valid)
			}
			b.play(EndClaim).open(l)
			if legal := b.Now().Ending != IllegalList; legal != v.Valid {
				t.Errorf("%v opens, legal %v, want %v", v.Letters, legal, v.Valid)
			}
		}
	})
}

// The transcripts of the vectors are all true. Each is also tried with each of its results
// falsified.
func TestVectors_Audit(t *testing.T) {
	cases := load(t).Cases.Audit
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			hidden := list(v.Secret)
			p := small(v.N, v.D, uint8(len(v.Guesses)), 1, 1, 50)
			n := uint64(len(v.Guesses))
			if v.FirstLie >= 0 {
				t.Fatalf("first lie %d", v.FirstLie)
			}
			for lied := -1; lied < len(v.Guesses); lied++ {
				b := hiding(t, r, p, hidden.secret())
				if lied >= 0 && repeated(v.Guesses, lied) {
					continue // another answer is no legal move: TestAttack_FalseAnswer_Inconsistent
				}
				for i, g := range v.Guesses {
					answer := NewAnswer(v.Results[i][0], v.Results[i][1])
					if i == lied {
						answer = otherThan(p, answer)
					}
					b.guess(hidden, list(g), answer)
				}
				if b.open(hidden); lied < 0 {
					b.ends(0, "", 2, 50+5+1+n)
				} else {
					b.ends(0b10, "false result", 1+n+2+50+5, 0)
				}
			}
		}
	})
}

// repeated reports whether a guess has the letters of another one.
func repeated(guesses [][]int, i int) bool {
	for j, g := range guesses {
		if j != i && list(g).set() == list(guesses[i]).set() {
			return true
		}
	}
	return false
}

// otherThan returns another possible answer.
func otherThan(p Params, truth Answer) Answer {
	for a := range found {
		if a != truth && a.Possible(p) {
			return a
		}
	}
	panic("there is none")
}
