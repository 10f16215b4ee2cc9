package node

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestHowItWas: a seat won, drew or lost by what it got for its stake, or as the game says where nothing was staked; what isn't known is a draw.
func TestHowItWas(t *testing.T) {
	amounts := func(v ...uint64) (list []uint256.Int) {
		for _, x := range v {
			list = append(list, *uint256.NewInt(x))
		}
		return list
	}
	terms := channel.MatchTerms{Seats: []uint8{0, 1, 2}, Stakes: amounts(5, 5, 5)}
	for i, c := range []struct {
		r    Result
		want []int
	}{
		{Result{Terms: terms, Payouts: amounts(4, 5, 6)}, []int{-1, 0, 1}}, {Result{Terms: terms, Payouts: amounts(4, 5)}, []int{-1, 0, 0}},
		{Result{Terms: terms, Payouts: amounts(4, 5, 6), Free: []int{1, 1, -1}}, []int{1, 1, -1}}, {Result{Terms: terms}, []int{0, 0, 0}},
	} {
		if got := c.r.standing(); !slices.Equal(got, c.want) {
			t.Errorf("%d: %d", i, got)
		}
	}
	one := channel.Signature{1}
	for i, c := range []struct {
		r     Result
		whole bool
	}{
		{Result{Terms: terms, Paid: true, Signatures: []channel.Signature{one, one, one}}, true}, {Result{Terms: terms, Signatures: []channel.Signature{one, one, one}}, false},
		{Result{Terms: terms, Paid: true, Signatures: []channel.Signature{one, one}}, false}, {Result{Terms: terms, Paid: true}, false},
		{Result{Terms: terms, Paid: true, Signatures: []channel.Signature{one, {}, one}}, false},
	} {
		if _, whole := c.r.signed(); whole != c.whole {
			t.Errorf("%d: all signatures %t", i, whole)
		}
	}
}

// TestSignaturesOfResults: a peer's signature of a result counts where that is final, of this channel, and signed by seats, for its own seat, and if it
// holds. What doesn't count changes nothing.
func TestSignaturesOfResults(t *testing.T) {
	match, id := common.Hash{1}, common.Hash{2}
	whole := Result{Match: match, Channel: id, Paid: true, Payouts: []uint256.Int{{}, {}}, Signatures: make([]channel.Signature, 2),
		Terms: channel.MatchTerms{Seats: []uint8{0, 2}, Stakes: []uint256.Int{{}, {}}}}
	for name, c := range map[string]struct {
		change func(*Result)
		from   int
		want   error
	}{
		"not final":          {func(r *Result) { r.Paid = false }, 2, nil},
		"of another channel": {func(r *Result) { r.Channel = common.Hash{3} }, 2, nil},
		"without signatures": {func(r *Result) { r.Signatures = nil }, 2, nil},
		"not known":          {func(r *Result) { r.Match = common.Hash{4} }, 2, nil},
		"of another seat":    {func(*Result) {}, 1, channel.ErrPeer},
		"that doesn't hold":  {func(*Result) {}, 2, channel.ErrPeer},
	} {
		kept := store.NewMemory()
		s := &member{node: &Node{config: Config{Store: kept}}, id: id, terms: channel.Terms{Signers: []common.Address{{5}, {6}, {7}}}}
		r := whole
		c.change(&r)
		value, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Commit(map[string][]byte{resultPrefix + r.Match.Hex(): value}); err != nil {
			t.Fatal(err)
		}
		if err := s.receiveResult(c.from, channel.ResultSignature{MatchID: match, Signature: channel.Signature{9}}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := kept.Get(resultPrefix + r.Match.Hex()); err != nil || string(now) != string(value) {
			t.Errorf("%s: %s is stored, %v", name, now, err)
		}
	}
}

// TestResultsAreAskedForInParts: when a peer connects, a bounded number of results is asked for, of that peer's.
func TestResultsAreAskedForInParts(t *testing.T) {
	kept := store.NewMemory()
	n := &Node{config: Config{Store: kept}}
	bob := common.Address{1}
	for i := range byte(askedOnConnecting + 5) {
		if err := kept.Commit(map[string][]byte{lackKey(bob, common.Hash{i}): {1}, lackKey(common.Address{2}, common.Hash{i}): {1}}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := n.lacking(bob); err != nil || len(list) != askedOnConnecting {
		t.Errorf("%d are asked for, %v", len(list), err)
	}
}
