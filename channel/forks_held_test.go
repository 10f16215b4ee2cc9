package channel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// does gives the honest seat an input, and holds it to what comes of it.
func (f *forks) does(in channel.Input) error {
	f.t.Helper()
	fx, err := f.me().Step(in)
	if testing.Verbose() {
		f.t.Logf("%T %.400s: %v", in, fmt.Sprintf("%+v", in), err)
	}
	if err != nil {
		f.excused(in, err)
		return err
	}
	f.persist(f.honest, fx)
	f.audit.heard(f.table, fx.Events)
	for _, e := range fx.Events {
		f.told(e)
	}
	for _, o := range fx.Messages {
		f.audit.released(f.table, f.honest, o.Message)
		f.note(o.Message)
		f.binds(o.Message)
		f.queue = append(f.queue, packet{f.honest, o.To, o.Message})
	}
	switch f.IntN(24) {
	case 0:
		f.restart(f.honest)
		f.must(f.honest, f.clock())
	case 1, 2, 3:
		f.check(f.honest)
	}
	return nil
}

// told holds that the honest seat is told of no fault of its own.
func (f *forks) told(e channel.Event) {
	f.t.Helper()
	switch e := e.(type) {
	case channel.OldCopyFound:
		f.t.Fatalf("the honest seat is taken for an old copy: %+v", e)
	case channel.SeatEquivocated:
		if v := f.view(f.honest, e.Proof.MatchID); int(v.Terms.Seats[e.Proof.Seat]) == f.honest {
			f.t.Fatalf("the honest seat is accused: %+v", e)
		}
	case channel.LedgerSigned:
		f.fulls = append(f.fulls, e.Ledger)
	}
}

// excused holds that what is no wish of the user is refused for a peer's fault only.
func (f *forks) excused(in channel.Input, err error) {
	f.t.Helper()
	switch in.(type) {
	case channel.Received:
		ended := errors.Is(err, channel.ErrFrozen) && f.me().Phase() == channel.Ended
		if !ended && !errors.Is(err, channel.ErrPeer) && !errors.Is(err, channel.ErrFlood) {
			f.t.Fatalf("%T is refused: %v", in, err)
		}
	case channel.ChainSeen, channel.ChainUndone, channel.ClockAt, channel.Connected, channel.Tick, channel.Idle, channel.Hold:
		f.t.Fatalf("%T is refused: %v", in, err)
	}
}

// note keeps which ledgers there are.
func (f *forks) note(m message.Message) {
	switch m := m.(type) {
	case message.Propose:
		f.known[m.Ledger.Digest(f.domain)] = m.Ledger
		f.top = max(f.top, m.Ledger.Version)
	case message.SyncReply:
		if m.Pending != nil {
			f.note(*m.Pending)
		}
	}
}

// binds notes what the honest seat signed in a message, and holds that it may.
func (f *forks) binds(m message.Message) {
	f.t.Helper()
	switch m := m.(type) {
	case message.Propose:
		if m.Signatures[f.honest] != (protocol.Signature{}) {
			f.ledger(m.Ledger)
		}
	case message.Approve:
		l, ok := f.known[m.Digest]
		if !ok {
			f.t.Fatalf("an unknown ledger %d is signed", m.Version)
		}
		f.ledger(l)
		for _, c := range m.Starts {
			f.position(c.MatchID, c.Turn)
		}
	case message.Move:
		if m.First != nil {
			f.position(m.MatchID, 0)
		}
		f.position(m.MatchID, m.Turn)
	case message.Countersign:
		f.position(m.MatchID, m.Turn)
	case message.SyncReply:
		if m.Pending != nil {
			f.binds(*m.Pending)
		}
	}
}

// ledger notes a ledger that the honest seat signed.
func (f *forks) ledger(l protocol.Ledger) {
	if n := len(f.ledgers); n == 0 || f.ledgers[n-1].Version < l.Version {
		f.ledgers = append(f.ledgers, l)
	}
}

// position holds that whatever ledger is paid out in the end locks the match of a new position.
func (f *forks) position(id common.Hash, turn protocol.Turn) {
	f.t.Helper()
	mark := protocol.MarkOf(turn)
	if mark <= f.marks[id] {
		return
	}
	f.marks[id] = mark
	full := f.me().Ledger()
	for _, l := range append([]protocol.Ledger{full.Ledger}, f.incomplete()...) {
		if !f.settled && l.Lock(id) == nil {
			f.t.Fatalf("turn %s of match %s is signed, which ledger %d, signed above %d, does not lock", turn, short(id), l.Version, full.Version)
		}
	}
}

// knows holds that the honest seat knows each match of a ledger that may be paid out, with evidence
// and with what it signed.
func (f *forks) knows(l *protocol.Ledger) {
	f.t.Helper()
	for _, k := range l.Locks {
		v, ok := f.me().Match(k.MatchID)
		if !ok || !v.Locked || v.Seat >= 0 && v.Support == nil {
			f.t.Fatalf("match %s of ledger %d is known %v, locked %v", short(k.MatchID), l.Version, ok, v.Locked)
		}
		if mark := f.marks[k.MatchID]; v.Mark < mark {
			f.t.Fatalf("match %s is signed up to turn %s, not %s", short(k.MatchID), upTo(mark), upTo(v.Mark))
		}
	}
}
