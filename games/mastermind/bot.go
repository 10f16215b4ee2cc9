package mastermind

import "github.com/ante-games/ante/games"

// Bot makes random codes, disputes exactly what is false, and guesses so as to learn most: of the
// guesses it considers, the one whose possible answers split the codes that are still possible into
// the most parts, and among those into the smallest ones, preferring a code that may be right (the
// "most parts" strategy; B. Kooi, Yet another Mastermind strategy, ICGA Journal 28(1), 2005).
func (b player) Bot(t seat) (Move, error) {
	switch t.State.Phase {
	case Making:
		if t.Vault.Has(CodeTag, uint32(t.State.Round)) {
			break
		}
		all := codes(t.Params)
		i, err := games.Below(t.Random, len(all))
		if err != nil {
			return nil, err
		}
		return keep(t, all[i])
	case Disputing:
		return Dispute(t.State.lies(t.Params)), nil
	case Guessing:
		return Guess(bestGuess(t.Params, t.State.Transcript)), nil
	}
	m, _, err := b.Auto(t)
	return m, err
}

// effort caps the feedbacks that one guess may cost (some twenty milliseconds).
const effort = 1 << 19

func bestGuess(p Params, transcript []Entry) Code {
	if len(transcript) == 0 {
		return opening(p)
	}
	all := codes(p)
	left := consistent(all, p, transcript)
	if len(left) <= 2 {
		if len(left) == 0 {
			// the answers contradict each other: the maker will be convicted, whatever is guessed
			return opening(p)
		}
		return left[0]
	}
	best, score := left[0], -1
	consider := func(list []Code, bonus int) {
		step := 1 + len(list)*len(left)*2/effort
		for i := 0; i < len(list); i += step {
			if s := split(left, list[i], p.Pegs)*2 + bonus; s > score {
				best, score = list[i], s
			}
		}
	}
	consider(left, 1)
	consider(all, 0)
	return best
}

// split rates a guess: the number of parts into which its answers would split the codes, then how
// even they are.
func split(left []Code, guess Code, pegs uint8) int {
	var sizes [256]int
	parts, squares := 0, 0
	for _, c := range left {
		f := Answer(c, guess, pegs)
		if sizes[f] == 0 {
			parts++
		}
		squares += 2*sizes[f] + 1
		sizes[f]++
	}
	n := len(left)
	return parts*(n*n+1) + n*n - squares
}

// consistent returns the codes that all answers allow.
func consistent(all []Code, p Params, transcript []Entry) (left []Code) {
	for _, c := range all {
		ok := true
		for _, e := range transcript {
			if Answer(c, e.Guess, p.Pegs) != e.Answer {
				ok = false
				break
			}
		}
		if ok {
			left = append(left, c)
		}
	}
	return left
}

// opening is the first guess: two colours by halves, 0011 of four pegs.
func opening(p Params) (c Code) {
	for i := p.Pegs - p.Pegs/2; i < p.Pegs; i++ {
		c |= 1 << (3 * i)
	}
	return c
}

// codes returns all codes, in the order of their digits.
func codes(p Params) []Code {
	list := []Code{0}
	for i := range p.Pegs {
		next := make([]Code, 0, len(list)*int(p.Colours))
		for _, c := range list {
			for colour := range p.Colours {
				next = append(next, c|Code(colour)<<(3*i))
			}
		}
		list = next
	}
	return list
}
