package chain

import "testing"

// TestAlarmsAreToldInTheirOrder: a fault ends while it is being told. Its end is told after it, so
// that it does not stand.
func TestAlarmsAreToldInTheirOrder(t *testing.T) {
	u := Unseen{}
	var told []Alarm
	var b *bell
	b = newBell(func(a Alarm) {
		if !a.Over {
			b.set(false, a.About, a.Fault)
		}
		u.Take(a)
		told = append(told, a)
	})
	for range 2 {
		b.set(true, "the Arena", &NotFollowing{Err: errNothingRead})
		if got := faults(told); u.Why(true) != nil || got != "NotFollowing, NotFollowing over" {
			t.Fatalf("told %q, and %v stands", got, u.Why(true))
		}
		told = nil
	}
}

// TestAPanicMutesNoAlarm: whoever is told of an alarm panics, and somebody goes on after that. The
// next alarm is told.
func TestAPanicMutesNoAlarm(t *testing.T) {
	var told []Alarm
	b := newBell(func(a Alarm) {
		if told = append(told, a); len(told) == 1 {
			panic("it is told of the first")
		}
	})
	func() {
		defer func() { _ = recover() }()
		b.set(true, "the Arena", &NotFollowing{Err: errNothingRead})
	}()
	b.set(true, "the Arena", &WentBack{})
	if got := faults(told); got != "NotFollowing, WentBack" {
		t.Errorf("told %q", got)
	}
}
