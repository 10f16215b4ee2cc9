package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestPaint: colours are added to a board and nothing else; each peg has its own.
func TestPaint(t *testing.T) {
	const board = "Round 1 of 4, you are the breaker.\n  1. 0 1 7   ●○·\n  2. 3 3 3   ?\n 1 . x o\n│ 1 gold   │ 2 silver │\n"
	painted := screen{colours: true}.paint(board)
	if plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(painted, ""); plain != board {
		t.Errorf("the text became\n%s", plain)
	}
	for _, part := range []string{"\x1b[31m0 ", "\x1b[91m7 ", "\x1b[32m●", "\x1b[33m○", "\x1b[1;33m?", "\x1b[1;31mx", "\x1b[36mo\x1b", "\x1b[1;33mgold"} {
		if !strings.Contains(painted, part) {
			t.Errorf("%q is not in %q", part, painted)
		}
	}
	if same := (screen{}).paint(board); same != board {
		t.Errorf("without colours it is %q", same)
	}
}
