package gametest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

// pair is the two engines of a game. Its methods fail the test where they differ, and return what
// they agree on.
type pair struct {
	t        testing.TB
	where    string // the match at hand, for failures
	native   games.Rules
	contract *evm.Contract
	ceiling  uint64

	hanging *time.Timer          // goes off unless calls come and go
	last    atomic.Pointer[call] // for when it does

	gas                  map[string]uint64 // the most by call
	transitions, refused int

	reached *evm.Position // by the last transition
}

// longest is how long no call may be made: rules, or a player side, hang.
const longest = 3 * time.Minute

// call is one call of the rules, for failures.
type call struct {
	name   string
	c      *games.Context
	state  []byte
	move   []byte
	stakes []uint256.Int
}

func (c call) String() string {
	s := fmt.Sprintf("%s of state 0x%x", c.name, c.state)
	if c.name == "play" {
		s += fmt.Sprintf(", move 0x%x", c.move)
	}
	if c.c != nil {
		s += fmt.Sprintf("\nmatch %x, params 0x%x, stakes %s", c.c.MatchID, c.c.Params, decimal(c.c.Stakes))
	}
	if c.stakes != nil {
		s += fmt.Sprintf(", stakes %s", decimal(c.stakes))
	}
	return s
}

// decimal writes amounts by seat.
func decimal(list []uint256.Int) []string {
	said := make([]string, len(list))
	for i := range list {
		said[i] = list[i].Dec()
	}
	return said
}

func (p *pair) start(c *games.Context) ([]byte, error) {
	return p.transition(call{name: "start", c: c},
		func() ([]byte, error) { return p.native.Start(c) },
		func() (evm.Position, error) { return p.contract.Start(c) })
}

func (p *pair) play(c *games.Context, state, move []byte) ([]byte, error) {
	return p.transition(call{name: "play", c: c, state: state, move: move},
		func() ([]byte, error) { return p.native.Play(c, state, move) },
		func() (evm.Position, error) { return p.contract.Play(c, state, move) })
}

func (p *pair) expire(c *games.Context, state []byte) ([]byte, error) {
	return p.transition(call{name: "expire", c: c, state: state},
		func() ([]byte, error) { return p.native.Expire(c, state) },
		func() (evm.Position, error) { return p.contract.Expire(c, state) })
}

// differ fails the test for a difference between the engines, and says what to ask first.
func (p *pair) differ(c call, format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s%v\n%s\nis the .bin newer than the .sol?", p.where, c, fmt.Sprintf(format, args...))
}

func (p *pair) transition(c call, native func() ([]byte, error), contract func() (evm.Position, error)) ([]byte, error) {
	p.t.Helper()
	var next []byte
	err := p.guard(c, func() (err error) { next, err = native(); return err })
	position, contractErr := contract()
	p.used(c, position.Gas)
	if !p.sameErrors(c, err, contractErr) {
		return nil, err
	}
	if !bytes.Equal(next, position.State) {
		p.differ(c, "the engines differ:\n  Go       0x%x\n  contract 0x%x", next, position.State)
	}
	if len(next) > games.MaxState {
		p.t.Fatalf("%s%v\nreturned a state of %d bytes, at most %d are allowed", p.where, c, len(next), games.MaxState)
	}
	p.transitions++
	if seat, err := p.asked(next); err != nil || seat != position.Mover {
		p.differ(c, "the contract returned mover %d with the state 0x%x, whose mover is %d (error %v)", position.Mover, next, seat, err)
	}
	p.reached = &position
	return next, nil
}

// mover asks both engines, but of the state that they have just come to, of which both were asked.
func (p *pair) mover(state []byte) (uint8, error) {
	p.t.Helper()
	if p.reached != nil && bytes.Equal(state, p.reached.State) {
		return p.reached.Mover, nil
	}
	return p.asked(state)
}

func (p *pair) asked(state []byte) (uint8, error) {
	p.t.Helper()
	c := call{name: "mover", state: state}
	var seat uint8
	err := p.guard(c, func() (err error) { seat, err = p.native.Mover(state); return err })
	contractSeat, gas, contractErr := p.contract.Mover(state)
	p.used(c, gas)
	if p.sameErrors(c, err, contractErr) && seat != contractSeat {
		p.differ(c, "the engines differ: Go says seat %d, the contract %d", seat, contractSeat)
	}
	return seat, err
}

func (p *pair) outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	p.t.Helper()
	c := call{name: "outcome", state: state, stakes: stakes}
	var o games.Outcome
	err := p.guard(c, func() (err error) { o, err = p.native.Outcome(state, stakes); return err })
	contractOutcome, gas, contractErr := p.contract.Outcome(state, stakes)
	p.used(c, gas)
	if !p.sameErrors(c, err, contractErr) {
		return o, err
	}
	if !reflect.DeepEqual(o, contractOutcome) { // cmp takes twenty times as long
		p.differ(c, "the engines differ (-Go +contract):\n%s", cmp.Diff(o, contractOutcome))
	}
	p.checkSum(c, o)
	return o, nil
}

func (p *pair) checkSum(c call, o games.Outcome) {
	p.t.Helper()
	if len(o.Payouts) != len(c.stakes) {
		p.t.Fatalf("%s%v\n%d payouts for %d stakes", p.where, c, len(o.Payouts), len(c.stakes))
	}
	var in, out uint256.Int
	for i := range c.stakes {
		in.Add(&in, &c.stakes[i])
		if _, overflow := out.AddOverflow(&out, &o.Payouts[i]); overflow {
			p.t.Fatalf("%s%v\npayouts %v overflow", p.where, c, o.Payouts)
		}
	}
	if !in.Eq(&out) {
		p.t.Fatalf("%s%v\npayouts %v sum to %v, not %v", p.where, c, o.Payouts, &out, &in)
	}
	if o.Guilty>>len(c.stakes) != 0 {
		p.t.Fatalf("%s%v\nguilty mask %b names a seat that is none", p.where, c, o.Guilty)
	}
}

// sameErrors reports whether both engines accepted the call. They must agree on that, and Go must
// say games.ErrIllegal.
func (p *pair) sameErrors(c call, native, contract error) bool {
	p.t.Helper()
	switch {
	case (native == nil) != (contract == nil):
		p.differ(c, "only one engine refuses:\n  Go       %v\n  contract %v", native, contract)
	case native != nil && !errors.Is(native, games.ErrIllegal):
		p.t.Fatalf("%s%v\nan error that does not wrap games.ErrIllegal: %v", p.where, c, native)
	case native != nil:
		p.refused++
	}
	return native == nil
}

// guard calls the Go rules; they must not panic, nor change what they are given.
func (p *pair) guard(c call, run func() error) error {
	p.t.Helper()
	state, move := bytes.Clone(c.state), bytes.Clone(c.move)
	if p.last.Store(&c); p.hanging != nil {
		p.hanging.Reset(longest)
	}
	defer func() {
		if r := recover(); r != nil {
			p.t.Fatalf("%s%v\nGo panics: %v", p.where, c, r)
		}
	}()
	err := run()
	if !bytes.Equal(state, c.state) || !bytes.Equal(move, c.move) {
		p.t.Fatalf("%s%s of state 0x%x, move 0x%x\nGo changed its arguments", p.where, c.name, state, move)
	}
	return err
}

func (p *pair) used(c call, gas uint64) {
	p.t.Helper()
	p.gas[c.name] = max(p.gas[c.name], gas)
	if p.ceiling != 0 && gas > p.ceiling {
		p.t.Fatalf("%s%v\nthe contract used %d gas, at most %d are allowed", p.where, c, gas, p.ceiling)
	}
}
