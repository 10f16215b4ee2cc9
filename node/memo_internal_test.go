package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestHistoryIsReadOnce: a house's chain loop asks for each group of a round what was played, and
// does not read ten thousand results again for it, but all that was written since.
func TestHistoryIsReadOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	inner, scans, lost := n.config.Store.(*telling), 0, false
	inner.Store = &storetest.Faulty{
		Store: inner.Store,
		Before: func(op storetest.Op) error {
			if op == storetest.Scan {
				scans++
			}
			return nil
		},
		After: func(op storetest.Op) error {
			if lost && op == storetest.Commit {
				return store.ErrFailed
			}
			return nil
		},
	}
	r := pairsBy(t, n, n.Account())
	for i := byte(1); i <= 20; i++ {
		res := Result{Match: common.Hash{i}, Channel: common.Hash{99}, Payouts: stakes(1, 1)}
		l.put(n, n.results.key(res.Match), res)
		r.Groups = append(r.Groups, RoundGroup{State: GroupPlaying, Channel: common.Hash{i}, Since: n.now()})
	}
	l.putRound(n, &r)
	l.must(n.tendRounds(t.Context()))
	if scans > 2 {
		t.Errorf("the store was read through %d times for 20 groups", scans)
	}

	read := func(why string, want ...common.Hash) {
		t.Helper()
		list, err := n.Results()
		l.must(err)
		if len(list) != len(want) {
			t.Fatalf("%s: %d results", why, len(list))
		}
		for i := range list {
			if list[i].Match != want[i] {
				t.Errorf("%s: result %d is of match %s", why, i, list[i].Match)
			}
		}
	}
	changes := map[string][]byte{}
	for i := byte(3); i <= 20; i++ {
		changes[n.results.key(common.Hash{i})] = nil
	}
	l.must(n.config.Store.Commit(changes))
	read("after most are deleted", common.Hash{1}, common.Hash{2})
	later := Result{Match: common.Hash{1}, Channel: common.Hash{99}, Payouts: stakes(1, 1), Began: 5}
	l.must(n.results.save(later.Match, &later))
	read("after one is written again", common.Hash{2}, common.Hash{1})
	lost = true
	later.Match = common.Hash{7}
	if err := n.results.save(later.Match, &later); !errors.Is(err, store.ErrFailed) {
		t.Fatal(err)
	}
	read("after a commit of which nobody knows", common.Hash{2}, common.Hash{1}, common.Hash{7})
	if list, err := n.Results(); err != nil || !list[2].Payouts[0].Eq(uint256.NewInt(1)) {
		t.Errorf("%v, %v", list[2].Payouts, err)
	}
}
