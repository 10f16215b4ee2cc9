package node

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// Event is something that a user may want to know. Events are durable and numbered in the order in
// which they happened, so that a reader who was away continues from the last cursor it saw.
type Event struct {
	Cursor  uint64      `json:"cursor"`
	Time    int64       `json:"time"` // Unix seconds, by this computer's clock
	Kind    Kind        `json:"kind"`
	Channel common.Hash `json:"channel,omitzero"`
	Match   common.Hash `json:"match,omitzero"`
	Turn    uint64      `json:"turn,omitempty"` // of the position that the event is about
	Text    string      `json:"text"`           // for people
}

// Kind says what an Event is about.
type Kind string

// The kinds of events.
const (
	// somebody wants to open a channel: Accept or Decline it
	OfferReceived Kind = "offer_received"
	OfferAnswered Kind = "offer_answered" // an offer of ours was accepted or declined
	// somebody invites this player by name: Join, while that player is connected
	Invited Kind = "invited"
	// somebody bids for an invite, or gave it up: Bid, or wait
	InviteBid      Kind = "invite_bid"
	InviteAgreed   Kind = "invite_agreed"   // a stake is fixed: the match follows by itself
	InviteOver     Kind = "invite_over"     // no match comes of an invite, or nobody is shown it
	ChannelOpened  Kind = "channel_opened"  // deposits are locked and final: play
	MatchProposed  Kind = "match_proposed"  // the other side wants to play: Approve or Refuse
	ProposalFailed Kind = "proposal_failed" // a proposal was refused or given up
	MatchStarted   Kind = "match_started"   // everybody signed turn 0
	MatchMoved     Kind = "match_moved"     // a new position
	YourTurn       Kind = "your_turn"       // a move that only a person can make
	// the position is over, or a conviction or expiry decided
	MatchEnded    Kind = "match_ended"
	MatchBooked   Kind = "match_booked"   // its stakes are in the balances again
	DrawOffered   Kind = "draw_offered"   // the other side offers to end the match by agreement
	MatchAgreed   Kind = "match_agreed"   // everybody signed an agreement
	CloseSigned   Kind = "close_signed"   // the closing ledger is fully signed
	OnChain       Kind = "on_chain"       // the Arena said something about the channel
	Transaction   Kind = "transaction"    // a transaction of ours was sent, mined or dropped
	ChannelClosed Kind = "channel_closed" // everything was paid out
	PeerAway      Kind = "peer_away"      // another player of an open channel is not connected
	PeerBack      Kind = "peer_back"      // and is again
	RoundNews     Kind = "round"          // something happened in an organised round
	Alarm         Kind = "alarm"          // something needs a person
)

const (
	// keptEvents is how many events are kept for readers who were away.
	keptEvents = 10_000
	// keptAlarms is how many alarms are kept besides, so that no flood of other events pushes one
	// out.
	keptAlarms = 1000
)

const (
	eventPrefix = "event/"
	alarmPrefix = "alarm/"
)

func eventKey(prefix string, cursor uint64) string { return fmt.Sprintf("%s%020d", prefix, cursor) }

// eventLog numbers events and shows them to readers once they are durable, in order, whoever
// commits first.
type eventLog struct {
	store store.Store
	now   func() int64

	mu     sync.Mutex
	next   uint64              // cursor of the next event
	alarms []uint64            // cursors of the alarms that are kept, oldest first
	dirty  map[uint64]struct{} // numbered but not yet durable
	woken  chan struct{}       // closed when something became visible
}

func openEventLog(s store.Store, now func() int64) (*eventLog, error) {
	l := &eventLog{store: s, now: now, next: 1, dirty: map[uint64]struct{}{}, woken: make(chan struct{})}
	err := scanCursors(s, eventPrefix, func(cursor uint64) { l.next = cursor + 1 })
	if err != nil {
		return nil, err
	}
	return l, scanCursors(s, alarmPrefix, func(cursor uint64) { l.alarms = append(l.alarms, cursor) })
}

// scanCursors calls f with the cursors under a prefix, in order.
func scanCursors(s store.Store, prefix string, f func(uint64)) error {
	return s.Scan(prefix, "", func(key string, _ []byte) error {
		cursor, err := strconv.ParseUint(key[len(prefix):], 10, 64)
		if err != nil {
			return fmt.Errorf("event key %q: %w", key, err)
		}
		f(cursor)
		return nil
	})
}

// write numbers the events and adds them to the changes of the caller's commit. The caller calls
// done after the commit, whether it succeeded or not.
func (l *eventLog) write(changes map[string][]byte, events []Event) (done func(), err error) {
	l.mu.Lock()
	first := l.next
	l.next += uint64(len(events))
	for i := range events {
		l.dirty[first+uint64(i)] = struct{}{}
	}
	l.mu.Unlock()
	done = func() {
		l.mu.Lock()
		for i := range events {
			delete(l.dirty, first+uint64(i))
		}
		l.mu.Unlock()
		l.wake()
	}
	for i := range events {
		e := &events[i]
		e.Cursor, e.Time, e.Text = first+uint64(i), l.now(), brief(e.Text)
		value, err := json.Marshal(e)
		if err != nil {
			done()
			return nil, fmt.Errorf("encode event: %w", err)
		}
		changes[eventKey(eventPrefix, e.Cursor)] = value
		if e.Cursor > keptEvents {
			changes[eventKey(eventPrefix, e.Cursor-keptEvents)] = nil
		}
		if e.Kind == Alarm {
			changes[eventKey(alarmPrefix, e.Cursor)] = value
			if oldest := l.keepAlarm(e.Cursor); oldest != 0 {
				changes[eventKey(alarmPrefix, oldest)] = nil
			}
		}
	}
	return done, nil
}

// maxText caps the bytes of an event's text. It may tell what an endpoint said in place of an
// answer, which is as long as that likes, and which the store must take all the same.
const maxText = 2048

func brief(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// keepAlarm adds an alarm to those that are kept, and returns the cursor of one that no longer is,
// 0 if there is none.
func (l *eventLog) keepAlarm(cursor uint64) (oldest uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alarms = append(l.alarms, cursor)
	if len(l.alarms) > keptAlarms {
		oldest, l.alarms = l.alarms[0], l.alarms[1:]
	}
	return oldest
}

// wake wakes everybody who waits for an event.
func (l *eventLog) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.woken)
	l.woken = make(chan struct{})
}

// visible returns the cursor up to which everything is durable, and a channel that is closed when
// that grows.
func (l *eventLog) visible() (uint64, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.next - 1
	for c := range l.dirty {
		last = min(last, c-1)
	}
	return last, l.woken
}

// past returns the events under a prefix after a cursor that are durable, oldest first, and the
// cursor up to which that is all. A cursor that no event has yet is of a store that a backup
// replaced: its reader is told all, rather than nothing until so much has happened again.
func (l *eventLog) past(prefix string, after uint64) (list []Event, last uint64, err error) {
	if last, _ = l.visible(); after > last {
		after = 0
	}
	err = l.store.Scan(prefix, eventKey(prefix, after+1), func(_ string, value []byte) error {
		var e Event
		if err := json.Unmarshal(value, &e); err != nil {
			return err
		}
		if e.Cursor > last {
			return store.ErrStop
		}
		list = append(list, e)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read events: %w", err)
	}
	return list, last, nil
}

// read yields the events after a cursor, and waits for more until the context ends.
func (l *eventLog) read(ctx context.Context, after uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			_, woken := l.visible()
			batch, last, err := l.past(eventPrefix, after)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, e := range batch {
				if !yield(e, nil) {
					return
				}
			}
			after = last
			select {
			case <-woken:
			case <-ctx.Done():
				yield(Event{}, ctx.Err())
				return
			}
		}
	}
}
