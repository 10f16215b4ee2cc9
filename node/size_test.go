package node_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

var quiet = slog.New(slog.DiscardHandler)

// TestStoreDoesNotGrowWithMoves: a channel takes the same room after many moves as after a few, but
// for the positions that people can look at later: one key for each.
func TestStoreDoesNotGrowWithMoves(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id := tb.match(t, "toy", "")
	made := 0
	moveUntil := func(n int) {
		for ; made < n; made++ {
			tb.play(t, tb.players[made%2], id, fmt.Sprint("pass ", 1-made%2))
		}
		tb.wait(t, tb.players[0], func() bool { m, err := tb.players[0].Match(id); return err == nil && int(m.Turn) == made })
	}
	moveUntil(20)
	keys, size := room(t, tb.players[0], tb.channel)
	shown := positions(t, tb.players[0])
	moveUntil(400)
	more, larger := room(t, tb.players[0], tb.channel)
	if more > keys || larger > size+200 {
		t.Errorf("after 20 moves %d keys of %d bytes, after 400 %d of %d", keys, size, more, larger)
	}
	if now := positions(t, tb.players[0]); now != shown+380 {
		t.Errorf("after 20 moves %d positions are kept, after 400 %d", shown, now)
	}
}

// positions counts the positions that are kept to be looked at.
func positions(t *testing.T, p *player) (n int) {
	t.Helper()
	must(t, p.memory.Scan("replay/", "", func(string, []byte) error { n++; return nil }))
	return n
}

// room counts the keys of a channel and their bytes.
func room(t *testing.T, p *player, channel common.Hash) (keys, bytes int) {
	t.Helper()
	must(t, p.memory.Scan("", "", func(key string, value []byte) error {
		if strings.HasPrefix(key, "channel/"+channel.Hex()) || !strings.HasPrefix(key, "event/") && !strings.HasPrefix(key, "chain/") && !strings.HasPrefix(key, "replay/") {
			keys++
			bytes += len(key) + len(value)
		}
		return nil
	}))
	return keys, bytes
}
