package node

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// What the Arena records counts for a result when somebody is convicted, whoever it is, or when the match is over for good.
func TestVerdicts(t *testing.T) {
	s := &session{member: member{node: &Node{config: Config{Store: store.NewMemory(), Now: time.Now}}}}
	id, payouts := common.Hash{1}, []uint256.Int{*uint256.NewInt(3), {}}
	begun, err := json.Marshal(Result{Match: id, Terms: channel.MatchTerms{Seats: []uint8{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		said    channel.Recorded
		guilty  uint16
		payouts int
	}{
		"a position":     {channel.Recorded{Record: channel.Record{Status: channel.MatchLive}}, 0, 0},
		"seat 0 cheated": {channel.Recorded{Guilty: 1, Record: channel.Record{Status: channel.MatchLive}}, 1, 0},
		"seat 1 cheated": {channel.Recorded{Guilty: 2, Record: channel.Record{Status: channel.MatchFinal, Payouts: payouts}}, 2, 2},
		"it is final":    {channel.Recorded{Record: channel.Record{Status: channel.MatchFinal, Payouts: payouts}}, 0, 2},
		"an agreement":   {channel.Recorded{Record: channel.Record{Status: channel.MatchAgreed, Payouts: payouts}}, 0, 0},
	} {
		c.said.MatchID = id
		key := resultPrefix + id.Hex()
		changes := map[string][]byte{key: begun}
		if err := s.verdict(changes, c.said); err != nil {
			t.Fatal(err)
		}
		var r Result
		if err := json.Unmarshal(changes[key], &r); err != nil || r.Guilty != c.guilty || len(r.Payouts) != c.payouts {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}

	changes := map[string][]byte{}
	if err := s.verdict(changes, channel.Recorded{MatchID: id, Guilty: 1}); err != nil || len(changes) != 0 {
		t.Errorf("a match of other seats: %q, %v", changes, err)
	}
}
