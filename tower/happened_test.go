package tower

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// all is what the tower's store holds about the chain.
func (s *siege) all() map[string]string {
	s.Helper()
	found := map[string]string{}
	for _, prefix := range []string{logPrefix, hotPrefix} {
		s.must(s.config.Store.Scan(prefix, "", func(key string, value []byte) error {
			found[key] = string(value)
			return nil
		}))
	}
	return found
}

// events reads the Arena's logs as the tower is told them.
func (s *siege) events(stage chain.Stage) (list []chain.Event) {
	s.Helper()
	client := s.world.Chain.Client()
	defer client.Close()
	logs, err := client.FilterLogs(s.Context(), ethereum.FilterQuery{Addresses: []common.Address{s.config.Arena}})
	s.must(err)
	for _, l := range logs {
		e, err := s.drive.Codec.Decode(l)
		s.must(err)
		if _, about := onchain.Of(e); about {
			list = append(list, chain.Event{Event: e, Stage: stage, Block: chain.Block{Number: l.BlockNumber, Hash: l.BlockHash}, Log: l})
		}
	}
	return list
}

// TestHappenedOnce: what the chain says is stored once at each stage. Told again, in whatever
// order, it changes nothing, and what is undone or final without having been seen is passed over.
func TestHappenedOnce(t *testing.T) {
	s := besiege(t, nil)
	s.contest(s.first())
	s.mine(3)
	before := s.all()
	if len(before) != 3 { // the opening, the contest, and that something may be due
		t.Fatalf("%d things are stored", len(before))
	}
	for _, stage := range []chain.Stage{chain.Seen, chain.Final} {
		for _, e := range s.events(stage) {
			s.disk.fail(errors.New("nothing may be written"), storetest.Commit)
			err := s.happened(&e)
			s.disk.fail(nil, storetest.Commit)
			if err != nil {
				t.Errorf("%T, %s again: %v", e.Event, e.Stage, err)
			}
		}
	}
	for _, stage := range []chain.Stage{chain.Undone, chain.Final} {
		for _, e := range s.events(stage) {
			e.Block.Number += 1000 // never seen
			s.must(s.happened(&e))
		}
	}
	other := s.events(chain.Seen)[1]
	other.Event, other.Log.Topics = onchain.Closed{ChannelID: common.Hash{9}}, nil
	s.must(s.happened(&other)) // of a channel that was never opened
	if now := s.all(); !maps.Equal(now, before) {
		t.Errorf("%d things are stored, %d were", len(now), len(before))
	}
	for _, e := range s.events(chain.Undone) {
		s.must(s.happened(&e))
	}
	for key := range s.all() {
		if !strings.HasPrefix(key, hotPrefix) {
			t.Errorf("%s is undone and stored", key)
		}
	}
}

// TestUnfinishedOpening: a channel whose opening is not final is not known yet, whoever asks.
func TestUnfinishedOpening(t *testing.T) {
	s := besiege(t, nil)
	opening := s.events(chain.Undone)[0]
	s.must(s.happened(&opening))
	opening.Stage = chain.Seen
	s.must(s.happened(&opening))
	e := message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}
	if r := s.give(1, e); !strings.Contains(r.Refusal, ErrUnknownChannel.Error()) {
		t.Errorf("%q", r.Refusal)
	}
	if (handler{s.Tower}).Befriended(s.owners[1].Address()) {
		t.Error("a seat of a channel that may vanish is a friend")
	}
	opening.Stage = chain.Final
	s.must(s.happened(&opening))
	if r := s.give(1, e); r.Refusal != "" {
		t.Error(r.Refusal)
	}
}

// TestDamagedStore: what is no block's number, and no evidence, is said to be damaged.
func TestDamagedStore(t *testing.T) {
	for place, ok := range map[string]bool{"0000000000000001/x": true, "01/x": false, "/x": false, "000000000000000001/x": false} {
		if n, err := blockOf(place); (err == nil) != ok || ok && n != 1 {
			t.Errorf("%s: %d, %v", place, n, err)
		}
	}
	receipt, err := proto.Marshal(message.Envelope(common.Hash{1}, message.TowerReceipt{Refusal: "no"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range [][]byte{receipt, bytes.Repeat([]byte{0xff}, 9)} {
		if e, err := readEvidence(value); err == nil {
			t.Errorf("%x is read as %+v", value, e)
		}
	}
}

// TestLookedAtAgain: a channel in which something is due is looked at again when the store could
// not be read, and so are those that come after it.
func TestLookedAtAgain(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.open()
	s.entrust()
	var ids []common.Hash
	s.must(s.config.Store.Scan(holdingPrefix, "", func(key string, _ []byte) error {
		ids = append(ids, common.HexToHash(strings.Split(key, "/")[1]))
		return nil
	}))
	for _, id := range ids {
		unlock := s.lock(id)
		s.dispute(id)
		unlock()
	}
	s.disk.fail(errors.New("no"), storetest.Scan)
	if _, err := s.newHead(t.Context(), s.Tower.now()); err == nil {
		t.Fatal("looked at without the store")
	}
	s.disk.fail(nil, storetest.Scan)
	if after, _ := s.due(s.Tower.now()); len(ids) != 2 || !slices.Equal(after, ids) { // the store's order is theirs
		t.Errorf("to be looked at: %v, want %v", after, ids)
	}
	if all, err := s.newHead(t.Context(), s.Tower.now()); err != nil || !all {
		t.Errorf("looked at all: %t, %v", all, err)
	}
	if after, _ := s.due(s.Tower.now()); len(after) != 0 {
		t.Errorf("looked at, and still due: %v", after)
	}
}
