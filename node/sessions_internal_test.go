package node

import (
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestFailedTransactionIsToldSo: what the contract refused in its block did not get done.
func TestFailedTransactionIsToldSo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	for _, err := range []error{nil, errMute} {
		alice.report(t.Context(), &chain.Report{Why: "post it", Progress: chain.Done, GasUsed: 5, Err: err})
	}
	if told := l.events(alice, Transaction); len(told) != 2 || told[0] != "post it: done, 5 gas" || told[1] != "post it: failed, 5 gas: "+errMute.Error() {
		t.Errorf("told %q", told)
	}
}

// TestFailedCallIsAnAlarm: a call that a game's rules needed, and that failed for good, is an
// alarm, which no plan raises.
func TestFailedCallIsAnAlarm(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	for _, r := range []chain.Report{
		{Key: "upkeep/1", Progress: chain.Mined, Err: errMute}, {Key: "upkeep/1", Progress: chain.Done}, {Key: "dispute/1", Progress: chain.Done, Err: errMute},
		{Key: "upkeep/1", Why: "note it", Progress: chain.Done, Err: errMute},
	} {
		alice.report(t.Context(), &r)
	}
	if told := l.events(alice, Alarm); len(told) != 1 || told[0] != "note it: failed: "+errMute.Error() {
		t.Errorf("told %q", told)
	}
}
