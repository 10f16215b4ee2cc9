package channel

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// A seat that goes on from what is recorded while its peer is silent keeps each position, however
// many there are. A match's record holds the newest only; each older one has a key of its own, so
// that what a step writes does not grow with a long turn.

// recent returns the index of the first link that the match's record holds.
func (m *match) recent() int { return max(0, len(m.links)-protocol.MaxRun) }

func linkKey(id common.Hash, turn protocol.Turn) string {
	return fmt.Sprintf("%s%x/%016x", linkPrefix, id, uint64(turn))
}

// keepOlder writes what has changed of a match's older links: to these, from those in the store.
func (t *txn) keepOlder(m *match, links []link) {
	kept := m.edit().older
	for i := range kept {
		if n := len(links); n == 0 || kept[i].turn < links[0].turn || kept[i].turn > links[n-1].turn {
			t.keep(linkKey(m.id, kept[i].turn), nil)
		}
	}
	for i := range links {
		l := &links[i]
		at, found := slices.BinarySearchFunc(kept, l.turn, func(k link, turn protocol.Turn) int { return cmp.Compare(k.turn, turn) })
		if !found || !l.equal(&kept[at]) {
			t.keep(linkKey(m.id, l.turn), encodeRecord(encodeLink(l)))
		}
	}
	m.older = links
}

// equal reports whether two links are the same. What a state says of itself follows from its hash.
func (l *link) equal(o *link) bool {
	return l.turn == o.turn && l.hash == o.hash && l.by == o.by && l.all == o.all && bytes.Equal(l.move, o.move) && slices.Equal(l.sigs, o.sigs)
}

// restoreOlder reads one older link.
func (m *match) restoreOlder(b []byte) error {
	var r antev1.LinkRecord
	if err := proto.Unmarshal(b, &r); err != nil {
		return err
	}
	var d reader
	m.older = append(m.older, d.link(&r, "position"))
	return d.Err
}

// join puts the older links before those of the match's record, once all are read.
func (m *match) join(seats int) error {
	slices.SortFunc(m.older, func(a, b link) int { return cmp.Compare(a.turn, b.turn) })
	m.links = slices.Concat(m.older, m.links)
	return m.wellFormed(seats)
}
