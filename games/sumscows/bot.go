package sumscows

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
)

// Steps that a move may take, each some half a microsecond: to know whether any list is left, and
// to find some of those that are. A search that has not found any for a while starts anew, in
// another order.
const (
	proofEffort  = 1 << 15
	sampleEffort = 1 << 15
	whileEffort  = 1 << 10
)

// sampleSize is how many of the lists that are left the bot compares guesses by.
const sampleSize = 48

// contradictory reports whether no list is left that all answers allow: false if it takes too long
// to know.
func contradictory(p Params, transcript []Entry) bool {
	v := newSolver(p, transcript, rand.New(rand.NewPCG(1, 2)), proofEffort)
	return v.search(func(List) bool { return false })
}

// Bot is the server's Auto, and for the player a solver: of some lists that are still possible, it
// guesses the one whose answers tell the others apart best.
func (b player) Bot(t seat) (Move, error) {
	if m, decided, err := b.Auto(t); decided {
		return m, err
	}
	r, err := seeded(t.Random)
	if err != nil {
		return nil, err
	}
	return Guess(bestGuess(t.Params, t.State.Transcript, r)), nil
}

func bestGuess(p Params, transcript []Entry, r *rand.Rand) List {
	left := sample(p, transcript, r)
	guesses := left
	if len(left) == 0 {
		// Whatever is guessed, it was too hard to know: anything new tells something.
		return anyList(p, r)
	}
	if len(left) > 2 {
		for range sampleSize { // lists that can't be right may tell more
			guesses = append(guesses, anyList(p, r))
		}
	}
	best, score := left[0], -1
	for i, g := range guesses {
		if parts := split(left, g) * 2; parts+bonus(i < len(left)) > score {
			best, score = g, parts+bonus(i < len(left))
		}
	}
	return best
}

// sample returns different lists that are left, all of them if they are few and found in time.
func sample(p Params, transcript []Entry, r *rand.Rand) (left []List) {
	seen := make(map[List]bool)
	for effort := sampleEffort; effort > 0 && len(left) < sampleSize; {
		v := newSolver(p, transcript, r, min(effort, whileEffort))
		if v.search(func(l List) bool {
			fresh := !seen[l]
			if fresh {
				seen[l] = true
				left = append(left, l)
			}
			return !fresh
		}) {
			return left
		}
		effort -= min(effort, whileEffort) - max(0, v.effort)
	}
	if len(left) == 0 {
		newSolver(p, transcript, r, proofEffort).search(func(l List) bool { left = append(left, l); return false })
	}
	return left
}

// split rates a guess by the number of answers that the lists would give it.
func split(left []List, guess List) int {
	answers := make(map[Answer]bool, len(left))
	for _, l := range left {
		answers[Truth(l, guess)] = true
	}
	return len(answers)
}

func bonus(possible bool) int {
	if possible {
		return 1
	}
	return 0
}

func anyList(p Params, r *rand.Rand) List {
	b := make([]byte, p.D)
	for i, letter := range r.Perm(int(p.N))[:p.D] {
		b[i] = byte(letter)
	}
	return List(b)
}

// seeded returns a fast source of randomness that nothing secret comes from.
func seeded(random io.Reader) (*rand.Rand, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return nil, fmt.Errorf("read random bytes: %w", err)
	}
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:]))), nil
}
