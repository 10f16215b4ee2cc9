package store

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestAttack_DiskFull_Log: a database that tries again and again writes a bounded log.
func TestAttack_DiskFull_Log(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	p := &Pebble{log: slog.New(slog.NewTextHandler(&out, nil))}
	p.faults = &sparing{log: p.log, now: func() time.Time { return now }}
	o := p.options(nil)
	for range 30 {
		for range 10_000 {
			o.EventListener.BackgroundError(errors.New("too many open files"))
			o.Logger.Errorf("too many open files")
		}
		now = now.Add(time.Second)
	}
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("%d lines in 30 seconds, want 3", n)
	}
	if !strings.Contains(out.String(), "not_logged=199999") {
		t.Errorf("the log does not say how much it leaves out:\n%s", out.String())
	}
}
