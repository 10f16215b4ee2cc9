package disputes_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// mailbox is a Submitter that keeps what it is given, or refuses it.
type mailbox struct {
	refuse error
	got    []disputes.Submission
}

func (m *mailbox) Submit(_ context.Context, s disputes.Submission) error {
	if m.refuse != nil {
		return m.refuse
	}
	if !slices.ContainsFunc(m.got, func(o disputes.Submission) bool { return o.ID == s.ID }) {
		m.got = append(m.got, s)
	}
	return nil
}

// attacked returns the watcher of seat 0 of a channel that is contested with version 1 until 110,
// the evidence that refutes it, and a wish for nothing.
func attacked(box *mailbox) (*disputes.Watcher, disputes.Evidence) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	w := watch(b, 0, box)
	w.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	w.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: protocol.SignedLedger{Ledger: protocol.FirstLedger(b.id, &b.terms)}, Deadline: 110})
	return w, disputes.Evidence{Ledger: b.ledger(2, false, []uint64{150, 50})}
}

func watch(b *board, seat int, to disputes.Submitter) *disputes.Watcher {
	return disputes.NewWatcher(disputes.Case{
		Domain: b.domain, Terms: b.terms, Seat: seat, Rules: b.find, Policy: disputes.Policy{Margin: 10},
	}, b.keys[seat], to)
}

func TestWatcherSubmitsOnce(t *testing.T) {
	box := &mailbox{}
	w, e := attacked(box)
	for now := uint64(20); now < 25; now++ {
		if plan := w.Step(t.Context(), now, e, disputes.Wishes{}); len(plan.Alarms) > 0 {
			t.Errorf("alarms though nothing fails: %v", plan.Alarms)
		}
	}
	if len(box.got) != 1 {
		t.Fatalf("submitted %d times, want once: %v", len(box.got), box.got)
	}
	if got := box.got[0]; got.Deadline != 110 || !strings.Contains(got.Why, "stale") || got.Gas == 0 {
		t.Errorf("submission doesn't say what it is: %+v", got)
	}
}

// A restart forgets what was submitted, and asks for the same submission again, by the same name.
func TestWatcherRestarts(t *testing.T) {
	box := &mailbox{}
	for range 2 {
		w, e := attacked(box)
		w.Step(t.Context(), 20, e, disputes.Wishes{})
	}
	if len(box.got) != 1 {
		t.Fatalf("two names for one submission: %v", box.got)
	}
}

// Several seats send the same step and one is first: what the chain refuses the others is no alarm
// before they have read the next block, unless there is no time left.
func TestRaceIsNoAlarm(t *testing.T) {
	box := &mailbox{refuse: disputes.ErrFailed}
	w, e := attacked(box)
	alarmed(t, w.Step(t.Context(), 20, e, disputes.Wishes{}), disputes.Notice, disputes.ErrFailed.Error())
	w.Happened(21, onchain.Closed{Version: 2})
	if plan := w.Step(t.Context(), 21, e, disputes.Wishes{}); len(plan.Alarms) != 0 {
		t.Errorf("alarms of a race that is over: %v", plan.Alarms)
	}
	w, e = attacked(box)
	alarmed(t, w.Step(t.Context(), 109, e, disputes.Wishes{}), disputes.Critical, disputes.ErrFailed.Error())
}

func TestAttack_SilentFailure(t *testing.T) {
	box := &mailbox{}
	w, e := attacked(box)
	w.Step(t.Context(), 20, e, disputes.Wishes{})

	// The transaction reverts: it is sent again, under another name, and people hear of it for as
	// long as it is needed.
	w.Failed(box.got[0].ID, errors.New("out of gas"))
	for now := uint64(21); now < 24; now++ {
		plan := w.Step(t.Context(), now, e, disputes.Wishes{})
		alarmed(t, plan, disputes.Warning, "out of gas")
	}
	if len(box.got) != 2 || box.got[0].ID == box.got[1].ID {
		t.Fatalf("not sent again under another name: %v", box.got)
	}

	// It can't be sent at all: worse, and tried again at every step, the next of which is asked
	// for.
	w.Failed(box.got[1].ID, errors.New("out of gas"))
	box.refuse = errors.New("no money for gas")
	plan := w.Step(t.Context(), 30, e, disputes.Wishes{})
	alarmed(t, plan, disputes.Critical, "no money for gas")
	if plan.Next != 31 {
		t.Errorf("looks again at %d, want 31", plan.Next)
	}
	box.refuse = nil
	w.Step(t.Context(), 31, e, disputes.Wishes{})
	if len(box.got) != 3 {
		t.Fatalf("not sent again once it could be: %v", box.got)
	}
	for i, s := range box.got { // what was not sent is not lost
		if s.Lost != i {
			t.Errorf("%d transactions are lost before %s, want %d", s.Lost, s.ID, i)
		}
	}

	// A submitter that knows from before a restart that the name has failed gets another one.
	w, e = attacked(box)
	box.refuse = disputes.ErrFailed
	alarmed(t, w.Step(t.Context(), 32, e, disputes.Wishes{}), disputes.Notice, disputes.ErrFailed.Error())
	alarmed(t, w.Step(t.Context(), 33, e, disputes.Wishes{}), disputes.Critical, disputes.ErrFailed.Error())
	box.refuse = nil
	w.Step(t.Context(), 33, e, disputes.Wishes{})
	if len(box.got) != 3 || !slices.ContainsFunc(box.got, func(s disputes.Submission) bool { return s.ID == box.got[1].ID }) {
		t.Fatalf("got %v", box.got)
	}

	// Nobody needs it any more: silence.
	w.Happened(40, onchain.Closed{Version: 2})
	if plan = w.Step(t.Context(), 41, e, disputes.Wishes{}); len(plan.Alarms) != 0 {
		t.Errorf("alarms after the end: %v", plan.Alarms)
	}
}

// What failed together is sent apart, so that no call makes another one fail again.
func TestWatcherSendsApartWhatFailed(t *testing.T) {
	box := &mailbox{}
	c := overCase(t, 2)
	w := disputes.NewWatcher(*c, protocoltest.Key("signer 0"), box)
	w.Happened(1, onchain.Opened{Terms: c.Terms})
	w.Step(t.Context(), 50, c.Evidence, c.Wishes)
	if len(box.got) != 1 {
		t.Fatalf("submitted %v, want one transaction", box.got)
	}
	w.Failed(box.got[0].ID, errors.New("reverted"))
	w.Step(t.Context(), 51, c.Evidence, c.Wishes)
	if len(box.got) != 1+3 {
		t.Fatalf("submitted %v, want the contest and two matches apart", box.got[1:])
	}
}

// A tower has no key of the seat: it refutes all the same, and says so when a key is needed.
func TestWatcherWithoutKey(t *testing.T) {
	box := &mailbox{}
	b := newBoard(protocol.Domain{ChainID: 1}, common.Address{}, 2, 100, 100)
	w := disputes.NewWatcher(disputes.Case{Domain: b.domain, Terms: b.terms, Rules: b.find}, nil, box)
	w.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	plan := w.Step(t.Context(), 10, disputes.Evidence{}, disputes.Wishes{Exit: true})
	alarmed(t, plan, disputes.Critical, "no key")
	w.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: protocol.SignedLedger{Ledger: protocol.FirstLedger(b.id, &b.terms)}, Deadline: 110})
	w.Step(t.Context(), 20, disputes.Evidence{Ledger: b.ledger(2, false, []uint64{150, 50})}, disputes.Wishes{})
	if len(box.got) != 1 {
		t.Fatalf("a tower submitted %d refutations, want 1", len(box.got))
	}
}

// After a reorg what was settled by the lost block is done again, unless the transaction is still
// on its way.
func TestWatcherReorg(t *testing.T) {
	box := &mailbox{}
	w, e := attacked(box)
	w.Step(t.Context(), 20, e, disputes.Wishes{})
	w.Happened(21, onchain.Contested{Ledger: *e.Ledger, Deadline: 110})
	w.Unhappened(21)
	w.Step(t.Context(), 22, e, disputes.Wishes{})
	if len(box.got) != 1 {
		t.Fatalf("submitted again while the transaction is still on its way: %v", box.got)
	}
	w.Failed(box.got[0].ID, errors.New("replaced"))
	w.Step(t.Context(), 23, e, disputes.Wishes{})
	if len(box.got) != 2 {
		t.Fatalf("not submitted again: %v", box.got)
	}
}

// Why something failed is forgotten once it needn't be done, also where a reorg makes that
// necessary again.
func TestTroubleIsForgotten(t *testing.T) {
	box := &mailbox{}
	w, e := attacked(box)
	w.Step(t.Context(), 20, e, disputes.Wishes{})
	w.Failed(box.got[0].ID, errors.New("out of gas"))
	alarmed(t, w.Step(t.Context(), 21, e, disputes.Wishes{}), disputes.Warning, "out of gas")
	w.Happened(22, onchain.Contested{Ledger: *e.Ledger, Deadline: 110})
	w.Step(t.Context(), 23, e, disputes.Wishes{})
	w.Unhappened(22)
	if plan := w.Step(t.Context(), 24, e, disputes.Wishes{}); len(plan.Alarms) > 0 {
		t.Errorf("alarms: %v", plan.Alarms)
	}
}

// What a reorg took off the chain is handed over again as it was, not in one transaction with what
// has become necessary since.
func TestWatcherResumesWhatItSent(t *testing.T) {
	box := &mailbox{}
	c := overCase(t, 2)
	w := disputes.NewWatcher(*c, protocoltest.Key("signer 0"), box)
	w.Happened(1, onchain.Opened{Terms: c.Terms})
	e := c.Evidence
	e.Matches = maps.Clone(e.Matches)
	for id := range e.Matches {
		delete(e.Matches, id)
		break
	}
	w.Happened(2, onchain.Banked{})
	w.Step(t.Context(), 50, e, c.Wishes)
	w.Unhappened(2)
	w.Step(t.Context(), 51, c.Evidence, c.Wishes)
	if len(box.got) != 2 {
		t.Fatalf("submitted %v", box.got)
	}
	if _, one := box.got[1].Action.(onchain.Advance); !one {
		t.Errorf("after a contest and a match were sent, submitted: %s", box.got[1].Why)
	}
}

func alarmed(t *testing.T, p disputes.Plan, level disputes.Level, text string) {
	t.Helper()
	if !slices.ContainsFunc(p.Alarms, func(a disputes.Alarm) bool { return a.Level == level && strings.Contains(a.Text, text) }) {
		t.Errorf("no %s alarm about %q in %v", level, text, p.Alarms)
	}
}
