package chain

import "testing"

// TestAttack_LyingRPC_NotShown: one endpoint of two tells its newest block, and says of those far
// below that it has none. Nothing is final by that, and a person is told.
func TestAttack_LyingRPC_NotShown(t *testing.T) {
	for _, first := range []bool{true, false} {
		f := followTwo(t, FollowConfig{Confirmations: 3}, &branch{head: 20, logs: logsAt(21)}, &branch{head: 20, logs: logsAt(21)})
		f.read()
		f.one.head, f.two.head = 24, 24
		liar, raised, over := f.two, "Refusing", "Refusing over"
		if first { // which is asked first for all else, too
			liar, raised, over = f.one, "Refusing, Refusing", "Refusing over, Refusing over"
		}
		liar.fails = func(_ string, number uint64) error {
			if number < 24 {
				return ErrUnknownBlock
			}
			return nil
		}
		for range 2 {
			if got := f.read(); got != "seen 21" && got != "" {
				t.Error(got)
			}
		}
		if alarms := faults(f.rung.take()); alarms != raised {
			t.Errorf("the first lies %t: alarms %q", first, alarms)
		}
		if liar.fails = nil; f.read() != "final 21" {
			t.Error("what both tell is not final")
		}
		if alarms := faults(f.rung.take()); alarms != over {
			t.Errorf("the first lies %t: alarms %q", first, alarms)
		}
	}
}
