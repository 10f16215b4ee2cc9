package chain_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
)

// The chain is not seen while nothing is read or what is read is contradicted, each fault until it
// is over by itself.
func TestUnseen(t *testing.T) {
	u := chain.Unseen{}
	stops, lies := chain.Alarm{About: "one", Fault: &chain.NotFollowing{}}, chain.Alarm{About: "two", Fault: &chain.Lying{}}
	u.Take(chain.Alarm{About: "one", Fault: errors.New("something else")})
	u.Take(chain.Alarm{About: "one", Fault: &chain.WentBack{}, Once: true})
	if err := u.Why(true); err != nil {
		t.Fatalf("unseen because of %v", err)
	}
	u.Take(lies)
	if !errors.Is(u.Why(true), lies.Fault) || u.Why(false) != nil {
		t.Errorf("with a lying endpoint: %v, %v", u.Why(true), u.Why(false))
	}
	u.Take(stops)
	stops.Over = true
	if err := u.Why(false); !errors.Is(err, stops.Fault) || errors.Is(err, lies.Fault) {
		t.Errorf("when nothing is followed: %v", err)
	}
	u.Take(stops)
	if err := u.Why(true); !errors.Is(err, lies.Fault) || errors.Is(err, stops.Fault) {
		t.Errorf("followed again: %v", err)
	}
	doubt := &chain.Unproved{Why: &chain.Lying{}}
	u.Take(chain.Alarm{About: "rules", Fault: doubt})
	if err := u.Why(false); !errors.Is(err, doubt) {
		t.Errorf("by which rules the Arena judges is not known: %v", err)
	}
}

// TestAlarmsNameOnce: an alarm says what it is about, once.
func TestAlarmsNameOnce(t *testing.T) {
	t.Parallel()
	behind := &chain.Lagging{Endpoint: "http://one", Blocks: 2}
	for _, c := range []struct {
		alarm chain.Alarm
		want  string
	}{
		{chain.Alarm{About: "http://one", Fault: behind}, behind.Error()},
		{chain.Alarm{About: "http://one", Fault: behind, Over: true}, "over: " + behind.Error()},
		{chain.Alarm{About: "two", Fault: behind}, "two: " + behind.Error()},
		{chain.Alarm{About: "two", Fault: behind, Over: true}, "two: over: " + behind.Error()},
	} {
		if got := c.alarm.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
