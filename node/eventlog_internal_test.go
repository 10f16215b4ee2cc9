package node

import (
	"context"
	"errors"
	"testing"

	"github.com/ante-games/ante/store"
)

// record commits events to a log.
func record(t *testing.T, l *eventLog, events ...Event) {
	t.Helper()
	changes := map[string][]byte{}
	done, err := l.write(changes, events)
	if err := errors.Join(err, l.store.Commit(changes)); err != nil {
		t.Fatal(err)
	}
	done()
}

func openLog(t *testing.T, s store.Store) *eventLog {
	t.Helper()
	l, err := openEventLog(s, func() int64 { return 1 })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// kept returns the texts of what is kept under a prefix.
func kept(t *testing.T, l *eventLog, prefix string) []Event {
	t.Helper()
	list, _, err := l.past(prefix, 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestAttack_BuriedAlarm: a peer that makes events happen pushes out other events, but no alarm.
func TestAttack_BuriedAlarm(t *testing.T) {
	l := openLog(t, store.NewMemory())
	record(t, l, Event{Kind: Alarm, Text: "look"})
	for range keptEvents / 100 {
		record(t, l, make([]Event, 100)...)
	}
	if list := kept(t, l, eventPrefix); len(list) != keptEvents || list[0].Text == "look" {
		t.Fatalf("%d events are kept, the first is %q", len(list), list[0].Text)
	}
	if list := kept(t, l, alarmPrefix); len(list) != 1 || list[0].Text != "look" {
		t.Errorf("alarms: %v", list)
	}
}

// TestEventsInOrder: nobody sees an event before those that came before it are durable, which would
// pass them over.
func TestEventsInOrder(t *testing.T) {
	l := openLog(t, store.NewMemory())
	first := map[string][]byte{}
	done, err := l.write(first, []Event{{Text: "first"}})
	if err != nil {
		t.Fatal(err)
	}
	record(t, l, Event{Text: "second"})
	if list := kept(t, l, eventPrefix); len(list) != 0 {
		t.Errorf("seen too early: %v", list)
	}
	if err := l.store.Commit(first); err != nil {
		t.Fatal(err)
	}
	done()
	if list := kept(t, l, eventPrefix); len(list) != 2 || list[0].Text != "first" {
		t.Errorf("seen: %v", list)
	}
}

// TestEventsOfAnotherStore: a reader whose cursor is of a store that was lost since hears what
// happens with the one in its place, each event once.
func TestEventsOfAnotherStore(t *testing.T) {
	l := openLog(t, store.NewMemory())
	record(t, l, Event{Text: "1"}, Event{Text: "2"})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	more := make(chan struct{}, 1)
	go func() {
		<-more
		record(t, l, Event{Text: "3"})
		<-more
		stop()
	}()
	heard := ""
	for e, err := range l.read(ctx, 5000) {
		if err != nil {
			break
		}
		if heard += e.Text; e.Cursor > 1 {
			more <- struct{}{}
		}
	}
	if heard != "123" {
		t.Errorf("heard %q", heard)
	}
}

// TestEventsEnd: who reads events is told why there are no more.
func TestEventsEnd(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	l := openLog(t, store.NewMemory())
	record(t, l, Event{Text: "first"})
	read := func() (texts []string, last error) {
		for e, err := range l.read(ctx, 0) {
			if last = err; err == nil {
				texts = append(texts, e.Text)
			}
		}
		return texts, last
	}
	if texts, err := read(); len(texts) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("when the reader stops: %q, %v", texts, err)
	}
	if err := l.store.Commit(map[string][]byte{eventKey(eventPrefix, 1): []byte("?")}); err != nil {
		t.Fatal(err)
	}
	if texts, err := read(); len(texts) != 0 || err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("when they can't be read: %q, %v", texts, err)
	}
}

// TestAlarmsAreBounded: the ring of alarms holds the newest, before a restart and after it.
func TestAlarmsAreBounded(t *testing.T) {
	s := store.NewMemory()
	for range 2 {
		l := openLog(t, s)
		for range keptAlarms {
			record(t, l, Event{Kind: Alarm}, Event{Kind: MatchMoved})
		}
		list := kept(t, l, alarmPrefix)
		if len(list) != keptAlarms || list[keptAlarms-1].Cursor != l.next-2 {
			t.Errorf("%d alarms are kept", len(list))
		}
	}
}
