package p2p

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// A stranger that comes and goes again and again writes a few lines of the log; who is kept is
// always in it.
func TestAttack_QueueFlood_Log(t *testing.T) {
	var log bytes.Buffer // slog writes one line at a time
	tb := newTableWith(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) }).meet()
	m := newMallory(t, malloryPlayer)
	for range 10 {
		s := m.enter(tb.victim)
		tb.await("mallory is connected", func() bool { return tb.seen.Up(m.Address()) })
		if err := s.Reset(); err != nil {
			t.Fatal(err)
		}
		tb.await("mallory has left", func() bool { return !tb.seen.Up(m.Address()) })
	}
	tb.must(tb.victim.Close())
	text := log.String()
	if n := strings.Count(text, strings.ToLower(m.Address().Hex())); n != logLimit.Account.Burst {
		t.Errorf("%d lines about a stranger, want %d:\n%s", n, logLimit.Account.Burst, text)
	}
	if !strings.Contains(text, strings.ToLower(tb.friend.cfg.Signer.Address().Hex())) {
		t.Errorf("no line about the friend:\n%s", text)
	}
}
