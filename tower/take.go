package tower

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// take verifies what a seat gives, keeps it if it ranks higher than what the same seat gave before,
// and returns what is held then. What it refuses changes nothing.
func (t *Tower) take(who *budget.Who, f *file, seat int, e *message.TowerEvidence) (*holding, error) {
	h, err := t.holding(f.id, seat)
	if err != nil {
		return nil, err
	}
	fresh, bytes := 1, 0
	if h != nil {
		fresh, bytes = 0, h.Bytes
	} else {
		if err := t.admit(f); err != nil {
			return nil, err
		}
		h = new(holding)
	}
	changes := map[string][]byte{}
	if e.MatchID == (common.Hash{}) {
		err = t.takeLedger(f, seat, h, e, changes)
	} else {
		err = t.takeMatch(f, seat, h, e, changes)
	}
	if err == nil && h.Bytes > t.config.Limits.Bytes {
		err = fmt.Errorf("%w: %d bytes of evidence, at most %d", ErrFull, h.Bytes, t.config.Limits.Bytes)
	}
	if grows := h.Bytes - bytes; err == nil && grows > 0 && t.Counts().Bytes+grows > t.config.Limits.Disk {
		err = fmt.Errorf("%w: the tower holds %d bytes of evidence at most", ErrFull, t.config.Limits.Disk)
	}
	if err == nil {
		err = t.keep(who, f, seat, h, e.Mark, changes)
	}
	if err == nil {
		t.count(fresh, h.Bytes-bytes)
	}
	return h, err
}

// admit says whether there is room for another seat.
func (t *Tower) admit(f *file) error {
	l := &t.config.Limits
	if total, err := f.terms.Total(); err != nil || total.Lt(&l.Locked) {
		return fmt.Errorf("%w for channels of less than %s wei or token units: the Arena would take more in gas", ErrFull, l.Locked.Dec())
	}
	if t.Seats() >= l.Seats {
		return fmt.Errorf("%w for more seats than %d", ErrFull, l.Seats)
	}
	return nil
}

// takeLedger takes the newest ledger, with the terms of what it locks.
func (t *Tower) takeLedger(f *file, seat int, h *holding, e *message.TowerEvidence, changes map[string][]byte) error {
	if e.Ledger.Version <= h.Version {
		return nil
	}
	if err := t.checkLedger(f, e); err != nil {
		return err
	}
	value, err := writeEvidence(f.id, *e)
	if err != nil {
		return err
	}
	h.Bytes += len(value) - h.Ledger
	h.Version, h.Ledger = e.Ledger.Version, len(value)
	changes[ledgerKey(f.id, seat)] = value
	for _, m := range h.release(&e.Ledger.Ledger) {
		key := matchKey(f.id, seat, m.MatchID)
		_, size, err := t.stored(key)
		if err != nil {
			return err
		}
		h.Bytes -= size
		changes[key] = nil
	}
	return nil
}

// checkLedger checks that all seats signed a ledger of the channel, and that it locks the matches
// that are named.
func (t *Tower) checkLedger(f *file, e *message.TowerEvidence) error {
	if e.Ledger.ChannelID != f.id {
		return fmt.Errorf("%w: a ledger of another channel", ErrRefused)
	}
	for i := range e.Matches {
		m := &e.Matches[i]
		lock := e.Ledger.Lock(m.ID(t.domain))
		if lock == nil || m.ChannelID != f.id || !slices.Equal(lock.Stakes, m.Stakes) {
			return fmt.Errorf("%w: ledger %d doesn't lock a match that is named, or not with these stakes", ErrRefused, e.Ledger.Version)
		}
		if err := m.Check(f.terms.Seats()); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	if err := e.Ledger.Verify(t.domain, &f.terms); err != nil {
		return fmt.Errorf("%w: ledger %d: %w", ErrRefused, e.Ledger.Version, err)
	}
	return nil
}

// takeMatch takes higher-ranking support of a match, a newer agreement to end it, and proofs that
// seats signed two positions at one turn.
func (t *Tower) takeMatch(f *file, seat int, h *holding, e *message.TowerEvidence, changes map[string][]byte) error {
	m := &e.Matches[0]
	if m.ID(t.domain) != e.MatchID {
		return fmt.Errorf("%w: evidence of another match than is named", ErrRefused)
	}
	newest, _, err := t.stored(ledgerKey(f.id, seat))
	if err != nil {
		return err
	}
	if newest == nil || newest.Ledger.Lock(e.MatchID) == nil {
		return fmt.Errorf("%w: a match that the newest ledger held doesn't lock; give that ledger first", ErrRefused)
	}
	key := matchKey(f.id, seat, e.MatchID)
	had, size, err := t.stored(key)
	if err != nil {
		return err
	}
	if had == nil || !reflect.DeepEqual(had.Ledger, e.Ledger) {
		if err := t.checkLedger(f, e); err != nil {
			return err
		}
	}
	next, mark := *e, h.Match(e.MatchID)
	next.Proofs = nil
	if had != nil {
		next.Ledger, next.Support, next.Agreement, next.Proofs = had.Ledger, had.Support, had.Agreement, had.Proofs
	}
	if err := t.rank(f, e, &next, &mark); err != nil {
		return err
	}
	if mark == h.Match(e.MatchID) {
		return nil
	}
	value, err := writeEvidence(f.id, next)
	if err != nil {
		return err
	}
	h.SetMatch(mark)
	h.Bytes += len(value) - size
	changes[key] = value
	return nil
}

// rank verifies what is given, and takes of it what ranks higher.
func (t *Tower) rank(f *file, e, next *message.TowerEvidence, mark *message.TowerMark) error {
	m := &e.Matches[0]
	if e.Agreement != nil && (mark.Agreement == 0 || protocol.MarkOf(e.Agreement.Turn) > mark.Agreement) {
		if err := e.Agreement.Verify(t.domain, &f.terms, m); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
		next.Agreement, mark.Agreement = e.Agreement, protocol.MarkOf(e.Agreement.Turn)
	}
	if err := t.convictable(f, e, next, mark); err != nil || e.Support == nil {
		return err
	}
	rules, err := t.drive.Rules(m.Rules)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	judge, err := protocol.NewJudge(t.domain, &f.terms, m, rules)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	settled, err := t.settled(f.id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	sure := t.sure
	t.mu.Unlock()
	r, err := judge.Replay(e.Support, settled.Recorded(e.MatchID), sure)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if rank := r.Rank(); rank.Agreed > 0 && rank.Above(mark.Rank) {
		next.Support, mark.Rank = e.Support, rank
	}
	return nil
}

// convictable takes the first proof against each seat.
func (t *Tower) convictable(f *file, e, next *message.TowerEvidence, mark *message.TowerMark) error {
	signers := e.Matches[0].Signers(&f.terms)
	for _, proof := range e.Proofs {
		if err := proof.Verify(t.domain, e.MatchID, signers); err != nil {
			return fmt.Errorf("%w: a proof against seat %d: %w", ErrRefused, proof.Seat, err)
		}
		if seat := uint16(1) << proof.Seat; mark.Proved&seat == 0 {
			mark.Proved |= seat
			next.Proofs = append(slices.Clip(next.Proofs), proof)
		}
	}
	return nil
}

// keep makes what is held for a seat durable, with when it was heard of.
func (t *Tower) keep(who *budget.Who, f *file, seat int, h *holding, mark message.StoreMark, changes map[string][]byte) error {
	if mark.Generation > h.Mark.Generation {
		if err := mark.Verify(t.domain, f.id, f.terms.Signers[seat]); err != nil {
			return fmt.Errorf("%w: store mark: %w", ErrRefused, err)
		}
		h.Mark = mark
	}
	h.Time = t.now()
	// an endpoint may tell any time: a receipt is not taken back
	h.Expiry = max(h.Expiry, h.Time+min(t.config.Limits.keep(t.drive.Arena.Clock()), math.MaxUint64-h.Time))
	before := h.Account
	h.Account = who.Account
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	changes[holdingKey(f.id, seat)] = value
	size := 0
	for _, value := range changes {
		size += len(value)
	}
	if err := t.spend(t.budgets.stored, who, size/1024+1); err != nil {
		return err
	}
	if err := t.config.Store.Commit(changes); err != nil {
		return err
	}
	t.seat(before, who.Account)
	if (handler{t}).Befriended(who.Account) {
		t.appointments.Keep(who.Account)
	}
	return nil
}
