package box9

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// TestCheckRound: a draw by the block's hash is right, however it came about; one by another hash
// is not; a void round needs no hash.
func TestCheckRound(t *testing.T) {
	gone := errors.New("gone")
	closed := func() *board { return named(t, Game().Rules, usual, 2).close(on(1), on(2)) }
	for name, c := range map[string]struct {
		after  func(b *board) *board
		hash   common.Hash // of the chain; zero: nobody knows it any more
		says   string
		refuse error
	}{
		"drawn":              {func(b *board) *board { return b.all().draw(Whole, 1, 3, 4) }, hashFor(10, 1, 3, 4), "gold in box 1, silver in 3 and 4; seat 1 gains", nil},
		"by the clock":       {func(b *board) *board { b.all().mine(2, 3, 4); b.expire(); return b }, hashFor(10, 2, 3, 4), "seat 2 gains", nil},
		"by another hash":    {func(b *board) *board { return b.all().draw(Whole, 1, 3, 4) }, hashFor(10, 2, 3, 4), "", games.ErrIllegal},
		"by a forgotten one": {func(b *board) *board { return b.all().draw(Whole, 1, 3, 4) }, common.Hash{}, "", gone},
		"void":               {func(b *board) *board { b.expire(); return b }, common.Hash{}, "void", nil},
	} {
		b := closed()
		before := string(b.State)
		c.after(b)
		checked, err := CheckRound(b.C, []byte(before), b.State, func(block uint64) (common.Hash, error) {
			if block != 1010 || c.hash == (common.Hash{}) {
				return c.hash, gone
			}
			return c.hash, nil
		})
		if !errors.Is(err, c.refuse) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (checked.Round != 1 || checked.Block != 1010 || checked.Hash != c.hash || !strings.Contains(checked.Says, c.says)) {
			t.Errorf("%s: %+v", name, checked)
		}
	}
	b := named(t, Game().Rules, usual, 2)
	if checked, err := CheckRound(b.C, b.State, b.State, nil); checked != nil || err != nil {
		t.Errorf("no draw: %+v, %v", checked, err)
	}
	if _, err := CheckRound(&games.Context{}, b.State, b.State, nil); err == nil {
		t.Error("parameters that are none")
	}
}
