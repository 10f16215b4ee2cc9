package money

import "github.com/holiman/uint256"

// House is what a house lends at most, in wei or token units.
type House struct {
	Channels int         // at once
	Opening  int         // of these, that are accepted and not on the chain yet
	Each     int         // of those, with one player
	Exposure uint256.Int // locked in all channels together
	Deposit  uint256.Int // locked in one
}

// Loan is a channel that a player asks a house to open, and what the house has already committed.
type Loan struct {
	// in the channel that is asked for: the house's, and the player's who opens it
	Deposit, Theirs uint256.Int
	Has             uint256.Int // what that player could deposit now
	// until when the channel may be opened, in the Arena's clock from now
	Left   uint64
	Window uint64 // of the channel, in the Arena's clock

	Channels, Opening, Each int // what House limits, as it stands
	// in all channels, those that are not on the chain yet included
	Locked uint256.Int
}

// Refusal is why a house does not lend; Lent if it does.
type Refusal int

// Why a house does not lend.
const (
	Lent      Refusal = iota
	TooMuch           // the deposit is above what it locks in one channel
	Full              // no place is left
	Crowded           // too many channels wait to be opened
	Waiting           // too many of them with this player
	TooLate           // the channel could be opened too long from now
	Exhausted         // all together would be above the exposure
	Penniless         // the player has not what it is to deposit
)

// Lend decides about a channel. A channel that somebody only promises to open occupies a place, so
// such places are few, short, and only for players who have the money.
func (h House) Lend(l Loan) Refusal {
	locked, overflow := new(uint256.Int).AddOverflow(&l.Locked, &l.Deposit)
	switch {
	case l.Deposit.Gt(&h.Deposit):
		return TooMuch
	case l.Left > OpenWithin(l.Window)+Soon:
		return TooLate
	case l.Channels >= h.Channels:
		return Full
	case l.Each >= h.Each:
		return Waiting
	case l.Opening >= h.Opening:
		return Crowded
	case overflow || locked.Gt(&h.Exposure):
		return Exhausted
	case l.Has.Lt(&l.Theirs):
		return Penniless
	}
	return Lent
}

// Soon is how long anybody has to open a channel, in the Arena's clock, however short its window
// is, and how far the clocks of two nodes may be apart.
const Soon = 20

// OpenWithin is how long a signed opening should stay valid, on the Arena's clock: a quarter of the
// window, which is enough for a transaction. The deposit is promised for that long.
func OpenWithin(window uint64) uint64 { return max(window/4, min(window, Soon)) }
