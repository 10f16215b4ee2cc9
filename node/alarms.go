package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// maxUntold caps the events that wait in memory for a store that takes them.
const maxUntold = 100

// maxRefused caps the alarms about logs of the chain that stand, and maxRefusals those that are
// told one by one: an endpoint can invent any number of logs, and take them back.
const (
	maxRefused  = 8
	maxRefusals = 64
)

// alarms are the faults that stand now, and their events. Safe for concurrent use. Who raises one
// chooses how long it stands, for the user's banner, exit code and metrics:
//
//   - fault: while what is tried again and again fails
//   - Warn: until the node is closed
//   - warnOfLog: until that is undone, or the node is closed
//   - alarm: as package chain says
//   - defence.raise: while the plan of a dispute has it
//   - alarmText: never; it is told once, as an event
//
// What stands is shown by cli/status.go and Alarms.svelte, the rest by Overview.svelte.
type alarms struct {
	run    context.Context // nothing is told of what fails after its end
	log    *slog.Logger
	now    func() time.Time
	commit func(changes map[string][]byte, events []Event) error
	wake   func() // has everybody look again who waits

	mu       sync.Mutex
	faults   map[string]fault // by what they are about
	standing map[string]Event // alarms of the chain package, and warnings, that are not over
	refused  map[string]Event // alarms about what the chain says and was not taken in, by its place
	refusals int              // that were told since the start
	blinding chain.Unseen
	untold   []Event // that the store refused
}

// fault is what the node tries again and again.
type fault struct {
	err   error
	since int64 // Unix seconds
}

func newAlarms() *alarms {
	return &alarms{faults: map[string]fault{}, standing: map[string]Event{}, refused: map[string]Event{}, blinding: chain.Unseen{}}
}

// fault notes that something fails, or works again (nil), and tells the user of each change. What
// only counts on stands with its newest numbers, and is not told again: it would push out what else
// was told.
func (a *alarms) fault(about string, err error) {
	if a.run.Err() != nil {
		return
	}
	a.mu.Lock()
	before, stands := a.faults[about]
	switch {
	case err != nil && stands:
		a.faults[about] = fault{err, before.since}
	case err != nil:
		a.faults[about] = fault{err, a.now().Unix()}
	case stands:
		delete(a.faults, about)
	}
	a.mu.Unlock()
	if stands != (err != nil) {
		a.wake() // who waits for this hears of it also when the event of it can't be stored
	}
	switch {
	case err != nil && (!stands || unnumbered(before.err) != unnumbered(err)):
		a.alarmText(common.Hash{}, about+": it is tried again and again: "+err.Error())
	case err == nil && stands:
		a.overText(common.Hash{}, about+": it works again")
	}
}

// unnumbered is what an error says, without its numbers.
func unnumbered(err error) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' {
			return -1
		}
		return r
	}, err.Error())
}

// alarm notes a fault that package chain reports, or its end.
func (a *alarms) alarm(of chain.Alarm) {
	a.mu.Lock()
	switch key := of.Key(); {
	case of.Over:
		delete(a.standing, key)
	case !of.Once:
		a.standing[key] = Event{Kind: Alarm, Time: a.now().Unix(), Text: of.String()}
	}
	a.blinding.Take(of)
	a.mu.Unlock()
	if of.Over {
		a.overText(common.Hash{}, of.String())
	} else {
		a.alarmText(common.Hash{}, of.String())
	}
}

// Warn raises an alarm that stands until the node is closed. If one about the same subject stands
// already, Warn does nothing.
func (a *alarms) Warn(about, text string) {
	a.mu.Lock()
	_, stands := a.standing[about]
	if !stands {
		a.standing[about] = Event{Kind: Alarm, Time: a.now().Unix(), Text: text}
	}
	a.mu.Unlock()
	if !stands {
		a.alarmText(common.Hash{}, text)
	}
}

// warnOfLog is Warn about what the chain says at a place, of a channel or (zero) of none, until
// that is undone. Any number would push out what else was told: where as many stand, or were told,
// as may be, one warning tells of all that follow.
func (a *alarms) warnOfLog(channel common.Hash, place, text string) {
	a.mu.Lock()
	_, stands := a.refused[place]
	full := len(a.refused) == maxRefused || a.refusals == maxRefusals
	if !stands && !full {
		a.refused[place] = Event{Kind: Alarm, Time: a.now().Unix(), Channel: channel, Text: text}
		a.refusals++
	}
	a.mu.Unlock()
	switch {
	case stands:
	case full:
		a.log.Error(text)
		a.Warn("logs of the Arena", "the chain says more that can't be taken in than is listed, such as: "+text)
	default:
		a.alarmText(channel, text)
	}
}

// logUndone ends the alarm about a place, if one stands.
func (a *alarms) logUndone(place string) {
	a.mu.Lock()
	over, stands := a.refused[place]
	delete(a.refused, place)
	a.mu.Unlock()
	if stands {
		a.overText(over.Channel, "the chain says this no longer: "+over.Text)
	}
}

// list returns the alarms that stand.
func (a *alarms) list() []Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.AppendSeq(slices.Collect(maps.Values(a.standing)), maps.Values(a.refused))
	for about, f := range a.faults {
		list = append(list, Event{Kind: Alarm, Time: f.since, Text: about + ": " + f.err.Error()})
	}
	for i := range list {
		list[i].Text = brief(list[i].Text)
	}
	return list
}

// Err returns what keeps the node from doing its work now, nil when all is well. The alarms report
// the same.
func (a *alarms) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []error
	for _, about := range slices.Sorted(maps.Keys(a.faults)) {
		list = append(list, fmt.Errorf("%s: %w", about, a.faults[about].err))
	}
	return errors.Join(list...)
}

// unseen returns why the chain is not read, or why its answers are not certain; nil if neither.
// Where only one endpoint counts (alone), it ignores the other's lies.
func (a *alarms) unseen(alone func() bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, stands := a.faults[following]; stands {
		return f.err
	}
	return a.blinding.Why(len(a.blinding) > 0 && !alone())
}

// alarmText tells of what is wrong, in a channel or (zero) in none.
func (a *alarms) alarmText(channelID common.Hash, text string) {
	log := a.log
	if channelID != (common.Hash{}) {
		log = log.With("channel", channelID)
	}
	log.Error(text)
	a.tell(Event{Kind: Alarm, Channel: channelID, Text: text})
}

// overText tells of the end of what was wrong, with a channel or (zero) otherwise.
func (a *alarms) overText(channel common.Hash, text string) {
	a.log.Info(text)
	a.tell(Event{Kind: Alarm, Channel: channel, Text: text})
}

// tell records an event that nothing else depends on. If the store refuses, tell keeps it and
// records it before the next one.
func (a *alarms) tell(e Event) {
	a.mu.Lock()
	if len(a.untold) < maxUntold {
		a.untold = append(a.untold, e)
	}
	a.mu.Unlock()
	a.retell()
}

// retell records the events that the store refused before.
func (a *alarms) retell() {
	a.mu.Lock()
	events := a.untold
	a.untold = nil
	a.mu.Unlock()
	if len(events) == 0 {
		return
	}
	if err := a.commit(map[string][]byte{}, events); err != nil {
		a.log.Error("events not stored", "oldest", events[0].Text, "error", err)
		a.mu.Lock()
		a.untold = append(events, a.untold...)
		a.mu.Unlock()
	}
}
