package node_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
)

// TestCloseNamesTheWayOut: a match that is over and that a silent player does not book keeps the
// channel from being closed by consent. Who tries is told what to do instead.
func TestCloseNamesTheWayOut(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice := tb.players[0]
	id := tb.match(t, "toy", "")
	if err := alice.CloseChannel(tb.channel); !errors.Is(err, protocol.ErrLocked) || strings.Contains(err.Error(), "dispute exit") {
		t.Errorf("while the match runs: %v", err)
	}
	tb.play(t, alice, id, "pass 1")
	tb.play(t, tb.players[1], id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove })
	shut.Store(true)
	tb.play(t, alice, id, "win 0")
	if err := alice.CloseChannel(tb.channel); !errors.Is(err, protocol.ErrLocked) || !strings.Contains(err.Error(), "channeld dispute exit") {
		t.Errorf("after it is over: %v", err)
	}
}
