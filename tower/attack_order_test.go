package tower

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// alone has nobody but the test tell a tower what happens.
func (s *siege) alone() {
	s.Helper()
	s.Tower.stop()
	s.Tower.done.Wait()
}

// hears tells the tower what happened in a channel.
func (s *siege) hears() {
	s.Helper()
	for _, e := range s.events(chain.Seen) {
		s.must(s.happened(&e))
	}
}

// TestAttack_TowerFlood_Order: channels of an attacker, with more evidence than can be replayed
// within a block, are contested in the block in which another one is. The other one is looked at
// first, and the rest at the next block, so that what that says is heard in time.
func TestAttack_TowerFlood_Order(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.alone()
	s.contest(s.first())
	s.hears()
	h, err := s.holding(s.id, 1)
	s.must(err)
	if c := s.disputes[s.id]; c == nil || c.weight != h.Bytes {
		t.Fatalf("%d bytes are held: %+v", h.Bytes, c)
	}
	theirs := []common.Hash{{31: 1}, {31: 2}} // before any other
	for _, id := range theirs {
		s.disputes[id] = &dispute{stirred: true, weight: mostWeight}
	}
	for left, want := range [][]common.Hash{{s.id, theirs[0]}, {s.id, theirs[1]}, {s.id}} {
		if list, all := s.due(s.Tower.now()); !slices.Equal(list, want) || all != (left > 0) {
			t.Errorf("due: %v, all: %t, want %v", list, all, want)
		}
		_, err := s.newHead(t.Context(), s.Tower.now())
		s.must(err)
	}
	if list, err := s.Transactions(9); err != nil || len(list) != 1 {
		t.Errorf("%d answers, %v", len(list), err)
	}
}

// TestDamagedEvidence: what can't be read of one channel keeps the tower from answering in no other
// one.
func TestDamagedEvidence(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.alone()
	s.contest(s.first())
	s.hears()
	s.must(s.config.Store.Commit(map[string][]byte{ledgerKey(common.Hash{}, 0): []byte("damaged")}))
	s.disputes[common.Hash{}] = &dispute{stirred: true}
	_, err := s.newHead(t.Context(), s.Tower.now())
	if list, failed := s.Transactions(9); err == nil || failed != nil || len(list) != 1 {
		t.Errorf("%v; %d answers, %v", err, len(list), failed)
	}
}

// TestWeighedAgain: after a restart a channel weighs as much as before.
func TestWeighedAgain(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.alone()
	s.contest(s.first())
	s.hears()
	before := s.disputes[s.id].weight
	clear(s.disputes)
	s.must(s.restore())
	if c := s.disputes[s.id]; before == 0 || c == nil || c.weight != before {
		t.Errorf("it weighed %d: %+v", before, c)
	}
}
