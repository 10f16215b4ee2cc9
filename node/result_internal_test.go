package node

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// What the Arena records counts for a result when somebody is convicted, whoever it is, or when the
// match is over for good.
func TestVerdicts(t *testing.T) {
	s := &channelState{member: member{node: newNode(t.Context(), Config{Store: store.NewMemory(), Now: time.Now}).channels}}
	id, payouts := common.Hash{1}, []uint256.Int{*uint256.NewInt(3), {}}
	other := stakes(4, 0)
	final := onchain.Recorded{Record: protocol.Record{Status: protocol.MatchFinal, Payouts: payouts}}
	begun, err := json.Marshal(Result{Match: id, Terms: protocol.MatchTerms{Seats: []uint8{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		said    onchain.Recorded
		guilty  uint16
		payouts int
	}{
		"a position":     {onchain.Recorded{Record: protocol.Record{Status: protocol.MatchLive}}, 0, 0},
		"seat 0 cheated": {onchain.Recorded{Guilty: 1, Record: protocol.Record{Status: protocol.MatchLive}}, 1, 0},
		"seat 1 cheated": {onchain.Recorded{Guilty: 2, Record: protocol.Record{Status: protocol.MatchFinal, Payouts: payouts}}, 2, 2},
		"it is final":    {onchain.Recorded{Record: protocol.Record{Status: protocol.MatchFinal, Payouts: payouts}}, 0, 2},
		"an agreement":   {onchain.Recorded{Record: protocol.Record{Status: protocol.MatchAgreed, Payouts: payouts}}, 0, 0},
	} {
		c.said.MatchID = id
		key := resultPrefix + id.Hex()
		changes := map[string][]byte{key: begun}
		if err := s.history(changes).verdict(c.said); err != nil {
			t.Fatal(err)
		}
		var r Result
		if err := json.Unmarshal(changes[key], &r); err != nil || r.Guilty != c.guilty || len(r.Payouts) != c.payouts {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}

	for name, c := range map[string]struct {
		had  Result
		said onchain.Event
		want uint64 // what seat 0 gets
	}{
		"a ledger has paid it": {Result{Paid: true, Payouts: other}, final, 4}, "the Arena has paid it": {Result{Paid: true, Settled: true, Payouts: other}, final, 3},
		"convicted, without payouts": {Result{Payouts: other}, onchain.Recorded{Guilty: 1, Record: protocol.Record{Status: protocol.MatchFinal}}, 4},
		"its lock is paid":           {Result{Payouts: other}, onchain.LockPaid{MatchID: id, Payouts: payouts}, 3},
		"its lock is paid, somehow":  {Result{Payouts: other}, onchain.LockPaid{MatchID: id}, 4},
	} {
		c.had.Match, c.had.Terms.Seats = id, []uint8{0, 1}
		begun, err := json.Marshal(c.had)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := c.said.(onchain.Recorded); ok {
			r.MatchID = id
			c.said = r
		}
		key := resultPrefix + id.Hex()
		changes := map[string][]byte{key: begun}
		if err := s.history(changes).verdict(c.said); err != nil {
			t.Fatal(err)
		}
		var r Result
		if err := json.Unmarshal(changes[key], &r); err != nil || r.Payouts[0].Uint64() != c.want {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}

	changes := map[string][]byte{}
	if err := s.history(changes).verdict(onchain.Recorded{MatchID: id, Guilty: 1}); err != nil || len(changes) != 0 {
		t.Errorf("a match of other seats: %q, %v", changes, err)
	}
}

// TestResultsThatFail: what can't be added to a result is no result.
func TestResultsThatFail(t *testing.T) {
	s := &channelState{member: member{node: newNode(t.Context(), Config{Store: store.NewMemory(), Now: time.Now}).channels}}
	changes := map[string][]byte{}
	err := s.history(changes).updateResult(common.Hash{1}, func(r *Result) error {
		r.Terms.Seats = []uint8{0, 1}
		return storetest.ErrCrash
	})
	if !errors.Is(err, storetest.ErrCrash) || len(changes) != 0 {
		t.Errorf("%q, %v", changes, err)
	}
}

// TestDecidedByTheArena: a win counts by the Arena's record alone where the Arena paid the match by
// that, for stakes, and somebody won.
func TestDecidedByTheArena(t *testing.T) {
	whole := func() *Result {
		return &Result{
			Settled: true, Record: &protocol.Record{}, Payouts: stakes(2, 0), Terms: protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: stakes(1, 1)},
		}
	}
	for name, c := range map[string]struct {
		change func(*Result)
		want   bool
	}{
		"decided": {func(*Result) {}, true}, "not paid": {func(r *Result) { r.Settled = false }, false}, "not recorded": {func(r *Result) { r.Record = nil }, false},
		"for nothing": {func(r *Result) { r.Free = []int{1, -1} }, false}, "drawn": {func(r *Result) { r.Payouts = stakes(1, 1) }, false},
	} {
		r := whole()
		if c.change(r); r.decided() != c.want {
			t.Errorf("%s: %t", name, r.decided())
		}
	}
}
