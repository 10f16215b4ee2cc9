package mastermind

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
)

type vectors struct {
	Feedback []struct {
		Solution Code     `json:"solution_code"`
		Guess    Code     `json:"guess_code"`
		Right    uint8    `json:"cp"`
		Wrong    uint8    `json:"np"`
		Feedback Feedback `json:"feedback"`
		Why      string   `json:"why"`
	}
	CodeFormat []struct {
		Code Code
		OK   bool `json:"ok_canonical"`
	} `json:"code_format"`
	FeedbackFormat []struct {
		Feedback Feedback
		Possible bool
	} `json:"feedback_format"`
	Match []struct {
		CreatorFirst bool `json:"creator_is_first_maker"`
		Rounds       []struct {
			Guesses int
			Solved  bool
		}
		Creator    uint16 `json:"creator_score"`
		Challenger uint16 `json:"challenger_score"`
		Winner     string
	}
	Dispute []struct {
		Solution  []uint8
		Guesses   [][]uint8
		Feedbacks [][2]uint8
		Disputed  []int
		Punished  string
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
	if len(v.Feedback) != 208 || len(v.CodeFormat) != 107 || len(v.FeedbackFormat) != 128 || len(v.Match) != 75 || len(v.Dispute) != 60 {
		t.Fatal("vectors are missing")
	}
	return v
}

func TestChecklist_Mastermind_08_Feedback(t *testing.T) {
	j := newJudge(t)
	for _, v := range load(t).Feedback {
		if got := Answer(v.Solution, v.Guess, 4); got != v.Feedback || got.Right() != v.Right || got.Wrong() != v.Wrong {
			t.Errorf("%s at %s (%s): %v, want %d right, %d misplaced", v.Guess.Text(4), v.Solution.Text(4), v.Why, got, v.Right, v.Wrong)
		}
		masks := j(v.Solution, 4, [][]Entry{{{v.Guess, v.Feedback}}, {{v.Guess, v.Feedback ^ 1}}})
		if masks[0] != 0 || masks[1] != 1 {
			t.Errorf("contract: %s at %s (%s): lies %v, want none in %v and one in %v",
				v.Guess.Text(4), v.Solution.Text(4), v.Why, masks, v.Feedback, v.Feedback^1)
		}
	}
}

func TestVectors_CodeFormat(t *testing.T) {
	cases := load(t).CodeFormat
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 0).hide(0)
		for _, v := range cases {
			if _, err := r.Play(b.C, b.State, Guess(v.Code).encode()); (err == nil) != v.OK {
				t.Errorf("code %#04x: %v, want ok %v", uint16(v.Code), err, v.OK)
			}
		}
	})
}

func TestVectors_FeedbackFormat(t *testing.T) {
	cases := load(t).FeedbackFormat
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 0).hide(0).play(Guess(0))
		for _, v := range cases {
			if _, err := r.Play(b.C, b.State, Reply(v.Feedback).encode()); (err == nil) != v.Possible {
				t.Errorf("feedback %#02x: %v, want possible %v", uint8(v.Feedback), err, v.Possible)
			}
		}
	})
}

func TestChecklist_Mastermind_11_Score(t *testing.T) {
	cases := load(t).Match
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			first := uint8(1) // the creator has seat 0
			if v.CreatorFirst {
				first = 0
			}
			b := started(t, r, defaults, first)
			code, miss := digits(0, 1, 2, 3), digits(5, 5, 5, 5)
			for _, round := range v.Rounds {
				guesses := slices.Repeat([]Code{miss}, round.Guesses)
				if round.Solved {
					guesses[len(guesses)-1] = code
				}
				b.round(code, guesses, nil).play(Reveal{code, salt})
			}
			if s := b.Now(); s.Phase != Over || s.Points != [2]uint16{v.Creator, v.Challenger} {
				t.Errorf("%+v: %+v", v, s)
			}
			switch v.Winner {
			case "creator":
				b.Pays(0, "", 101, 0)
			case "challenger":
				b.Pays(0, "", 0, 101)
			case "draw":
				b.Pays(0, "", 51, 50)
			default:
				t.Fatalf("winner %q", v.Winner)
			}
		}
	})
}

// The vectors only have accusers in the wrong. Each is also tried with one of the disputed answers
// falsified. One of them goes on after (4,0), which no match does, so all are put to the rules as
// positions.
func TestChecklist_Mastermind_12_FraudProof(t *testing.T) {
	cases := load(t).Dispute
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			if v.Punished != "breaker" {
				t.Fatalf("punished %q", v.Punished)
			}
			s := State{Phase: Disputing, Code: digits(v.Solution...)}
			for i, g := range v.Guesses {
				s.Transcript = append(s.Transcript, Entry{digits(g...), NewFeedback(v.Feedbacks[i][0], v.Feedbacks[i][1])})
			}
			var mask Dispute
			for _, i := range v.Disputed {
				mask |= 1 << i
			}
			b := newBoard(t, r, Params{4, 6, 1, uint8(len(v.Guesses)), 6, 1})
			b.at(s).play(mask).Pays(0b10, "false accusation", 101, 0)

			lie := &s.Transcript[v.Disputed[len(v.Disputed)-1]]
			lie.Answer = falseAnswer(lie.Answer)
			b.at(s).play(mask).Pays(0b01, "false feedback", 0, 101)
		}
	})
}
