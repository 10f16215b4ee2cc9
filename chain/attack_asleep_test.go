package chain

import (
	"strings"
	"testing"
)

// TestAttack_LyingRPC_Asleep: a node was away for more blocks than it remembers, and the second
// endpoint contradicts what happened, or refuses to tell it. What the first one shows is seen at
// once, also while that lasts, and final when it is over.
func TestAttack_LyingRPC_Asleep(t *testing.T) {
	for what, c := range map[string]struct {
		tells  []uint64
		refuse bool
		want   string
		alarms string
		later  string
	}{
		"a log is left out":                      {[]uint64{19, 390}, false, "final 19, seen 150, seen 390", "Lying", "final 150"},
		"a log is left out that was seen before": {[]uint64{150, 390}, false, "seen 150, seen 390", "Lying", "final 19, final 150"},
		"a log is invented":                      {[]uint64{19, 120, 150, 390}, false, "final 19, seen 150, seen 390", "Lying", "final 150"},
		"what was not seen before is not told":   {[]uint64{19, 150, 390}, true, "final 19, seen 150, seen 390", "Refusing", "final 150"},
	} {
		t.Run(what, func(t *testing.T) {
			f := followTwo(t, FollowConfig{From: 1}, &branch{head: 20, logs: logsAt(19, 150, 390)}, &branch{head: 20, logs: logsAt(c.tells...)})
			if got := f.read(); got != "seen 19" {
				t.Fatal(got)
			}
			f.one.head, f.two.head = 400, 400
			f.two.fails = func(method string, number uint64) error {
				if c.refuse && method == "eth_getLogs" && number > 20 {
					return errNo
				}
				return nil
			}
			if got, alarms := f.read(), faults(f.rung.take()); got != c.want || alarms != c.alarms {
				t.Errorf("%q, alarms %q; want %q, %q", got, alarms, c.want, c.alarms)
			}
			f.two.logs, f.two.fails = f.one.logs, nil
			if got, alarms := f.read(), faults(f.rung.take()); got != c.later || alarms != c.alarms+" over" {
				t.Errorf("later %q, alarms %q; want %q", got, alarms, c.later)
			}
		})
	}
}

// TestAttack_LyingRPC_Endless: the second endpoint leaves out a log, for as long as nobody replaces
// it. The cursor, which is stored at each block, does not grow without end, and a person is told
// before nothing more is read.
func TestAttack_LyingRPC_Endless(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 12, MaxAhead: 20}, &branch{head: 20, logs: logsAt(19, 45)}, &branch{head: 20, logs: logsAt(45)})
	var events []string
	for range 10 {
		events = append(events, f.read())
		f.one.head, f.two.head = f.one.head+10, f.two.head+10
	}
	got, alarms := strings.Trim(strings.Join(events, ""), " ,"), faults(f.rung.take())
	if base, blocks := f.remembers(); got != "seen 19seen 45" || alarms != "Lying, NotFollowing" || base+uint64(blocks)-1 != 19+12+20 { //nolint:gosec // few
		t.Errorf("%q, alarms %q, blocks up to %d", got, alarms, base+uint64(blocks)-1) //nolint:gosec // few
	}
	f.two.logs = f.one.logs
	if got := f.read() + ", " + f.read(); got != "final 19, final 45, " {
		t.Errorf("at last %q", got)
	}
	if base, blocks := f.remembers(); base+uint64(blocks) != f.one.head+1 || blocks > 12 { //nolint:gosec // few
		t.Errorf("%d blocks from %d on are remembered", blocks, base)
	}
}
