package tower

import (
	"errors"
	"fmt"
	"slices"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// handler takes what arrives from the network. Calls for one account come one after the other.
type handler struct{ tower *Tower }

func (handler) Connected(common.Address) {}

func (handler) Disconnected(common.Address, error) {}

// Befriended implements transport.Befriender: an account that has shown a seat of an open channel
// is no stranger.
func (h handler) Befriended(account common.Address) bool {
	h.tower.mu.Lock()
	defer h.tower.mu.Unlock()
	_, seated := h.tower.seated[account]
	return seated
}

// Receive answers a message: with a receipt, or with why there is none.
func (h handler) Receive(from common.Address, env *antev1.Envelope) {
	t := h.tower
	select {
	case <-t.ready:
	case <-t.run.Done():
		return
	}
	who := t.who(from)
	id, m, err := message.FromEnvelope(env)
	if err == nil {
		err = t.answer(&who, id, m)
	}
	if err != nil {
		t.refuse(who, id, err)
	}
}

// refuse logs and answers why a message is refused, as far as the sender's budgets allow.
func (t *Tower) refuse(who budget.Who, id common.Hash, why error) {
	if t.budgets.log.Allow(who) {
		t.config.Log.Info("refused", "peer", who.Account, "channel", id, "why", why, "not_logged", t.budgets.log.Refused())
	}
	if id != (common.Hash{}) && t.budgets.refusals.Allow(who) {
		t.say(who.Account, id, message.TowerReceipt{Refusal: message.Clip(told(why).Error())})
	}
}

// told returns the text of an error for a peer: it hides the details of the tower's own faults.
func told(why error) error {
	for _, known := range []error{ErrUnknownChannel, ErrStranger, ErrRefused, ErrFull, ErrBusy, encoding.ErrMessage} {
		if errors.Is(why, known) {
			return why
		}
	}
	if errors.Is(why, store.ErrFull) {
		return fmt.Errorf("%w: the tower's disk is full", ErrFull)
	}
	return errTrouble
}

// answer does what a seat asks.
func (t *Tower) answer(who *budget.Who, id common.Hash, m message.Message) error {
	if err := t.spend(t.budgets.messages, who, 1); err != nil {
		return err
	}
	defer t.lock(id)()
	f, err := t.opening(id)
	if err != nil {
		return err
	}
	seat := -1
	if f != nil && f.open {
		seat = f.terms.SeatOf(who.Account)
	}
	switch {
	case f == nil || !f.open:
		return ErrUnknownChannel
	case seat < 0:
		return ErrStranger
	}
	if !who.Friend {
		who.Friend = true
		if err := t.spend(t.budgets.messages, who, 1); err != nil {
			return err
		}
	}
	return t.serve(who, f, seat, m)
}

// spend pays for n units that an account causes. It fails with ErrBusy, and says when to come back.
func (t *Tower) spend(b *budget.Budget, who *budget.Who, n int) error {
	if err := b.Spend(*who, n); err != nil {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return nil
}

func (t *Tower) serve(who *budget.Who, f *file, seat int, m message.Message) error {
	switch m := m.(type) {
	case message.TowerEvidence:
		if err := t.spend(t.budgets.signatures, who, work(&m)); err != nil {
			return err
		}
		h, err := t.take(who, f, seat, &m)
		if err != nil {
			return err
		}
		if err := t.certify(who.Account, f.id, seat, h); err != nil {
			return err
		}
		t.wake()
		return t.stir(f.id)
	case message.TowerAsk:
		return t.tell(who, f, seat, &m)
	}
	return fmt.Errorf("%w: a %T, which is not for a tower", encoding.ErrMessage, m)
}

// mostLooks is how often evidence is used at once between two blocks. Each time everything that is
// held of the channel is looked at, which costs far more than the message was charged for.
const mostLooks = 8

// stir uses new evidence at once where something is due, or at the next block. The caller holds the
// channel's lock.
func (t *Tower) stir(id common.Hash) error {
	hot, err := t.config.Store.Get(hotPrefix + id.Hex())
	if err != nil || hot == nil {
		return err
	}
	c := t.dispute(id)
	if c.looks >= mostLooks {
		return nil
	}
	c.looks++
	return t.sitLocked(t.run, id, c, t.now())
}

// tell returns what is held for a seat, and shows it if the seat asks: its own evidence, and the
// newest ledger that another seat gave, since all seats signed that too.
func (t *Tower) tell(who *budget.Who, f *file, seat int, m *message.TowerAsk) error {
	h, err := t.holding(f.id, seat)
	if err != nil {
		return err
	}
	if m.Show {
		if err := t.show(who, f, seat, h); err != nil {
			return err
		}
	}
	if h == nil {
		h = new(holding)
	} else if err := t.keep(who, f, seat, h, m.Mark, map[string][]byte{}); err != nil {
		return err
	}
	return t.certify(who.Account, f.id, seat, h)
}

// show pays for what is held before that is read, which is most of the work.
func (t *Tower) show(who *budget.Who, f *file, seat int, h *holding) error {
	pieces := 1
	if h != nil {
		pieces += 1 + len(h.Matches)
	}
	if err := t.spend(t.budgets.shown, who, pieces); err != nil {
		return err
	}
	own, err := t.proofs(proofsBy(f.id, seat))
	if err != nil {
		return err
	}
	newest, version := seat, uint64(0)
	for other := range f.terms.Seats() {
		h, err := t.holding(f.id, other)
		if err != nil {
			return err
		}
		if h != nil && h.Version > version {
			newest, version = other, h.Version
		}
	}
	best, _, err := t.stored(ledgerKey(f.id, newest))
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(own, func(e message.TowerEvidence) bool { return e.MatchID == (common.Hash{}) })
	if best != nil {
		list = append([]message.TowerEvidence{*best}, list...)
	}
	for i := range list {
		// a receipt would say that all is shown
		if err := t.net.Send(who.Account, message.Envelope(f.id, list[i])); err != nil {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
	return nil
}

// certify sends a seat the receipt for what is held.
func (t *Tower) certify(to common.Address, id common.Hash, seat int, h *holding) error {
	sig, err := t.config.Key.Sign(h.Digest(t.domain, id, seat))
	if err != nil {
		return fmt.Errorf("sign a receipt: %w", err)
	}
	t.say(to, id, message.TowerReceipt{Holding: h.Holding, Signature: sig})
	return nil
}

// say sends a message. What is lost is asked for again.
func (t *Tower) say(to common.Address, id common.Hash, m message.Message) {
	if err := t.net.Send(to, message.Envelope(id, m)); err != nil {
		t.config.Log.Debug("not answered", "peer", to, "channel", id, "error", err)
	}
}

func (h handler) Copied(via common.Address) {
	t := h.tower
	t.mu.Lock()
	first := !t.copied
	t.copied = true
	t.mu.Unlock()
	if first {
		t.config.Log.Error("another program signs with this tower's key: stop one of the two; if you run no other, the key is stolen", "shown_by", via)
	}
}
