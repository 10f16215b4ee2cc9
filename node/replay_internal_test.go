package node

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
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
		l.must(s.history(changes).record([]channel.Event{channel.Moved{MatchID: id, Turn: turn, Move: []byte{1}, State: []byte{2}}}))
		l.must(alice.config.Store.Commit(changes))
	}
	for turn, want := range map[protocol.Turn]bool{5: false, 6: true, maxReplay + 4: true, maxReplay + 5: true} {
		if value, err := alice.config.Store.Get(replayKey(id, turn)); err != nil || (value != nil) != want {
			t.Errorf("turn %d is kept: %t, %v", turn, value != nil, err)
		}
	}
}

// teller calls every move by its length.
type teller struct{ games.Player }

func (teller) Describe(_ *games.Context, _, move []byte) (string, error) {
	return fmt.Sprintf("a move of %d bytes", len(move)), nil
}

// TestReplayEmptyMove: a move of no bytes is somebody's, unlike the position after a clock.
func TestReplayEmptyMove(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	for by, want := range map[uint8]string{0: "a move of 0 bytes", games.Nobody: "a clock ran out on-chain"} {
		m, _ := s.machine.Match(match)
		r := Replay{Positions: []Position{{State: m.State}, {By: by, State: m.State}}, judge: s.machine.Judge(match), player: teller{toy.Game().Player}}
		r.tell(1)
		if got := r.Positions[1].MoveText; got != want {
			t.Errorf("by %d: %q, want %q", by, got, want)
		}
	}
}
