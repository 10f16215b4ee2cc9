package chain

import "testing"

// TestAttack_LyingRPC_Hoard: far below the newest block, the second endpoint refuses to tell the
// logs of more than one block at a time, of which it may invent as many as fit into an answer. No
// more than one of these answers is in memory at once.
func TestAttack_LyingRPC_Hoard(t *testing.T) {
	f := followTwo(t, FollowConfig{From: 1, Window: 12}, &branch{head: 100}, &branch{head: 100, most: 1, logs: logsAt(2, 3, 4, 5)})
	answers := 0
	f.two.fails = func(method string, _ uint64) error {
		if method == "eth_getLogs" {
			answers++
		}
		return nil
	}
	if _, err := f.Next(t.Context(), nil); err != nil || answers != 1 {
		t.Errorf("%d answers before anything is told, want 1: %v", answers, err)
	}
}
