package channel

import (
	"errors"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

const (
	// allowance is the work that a seat may give us from one Tick to the next, in signatures to
	// verify: about a tenth of a second of one core. An honest seat that catches up needs a small
	// part of it; the rest comes after the next Tick, when both sides compare their versions and
	// turns again.
	allowance = 2048
	// offerWork is what an offered agreement counts for: we store it and tell the user, and it
	// costs its sender only a signature.
	offerWork = 64
	// answerBytes is how many bytes of an answer count for as much as a signature.
	answerBytes = 4 << 10
	// maxFaults caps the messages of a seat that break the protocol from one Tick to the next,
	// because we pay for finding out: we replay a move from bytecode. Until the next Tick its other
	// messages are refused unread.
	maxFaults = 32
)

// work returns the cost of handling a message, beyond reading it. A message with one signature
// costs its sender as much as us, so it counts as 0, unless we write down what it says each time.
func work(msg message.Message) (n int) {
	switch msg := msg.(type) {
	case message.Sync, message.Approve, message.Reject:
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

// weight returns the cost of writing messages.
func weight(sent []Outgoing) (n int) {
	for i := range sent {
		n += 1 + proto.Size(message.Envelope(common.Hash{}, sent[i].Message))/answerBytes
	}
	return n
}

// changes counts the signatures in a proposal, and the terms that our policy examines.
func changes(p *message.Propose) int { return len(p.Signatures) + len(p.Matches) + len(p.Bookings) }

// charge adds the cost of a message and of our answer to its sender's account, whether or not the
// message was useful. A Tick or a restart resets all accounts: they are not stored.
func (m *Machine) charge(in Input, err error, sent []Outgoing) {
	switch in := in.(type) {
	case Tick:
		clear(m.used)
		clear(m.faults)
	case Received:
		if errors.Is(err, ErrPeer) && in.From >= 0 && in.From < len(m.faults) {
			m.faults[in.From]++
		}
		if n := work(in.Message); n > 0 && in.From >= 0 && in.From < len(m.used) && !errors.Is(err, ErrFlood) {
			m.used[in.From] += n + weight(sent)
		}
	}
}
