package driver

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/ante-games/ante/chain"
)

// check is of something that never changes of the chain, and that decides how the Arena judges.
//
// That it holds is kept in the store, since a program that has something to defend must start
// whatever the endpoints answer. What two endpoints agreed on is not asked again. One endpoint
// alone can say that a check holds which doesn't, and so have matches played that the Arena judges
// by other rules: its word counts until the next start, or until a second one is there to be asked.
// What contradicts it raises an alarm that stands, and that keeps anything new from being played.
type check struct {
	about string // in alarms
	key   string // in the store; "": nothing is kept
	value []byte // there, once the check was found to hold by one endpoint's word; see sealed
	// look asks the chain. Agreed says that two endpoints told the same; wrong, why the check
	// doesn't hold by what is told
	look func(ctx context.Context) (agreed bool, wrong, err error)

	held   bool  // one endpoint, at least, said so
	agreed bool  // two did
	doubt  error // why it isn't sure now
	told   error // the doubt of which an alarm stands
}

// sealed is kept of a check on which two endpoints agreed.
func (f *check) sealed() []byte { return append(slices.Clip(f.value), 2) }

// recall takes what is kept of the checks.
func (d *Driver) recall() error {
	for _, f := range d.checks {
		if f.key == "" {
			continue
		}
		kept, err := d.config.Store.Get(f.key)
		if err != nil {
			return err
		}
		f.agreed = bytes.Equal(kept, f.sealed())
		f.held = f.agreed || bytes.Equal(kept, f.value)
	}
	return nil
}

// examine makes the checks that aren't sure. It fails only where the store does, or the context
// ends.
func (d *Driver) examine(ctx context.Context, due func(*check) bool) error {
	for _, f := range d.checks {
		if !due(f) {
			continue
		}
		agreed, wrong, err := f.look(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && wrong == nil:
			f.held, f.agreed, f.doubt = true, agreed, nil
		case err == nil:
			f.held, f.doubt = false, wrong
		case !f.held || errors.As(err, new(*chain.Lying)) || errors.Is(err, chain.ErrNoArena):
			f.held, f.doubt = false, err
		}
		if err := d.keep(f); err != nil {
			return err
		}
	}
	return nil
}

// keep stores whether a check was found to hold.
func (d *Driver) keep(f *check) error {
	var value []byte
	switch {
	case f.key == "":
		return nil
	case f.agreed:
		value = f.sealed()
	case f.held:
		value = f.value
	}
	if kept, err := d.config.Store.Get(f.key); err != nil || bytes.Equal(kept, value) {
		return err
	}
	return d.config.Store.Commit(map[string][]byte{f.key: value})
}

// unsure reports that a check is to be made at the start.
func unsure(f *check) bool { return !f.agreed }

// due reports that a check is to be made again while the program runs.
func (d *Driver) due(f *check) bool { return f.doubt != nil || !f.agreed && d.Client.Two() }

// prove makes the checks before anything is followed. A program that has followed this Arena before
// starts in any case, with alarms.
func (d *Driver) prove(ctx context.Context, followed bool) error {
	if err := d.listChecks(); err != nil {
		return err
	}
	if err := d.recall(); err != nil {
		return err
	}
	if err := d.examine(ctx, unsure); err != nil {
		return err
	}
	for _, f := range d.checks {
		if f.doubt != nil && !followed {
			return f.doubt
		}
	}
	d.tell()
	return nil
}

// proveAgain asks again at each new head, until the channel is closed. It is apart from following,
// because an endpoint may take its time for an answer.
func (d *Driver) proveAgain(ctx context.Context, heads <-chan struct{}) {
	for range heads {
		if err := d.examine(ctx, d.due); err != nil {
			continue // the store fails, of which others tell, or this ends
		}
		d.tell()
	}
}

// tell raises an alarm for each check in doubt, and ends it when it is sure.
func (d *Driver) tell() {
	ring := d.config.Chain.Alarm
	for _, f := range d.checks {
		before, now := f.told, f.doubt
		if f.told = now; ring == nil || before == nil && now == nil || before != nil && now != nil && before.Error() == now.Error() {
			continue
		}
		alarm := chain.Alarm{About: f.about, Fault: &chain.Unproved{Why: now}}
		if now == nil {
			alarm = chain.Alarm{About: f.about, Fault: &chain.Unproved{Why: before}, Over: true}
		}
		ring(alarm)
	}
}
