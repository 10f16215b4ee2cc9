package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"golang.org/x/term"
)

// countdown is the time that is left in a match, as it stands over the board.
type countdown struct {
	match *antev1.Match // as of the last look, which may be ahead of the printed events; nil: none
	asks  bool          // a move of the user's is wanted
	chain arenaClock
	beats int    // since that look
	told  string // where nothing is redrawn: what time was told last
	stood bool   // a time stands on the screen
}

// beatsPerLook is how many beats pass between two looks at a match in which time may run.
const beatsPerLook = 5

// clockLines are kept free for it over the board.
const clockLines = 2

// look notes how a match stands.
func (s *sitting) look(r *antev1.GetMatchResponse) {
	m := r.Match
	s.time.match, s.time.asks, s.time.beats = m, r.Ask != "", 0
	if m.Deadline > 0 || m.Waiting != nil {
		s.time.chain = s.arena()
	}
}

// tick redraws what time is left, and looks at the match again now and then.
func (s *sitting) tick() {
	t := &s.time
	if t.match == nil || s.gone {
		return
	}
	if t.beats++; t.beats >= beatsPerLook && (!t.asks || t.match.Deadline > 0) {
		if r, err := call(s.remote, s.GetMatch, &antev1.GetMatchRequest{MatchId: s.id}); err == nil {
			s.look(r)
		}
	}
	s.showClock()
}

// soon is how long a player who is there may think before the user is told that it is waited for.
const soon = 20 * time.Second

// thinks reports whether a match waits for players who are there and have not thought for long,
// measured by the patience with them.
func thinks(m *antev1.Match, now time.Time) bool {
	w := m.GetWaiting()
	if w == nil || m.Deadline > 0 {
		return false
	}
	_, away := waitedFor(m)
	patience := time.Duration(w.Until-w.Since) * time.Second
	return !away && now.Sub(time.Unix(w.Since, 0)) < min(soon, patience/2)
}

// showClock prints what time is left: on a terminal in its place over the board, elsewhere once for
// each clock.
func (s *sitting) showClock() {
	t := &s.time
	text := ""
	// who is asked for a bet need not wait for who is to move
	if now := time.Now(); !thinks(t.match, now) && (!t.asks || t.match.Deadline > 0) {
		text = s.clock(t.match, now, t.chain)
	}
	if !s.looks().redraws {
		which := fmt.Sprint(t.match.Turn, t.match.GetWaiting().GetText(), t.match.Deadline)
		if text != "" && which != t.told {
			s.clear()
			s.printf("%s\n", text)
			t.told = which
		}
		return
	}
	if text == "" && !t.stood {
		return
	}
	t.stood = text != ""
	lines := append(wrapped(text, s.width()), make([]string, clockLines)...)
	s.printf("\x1b7\x1b[1;1H\x1b[K%s\x1b8", strings.Join(lines[:clockLines], "\x1b[2;1H\x1b[K"))
}

func (t *Terminal) width() int {
	if out, file := t.Out.(*os.File); file {
		if columns, _, err := term.GetSize(int(out.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// wrapped breaks a text into lines between words.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
