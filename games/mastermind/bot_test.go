package mastermind

import "testing"

// The bot's average over all 1,296 codes, exactly: each is guessed at along the bot's own tree of
// decisions.
func TestBot_Average(t *testing.T) {
	total, worst := walk(t, defaults, nil, codes(defaults))
	if total != 5740 || worst != 6 {
		t.Errorf("%d guesses for all codes, at most %d for one; want 5740, an average of 4.429, and 6", total, worst)
	}
}

// walk returns how many more guesses the bot makes to find each of the codes that are left, summed
// up, and the most for one.
func walk(t *testing.T, p Params, transcript []Entry, left []Code) (total, worst int) {
	if len(transcript) >= int(p.Guesses) {
		t.Fatalf("%d codes not found: %v", len(left), transcript)
	}
	guess := bestGuess(p, transcript)
	parts := make(map[Feedback][]Code)
	for _, c := range left {
		f := Answer(c, guess, p.Pegs)
		parts[f] = append(parts[f], c)
	}
	total, worst = len(left), 1
	for f, part := range parts {
		if f.solved(p.Pegs) {
			continue
		}
		n, deep := walk(t, p, append(transcript[:len(transcript):len(transcript)], Entry{guess, f}), part)
		total += n
		worst = max(worst, deep+1)
	}
	return total, worst
}

// The largest game, where the bot may not try everything, is still solved.
func TestBot_LargestGame(t *testing.T) {
	p := Params{Pegs: 5, Colours: 8, Rounds: 1, Guesses: 32}
	for _, c := range []Code{digits(0, 0, 0, 0, 0), digits(7, 6, 5, 4, 3), digits(1, 7, 1, 7, 2)} {
		var transcript []Entry
		for len(transcript) == 0 || !transcript[len(transcript)-1].Answer.solved(5) {
			if len(transcript) == 10 {
				t.Fatalf("%s not found: %v", c.Text(5), transcript)
			}
			g := bestGuess(p, transcript)
			transcript = append(transcript, Entry{g, Answer(c, g, 5)})
		}
	}
}

// A liar's answers, which no code fits, do not stop the bot.
func TestBot_Contradiction(t *testing.T) {
	transcript := []Entry{{digits(0, 0, 0, 0), 4}, {digits(1, 1, 1, 1), 4}}
	if g := bestGuess(defaults, transcript); !g.Legal(defaults) {
		t.Errorf("guess %#04x", uint16(g))
	}
}

func BenchmarkBot(b *testing.B) {
	for name, p := range map[string]Params{"default": defaults, "largest": {5, 8, 4, 32, 6, 0}} {
		b.Run(name, func(b *testing.B) {
			transcript := []Entry{{opening(p), NewFeedback(1, 1)}}
			for b.Loop() {
				bestGuess(p, transcript)
			}
		})
	}
}
