package mastermind

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
)

// Code is a row of at most 5 pegs of at most 8 colours: peg i in bits 3i..3i+2. Pegs beyond a
// match's own number are zero.
type Code uint16

const maxPegs = 5

func (c Code) peg(i uint8) uint8 { return uint8(c>>(3*i)) & 7 }

// Legal reports whether the code has so many pegs and colours, and no bit more.
func (c Code) Legal(p Params) bool {
	if c>>(3*p.Pegs) != 0 {
		return false
	}
	for i := range p.Pegs {
		if c.peg(i) >= p.Colours {
			return false
		}
	}
	return true
}

// Text returns the colours of the pegs as digits, peg 0 first.
func (c Code) Text(pegs uint8) string {
	var b strings.Builder
	for i := range pegs {
		b.WriteByte('0' + c.peg(i))
	}
	return b.String()
}

// parseCode reads a code as Text writes it; spaces and commas between the digits are ignored.
func parseCode(text string, p Params) (Code, error) {
	digits := strings.NewReplacer(" ", "", ",", "").Replace(text)
	if len(digits) != int(p.Pegs) {
		return 0, fmt.Errorf("%w: want %d digits of 0..%d, such as %s", games.ErrText, p.Pegs, p.Colours-1, example(p))
	}
	var c Code
	for i := range p.Pegs {
		d := digits[i] - '0'
		if d >= p.Colours {
			return 0, fmt.Errorf("%w: %q is no colour, want 0..%d", games.ErrText, digits[i:i+1], p.Colours-1)
		}
		c |= Code(d) << (3 * i)
	}
	return c, nil
}

// Feedback is the answer to a guess: low nibble the pegs in the right place, high nibble those of a
// right colour in a wrong place.
type Feedback uint8

// NewFeedback returns the answer of so many pegs in the right place, and so many in a wrong one.
func NewFeedback(right, wrong uint8) Feedback { return Feedback(right&15 | wrong<<4) }

// Right returns the number of pegs in the right place.
func (f Feedback) Right() uint8 { return uint8(f) & 15 }

// Wrong returns the number of pegs of a right colour in a wrong place.
func (f Feedback) Wrong() uint8 { return uint8(f) >> 4 }

// Possible reports whether any guess could be answered so. If all pegs but one are in place, the
// last has no wrong place to be in.
func (f Feedback) Possible(pegs uint8) bool {
	return f.Right()+f.Wrong() <= pegs && (f.Wrong() != 1 || f.Right()+1 != pegs)
}

func (f Feedback) solved(pegs uint8) bool { return f == Feedback(pegs) }

func (f Feedback) String() string { return fmt.Sprintf("%d right, %d misplaced", f.Right(), f.Wrong()) }

// Answer returns the one true feedback to a guess at a code of so many pegs. All five pegs of both
// are compared, as the contract does; those beyond the match's number are equal in legal codes, and
// drop out.
func Answer(code, guess Code, pegs uint8) Feedback {
	return NewFeedback(match(code, guess, int(pegs)))
}

func match(code, guess Code, pegs int) (right, wrong uint8) {
	var inCode, inGuess [8]uint8
	missed := 0
	for i := range uint8(maxPegs) {
		a, b := code.peg(i), guess.peg(i)
		if a != b {
			missed++
			inCode[a]++
			inGuess[b]++
		}
	}
	for colour := range inCode {
		wrong += min(inCode[colour], inGuess[colour])
	}
	return uint8(pegs - missed), wrong
}
