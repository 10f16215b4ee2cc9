package chain

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// TestBelieved: one endpoint is believed alone until eight transactions in a row failed for it, by
// the word of both; what is on its way counts, and one that did something begins the count anew.
func TestBelieved(t *testing.T) {
	u, _, rung := newUpkeep(t, answering("", nil, nil))
	ended := func(failed string, cancelled, agreed bool) {
		j := &job{By: byFirst, Landed: &landing{Tx: common.Hash{1}, Failed: failed, Agreed: agreed}}
		if cancelled {
			j.Why, j.Sent = "no", []common.Hash{{1}}
		}
		u.learn(j)
	}
	want := func(what string, believed bool, alarms string) {
		t.Helper()
		if got := faults(rung.take()); u.believed(new(job), byFirst) != believed || !u.believed(new(job), bySecond) || got != alarms {
			t.Errorf("%s: believed %t, the other %t, alarms %q", what, u.believed(new(job), byFirst), u.believed(new(job), bySecond), got)
		}
	}
	for i := range mostAlone - 1 {
		ended("no", i%2 == 0, true)
	}
	want("seven failed", true, "")
	u.book.Jobs = []*job{{By: byFirst}}
	want("and one is on its way", false, "")
	u.book.Jobs[0].Landed, u.book.Jobs[0].mined = new(landing), true
	want("that landed", true, "")
	u.book.Jobs[0].Landed.Failed = "no"
	want("and failed", false, "")
	u.book.Jobs = nil
	ended("no", false, false)
	want("another failed, says one", true, "")
	ended("no", false, true)
	want("eight failed", false, "Lying")
	ended("", false, false)
	want("one did something, says one", false, "")
	ended("", false, true)
	want("one did something", true, "Lying over")
}
