package channel

import (
	"errors"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

const (
	// allowance is the work that a seat may give us from one Tick to the next, in signatures to
	// verify: about a tenth of a second of one core. What honest seats have to catch up on fits
	// many times over; what doesn't comes again after the next Tick, when both sides say again how
	// far they are.
	allowance = 2048
	// offerWork is what an offered agreement counts for: it is written down and told to the user,
	// and costs its sender only a signature.
	offerWork = 64
	// maxFaults caps the messages that break the protocol and that a seat may send from one Tick to
	// the next: the cost of finding out, a move replayed from bytecode, is ours. What else it sends
	// is refused unseen until the next Tick.
	maxFaults = 32
)

// work returns how much a message makes us do beyond looking at it. Messages of one signature cost
// their sender as much as us, and count for nothing.
func work(msg message.Message) (n int) {
	switch msg := msg.(type) {
	case message.Sync:
		return 1
	case message.Propose:
		return changes(&msg)
	case message.AgreementSignature:
		return offerWork
	case message.SyncReply:
		n = 1 + offerWork*len(msg.Agreements)
		if msg.Ledger != nil {
			n += len(msg.Ledger.Signatures)
		}
		if msg.Pending != nil {
			n += changes(msg.Pending)
		}
		if msg.Support != nil {
			n += len(msg.Support.Signatures) + protocol.MoveWork*len(msg.Support.Moves)
		}
	}
	return n
}

// changes counts the signatures that a proposal comes with, and the terms that our policy looks at.
func changes(p *message.Propose) int { return len(p.Signatures) + len(p.Matches) + len(p.Bookings) }

// charge counts what a message made us do, of use or not: what it says, and what it made us send. A
// Tick gives everybody the whole allowance again, and so does a restart: it is nothing that is
// kept.
func (m *Machine) charge(in Input, err error, sent int) {
	switch in := in.(type) {
	case Tick:
		clear(m.used)
		clear(m.faults)
	case Received:
		if errors.Is(err, ErrPeer) && in.From >= 0 && in.From < len(m.faults) {
			m.faults[in.From]++
		}
		if n := work(in.Message); n > 0 && in.From >= 0 && in.From < len(m.used) && !errors.Is(err, ErrFlood) {
			m.used[in.From] += n + sent
		}
	}
}
