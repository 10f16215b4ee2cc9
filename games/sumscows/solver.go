package sumscows

import (
	"math/bits"
	"math/rand/v2"
)

// solver looks for lists that all answers of a transcript allow, without listing them: there may be
// 10^13. It first chooses the letters, by the counts in common, and then their places, by the sums;
// each step is cut short where a count or a sum can't be met any more. Letters and places are tried
// in random order, so that the lists found are a sample.
type solver struct {
	p      Params
	r      *rand.Rand
	tried  []List // found not to be the hidden list
	counts []rest // by guess, of the letters not yet decided
	order  []uint8
	effort int // steps that are left
}

// rest is what is still missing to a guess's answer.
type rest struct {
	letters uint32 // of the guess
	count   int    // letters in common
	sum     int    // of their places
}

func newSolver(p Params, transcript []Entry, r *rand.Rand, effort int) *solver {
	v := &solver{p: p, r: r, effort: effort}
	d := int(p.D)
	v.counts = append(v.counts, rest{1<<p.N - 1, d, d * (d - 1) / 2}) // of all letters
	for _, e := range transcript {
		v.counts = append(v.counts, rest{e.Guess.set(), e.Answer.Common(), e.Answer.Sum()})
		v.tried = append(v.tried, e.Guess)
	}
	v.shuffle()
	return v
}

// shuffle puts the letters in a random order, by guess: so the counts are met, or missed, one after
// the other.
func (v *solver) shuffle() {
	v.order = v.order[:0]
	left := uint32(1)<<v.p.N - 1
	take := func(set uint32) {
		from := len(v.order)
		for set &= left; set != 0; set &= set - 1 {
			v.order = append(v.order, uint8(bits.TrailingZeros32(set)))
		}
		part := v.order[from:]
		v.r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		for _, l := range part {
			left &^= 1 << l
		}
	}
	for _, i := range v.r.Perm(len(v.counts) - 1) {
		take(v.counts[i+1].letters)
	}
	take(left)
}

// search calls yield with each list that is left, until it returns false. It reports whether it has
// seen them all: if not, yield has stopped it, or its effort is spent.
func (v *solver) search(yield func(List) bool) bool {
	need := make([]int, len(v.counts))
	for i, c := range v.counts {
		need[i] = c.count
	}
	return v.letters(0, 0, need, yield)
}

// letters decides about the letters from the i-th in order on.
func (v *solver) letters(i int, chosen uint32, need []int, yield func(List) bool) bool {
	if v.effort--; v.effort < 0 {
		return false
	}
	if i == len(v.order) {
		return v.arrange(chosen, yield)
	}
	letter := v.order[i]
	undecided := uint32(0)
	for _, l := range v.order[i+1:] {
		undecided |= 1 << l
	}
	first := v.r.IntN(len(v.order)) < int(v.p.D) // try to take it first, as often as it is likely
	for _, take := range [2]bool{first, !first} {
		if !v.decide(letter, take, undecided, need) {
			continue
		}
		next := chosen
		if take {
			next |= 1 << letter
			for c := range need {
				need[c] -= int(v.counts[c].letters >> letter & 1)
			}
		}
		all := v.letters(i+1, next, need, yield)
		if take {
			for c := range need {
				need[c] += int(v.counts[c].letters >> letter & 1)
			}
		}
		if !all {
			return false
		}
	}
	return true
}

// decide reports whether all counts can still be met if a letter is taken, or left.
func (v *solver) decide(letter uint8, take bool, undecided uint32, need []int) bool {
	for c, n := range need {
		set := v.counts[c].letters
		if take {
			n -= int(set >> letter & 1)
		}
		if n < 0 || n > bits.OnesCount32(set&undecided) {
			return false
		}
	}
	return true
}

// arrange gives places to the chosen letters.
func (v *solver) arrange(chosen uint32, yield func(List) bool) bool {
	a := &arrangement{solver: v, list: make([]byte, v.p.D), yield: yield}
	whole := v.counts[0]
	for _, c := range v.counts[1:] {
		c.letters &= chosen
		if 2*c.count > whole.count { // what it leaves over says the same of fewer letters
			c = rest{chosen &^ c.letters, whole.count - c.count, whole.sum - c.sum}
		}
		if c.count > 0 {
			a.sums = append(a.sums, c)
		}
	}
	return a.place(chosen, 1<<v.p.D-1)
}

// arrangement is a search for the places of letters.
type arrangement struct {
	*solver
	sums  []rest // of the letters that have no place yet
	list  []byte
	yield func(List) bool
}

// place gives the free places to the letters.
func (a *arrangement) place(letters, free uint32) bool {
	if a.effort--; a.effort < 0 {
		return false
	}
	if letters == 0 {
		l := List(a.list)
		for _, t := range a.tried {
			if t == l {
				return true
			}
		}
		return a.yield(l)
	}
	letter, places := a.next(letters, free)
	for places != 0 {
		at := a.pick(places)
		places &^= 1 << at
		if !a.fits(letter, at, free) {
			continue
		}
		a.list[at] = letter
		a.change(letter, at, -1)
		all := a.place(letters&^(1<<letter), free&^(1<<at))
		a.change(letter, at, 1)
		if !all {
			return false
		}
	}
	return true
}

// next chooses the letter to place: one of the guess with the fewest left. The last of a guess has
// but one place.
func (a *arrangement) next(letters, free uint32) (uint8, uint32) {
	best := rest{letters, 99, 0}
	for _, c := range a.sums {
		if c.count > 0 && c.count < best.count {
			best = c
		}
	}
	letter := uint8(a.pick(best.letters & letters))
	if best.count == 1 {
		if best.sum < 0 || best.sum >= int(a.p.D) {
			return letter, 0
		}
		return letter, free & (1 << best.sum)
	}
	return letter, free
}

func (a *arrangement) change(letter uint8, at, sign int) {
	for i := range a.sums {
		if c := &a.sums[i]; c.letters>>letter&1 == 1 {
			c.count += sign
			c.sum += sign * at
		}
	}
}

// fits reports whether all sums can still be met if a letter gets a place.
func (a *arrangement) fits(letter uint8, at int, free uint32) bool {
	low, high := bounds(free &^ (1 << at))
	for _, c := range a.sums {
		if c.letters>>letter&1 == 1 {
			c.count--
			c.sum -= at
		}
		if c.sum < low[c.count] || c.sum > high[c.count] {
			return false
		}
	}
	return true
}

// bounds returns the least and the greatest sum of so many of the places.
func bounds(places uint32) (low, high [MaxLetters + 1]int) {
	for i, p := 1, places; p != 0; i, p = i+1, p&(p-1) {
		low[i] = low[i-1] + bits.TrailingZeros32(p)
	}
	for i, p := 1, places; p != 0; i++ {
		at := bits.Len32(p) - 1
		high[i] = high[i-1] + at
		p &^= 1 << at
	}
	return low, high
}

// pick returns a random bit of a set that is not empty.
func (v *solver) pick(set uint32) int {
	for range v.r.IntN(bits.OnesCount32(set)) {
		set &= set - 1
	}
	return bits.TrailingZeros32(set)
}
