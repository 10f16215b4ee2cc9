package channel_test

import (
	"cmp"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// ledgersFork proposes several ledgers on the honest seat's newest one and completes one that it
// signed, a few times in a row. Matches go on in between, as far as the honest seat lets them: what
// it signs must be locked in whatever can still be completed.
func (f *forks) ledgersFork() {
	if v, ok := f.anyMatch(f.me()); ok && f.IntN(2) == 0 {
		f.givesUp(&v)
	}
	for range 1 + f.IntN(5) {
		for range 1 + f.IntN(3) {
			f.proposes()
		}
		f.completes()
		if f.IntN(40) == 0 {
			f.postsSigned()
		}
		for _, v := range f.me().Matches() {
			if v.MayMove {
				_ = f.does(f.moves(&v))
			} else if v.Support != nil {
				f.hears(f.other(), message.SyncReply{MatchID: v.ID, Support: f.evidence(&v)})
			}
		}
		_ = f.does(channel.Idle{})
	}
}

// givesUp has the others offer the honest seat all of a match, to which it agrees at once.
func (f *forks) givesUp(v *channel.MatchView) {
	a := protocol.Agreement{MatchID: v.ID, Turn: v.Turn, Payouts: all(v.Terms.Stakes, v.Seat)}
	for i, seat := range v.Terms.Seats {
		if i != v.Seat {
			f.hears(int(seat), message.AgreementSignature{Agreement: a, Seat: uint8(i), Signature: f.sign(int(seat), a.Digest(f.domain))})
		}
	}
}

// incomplete is the ledgers that the honest seat signed above its newest one, by ascending version.
func (f *forks) incomplete() []protocol.Ledger {
	above := f.me().Ledger().Version + 1
	at, _ := slices.BinarySearchFunc(f.ledgers, above, func(l protocol.Ledger, v uint64) int { return cmp.Compare(l.Version, v) })
	return f.ledgers[at:]
}

// completes shows the honest seat a ledger that it signed, a low one above all, with everybody's
// signatures.
func (f *forks) completes() {
	if open := f.incomplete(); len(open) > 0 && !f.settled {
		f.hears(f.other(), message.SyncReply{Ledger: f.signedByAll(open[f.early(len(open))])})
		full := f.me().Ledger()
		f.knows(&full.Ledger)
	}
}

// proposes proposes a ledger that follows the honest seat's, and some of the others may sign it.
func (f *forks) proposes() {
	full, by := f.me().Ledger(), f.other()
	var bookings []protocol.Booking
	for _, k := range full.Locks {
		v, ok := f.me().Match(k.MatchID)
		switch {
		case !ok || f.IntN(2) == 0:
		case v.Agreement != nil:
			bookings = append(bookings, protocol.Booking{MatchID: v.ID, Turn: v.Agreement.Turn, Payouts: v.Agreement.Payouts, Agreement: v.Agreement})
			if int(v.Mover) < len(v.Terms.Seats) && int(v.Mover) != v.Seat {
				by = int(v.Terms.Seats[v.Mover]) // its signature must come first
			}
		case v.Outcome != nil:
			bookings = append(bookings, protocol.Booking{MatchID: v.ID, Turn: v.Turn, Payouts: v.Outcome.Payouts})
		}
	}
	version := f.top + 1 + f.Uint64N(4)
	for int(version)%len(f.seats) != by {
		version++
	}
	var matches []protocol.MatchTerms
	if f.IntN(2) == 0 {
		pair := []uint8{uint8(f.honest), uint8(by)}
		slices.Sort(pair)
		matches = append(matches, protocol.MatchTerms{ChannelID: f.id, Nonce: version << 8, Rules: f.game, Params: f.params(2), Seats: pair, Stakes: numbers(20, 30)})
	}
	seats := func(id common.Hash) []uint8 { return f.view(f.honest, id).Terms.Seats }
	l, err := full.Successor(version, len(bookings) == len(full.Locks) && f.IntN(40) == 0, seats, bookings, matches, f.domain)
	if err != nil {
		return
	}
	p := f.propose(l, full.Version, matches, bookings)
	for i := range p.Signatures {
		if i != f.honest && f.IntN(4) == 0 {
			p.Signatures[i] = f.sign(i, l.Digest(f.domain))
		}
	}
	f.note(p)
	f.hears(by, p)
}

// contests has dishonest seats contest the channel, by any ledger that they can have signed, until
// one is paid out.
func (f *forks) contests() {
	f.t.Helper()
	switch {
	case f.over || f.contest == nil && f.IntN(3) > 0:
	case f.contest == nil && len(f.fulls) > 0 && f.IntN(2) == 0:
		_ = f.posts(f.other(), &f.fulls[f.IntN(len(f.fulls))])
	case f.contest == nil || f.mini.Block() < f.contest.Deadline && f.IntN(2) == 0:
		f.postsSigned()
	case f.mini.Block() < f.contest.Deadline:
		f.finalise()
		f.passes(f.contest.Deadline - f.mini.Block())
		f.tell(f.clock())
	default:
		_ = f.sends(f.other(), onchain.Settle{Terms: f.terms, Ledger: f.contest.Ledger.Ledger})
		f.finalise()
	}
}

// postsSigned contests by a ledger that the honest seat signed, a high one above all, completed.
func (f *forks) postsSigned() {
	if open := f.incomplete(); len(open) > 0 {
		_ = f.posts(f.other(), f.signedByAll(open[f.late(len(open))]))
	}
}

// posts contests the channel by a ledger, or closes it.
func (f *forks) posts(seat int, l *protocol.SignedLedger) error {
	if l.Closing {
		return f.sends(seat, onchain.Close{Terms: f.terms, Ledger: *l})
	}
	sig := f.sign(seat, protocol.Contest{ChannelID: f.id, Version: l.Version}.Digest(f.domain))
	return f.sends(seat, onchain.ContestLedger{Terms: f.terms, Ledger: *l, Seat: uint8(seat), Signature: sig[:]})
}

// rebuts has the honest seat answer a contest with its newest ledger.
func (f *forks) rebuts() {
	f.t.Helper()
	full := f.me().Ledger()
	if f.contest == nil || f.over || f.mini.Block() >= f.contest.Deadline || full.Version <= f.contest.Ledger.Version {
		return
	}
	if err := f.posts(f.honest, &full); err != nil {
		f.t.Fatalf("ledger %d is refused: %v", full.Version, err)
	}
}
