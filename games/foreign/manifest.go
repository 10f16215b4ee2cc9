// Package foreign plays rules of which a program has only the bytecode and a manifest, which has
// names and encodings for people. The program's authors have not read such rules. What can be
// checked is checked (Vet, evm's limits, the code's hash); the players must judge whether the game
// is fair.
package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
)

// ErrManifest is wrapped by every error about a manifest.
var ErrManifest = errors.New("bad manifest")

// Manifest describes a rule set for people. What it says decides nothing: the rules alone judge
// moves and results.
type Manifest struct {
	Name     string  `json:"name"`            // lower case, as typed on a command line and sent in offers
	Summary  string  `json:"summary"`         // one line
	Guide    string  `json:"guide,omitempty"` // lines: how it is played, scored and typed
	Seats    int     `json:"seats"`
	Turns    uint64  `json:"turns"`    // the most moves a match can take
	Params   []Field `json:"params"`   // of the parameters' encoding, in order
	Position []Field `json:"position"` // of a state, in order
	Moves    []Move  `json:"moves"`
	Board    *Board  `json:"board,omitempty"`
	// file with the contract's init code, beside the manifest: to deploy it, or try it out
	Code string `json:"code,omitempty"`
}

// Field is a part of an encoding: a big-endian number, or several of the same kind.
type Field struct {
	Name    string   `json:"name"`
	Help    string   `json:"help,omitempty"`
	Size    int      `json:"size,omitempty"`  // bytes, 1..32; 1 if it is left out
	Count   int      `json:"count,omitempty"` // how many; 1 if it is left out
	Open    bool     `json:"open,omitempty"`  // of the last field of a state: as many as there are, Count at most
	Default uint64   `json:"default,omitempty"`
	Min     uint64   `json:"min,omitempty"`
	Max     uint64   `json:"max,omitempty"`    // 0: the most that fits, or what values there are
	Values  []string `json:"values,omitempty"` // names of 0, 1, …
}

// Move is a kind of moves: a prefix, then fields.
type Move struct {
	Name   string  `json:"name"`
	Help   string  `json:"help,omitempty"`
	Prefix string  `json:"prefix,omitempty"` // 0x and bytes
	Fields []Field `json:"fields"`
}

// Board draws a field of many numbers as rows of signs.
type Board struct {
	Field   string `json:"field"`
	Width   int    `json:"width"`
	Signs   string `json:"signs"`             // of 0, 1, …
	Upwards bool   `json:"upwards,omitempty"` // the first row is the lowest
}

// Bounds of what a manifest may say.
const (
	maxManifest = 16 << 10 // bytes
	maxKinds    = 32       // of moves
	maxTurns    = 1 << 20
	maxText     = 200
	maxChoices  = 1024 // moves of a kind that are tried out to list the legal ones
)

var (
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
	// fit for a terminal
	textPattern = regexp.MustCompile(`^[^\x00-\x1f\x7f-\x9f\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]*$`)
)

func readManifest(r io.Reader) (*Manifest, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if len(b) > maxManifest {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrManifest, maxManifest)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	m := new(Manifest)
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	for _, k := range m.Moves { // not where it is checked: a game by such a manifest may have been agreed to
		if slices.ContainsFunc(k.Fields, func(f Field) bool { return f.Name == "move" || f.Name == "digest" }) {
			return nil, fmt.Errorf("%w: move %s: no field is named move or digest, which say something else where a move is an object", ErrManifest, k.Name)
		}
	}
	return m, m.check()
}

func (m *Manifest) check() error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrManifest}, a...)...)
	}
	switch {
	case !namePattern.MatchString(m.Name):
		return bad("name %q: want lower case letters, digits and dashes, a letter first", m.Name)
	case !text(m.Summary):
		return bad("the summary is no line of at most %d characters", maxText)
	case !text(m.Code):
		return bad("code %q: want a name of at most %d characters", m.Code, maxText)
	case m.Seats < 2 || m.Seats > games.MaxSeats:
		return bad("%d seats, want 2..%d", m.Seats, games.MaxSeats)
	case m.Turns == 0 || m.Turns > maxTurns:
		return bad("%d turns, want 1..%d", m.Turns, maxTurns)
	case len(m.Moves) > maxKinds:
		return bad("%d kinds of moves, at most %d are allowed", len(m.Moves), maxKinds)
	}
	for i, line := range strings.Split(m.Guide, "\n") {
		if !text(line) {
			return bad("line %d of the guide has more than %d characters, or is no text", i+1, maxText)
		}
	}
	if err := checkFields("parameter", m.Params, games.MaxState); err != nil {
		return err
	}
	for _, p := range m.Params {
		if p.Count > 1 || p.Open || p.size() > 8 || p.most() == 0 || p.Default < p.Min || p.Default > p.most() {
			return bad("parameter %s: want one number of at most 8 bytes, not always 0, with its default in range", p.Name)
		}
	}
	if err := checkFields("field", m.Position, games.MaxState); err != nil {
		return err
	}
	for i := range m.Position {
		if f := &m.Position[i]; f.Open && (i != len(m.Position)-1 || f.Count == 0) {
			return bad("field %s: only the last one can be open, and says how many there are at most", f.Name)
		}
	}
	for i := range m.Moves {
		k := &m.Moves[i]
		if _, err := k.prefix(); err != nil || !text(k.Name) || !text(k.Help) || k.Name == "" {
			return bad("move %q: want a name, and a prefix of 0x and bytes or none", k.Name)
		}
		if err := checkFields("move "+k.Name+", field", k.Fields, games.MaxMove); err != nil {
			return err
		}
		if slices.ContainsFunc(k.Fields, func(f Field) bool { return f.Open }) {
			return bad("move %s: no field of a move is open", k.Name)
		}
	}
	if m.Board != nil {
		return m.Board.check(m.field(m.Board.Field))
	}
	return nil
}

// check looks at how a field of the position, nil if there is none of that name, is drawn.
func (b *Board) check(f *Field) error {
	signs := len([]rune(b.Signs))
	switch {
	case f == nil:
		return fmt.Errorf("%w: board: no field of the position is named %q", ErrManifest, b.Field)
	case b.Width < 1 || f.count()%b.Width != 0:
		return fmt.Errorf("%w: board: a width of %d, which does not divide the %d of %s", ErrManifest, b.Width, f.count(), f.Name)
	case !text(b.Signs) || signs < 2 || (f.Max != 0 || len(f.Values) > 0) && uint64(signs) <= f.most(): //nolint:gosec // not negative
		return fmt.Errorf("%w: board: %d signs %q, want one for each value of %s, 0..%d", ErrManifest, signs, b.Signs, f.Name, f.most())
	default:
		return nil
	}
}

func checkFields(what string, fields []Field, most int) error {
	total, names := 0, map[string]bool{}
	for i := range fields {
		f := &fields[i]
		if f.Name == "" || names[f.Name] || !text(f.Name) || !text(f.Help) {
			return fmt.Errorf("%w: %s %q: want a name of its own, and one line of help", ErrManifest, what, f.Name)
		}
		names[f.Name] = true
		if f.Size < 0 || f.Size > 32 || f.Count < 0 || f.Count > most || f.Min > f.most() {
			return fmt.Errorf("%w: %s %s: want a size of 1..32 bytes, and a range that fits into it", ErrManifest, what, f.Name)
		}
		for _, v := range f.Values {
			if v == "" || !text(v) {
				return fmt.Errorf("%w: %s %s: value %q", ErrManifest, what, f.Name, v)
			}
		}
		if total += f.size() * f.count(); total > most {
			return fmt.Errorf("%w: %s %s: more than %d bytes", ErrManifest, what, f.Name, most)
		}
	}
	return nil
}

func text(s string) bool { return len(s) <= maxText && textPattern.MatchString(s) }

func (m *Manifest) field(name string) *Field {
	for i := range m.Position {
		if m.Position[i].Name == name {
			return &m.Position[i]
		}
	}
	return nil
}

func (f *Field) size() int  { return max(f.Size, 1) }
func (f *Field) count() int { return max(f.Count, 1) }

// most is the largest value; that of wide fields which name none is the largest there is.
func (f *Field) most() uint64 {
	fits := ^uint64(0)
	if f.size() < 8 {
		fits = 1<<(8*f.size()) - 1
	}
	switch {
	case f.Max != 0:
		return min(f.Max, fits)
	case len(f.Values) > 0:
		return min(uint64(len(f.Values)-1), fits)
	default:
		return fits
	}
}
