package node

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// TestReplayBound: of a match without end the newest positions are kept, as many as maxReplay.
func TestReplayBound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{100, 100}, alice, bob))
	id := common.Hash{1}
	for _, turn := range []protocol.Turn{5, 6, maxReplay + 4, maxReplay + 5} {
		changes := map[string][]byte{}
		l.must(s.record(changes, []channel.Event{channel.Moved{MatchID: id, Turn: turn, Move: []byte{1}, State: []byte{2}}}))
		l.must(alice.config.Store.Commit(changes))
	}
	for turn, want := range map[protocol.Turn]bool{5: false, 6: true, maxReplay + 4: true, maxReplay + 5: true} {
		if value, err := alice.config.Store.Get(replayKey(id, turn)); err != nil || (value != nil) != want {
			t.Errorf("turn %d is kept: %t, %v", turn, value != nil, err)
		}
	}
}
