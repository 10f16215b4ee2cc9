package chain

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// TestJournal: what was noted is read again, blocks that the cursor remembers as its own; a part
// that is lost or damaged is an error that only people can solve.
func TestJournal(t *testing.T) {
	arena := common.Address{7}
	s := &shelf{store.NewMemory(), "cursor", arena}
	at := &cursor{Version: cursorVersion, Base: 10, Final: 10}
	said := loud(arena, 10, 2*maxPart)
	other := *said // of another branch
	other.Hash = common.Hash{1}
	lie := loud(arena, 10, 100) // of the same block
	j := &journal{
		&cursor{Version: cursorVersion, Base: 10, Final: 11, Blocks: []*followed{said}}, []news{{Undone, &other}, {Undone, lie}, {Seen, said}, {Final, said}},
	}
	if err := s.note(at, j); err != nil {
		t.Fatal(err)
	}
	got, err := s.noted(at)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range j.News {
		own := n.Block == said
		if r := got.News[i]; r.Stage != n.Stage || r.Block.Hash != n.Block.Hash || r.Block.Digest != n.Block.Digest || len(r.Block.Logs) != 1 ||
			(r.Block == got.Cursor.Blocks[0]) != own {
			t.Errorf("%d: %+v of the cursor: %t", i, r, own)
		}
	}
	if !got.Cursor.same(j.Cursor) {
		t.Errorf("%+v", got.Cursor)
	}
	for name, value := range map[string]string{
		"lost": "", "damaged": "{", "of no cursor": `{"news":[]}`, "of no block": `{"cursor":{},"news":[{"stage":1}]}`,
	} {
		if err := s.store.Commit(map[string][]byte{s.page(0): []byte(value)}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.noted(&cursor{Telling: 1}); !errors.Is(err, ErrCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
