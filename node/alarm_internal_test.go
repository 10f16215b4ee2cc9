package node

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestFaultsAreToldOnce: the user hears of a fault, of what changes about it, and of its end.
func TestFaultsAreToldOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	for _, err := range []error{nil, errors.New("a"), errors.New("a"), errors.New("b"), nil, nil} {
		n.fault("x", err)
	}
	again := ": it is tried again and again: "
	if got := l.events(n, Alarm); !slices.Equal(got, []string{"x" + again + "a", "x" + again + "b", "x: it works again"}) {
		t.Errorf("told %q", got)
	}
}

// TestAlarmsInTheLog: an alarm is logged as an error, with its channel if it is about one, and its
// end as news.
func TestAlarmsInTheLog(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var log bytes.Buffer
	n := l.node(func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	fault := chain.Alarm{About: "one", Fault: errors.New("late")}
	n.alarm(fault)
	fault.Over = true
	n.alarm(fault)
	n.fault("x", errors.New("a"))
	n.fault("x", nil)
	n.alarmText(common.Hash{1}, "look")
	var got []string
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, "level=")
		got = append(got, strings.TrimSpace(line))
	}
	if want := []string{
		`ERROR msg="one: late"`, `INFO msg="one: over: late"`, `ERROR msg="x: it is tried again and again: a"`, `INFO msg="x: it works again"`,
		"ERROR msg=look channel=" + common.Hash{1}.Hex(),
	}; !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
}

// TestAttack_BuriedAlarm_Counting: a chain that stands still, or a price that moves, is told once,
// and no other alarm is pushed out by what counts on. What stands says the newest.
func TestAttack_BuriedAlarm_Counting(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	n.alarmText(common.Hash{}, "look")
	for i := range keptAlarms {
		n.fault("x", fmt.Errorf("the newest block is %v old", 10*time.Minute+time.Duration(i)*time.Second))
	}
	kept, err := n.Alarms()
	l.must(err)
	if oldest := kept[len(kept)-1]; len(kept) != 2 || oldest.Text != "look" {
		t.Errorf("%d alarms are kept, the oldest is %q", len(kept), oldest.Text)
	}
	if list := n.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, "26m39s") {
		t.Errorf("standing: %v", list)
	}
}

// TestAttack_BuriedAlarm_Invented: an endpoint invents any number of logs that can't be taken in.
// Few of the alarms stand, one of them for all that are not listed, whatever is undone meanwhile,
// and no other alarm is pushed out.
func TestAttack_BuriedAlarm_Invented(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	n.alarmText(common.Hash{}, "look")
	for i := range keptAlarms {
		n.warnOfLog(common.Hash{}, fmt.Sprint(i), fmt.Sprint("log ", i))
		if i >= maxRefused && i%maxRefused == 0 {
			for j := range maxRefused {
				n.logUndone(fmt.Sprint(i - j))
			}
		}
	}
	kept, err := n.Alarms()
	l.must(err)
	if oldest := kept[len(kept)-1]; len(kept) > 2+2*maxRefusals || oldest.Text != "look" {
		t.Errorf("%d alarms are kept, the oldest is %q", len(kept), oldest.Text)
	}
	if list := n.Standing(); len(list) > 1+maxRefused || !slices.ContainsFunc(list, func(e Event) bool { return strings.Contains(e.Text, "than is listed") }) {
		t.Errorf("%d stand: %v", len(list), list)
	}
}

// TestFaultsThatStand: a fault stands since it came, and wakes whoever waits for that also where
// the event can't be stored. What fails while the node closes is none.
func TestFaultsThatStand(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var fails *int
	n := l.node(func(c *Config) { fails = failing(c, storetest.Commit) })
	*fails = 2
	since := l.now.Unix()
	for range 2 {
		n.fault("x", errors.New("a"))
		l.now = l.now.Add(time.Minute)
	}
	if list := n.Standing(); len(list) != 1 || list[0].Time != since {
		t.Errorf("standing: %v", list)
	}
	_, woken := n.log.visible()
	*fails = 2
	n.fault("x", nil)
	select {
	case <-woken:
	default:
		t.Error("who waits for it is not told")
	}
	if n.stop(); n.Err() != nil {
		t.Error(n.Err())
	}
	if n.fault("x", errors.New("a")); n.Err() != nil {
		t.Errorf("after the end: %v", n.Err())
	}
}

// TestUntoldIsBounded: so many events wait for a store that takes them, the oldest.
func TestUntoldIsBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var fails *int
	n := l.node(func(c *Config) { fails = failing(c, storetest.Commit) })
	*fails = maxUntold + 1
	for range maxUntold + 1 {
		n.tell(Event{Kind: Alarm, Text: "look"})
	}
	if n.retell(); len(l.events(n, Alarm)) != maxUntold {
		t.Errorf("%d are told", len(l.events(n, Alarm)))
	}
}
