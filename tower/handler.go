package tower

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// handler takes what arrives from the network. Calls for one account come one after the other.
type handler struct{ tower *Tower }

// Connected implements transport.Handler.
func (handler) Connected(common.Address) {}

// Disconnected implements transport.Handler.
func (handler) Disconnected(common.Address, error) {}

// Receive answers a message: with a receipt, or with why there is none.
func (h handler) Receive(from common.Address, env *antev1.Envelope) {
	t := h.tower
	select {
	case <-t.ready:
	case <-t.run.Done():
		return
	}
	id, m, err := channel.FromEnvelope(env)
	if err == nil {
		err = t.answer(from, id, m)
	}
	if err == nil {
		return
	}
	seat := !errors.Is(err, ErrStranger) && !errors.Is(err, ErrUnknownChannel) && !errors.Is(err, channel.ErrMessage)
	if !seat && !t.strangers.Allow(from, true) {
		return // neither logged nor answered
	}
	t.config.Log.Info("refused", "peer", from, "channel", id, "why", err)
	if id != (common.Hash{}) {
		t.say(from, id, channel.TowerReceipt{Refusal: channel.Clip(err.Error())})
	}
}

// answer does what a seat asks.
func (t *Tower) answer(from common.Address, id common.Hash, m channel.Message) error {
	if !t.given.Allow(from, false) {
		return fmt.Errorf("%w: at most one message in %s", ErrBusy, t.config.Limits.Every)
	}
	defer t.lock(id)()
	f, err := t.file(id)
	if err != nil {
		return err
	}
	if f == nil || !f.open {
		return ErrUnknownChannel
	}
	seat := f.terms.SeatOf(from)
	if seat < 0 {
		return ErrStranger
	}
	switch m := m.(type) {
	case channel.TowerEvidence:
		h, err := t.take(f, seat, &m)
		if err != nil {
			return err
		}
		if err := t.certify(from, id, seat, h); err != nil {
			return err
		}
		t.wake()
		return t.stir(id)
	case channel.TowerAsk:
		return t.tell(from, f, seat, &m)
	}
	return fmt.Errorf("%w: a %T, which is not for a tower", channel.ErrMessage, m)
}

// stir looks at once what new evidence is good for, where something is due. The caller holds the channel's lock.
func (t *Tower) stir(id common.Hash) error {
	hot, err := t.config.Store.Get(hotPrefix + id.Hex())
	if err != nil || hot == nil {
		return err
	}
	t.court(id)
	return t.sitLocked(t.run, id, t.now())
}

// tell says what is held for a seat, and shows it if the seat wants that: its own evidence, and the newest ledger that
// another seat gave, since all seats signed that too.
func (t *Tower) tell(to common.Address, f *file, seat int, m *channel.TowerAsk) error {
	h, err := t.holding(f.id, seat)
	if err != nil {
		return err
	}
	held := h != nil
	if !held {
		h = new(holding)
	}
	if m.Show {
		if err := t.show(to, f, seat); err != nil {
			return err
		}
	}
	if held {
		err = t.keep(f, seat, h, m.Mark, map[string][]byte{})
	}
	if err != nil {
		return err
	}
	return t.certify(to, f.id, seat, h)
}

func (t *Tower) show(to common.Address, f *file, seat int) error {
	own, err := t.proofs(proofsBy(f.id, seat))
	if err != nil {
		return err
	}
	best := channel.TowerEvidence{}
	for other := range f.terms.Seats() {
		e, _, err := t.stored(ledgerKey(f.id, other))
		if err != nil {
			return err
		}
		if e != nil && e.Ledger.Version > best.Ledger.Version {
			best = *e
		}
	}
	if best.Ledger.Version > 0 {
		t.say(to, f.id, best)
	}
	for i := range own {
		if own[i].MatchID != (common.Hash{}) {
			t.say(to, f.id, own[i])
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
	t.say(to, id, channel.TowerReceipt{Holding: h.Holding, Signature: sig})
	return nil
}

// say sends a message. What is lost is asked for again.
func (t *Tower) say(to common.Address, id common.Hash, m channel.Message) {
	if err := t.net.Send(to, channel.Envelope(id, m)); err != nil {
		t.config.Log.Debug("not answered", "peer", to, "channel", id, "error", err)
	}
}
