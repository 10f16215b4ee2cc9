// Package audit keeps an account of an Arena's money beside it: what its events say was locked and
// paid out, and what it owes to every account it ever named. Whatever happens, the Arena must hold
// exactly that. Tests, simulations and dev worlds check it after everything that the Arena does.
package audit

import (
	"errors"
	"fmt"
	"maps"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrInsolvent is wrapped by every error about money that an Arena should not have paid out, or
// does not hold.
var ErrInsolvent = errors.New("the Arena's money is not what it should be")

// Source says what an Arena has, in wei or units of an asset. The zero asset is ETH.
type Source interface {
	Held(asset common.Address) (*uint256.Int, error) // what the Arena owns
	// what an account has free in the bank
	Bank(account, asset common.Address) (*uint256.Int, error)
}

// Auditor keeps the account of one Arena. Not safe for concurrent use.
type Auditor struct {
	source   Source
	accounts map[common.Address]bool
	assets   map[common.Address]bool
	channels map[common.Hash]*book
	given    map[common.Address]uint256.Int
}

// book is the account of one channel.
type book struct {
	asset     common.Address
	locked    uint256.Int
	contested *protocol.Ledger
	paid      map[common.Hash]bool // locks paid out
}

// New begins the account of an Arena in which nothing happened yet.
func New(s Source) *Auditor {
	return &Auditor{
		source: s, accounts: map[common.Address]bool{}, assets: map[common.Address]bool{{}: true},
		channels: map[common.Hash]*book{}, given: map[common.Address]uint256.Int{},
	}
}

// Clone returns a copy that changes by itself.
func (b *Auditor) Clone() *Auditor {
	c := *b
	c.accounts, c.assets, c.given = maps.Clone(b.accounts), maps.Clone(b.assets), maps.Clone(b.given)
	c.channels = map[common.Hash]*book{}
	for id, old := range b.channels {
		k := *old
		k.paid = maps.Clone(old.paid)
		c.channels[id] = &k
	}
	return &c
}

// CloneOf returns books of another chain that stands where this one's stands, and that go on from
// here on their own.
func (b *Auditor) CloneOf(s Source) *Auditor {
	c := b.Clone()
	c.source = s
	return c
}

// Know names accounts that may come to own something without an event that says so.
func (b *Auditor) Know(accounts ...common.Address) {
	for _, a := range accounts {
		b.accounts[a] = true
	}
}

// Given says that the Arena owns something that nobody put there through its front door.
func (b *Auditor) Given(asset common.Address, amount *uint256.Int) { b.given[asset] = *amount }

// Ignore stops the account of an asset: its token does what it likes.
func (b *Auditor) Ignore(asset common.Address) { delete(b.assets, asset) }

// Post takes what the Arena said into account. It fails with ErrInsolvent when that pays out more
// than is locked.
func (b *Auditor) Post(said ...onchain.Event) error {
	for _, e := range said {
		if err := b.post(e); err != nil {
			return fmt.Errorf("%w: %w", ErrInsolvent, err)
		}
	}
	return nil
}

func (b *Auditor) post(e onchain.Event) error {
	switch e := e.(type) {
	case onchain.Banked:
		b.Know(e.Account)
		b.assets[e.Asset] = true
	case onchain.Opened:
		if b.channels[e.ChannelID] != nil {
			return fmt.Errorf("channel %s opened twice", e.ChannelID)
		}
		b.Know(e.Terms.Players...)
		b.assets[e.Terms.Asset] = true
		b.channels[e.ChannelID] = &book{asset: e.Terms.Asset, locked: total(e.Terms.Deposits), paid: map[common.Hash]bool{}}
	case onchain.Closed:
		c, err := b.channel(e.ChannelID)
		if err != nil {
			return err
		}
		c.locked.Clear()
	case onchain.Contested:
		c, err := b.channel(e.ChannelID)
		if err != nil {
			return err
		}
		c.contested = &e.Ledger.Ledger
	case onchain.Settled:
		c, err := b.channel(e.ChannelID)
		if err != nil {
			return err
		}
		if c.contested == nil || c.contested.Version != e.Version {
			return fmt.Errorf("settled version %d, contested %+v", e.Version, c.contested)
		}
		return c.pay(c.contested.Balances)
	case onchain.LockPaid:
		c, err := b.channel(e.ChannelID)
		if err != nil {
			return err
		}
		return c.payLock(e.MatchID, e.Payouts)
	}
	return nil
}

func (b *Auditor) channel(id common.Hash) (*book, error) {
	if c := b.channels[id]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("channel %s was never opened", id)
}

func (c *book) payLock(match common.Hash, payouts []uint256.Int) error {
	if c.contested == nil || c.contested.Lock(match) == nil || c.paid[match] {
		return fmt.Errorf("paid out match %s, which is not locked or paid already", match)
	}
	c.paid[match] = true
	want, got := total(c.contested.Lock(match).Stakes), total(payouts)
	if !want.Eq(&got) {
		return fmt.Errorf("paid out %s of a lock of %s", got.Dec(), want.Dec())
	}
	return c.pay(payouts)
}

func (c *book) pay(list []uint256.Int) error {
	sum := total(list)
	if _, under := c.locked.SubOverflow(&c.locked, &sum); under {
		return fmt.Errorf("paid out %s more than is locked", sum.Dec())
	}
	return nil
}

// Check fails with ErrInsolvent unless the Arena holds, to the wei, what it owes. It also fails
// when the source does.
func (b *Auditor) Check() error {
	for asset := range b.assets {
		owed := b.given[asset]
		for a := range b.accounts {
			free, err := b.source.Bank(a, asset)
			if err != nil {
				return err
			}
			owed.Add(&owed, free)
		}
		for _, c := range b.channels {
			if c.asset == asset {
				owed.Add(&owed, &c.locked)
			}
		}
		held, err := b.source.Held(asset)
		if err != nil {
			return err
		}
		if !held.Eq(&owed) {
			return fmt.Errorf("%w: it holds %s of asset %s and owes %s", ErrInsolvent, held.Dec(), asset, owed.Dec())
		}
	}
	return nil
}

// Empty fails with ErrInsolvent unless all that was ever locked is paid out.
func (b *Auditor) Empty() error {
	var left error
	for id, c := range b.channels {
		if !c.locked.IsZero() {
			left = errors.Join(left, fmt.Errorf("%w: channel %s still holds %s", ErrInsolvent, id, c.locked.Dec()))
		}
	}
	return left
}

func total(list []uint256.Int) (sum uint256.Int) {
	for i := range list {
		sum.Add(&sum, &list[i])
	}
	return sum
}
