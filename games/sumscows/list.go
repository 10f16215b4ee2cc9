package sumscows

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// List is an ordered list of letters, a byte each, 0 for the first of the alphabet. The place of a
// letter in it is the letter's number.
type List string

// Legal reports whether the list has the letters of a match, each at most once.
func (l List) Legal(p Params) bool {
	var seen uint32
	for i := range len(l) {
		if l[i] >= p.N || seen>>l[i]&1 == 1 {
			return false
		}
		seen |= 1 << l[i]
	}
	return len(l) == int(p.D)
}

// set returns the letters as a bit mask.
func (l List) set() (mask uint32) {
	for i := range len(l) {
		mask |= 1 << l[i]
	}
	return mask
}

// within reports whether all letters are in another list: the same letters, if both are legal.
func (l List) within(other List) bool {
	for i := range len(l) {
		if strings.IndexByte(string(other), l[i]) < 0 {
			return false
		}
	}
	return true
}

// secret returns the list as what is committed to: its letters from the first byte on, then zeros.
func (l List) secret() (b common.Hash) {
	copy(b[:], l)
	return b
}

// listOf reads a secret, which may be no legal list: then it reports false.
func listOf(secret common.Hash, p Params) (List, bool) {
	l := List(secret[:p.D])
	return l, l.Legal(p) && l.secret() == secret
}

// String returns the letters as people type them: ABC.
func (l List) String() string {
	var b strings.Builder
	for i := range len(l) {
		b.WriteByte('A' + l[i])
	}
	return b.String()
}

// parseList reads a list as String writes it; small letters will do, and spaces and commas are
// ignored.
func parseList(text string, p Params) (List, error) {
	letters := strings.ToUpper(strings.NewReplacer(" ", "", ",", "").Replace(text))
	b := []byte(letters)
	for i := range b {
		b[i] -= 'A'
	}
	if l := List(b); l.Legal(p) {
		return l, nil
	}
	return "", fmt.Errorf("%w: want %d different letters of A..%c, such as %s", games.ErrText, p.D, 'A'+p.N-1, example(p))
}

// example is a list that shows how to type one.
func example(p Params) List {
	b := make([]byte, p.D)
	for i := range b {
		b[i] = byte(i)
	}
	return List(b)
}

// Answer is the result of a guess: bits 0..9 the sum, bits 10..14 the letters in common, bit 15 set
// if the guess is the hidden list.
type Answer uint16

const found Answer = 1 << 15

// NewAnswer returns the result of so many letters in common, with that sum of their numbers in the
// hidden list.
func NewAnswer(common, sum int) Answer { return Answer(common<<10 | sum&1023) }

// Common returns the number of letters in common.
func (a Answer) Common() int { return int(a >> 10 & 31) }

// Sum returns the sum of the hidden list's numbers of the letters in common.
func (a Answer) Sum() int { return int(a & 1023) }

// Found reports whether the guess is the hidden list.
func (a Answer) Found() bool { return a&found != 0 }

// Possible reports whether any guess could be answered so.
func (a Answer) Possible(p Params) bool {
	n, d, k, s := int(p.N), int(p.D), a.Common(), a.Sum()
	if k > d || k < 2*d-n || s < k*(k-1)/2 || s > k*(2*d-k-1)/2 {
		return false
	}
	if a.Found() {
		return k == d
	}
	return k < d || d > 1 // a list of one letter has no other order
}

func (a Answer) String() string {
	if a.Found() {
		return "found"
	}
	return fmt.Sprintf("%d in common, sum %d", a.Common(), a.Sum())
}

// Truth returns the one true answer to a guess at a hidden list.
func Truth(hidden, guess List) Answer {
	var a Answer
	var number [256]Answer
	for i := range len(hidden) {
		number[hidden[i]] = NewAnswer(1, i)
	}
	for i := range len(guess) {
		a += number[guess[i]]
	}
	if guess == hidden {
		a |= found
	}
	return a
}
