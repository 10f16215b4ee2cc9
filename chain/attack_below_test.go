package chain

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_Below: the first endpoint of two tells its newest block, and not what is
// below it: it refuses, it contradicts itself or the other one, or it says nothing. The other one
// is read. Where that is no lag, a person is told.
func TestAttack_LyingRPC_Below(t *testing.T) {
	for what, c := range map[string]struct {
		lie    func(one *branch, method string, number uint64) error
		alarms string
	}{
		"it refuses logs": {func(_ *branch, method string, _ uint64) error {
			if method == "eth_getLogs" {
				return errNo
			}
			return nil
		}, "Refusing"},
		"it refuses blocks": {func(_ *branch, _ string, number uint64) error {
			if number < 24 {
				return errNo
			}
			return nil
		}, "Refusing"},
		"it tells logs of another block": {func(one *branch, _ string, _ uint64) error {
			one.logs[22][0].BlockHash = common.Hash{1}
			return nil
		}, "Refusing"},
		"what was final is gone": {func(one *branch, _ string, _ uint64) error {
			one.from, one.mark = 5, 2
			return nil
		}, "Lying, Refusing"},
		"it has no more blocks": {func(_ *branch, _ string, number uint64) error {
			if number > 20 && number < 24 {
				return ErrUnknownBlock
			}
			return nil
		}, ""},
		"the next block is no child of the last": {func(one *branch, _ string, number uint64) error {
			if one.mark = 2; number > 20 {
				one.from = 20
			} else {
				one.from = 0
			}
			return nil
		}, ""},
	} {
		f := followTwo(t, FollowConfig{}, &branch{head: 20, logs: logsAt(22)}, &branch{head: 20, logs: logsAt(22)})
		f.read()
		f.one.head, f.two.head = 24, 24
		f.one.fails = func(method string, number uint64) error { return c.lie(f.one, method, number) }
		if got, alarms := f.read(), faults(f.rung.take()); got != "seen 22" || alarms != c.alarms {
			t.Errorf("%s: %q, alarms %q, want %q", what, got, alarms, c.alarms)
		}
	}
}
