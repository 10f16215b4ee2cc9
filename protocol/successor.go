package protocol

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Why a ledger can't follow another.
var (
	// ErrFunds: a seat's free balance doesn't cover its stake.
	ErrFunds = errors.New("a seat's free balance doesn't cover its stake: choose smaller stakes")
	// ErrBusy: too much at once.
	ErrBusy = errors.New("too many matches or proposals at once: finish some first")
	// ErrLocked: matches run, so the channel can't be closed by consent.
	ErrLocked = errors.New("matches are still running: finish, draw or concede them first")
)

// Booking says why a lock disappears: the match was over at that turn, or ended by an Agreement.
type Booking struct {
	MatchID   common.Hash
	Turn      Turn
	Payouts   []uint256.Int // by seat of the match
	Agreement *SignedAgreement
}

// Successor returns the only ledger of a version that follows a fully signed one by booking some of
// its matches and locking others anew. Whoever signs a ledger computes it and compares.
func (l *Ledger) Successor(version uint64, closing bool, seats func(common.Hash) []uint8, bookings []Booking, matches []MatchTerms, d Domain) (Ledger, error) {
	next := Ledger{ChannelID: l.ChannelID, Version: version, Closing: closing,
		Balances: slices.Clone(l.Balances), Locks: slices.Clone(l.Locks)}
	for i := range bookings {
		if err := next.book(&bookings[i], seats(bookings[i].MatchID)); err != nil {
			return next, err
		}
	}
	for i := range matches {
		if err := next.lock(&matches[i], version<<8|uint64(i), d); err != nil {
			return next, err
		}
	}
	if closing && len(next.Locks) > 0 {
		return next, ErrLocked
	}
	return next, nil
}

// book pays a lock out.
func (l *Ledger) book(b *Booking, seats []uint8) error {
	i := slices.IndexFunc(l.Locks, func(k Lock) bool { return k.MatchID == b.MatchID })
	if i < 0 || len(seats) != len(b.Payouts) {
		return fmt.Errorf("%w: booking of match %s, which isn't locked so", ErrTerms, b.MatchID)
	}
	if err := SameSum(b.Payouts, l.Locks[i].Stakes); err != nil {
		return err
	}
	l.Locks = slices.Delete(l.Locks, i, i+1)
	for i, seat := range seats {
		l.Balances[seat].Add(&l.Balances[seat], &b.Payouts[i])
	}
	return nil
}

// lock takes a new match's stakes from the balances.
func (l *Ledger) lock(m *MatchTerms, nonce uint64, d Domain) error {
	if err := m.Check(len(l.Balances)); err != nil {
		return err
	}
	if m.ChannelID != l.ChannelID || m.Nonce != nonce {
		return fmt.Errorf("%w: a new match of another channel or version", ErrTerms)
	}
	if len(l.Locks) >= MaxLocks {
		return fmt.Errorf("%w: %d matches are locked", ErrBusy, len(l.Locks))
	}
	for i, seat := range m.Seats {
		var left uint256.Int
		if _, short := left.SubOverflow(&l.Balances[seat], &m.Stakes[i]); short {
			return games.Amounts(ErrFunds, fmt.Sprintf(": seat %d", seat)+" has %s in the channel, and its stake is %s", l.Balances[seat].Clone(), m.Stakes[i].Clone())
		}
		l.Balances[seat] = left
	}
	id := m.ID(d)
	at, _ := slices.BinarySearchFunc(l.Locks, id, func(k Lock, id common.Hash) int { return k.MatchID.Cmp(id) })
	l.Locks = slices.Insert(l.Locks, at, Lock{MatchID: id, Stakes: m.Stakes})
	return nil
}
