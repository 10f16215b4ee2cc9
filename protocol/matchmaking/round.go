package matchmaking

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Round is an organised round: players register with a stake, and each group of them plays one
// match with the house, which has seat 0. With Shuffle the hash of a block after the registration
// makes the groups; without it the round is a table: one group of those who register first.
type Round struct {
	House  common.Address // who signs it, and has seat 0 in every channel
	Rules  common.Address
	Params []byte // the game's own encoding
	Asset  common.Address
	Least  uint256.Int // stake of a player, wei or token units
	Most   uint256.Int
	Fewest uint8  // players of a group
	Seats  uint8  // the most players of a group, the house not counted
	Window uint64 // of the channels, in the Arena's clock
	Closes uint64 // block from which on nobody registers any more
	// block whose hash shuffles the players: later than Closes, so that the list is sealed before
	// it is known; 0: a table
	Shuffle uint64
	// blocks from then on in which no channel is opened, so that the players can study what they
	// will play for; none at a table
	Study uint64
	Salt  common.Hash
}

// Registration is a player's registration.
type Registration struct {
	Player    common.Address
	Stake     uint256.Int
	Referrer  common.Address         // at a table: another player of it; zero for the house
	Signature protocol.Signature     // of Registration{round, player, stake, referrer}
	Deputy    *protocol.SignedDeputy `json:",omitempty"` // if it signed
}

// Same reports whether two registrations are the same player's, with the same stake and referrer.
func (e *Registration) Same(o *Registration) bool {
	return e.Player == o.Player && e.Stake.Eq(&o.Stake) && e.Referrer == o.Referrer
}

const (
	// MaxRegistrations is the most players of a round.
	MaxRegistrations = 256
	// MaxGroup is the most players of a group: the house has a seat, too.
	MaxGroup = games.MaxSeats - 1
)

var (
	roundType = crypto.Keccak256Hash([]byte("Round(address house,address rules,bytes params,address asset,uint256 least," +
		"uint256 most,uint8 fewest,uint8 seats,uint64 window,uint64 closes,uint64 shuffle,uint64 study,bytes32 salt)"))
	registrationType = crypto.Keccak256Hash([]byte("Registration(bytes32 round,address player,uint256 stake,address referrer)"))
	sealType         = crypto.Keccak256Hash([]byte("RoundSeal(bytes32 round,bytes32 entries)"))
)

// ID returns the round's id, which is also what its house signs.
func (r *Round) ID(d protocol.Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(roundType).Address(r.House).Address(r.Rules).Bytes(r.Params).Address(r.Asset).Uint256(&r.Least).
		Uint256(&r.Most).Uint64(uint64(r.Fewest)).Uint64(uint64(r.Seats)).Uint64(r.Window).Uint64(r.Closes).Uint64(r.Shuffle).Uint64(r.Study).Hash(r.Salt).Sum())
}

// Check refuses rounds that make no sense.
func (r *Round) Check() error {
	switch {
	case r.House == (common.Address{}) || r.Rules == (common.Address{}):
		return fmt.Errorf("%w: a round without a house or a game", protocol.ErrTerms)
	case r.Most.Lt(&r.Least):
		return games.Amounts(protocol.ErrTerms, ": stakes of at least %s and at most %s", &r.Least, &r.Most)
	case r.Window == 0 || r.Window > protocol.MaxDeadline:
		return fmt.Errorf("%w: a window of %d", protocol.ErrTerms, r.Window)
	case r.Fewest == 0 || r.Fewest > r.Seats || r.Seats > MaxGroup:
		return fmt.Errorf("%w: %d to %d players, want 1 to %d", protocol.ErrTerms, r.Fewest, r.Seats, MaxGroup)
	case r.Table() && r.Study > 0:
		return fmt.Errorf("%w: a table opens its channel at once: it has no time for study", protocol.ErrTerms)
	case r.Table() && r.Closes <= protocol.MaxDeadline:
	case r.Shuffle <= r.Closes || r.Shuffle > protocol.MaxDeadline:
		return fmt.Errorf("%w: the block that shuffles, %d, must come after the one that closes the registration, %d", protocol.ErrTerms, r.Shuffle, r.Closes)
	case r.Study > protocol.MaxDeadline-r.Shuffle:
		return fmt.Errorf("%w: a study of %d blocks", protocol.ErrTerms, r.Study)
	}
	return nil
}

// Begins is the block from which on channels are opened.
func (r *Round) Begins() uint64 { return r.Shuffle + r.Study }

// Table reports whether all who register play one match, rather than being shuffled into groups.
func (r *Round) Table() bool { return r.Shuffle == 0 }

// Room is how many players may register.
func (r *Round) Room() int {
	if r.Table() {
		return int(r.Seats)
	}
	return MaxRegistrations
}

// Digest is what the player signs.
func (e *Registration) Digest(d protocol.Domain, round common.Hash) common.Hash {
	return d.Digest(eip712.NewEncoder(registrationType).Hash(round).Address(e.Player).Uint256(&e.Stake).Address(e.Referrer).Sum())
}

// SealDigest is what the house signs when the registration is over: from then on the list can't be
// changed unnoticed.
func SealDigest(d protocol.Domain, round common.Hash, entries []Registration) common.Hash {
	return d.Digest(eip712.NewEncoder(sealType).Hash(round).Hash(entriesHash(entries)).Sum())
}

// entriesHash is keccak256 over the players, stakes and referrers, 20, 32 and 20 bytes each.
func entriesHash(entries []Registration) common.Hash {
	var b []byte
	for i := range entries {
		stake := entries[i].Stake.Bytes32()
		b = append(append(append(b, entries[i].Player[:]...), stake[:]...), entries[i].Referrer[:]...)
	}
	return crypto.Keccak256Hash(b)
}

// CheckRegistration refuses a registration that the round has no place for, or that isn't signed in
// its player's name.
func (r *Round) CheckRegistration(a protocol.Authority, e *Registration) error {
	switch {
	case e.Player == r.House || e.Player == (common.Address{}):
		return fmt.Errorf("%w: the house does not play in its own round", protocol.ErrTerms)
	case e.Stake.Lt(&r.Least) || e.Stake.Gt(&r.Most):
		return games.Amounts(protocol.ErrTerms, ": a stake of %s, want %s to %s", &e.Stake, &r.Least, &r.Most)
	case e.Referrer != (common.Address{}) && (!r.Table() || e.Referrer == e.Player || e.Referrer == r.House):
		return fmt.Errorf("%w: a referrer is another player of the same table", protocol.ErrTerms)
	}
	return a.Spoken(e.Player, e.Digest(a.Domain, r.ID(a.Domain)), e.Signature, e.Deputy)
}

// CheckRegistrations checks a whole list: each entry, that it is not too long, that every referrer
// is registered, and that the players ascend, so that there is one order and nobody twice. That a
// deputy was appointed is for the house to check when the player registers, and not again: it may
// expire, and a contract wallet may say something else later, which must not spoil the list for all
// the others. Entries that were checked before, byte by byte, are not checked again.
func (r *Round) CheckRegistrations(a protocol.Authority, checked, entries []Registration) error {
	a.Now, a.Wallets = 0, func(common.Address, common.Hash, []byte) error { return nil }
	if len(entries) > r.Room() {
		return fmt.Errorf("%w: %d players, there is room for %d", protocol.ErrTerms, len(entries), r.Room())
	}
	for i := range entries {
		if of := entries[i].Referrer; of != (common.Address{}) && !Registered(entries, of) {
			return fmt.Errorf("%w: the referrer %s is not registered", protocol.ErrTerms, of)
		}
		if i > 0 && bytes.Compare(entries[i-1].Player[:], entries[i].Player[:]) >= 0 {
			return fmt.Errorf("%w: the players of a round must ascend", protocol.ErrTerms)
		}
		if in(checked, &entries[i]) {
			continue
		}
		if err := r.CheckRegistration(a, &entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// Unchecked counts the entries of a list that CheckRegistrations still has to check, given those
// checked before.
func Unchecked(checked, entries []Registration) (count int) {
	for i := range entries {
		if !in(checked, &entries[i]) {
			count++
		}
	}
	return count
}

// in reports whether an ascending list has an entry, with the same signatures.
func in(list []Registration, e *Registration) bool {
	at, found := slices.BinarySearchFunc(list, e.Player, func(e Registration, player common.Address) int { return e.Player.Cmp(player) })
	return found && list[at].Same(e) && list[at].Signature == e.Signature && list[at].Deputy.Equal(e.Deputy)
}

// Registered reports whether a player is in a list.
func Registered(entries []Registration, player common.Address) bool {
	return slices.ContainsFunc(entries, func(e Registration) bool { return e.Player == player })
}

// Groups are the players of each match, in the order of their seats: those who come one after the
// other in the list, which at a table is the sealed one, in ascending order, and otherwise the
// shuffled one. Too few at the end are left over.
func (r *Round) Groups(list []Registration) (groups [][]Registration) {
	for group := range slices.Chunk(list, int(max(r.Seats, 1))) {
		if len(group) >= int(r.Fewest) {
			groups = append(groups, group)
		}
	}
	return groups
}

// Shuffle orders the entries of a sealed list by the hash of the round's block. Anybody who has the
// list and the chain can do it again: the order is that of a Fisher-Yates shuffle of the ascending
// list, whose i-th draw, from the last place down, is keccak256(seed ‖ i) modulo i+1, with i as 8
// bytes, and whose seed is keccak256(block hash ‖ round id ‖ entries hash).
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
