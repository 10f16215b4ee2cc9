package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestAttack_DiskFull fills the real daemon's disk in the middle of a match. It raises an alarm,
// which says what to do, and when there is room again it goes on by itself: unless the disk failed
// under a write, or it was killed meanwhile, after which it goes on when it is started again.
func TestAttack_DiskFull(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, c := range []struct {
		name          string
		room, reserve int
		killed        bool
	}{
		{"recovers", 0, 10, false},
		{"killed meanwhile", 0, 10, true},
		{"failed under a write", 1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := newVictim(t, w, 2*i)
			v.starves, v.patient = "yes", true
			v.start(point{seam: anywhere})
			if !v.until(func() (bool, error) { _, err := v.next(); return v.hush.holds(), err }) {
				t.Fatal("it died")
			}
			if says, code := v.channeld("status"); code != 0 {
				t.Errorf("an alarm stands before: code %d, %s", code, says)
			}
			v.fill(c.room, c.reserve)
			v.hush.set(&v.hush.over)
			var says string
			if !v.until(func() (bool, error) {
				says, _ = v.channeld("alarms")
				return strings.Contains(says, "the disk is full"), nil
			}) {
				t.Fatal("it died")
			}
			t.Logf("it says: %s", says)
			if !strings.Contains(says, ": free ") {
				t.Errorf("it says: %s", says)
			}
			if says, code := v.channeld("status"); code == 0 {
				t.Errorf("no alarm stands: %s", says)
			}
			if c.killed {
				v.must(v.process.cmd.Process.Kill())
				<-v.process.ended
				v.start(point{seam: anywhere})
			} else {
				v.fill(-1, 0)
			}
			if !v.until(v.next) {
				t.Fatal("it died")
			}
			// no alarm stands in the end
			if !v.until(func() (bool, error) { _, code := v.channeld("status"); return code == 0, nil }) {
				t.Fatal("it died")
			}
			for _, what := range v.told.Accusations() {
				t.Error(what)
			}
		})
	}
}

func (v *victim) fill(room, reserve int) {
	v.Helper()
	_, err := fmt.Fprintln(v.disk, room, reserve)
	v.must(err)
}
