package channel

import "slices"

// hold stops signing, or resumes it: then the machine signs at once what fell due meanwhile, and
// asks every seat for what it missed.
func (t *txn) hold(on bool) error {
	if t.state.held == on {
		return nil
	}
	t.change().held = on
	if on || !t.state.opened() {
		return nil
	}
	t.all = true
	if err := t.signStarts(true); err != nil {
		return err
	}
	for _, m := range slices.Clone(t.matches) {
		if err := t.side(m).goOn(); err != nil {
			return err
		}
	}
	for seat := range t.cfg.Terms.Seats() {
		if seat != t.cfg.Seat {
			t.catchUp(seat)
		}
	}
	return nil
}
