package node

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestForgetsOldOffers: of those that nothing more will come of the newest are kept, and all that
// something may come of.
func TestForgetsOldOffers(t *testing.T) {
	l := newLab(t)
	n := l.node(nil)
	var want []common.Hash
	for i := range 2*keptOffers + 10 {
		o := Offer{ID: common.BigToHash(common.Big1), State: OfferDeclined, Time: int64(i)}
		o.ID[0] = byte(i)
		switch {
		case i == 0:
			o.State = OfferOpen
		case i == 1:
			o.State = OfferAccepted
		}
		if i < 2 || i >= keptOffers+10 {
			want = append(want, o.ID)
		}
		l.must(n.saveOffer(&o))
	}
	list, err := n.Offers()
	l.must(err)
	l.must(n.pruneOffers(list))
	list, err = n.Offers()
	l.must(err)
	var kept []common.Hash
	for i := range list {
		kept = append(kept, list[i].ID)
	}
	if !slices.Equal(kept, want) {
		t.Fatalf("it keeps %d offers, want %d:\n%x\n%x", len(kept), len(want), kept, want)
	}
	if _, err := n.offer(common.BigToHash(common.Big2)); err == nil {
		t.Error("it knows an offer that nobody made")
	}
}

// TestForgetsWhatResultsLack: nobody is asked to sign a result that is forgotten, and about the
// others everybody is.
func TestForgetsWhatResultsLack(t *testing.T) {
	l := newLab(t)
	n := l.node(nil)
	bob, gone, stays := common.Address{0xb0}, common.Hash{1}, common.Hash{2}
	l.must(n.config.Store.Commit(map[string][]byte{lackKey(bob, gone): {1}, lackKey(bob, stays): {1}}))
	l.must(n.forgetResults(nil, map[common.Hash]bool{gone: true}))
	var left []string
	l.must(n.config.Store.Scan(lackPrefix, "", func(key string, _ []byte) error {
		left = append(left, key)
		return nil
	}))
	if !slices.Equal(left, []string{lackKey(bob, stays)}) {
		t.Errorf("it still asks for %q", left)
	}
}

// TestWinsAreKept: a result that the score board would take is not forgotten.
func TestWinsAreKept(t *testing.T) {
	l := newLab(t)
	n := l.node(nil)
	for _, match := range []common.Hash{{1}, {2}} {
		l.put(n, resultPrefix+match.Hex(), Result{
			Match: match, Channel: common.Hash{7}, Paid: true, Payouts: stakes(2, 0), Terms: protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: stakes(1, 1)},
		})
	}
	l.must(n.config.Store.Commit(map[string][]byte{winKey(&Result{Match: common.Hash{2}, Channel: common.Hash{7}}): {1}}))
	l.must(n.forgetPast(0, 0))
	if list, err := n.Results(); err != nil || len(list) != 1 || list[0].Match != (common.Hash{2}) {
		t.Errorf("%v are left, %v", list, err)
	}
}

// TestNothingIsDeposited: that would only cost gas.
func TestNothingIsDeposited(t *testing.T) {
	l := newLab(t)
	if _, err := l.node(nil).Deposit(t.Context(), common.Address{}, new(uint256.Int)); !errors.Is(err, ErrRequest) {
		t.Error(err)
	}
}
