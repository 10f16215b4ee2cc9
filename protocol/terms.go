package protocol

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// ErrTerms is wrapped by every error about terms, ledgers or match terms that nobody should sign.
var ErrTerms = errors.New("bad terms")

// MaxDeadline is the largest time the Arena can hold (uint48, in its clock's unit).
const MaxDeadline = 1<<48 - 1

// Terms are what a channel is opened under (ChannelTerms in the contracts). They never change.
type Terms struct {
	Players  []common.Address // who owns the money, by seat; EOAs or ERC-1271 wallets
	Signers  []common.Address // the session key of each seat
	Asset    common.Address   // the ERC-20, or zero for ETH
	Deposits []uint256.Int    // wei or token units, by seat
	// time allowed for an answer on-chain, in the Arena's clock (blocks or seconds)
	Window uint64
	// the last moment, in the Arena's clock, at which the channel can be opened
	OpenBy uint64
	Salt   common.Hash
}

var termsType = crypto.Keccak256Hash([]byte(
	"ChannelTerms(address[] players,address[] signers,address asset,uint256[] deposits,uint64 window,uint64 openBy,bytes32 salt)"))

// ID returns the channel's id: the EIP-712 digest of the terms, which is also what each player
// signs to open it.
func (t *Terms) ID(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(termsType).
		Addresses(t.Players).Addresses(t.Signers).Address(t.Asset).Uint256s(t.Deposits).
		Uint64(t.Window).Uint64(t.OpenBy).Hash(t.Salt).Sum())
}

// Seats returns the number of seats.
func (t *Terms) Seats() int { return len(t.Players) }

// SeatOf returns the seat of a player or, where it is none's, of a signer, or -1: anybody may name
// another seat's player as its signer.
func (t *Terms) SeatOf(a common.Address) int {
	if seat := slices.Index(t.Players, a); seat >= 0 {
		return seat
	}
	return slices.Index(t.Signers, a)
}

// Total returns the sum of the deposits.
func (t *Terms) Total() (*uint256.Int, error) { return sum(t.Deposits) }

// Check refuses terms that the Arena would refuse, and no others: see Arena.open. It does not know
// the Arena's window bounds, nor the time.
func (t *Terms) Check() error {
	n := len(t.Players)
	if n < 2 || n > games.MaxSeats {
		return fmt.Errorf("%w: %d seats, want 2 to %d", ErrTerms, n, games.MaxSeats)
	}
	if len(t.Signers) != n || len(t.Deposits) != n {
		return fmt.Errorf("%w: %d players, %d signers, %d deposits", ErrTerms, n, len(t.Signers), len(t.Deposits))
	}
	for i := range n {
		if t.Players[i] == (common.Address{}) || t.Signers[i] == (common.Address{}) {
			return fmt.Errorf("%w: seat %d has a zero address", ErrTerms, i)
		}
		for j := range i {
			if t.Players[i] == t.Players[j] || t.Signers[i] == t.Signers[j] {
				return fmt.Errorf("%w: seats %d and %d are the same account", ErrTerms, j, i)
			}
		}
	}
	if t.Window == 0 || t.Window > MaxDeadline {
		return fmt.Errorf("%w: window %d out of range", ErrTerms, t.Window)
	}
	_, err := t.Total()
	return err
}

func sum(list []uint256.Int) (*uint256.Int, error) {
	total := new(uint256.Int)
	for i := range list {
		if _, overflow := total.AddOverflow(total, &list[i]); overflow {
			return nil, fmt.Errorf("%w: amounts overflow 256 bits", ErrTerms)
		}
	}
	return total, nil
}
