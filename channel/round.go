package channel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Round is what a house organises: players register with a bet, are grouped in twos by the hash of a block that comes after
// the registration, and each two play one match with the house as the third seat.
type Round struct {
	House   common.Address // who signs it, and has seat 0 in every channel
	Rules   common.Address
	Params  []byte // the game's own encoding
	Asset   common.Address
	Least   uint256.Int // bet, wei or token units
	Most    uint256.Int
	Window  uint64 // of the channels, in the Arena's clock
	Closes  uint64 // block from which on nobody registers any more
	Shuffle uint64 // block whose hash shuffles the players: later than Closes, so that the list is sealed before it is known
	Salt    common.Hash
}

// Registration is a player's registration.
type Registration struct {
	Player    common.Address
	Bet       uint256.Int
	Signature Signature     // of Registration{round, player, bet}
	Deputy    *SignedDeputy `json:",omitempty"` // if it signed
}

// Same reports whether two registrations are the same player's of the same bet.
func (e *Registration) Same(o *Registration) bool { return e.Player == o.Player && e.Bet.Eq(&o.Bet) }

// MaxRegistrations is the most players of a round.
const MaxRegistrations = 256

var (
	roundType = crypto.Keccak256Hash([]byte("Round(address house,address rules,bytes params,address asset,uint256 least," +
		"uint256 most,uint64 window,uint64 closes,uint64 shuffle,bytes32 salt)"))
	registrationType = crypto.Keccak256Hash([]byte("Registration(bytes32 round,address player,uint256 bet)"))
	sealType         = crypto.Keccak256Hash([]byte("RoundSeal(bytes32 round,bytes32 entries)"))
)

// ID returns the round's id, which is also what its house signs.
func (r *Round) ID(d Domain) common.Hash {
	return d.digest(newEncoder(roundType).address(r.House).address(r.Rules).bytes(r.Params).address(r.Asset).uint256(&r.Least).
		uint256(&r.Most).uint64(r.Window).uint64(r.Closes).uint64(r.Shuffle).hash(r.Salt).sum())
}

// Check refuses rounds that make no sense.
func (r *Round) Check() error {
	switch {
	case r.House == (common.Address{}) || r.Rules == (common.Address{}):
		return fmt.Errorf("%w: a round without a house or a game", ErrTerms)
	case r.Most.Lt(&r.Least):
		return fmt.Errorf("%w: bets of at least %s and at most %s", ErrTerms, r.Least.Dec(), r.Most.Dec())
	case r.Window == 0 || r.Window > MaxDeadline:
		return fmt.Errorf("%w: a window of %d", ErrTerms, r.Window)
	case r.Shuffle <= r.Closes || r.Shuffle > MaxDeadline:
		return fmt.Errorf("%w: the block that shuffles, %d, must come after the one that closes the registration, %d", ErrTerms, r.Shuffle, r.Closes)
	}
	return nil
}

// RegistrationDigest is what a player signs.
func RegistrationDigest(d Domain, round common.Hash, player common.Address, bet *uint256.Int) common.Hash {
	return d.digest(newEncoder(registrationType).hash(round).address(player).uint256(bet).sum())
}

// SealDigest is what the house signs when the registration is over: from then on the list can't be changed unnoticed.
func SealDigest(d Domain, round common.Hash, entries []Registration) common.Hash {
	return d.digest(newEncoder(sealType).hash(round).hash(entriesHash(entries)).sum())
}

// entriesHash is keccak256 over the players and bets, 20 and 32 bytes each.
func entriesHash(entries []Registration) common.Hash {
	var b []byte
	for i := range entries {
		bet := entries[i].Bet.Bytes32()
		b = append(append(b, entries[i].Player[:]...), bet[:]...)
	}
	return crypto.Keccak256Hash(b)
}

// CheckRegistration refuses a registration that the round has no place for, or that isn't signed in its player's name.
func (r *Round) CheckRegistration(a Authority, e *Registration) error {
	switch {
	case e.Player == r.House || e.Player == (common.Address{}):
		return fmt.Errorf("%w: the house does not play in its own round", ErrTerms)
	case e.Bet.Lt(&r.Least) || e.Bet.Gt(&r.Most):
		return fmt.Errorf("%w: a bet of %s, want %s to %s", ErrTerms, e.Bet.Dec(), r.Least.Dec(), r.Most.Dec())
	}
	return a.Spoken(e.Player, RegistrationDigest(a.Domain, r.ID(a.Domain), e.Player, &e.Bet), e.Signature, e.Deputy)
}

// CheckRegistrations checks a whole list: each entry, and that the players ascend, so that there is one order and nobody twice.
// That a deputy was appointed is for the house to check when the player registers, and not again: it may expire, and a contract
// wallet may say something else later, which must not spoil the list for all the others.
func (r *Round) CheckRegistrations(a Authority, entries []Registration) error {
	a.Now, a.Wallets = 0, func(common.Address, common.Hash, []byte) error { return nil }
	for i := range entries {
		if i > 0 && bytes.Compare(entries[i-1].Player[:], entries[i].Player[:]) >= 0 {
			return fmt.Errorf("%w: the players of a round must ascend", ErrTerms)
		}
		if err := r.CheckRegistration(a, &entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// Shuffle groups the entries of a sealed list by the hash of the round's block: each two in a row play together, an odd one
// out comes last. Anybody who has the list and the chain can do it again: the order is that of a Fisher-Yates shuffle of the
// ascending list, whose i-th draw, from the last place down, is keccak256(seed ‖ i) modulo i+1, with i as 8 bytes, and whose
// seed is keccak256(block hash ‖ round id ‖ entries hash).
func Shuffle(roundID, block common.Hash, entries []Registration) []Registration {
	sealed := entriesHash(entries)
	seed := crypto.Keccak256(block[:], roundID[:], sealed[:])
	list := slices.Clone(entries)
	for i := len(list) - 1; i > 0; i-- {
		var draw, n uint256.Int
		draw.SetBytes(crypto.Keccak256(seed, binary.BigEndian.AppendUint64(nil, uint64(i))))
		j := draw.Mod(&draw, n.SetUint64(uint64(i+1))).Uint64()
		list[i], list[j] = list[j], list[i]
	}
	return list
}
