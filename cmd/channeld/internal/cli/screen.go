package cli

import (
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"
)

// screen is whether the user looks at a terminal, and what it can show.
type screen struct{ redraws, colours bool }

// looks finds out what the program prints to.
func (t *Terminal) looks() screen {
	if !t.redraws(t.Out) {
		return screen{}
	}
	return screen{redraws: true, colours: t.variable("NO_COLOR") == ""}
}

// redraws reports whether what is written there is shown by a terminal, and can be drawn over.
func (t *Terminal) redraws(w io.Writer) bool {
	file, is := w.(*os.File)
	return is && term.IsTerminal(int(file.Fd())) && t.variable("TERM") != "dumb" && understands(file)
}

// folded breaks lines that a terminal would break within a word.
func (t *Terminal) folded(text string) string {
	if !t.looks().redraws {
		return text
	}
	return fold(text, t.width())
}

// fold breaks the lines of a text that are wider than a terminal.
func fold(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len([]rune(line)) > width {
			lines[i] = strings.Join(wrapped(line, width), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// wipe begins a new picture in place of the old one.
const wipe = "\x1b[H\x1b[2J"

// paints are what is coloured in a board, and how.
var paints = []struct {
	what   *regexp.Regexp
	colour string
}{
	{regexp.MustCompile(`●+`), "32"},
	{regexp.MustCompile(`○+`), "33"},
	{regexp.MustCompile(`\bx\b`), "1;31"},
	{regexp.MustCompile(`\bo\b`), "36"},
	{regexp.MustCompile(`\B\?\B`), "1;33"},
	{regexp.MustCompile(`\bgold\b`), "1;33"},
	{regexp.MustCompile(`\bsilver\b`), "1;37"},
	{regexp.MustCompile(`\byou\b`), "1"},
}

// pegs are the rows of a code breaker's board: a number, then digits, each of which gets a colour.
var (
	pegs       = regexp.MustCompile(`(?m)^ *\d+\. (?:\d )+`)
	digit      = regexp.MustCompile(`\d `)
	pegColours = [...]string{"31", "32", "33", "34", "35", "36", "37", "91"}
)

// paint colours a board. The text stays what it is without colours.
func (s screen) paint(board string) string {
	if !s.colours {
		return board
	}
	lines := strings.SplitAfter(board, "\n")
	for i, line := range lines {
		for _, p := range paints {
			line = p.what.ReplaceAllStringFunc(line, func(text string) string { return coloured(text, p.colour) })
		}
		lines[i] = pegs.ReplaceAllStringFunc(line, func(row string) string {
			number, code, _ := strings.Cut(row, ". ")
			return number + ". " + digit.ReplaceAllStringFunc(code, func(peg string) string {
				return coloured(peg, pegColours[(peg[0]-'0')%byte(len(pegColours))])
			})
		})
	}
	return strings.Join(lines, "")
}

func coloured(text, colour string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }
