package matchmaking

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Invite is what a player shows to others to find an opponent: a match of two that it would play,
// for how much, with whom and until when. It locks nothing and binds nobody; the opening of a
// channel does.
type Invite struct {
	Player common.Address // who signs it and would play
	Rules  common.Address // the game's rules contract
	Params []byte         // the game's own encoding
	Asset  common.Address // of the stakes: an ERC-20, or zero for ETH
	Least  uint256.Int    // stake of each of the two, wei or token units
	Most   uint256.Int    // the same
	// what each locks where a channel has to be opened for it; zero: the stake that is agreed on
	Deposit   uint256.Int
	Window    uint64           // of that channel, in the Arena's clock
	Guests    []common.Address // who may join; none: anybody
	Expiry    uint64           // Unix seconds
	Addresses []string         // where the player's node can be reached: multiaddrs
	Salt      common.Hash
}

// Caps of an invite. They keep a page of a lobby well below the size of a message.
const (
	MaxGuests       = 16
	MaxInviteParams = 1024 // bytes
	MaxAddresses    = 8    // each of at most MaxText bytes
)

var inviteType = crypto.Keccak256Hash([]byte("Invite(address player,address rules,bytes params,address asset,uint256 least," +
	"uint256 most,uint256 deposit,uint64 window,address[] guests,uint64 expiry,string[] addresses,bytes32 salt)"))

// ID returns the invite's id, which is also what its player signs. It binds everything in the
// invite.
func (i *Invite) ID(d protocol.Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(inviteType).Address(i.Player).Address(i.Rules).Bytes(i.Params).Address(i.Asset).Uint256(&i.Least).
		Uint256(&i.Most).Uint256(&i.Deposit).Uint64(i.Window).Addresses(i.Guests).Uint64(i.Expiry).Strings(i.Addresses).Hash(i.Salt).Sum())
}

// Public reports whether anybody may join.
func (i *Invite) Public() bool { return len(i.Guests) == 0 }

// Invites reports whether an account may join.
func (i *Invite) Invites(account common.Address) bool {
	return account != i.Player && (i.Public() || slices.Contains(i.Guests, account))
}

// Check refuses an invite that makes no sense, or is too large to be passed on.
func (i *Invite) Check() error {
	switch {
	case i.Player == (common.Address{}) || i.Rules == (common.Address{}):
		return fmt.Errorf("%w: an invite without a player or a game", protocol.ErrTerms)
	case len(i.Params) > MaxInviteParams:
		return fmt.Errorf("%w: %d bytes of parameters, at most %d", protocol.ErrTerms, len(i.Params), MaxInviteParams)
	case i.Most.Lt(&i.Least):
		return games.Amounts(protocol.ErrTerms, ": a stake of at least %s and at most %s", &i.Least, &i.Most)
	case !i.Deposit.IsZero() && i.Deposit.Lt(&i.Most):
		return games.Amounts(protocol.ErrTerms, ": a deposit of %s for a stake of up to %s", &i.Deposit, &i.Most)
	case i.Window == 0 || i.Window > protocol.MaxDeadline:
		return fmt.Errorf("%w: a window of %d", protocol.ErrTerms, i.Window)
	case len(i.Guests) > MaxGuests || slices.Contains(i.Guests, common.Address{}) || slices.Contains(i.Guests, i.Player):
		return fmt.Errorf("%w: the guests must be at most %d other players", protocol.ErrTerms, MaxGuests)
	case len(i.Addresses) > MaxAddresses:
		return fmt.Errorf("%w: %d addresses, at most %d", protocol.ErrTerms, len(i.Addresses), MaxAddresses)
	}
	for _, a := range i.Addresses {
		if len(a) > protocol.MaxText || !utf8.ValidString(a) {
			return fmt.Errorf("%w: an address of more than %d bytes of UTF-8", protocol.ErrTerms, protocol.MaxText)
		}
	}
	return nil
}

// SignedInvite is an invite with the signature of its player or of the player's deputy.
type SignedInvite struct {
	Invite
	Signature protocol.Signature
	Deputy    *protocol.SignedDeputy `json:",omitempty"`
}

// Verify checks everything about an invite but that it has not expired: that it makes sense, and
// that it is signed in its player's name for this chain and Arena.
func (i *SignedInvite) Verify(a protocol.Authority) error {
	if err := i.Check(); err != nil {
		return err
	}
	return a.Spoken(i.Player, i.ID(a.Domain), i.Signature, i.Deputy)
}
