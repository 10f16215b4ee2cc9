package tower

import (
	"testing"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_TowerFlood_Paid: whoever has all seats of a channel opens and closes it with the same
// money again and again, for which he may name the longest window. Nothing stays of those for which
// nobody gave evidence, and what is held for a seat stays for no longer than that of a silent one.
func TestAttack_TowerFlood_Paid(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Limits.Keep = 20 })
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
	s.mine(2)
	if n := len(s.all()); n != 0 {
		t.Errorf("%d things are stored of a channel that is closed, and not served", n)
	}
	s.open()
	s.entrust()
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
	s.mine(10)
	if s.Seats() != 1 {
		t.Error("nothing is held when the channel was just closed")
	}
	s.mine(12)
	if n := len(s.all()); n != 0 || s.Seats() != 0 {
		t.Errorf("%d things are stored, %d seats", n, s.Seats())
	}
}

// TestAttack_TowerFlood_PaidAtOnce: many channels were paid out a window ago in the same block, by
// the windows that their seats chose. A block's answers don't wait until all are dropped.
func TestAttack_TowerFlood_PaidAtOnce(t *testing.T) {
	s := besiege(t, nil)
	marks := map[string][]byte{}
	for i := range byte(mostCleared + 10) {
		marks[paidKey(1, common.Hash{i})] = []byte{1}
	}
	s.must(s.config.Store.Commit(marks))
	for _, want := range []int{mostCleared, 10, 0} {
		before := s.disk.count(storetest.Commit)
		s.must(s.clear(1))
		if n := s.disk.count(storetest.Commit) - before; n != want {
			t.Errorf("%d channels dropped at a block, want %d", n, want)
		}
	}
}
