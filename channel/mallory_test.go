package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// What a dishonest seat can do: sign anything with its key, and say anything to anybody.

func (tb *table) sign(seat int, digest common.Hash) protocol.Signature {
	tb.t.Helper()
	sig, err := tb.keys[seat].Sign(digest)
	if err != nil {
		tb.t.Fatal(err)
	}
	return sig
}

func (tb *table) signPosition(seat int, id common.Hash, turn protocol.Turn, state []byte) protocol.Signature {
	return tb.sign(seat, protocol.Position{MatchID: id, Turn: turn, State: protocol.StateHash(state)}.Digest(tb.domain))
}

// says delivers a message of a dishonest seat at once and returns why it was refused, if so.
func (tb *table) says(from, to int, msg message.Message) error {
	return tb.step(to, channel.Received{From: from, Message: msg})
}

// signedByAll is a ledger that every seat signed, in whatever way.
func (tb *table) signedByAll(l protocol.Ledger) *protocol.SignedLedger {
	out := &protocol.SignedLedger{Ledger: l}
	for seat := range tb.seats {
		out.Signatures = append(out.Signatures, tb.sign(seat, l.Digest(tb.domain)))
	}
	return out
}

// remembers writes a ledger into a seat's records as the highest that it signed.
func (tb *table) remembers(i int, l *protocol.Ledger) {
	tb.t.Helper()
	digest := l.Digest(tb.domain)
	events := tb.seats[i].events
	tb.reload(i, change(tb.t, tb.records(i), "channel", &antev1.ChannelRecord{}, func(r *antev1.ChannelRecord) {
		r.SignedVersion, r.SignedDigest = l.Version, digest[:]
	}))
	tb.seats[i].events = events
}

// completed is a proposal with the signatures of all seats, as a peer shows it that has more.
func (tb *table) completed(p message.Propose) message.SyncReply {
	return message.SyncReply{Ledger: tb.signedByAll(p.Ledger), Matches: p.Matches}
}

// signedAgreement is an agreement with the signatures of these seats of the channel.
func (tb *table) signedAgreement(a protocol.Agreement, seats ...int) *protocol.SignedAgreement {
	out := &protocol.SignedAgreement{Agreement: a}
	for _, seat := range seats {
		out.Signatures = append(out.Signatures, tb.sign(seat, a.Digest(tb.domain)))
	}
	return out
}

// answers takes the messages that a seat has sent out of the queue.
func (tb *table) answers(from int) (out []message.Message) {
	kept := tb.queue[:0]
	for _, p := range tb.queue {
		if p.from == from {
			out = append(out, p.msg)
		} else {
			kept = append(kept, p)
		}
	}
	tb.queue = kept
	return out
}

func only[M message.Message](list []message.Message) (out []M) {
	for _, m := range list {
		if m, ok := m.(M); ok {
			out = append(out, m)
		}
	}
	return out
}

// propose makes a proposal as a dishonest seat would: any ledger, signed by the seat whose version
// it is.
func (tb *table) propose(l protocol.Ledger, base uint64, matches []protocol.MatchTerms, bookings []protocol.Booking) message.Propose {
	proposer := int(l.Version) % len(tb.seats)
	p := message.Propose{Ledger: l, Base: base, Matches: matches, Bookings: bookings, Signatures: make([]protocol.Signature, len(tb.seats))}
	p.Signatures[proposer] = tb.sign(proposer, l.Digest(tb.domain))
	return p
}

// lockLedger makes the ledger after another that locks one match of all seats.
func (tb *table) lockLedger(after protocol.Ledger, version, stake uint64) (protocol.Ledger, protocol.MatchTerms) {
	terms := protocol.MatchTerms{ChannelID: tb.id, Nonce: version << 8, Rules: toyAddress}
	l := protocol.Ledger{ChannelID: tb.id, Version: version, Locks: append([]protocol.Lock(nil), after.Locks...)}
	for i := range tb.seats {
		terms.Seats = append(terms.Seats, uint8(i))
		terms.Stakes = append(terms.Stakes, *uint256.NewInt(stake))
		b := after.Balances[i]
		b.Sub(&b, uint256.NewInt(stake))
		l.Balances = append(l.Balances, b)
	}
	l.Locks = append(l.Locks, protocol.Lock{MatchID: terms.ID(tb.domain), Stakes: terms.Stakes})
	slices.SortFunc(l.Locks, func(a, b protocol.Lock) int { return a.MatchID.Cmp(b.MatchID) })
	return l, terms
}

func (tb *table) judge(terms protocol.MatchTerms) *protocol.Judge {
	tb.t.Helper()
	j, err := protocol.NewJudge(tb.domain, &tb.terms, &terms, toyRules{})
	if err != nil {
		tb.t.Fatal(err)
	}
	return j
}

// play returns the state after a move, whoever made it.
func play(t testing.TB, state []byte, move ...byte) []byte {
	t.Helper()
	next, err := toyRules{}.Play(nil, state, move)
	if err != nil {
		t.Fatal(err)
	}
	return next
}
