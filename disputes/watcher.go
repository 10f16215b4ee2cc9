package disputes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Submitter gets transactions mined. Implementations are safe for concurrent use by many watchers.
type Submitter interface {
	// Submit takes responsibility for a transaction: it stores it before sending it, sends it again
	// as needed, and raises its price towards the deadline. An ID that was taken before is not sent
	// twice. Submit returns without waiting for the chain; the outcome is reported by
	// Watcher.Failed, or shows in the chain's events. An error means that the transaction was not
	// taken; if it wraps ErrFailed, this ID has failed for good before.
	Submit(ctx context.Context, s Submission) error
}

// Submission is a transaction to get mined.
type Submission struct {
	ID       string         // names it, across restarts
	Action   onchain.Action // complete, with all signatures
	Deadline uint64         // the Arena's clock at which it is too late; 0: none
	// what it is expected to cost, roughly; limits are the submitter's to estimate
	Gas   uint64
	Usual uint64      // gas that it takes at most, unless its rules are a stranger's
	Most  uint64      // gas limit beyond which it fails unsent; 0: none
	Lost  int         // transactions that were to do this, and failed on the chain
	Stake uint256.Int // what depends on it, in units of Asset
	Asset common.Address
	Waits bool   // nothing is lost if it is sent later
	Why   string // for people
}

// ErrFailed is what a Submitter wraps when a submission's transaction reverted or was given up, and
// ErrUnpaid when the gas account can't pay for it.
var (
	ErrFailed = errors.New("the transaction failed")
	ErrUnpaid = errors.New("the transaction can't be paid for")
)

// Watcher carries out the plans for one seat of one channel. It has no goroutine: its owner reports
// events and calls Step. After a restart it relearns everything from the chain's events and the
// Submitter. Not safe for concurrent use.
type Watcher struct {
	seat      Case // what never changes: domain, terms, seat, rules, policy
	signer    protocol.Signer
	submitter Submitter

	view    View
	pending map[string]bool     // by step key: on its way, or done
	steps   map[string][]string // step keys by submission ID
	failed  map[string]int      // by step key: how often it failed
	lost    map[string]int      // by step key: how often in a transaction that was sent
	// by step key: why it failed last; kept until the step is no longer needed
	trouble map[string]error
	since   map[string]uint64 // the clock at which that began
	memory  *Memory
	unsure  bool   // whether what was done still is: a reorg took something off the chain
	changes uint64 // of the view, and of what is on its way or failed
	made    *made  // the newest plan; nil: none yet
}

// NewWatcher returns the watcher of a seat. The signer is the seat's; nil for a tower, which has
// none and so never starts anything but answers for others. Of the case only Domain, Terms, Seat,
// Rules, Past, Facts, Policy and Memory are used. Watchers of one channel may share a Memory: then
// the caller calls its Look.
func NewWatcher(seat Case, signer protocol.Signer, submitter Submitter) *Watcher {
	seat.id = seat.Terms.ID(seat.Domain)
	return &Watcher{
		seat: seat, signer: signer, submitter: submitter, memory: cmp.Or(seat.Memory, new(Memory)),
		pending: make(map[string]bool), steps: make(map[string][]string),
		failed: make(map[string]int), lost: make(map[string]int), trouble: make(map[string]error), since: make(map[string]uint64),
	}
}

// Clone returns a watcher that changes independently, with a signer of the same key and a submitter
// of its own.
func (w *Watcher) Clone(signer protocol.Signer, submitter Submitter) *Watcher {
	seat := w.seat
	seat.Memory = nil
	return &Watcher{
		seat: seat, signer: signer, submitter: submitter, view: w.view.Clone(),
		pending: maps.Clone(w.pending), steps: maps.Clone(w.steps), failed: maps.Clone(w.failed), lost: maps.Clone(w.lost), trouble: maps.Clone(w.trouble), since: maps.Clone(w.since),
		unsure: w.unsure, memory: new(Memory),
	}
}

// Price sets what a unit of gas costs now, in wei. Set it before each Step: fees change.
func (w *Watcher) Price(wei uint256.Int) { w.seat.GasPrice = wei }

// View returns what the chain says of the channel, for reading.
func (w *Watcher) View() *View { return &w.view }

// Happened folds in an event of the channel. Blocks never descend.
func (w *Watcher) Happened(block uint64, ev onchain.Event) {
	w.changes++
	w.view.Happened(block, ev)
}

// Answered folds in an event of the channel that one of the submitter's transactions caused, for
// Policy.Frugal. Blocks never descend.
func (w *Watcher) Answered(block uint64, ev onchain.Event) {
	w.changes++
	w.view.Answered(block, ev)
}

// Unhappened forgets the events of block from and later, which a reorganisation removed from the
// chain. A deep one can remove even final transactions, which nobody sends again by itself: the
// next Step asks for them.
func (w *Watcher) Unhappened(from uint64) {
	w.changes++
	w.view.Unhappened(from)
	w.unsure = true
}

// Failed says that a submission's transaction reverted or was given up; the error wraps ErrUnpaid
// where that was for want of money. Its steps are planned again, if they still need doing, and an
// alarm stands until they are done. IDs that are not this watcher's are ignored.
func (w *Watcher) Failed(id string, err error) {
	for _, k := range w.steps[id] {
		w.changes++
		delete(w.pending, k)
		w.failed[k]++
		if !errors.Is(err, ErrUnpaid) {
			w.lost[k]++
		}
		w.trouble[k] = err
	}
	delete(w.steps, id)
}

// Step plans for the clock time now, and submits what the plan orders. Call it after every event,
// at every new head, when the evidence or the wishes changed, and at the time that Plan.Next says.
// The plan it returns carries the plan's alarms and one for every needed step that failed or could
// not be sent, a Notice only where another seat may have been first. Each failure is tried again at
// every Step. What the evidence points to is never modified in place.
func (w *Watcher) Step(ctx context.Context, now uint64, e Evidence, wishes Wishes) Plan {
	plan := w.plan(now, e, wishes)
	if w.unsure {
		w.unsure = false
		w.resume(ctx, plan.Underway)
		plan = w.plan(now, e, wishes)
	}
	if w.submitAll(ctx, plan.Orders) {
		plan = w.plan(now, e, wishes)
		w.submitAll(ctx, plan.Orders)
	}
	w.report(&plan, now)
	return plan
}

// submitAll reports whether the account can't pay for some steps together: each is to go alone.
func (w *Watcher) submitAll(ctx context.Context, orders []Order) (apart bool) {
	for i := range orders {
		apart = w.submit(ctx, &orders[i]) || apart
	}
	return apart
}

// resume submits again, unchanged, each order that is still needed as a whole: the submitter knows
// its fate. It forgets all other orders, so that they are planned again if needed.
func (w *Watcher) resume(ctx context.Context, needed []Step) {
	w.changes++
	sent := w.steps
	w.pending, w.steps = make(map[string]bool), make(map[string][]string)
	for _, id := range slices.Sorted(maps.Keys(sent)) {
		var o Order
		for _, k := range sent[id] {
			if at := slices.IndexFunc(needed, func(s Step) bool { return s.Key == k }); at >= 0 {
				o.Steps = append(o.Steps, needed[at])
			}
		}
		if len(o.Steps) == len(sent[id]) {
			w.submit(ctx, &o)
		}
	}
}

func (w *Watcher) submit(ctx context.Context, o *Order) (apart bool) {
	action, err := o.Action(w.seat.Domain, w.signer)
	id, lost := w.name(o), 0
	for _, k := range o.Keys() {
		lost = max(lost, w.lost[k])
	}
	if err == nil {
		first := o.first()
		err = w.submitter.Submit(ctx, Submission{ID: id, Action: action, Deadline: o.Deadline(), Gas: o.Gas(), Usual: o.usual(len(w.seat.Terms.Players)), Most: o.most(), Lost: lost, Why: o.Why(), Stake: *first.rank(), Asset: w.seat.Terms.Asset, Waits: first.Waits})
	}
	if err == nil {
		w.steps[id] = o.Keys()
	}
	apart = errors.Is(err, ErrUnpaid) && len(o.Steps) > 1
	for _, k := range o.Keys() {
		switch {
		case err == nil:
			w.pending[k] = true
			w.changes++
		case errors.Is(err, ErrFailed), apart:
			w.failed[k]++ // under another name next time, and alone
			w.changes++
			w.trouble[k] = err
		default:
			w.trouble[k] = err
		}
	}
	return apart
}

// name names a submission by its steps and by how often they failed, so that a restart asks for the
// same one again.
func (w *Watcher) name(o *Order) string {
	var text []byte
	for _, k := range o.Keys() {
		text = fmt.Appendf(text, "%s#%d ", k, w.failed[k])
	}
	return fmt.Sprintf("dispute/%x", crypto.Keccak256(text)[:12])
}

// report adds an alarm for each needed step that failed before, and clears the failures of all
// others.
func (w *Watcher) report(plan *Plan, now uint64) {
	needed := plan.Underway
	for i := range plan.Orders {
		needed = append(needed[:len(needed):len(needed)], plan.Orders[i].Steps...)
	}
	trouble, since := make(map[string]error), make(map[string]uint64)
	var alarms []Alarm
	for _, s := range needed {
		err := w.trouble[s.Key]
		if err == nil {
			continue
		}
		trouble[s.Key], since[s.Key] = err, now
		if began, known := w.since[s.Key]; known {
			since[s.Key] = began
		}
		a := Alarm{Level: Warning, Kind: "failed", MatchID: s.MatchID, Deadline: s.Deadline, Text: fmt.Sprintf("sent again after it failed: %s: %v", s.Why, err)}
		if !w.pending[s.Key] {
			a.Level, a.Kind, a.Text = Critical, "not sent", fmt.Sprintf("could not be sent, is tried again: %s: %v", s.Why, err)
			if errors.Is(err, ErrFailed) && since[s.Key] == now && (s.Deadline == 0 || s.Deadline > now+w.seat.Margin) {
				a.Level = Notice // somebody may have been first, in a block that is not read yet
			}
			plan.Next = Earliest(plan.Next, now+1)
		}
		alarms = append(alarms, a)
	}
	w.trouble, w.since = trouble, since
	plan.Alarms = append(alarms, plan.Alarms...)
}
