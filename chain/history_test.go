package chain_test

import (
	"strings"
	"testing"
)

func TestHistoryListsWhatIsOverAndWhatIsOnItsWay(t *testing.T) {
	o := newOffice(t, nil)
	history := func(limit int) string {
		t.Helper()
		reports, err := o.History(limit)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, r := range reports {
			told = append(told, r.Progress.String()+" "+r.Key)
		}
		return strings.Join(told, ", ")
	}
	for _, word := range []string{"b", "a"} {
		o.submit(word, 0)
		o.want(o.step(3), "mined "+word, "done "+word)
	}
	o.submit("c", 0)
	for _, restarted := range []bool{false, true} {
		if restarted {
			o.restart()
		}
		if got, want := history(9), "waiting c, done a, done b"; got != want {
			t.Errorf("restarted %t: told %q, want %q", restarted, got, want)
		}
		if got, want := history(2), "waiting c, done a"; got != want {
			t.Errorf("restarted %t: told %q, want %q", restarted, got, want)
		}
	}
	if err := o.chain.Rewind(6); err != nil {
		t.Fatal(err)
	}
	o.submit("a", 0)
	if got, want := history(9), "waiting a, waiting c, done b"; got != want {
		t.Errorf("undone and sent again: told %q, want %q", got, want)
	}
}
