// Package lobby is the board on which a node shows invites: its own, and, if it is a lobby host, those of others. A board
// is in memory only. It shows an invite while its player is connected, so a host's transport bounds how many accounts
// fill it, and whoever reads it finds somebody at home; players post theirs again when they connect.
//
// A lobby is trusted with nothing. It can hide an invite, or show one that is gone, but not forge or change one: readers
// verify the player's signature, and joining asks the player itself.
package lobby

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// ErrRefused is wrapped by every error about an invite that the board does not show.
var ErrRefused = errors.New("the lobby does not show it")

// Limits are what a board holds, and whom it believes. A zero field means its default.
type Limits struct {
	PerAccount int    // invites of one account; 8
	Total      int    // invites; 1024
	Life       uint64 // seconds until an invite's expiry, at most; a week

	Wallets channel.Wallets // nil: invites of contract wallets are refused
}

func (l Limits) withDefaults() Limits {
	l.PerAccount, l.Total, l.Life = cmp.Or(l.PerAccount, 8), cmp.Or(l.Total, 1024), cmp.Or(l.Life, 7*24*60*60)
	return l
}

// Board is the invites that a node shows. Safe for concurrent use.
type Board struct {
	domain channel.Domain
	limits Limits

	mu   sync.Mutex
	list []entry // by ascending id
}

type entry struct {
	id     common.Hash
	invite channel.SignedInvite
}

// NewBoard returns an empty board for one chain and Arena.
func NewBoard(d channel.Domain, limits Limits) *Board {
	return &Board{domain: d, limits: limits.withDefaults()}
}

// Post shows an invite of an account's at a time (Unix seconds). Showing it again changes nothing. The error wraps
// ErrRefused.
func (b *Board) Post(from common.Address, i channel.SignedInvite, now uint64) error {
	if i.Player != from {
		return fmt.Errorf("%w: it is not an invite of %s", ErrRefused, from)
	}
	if i.Expiry <= now || i.Expiry-now > b.limits.Life {
		return fmt.Errorf("%w: it must expire within %d seconds", ErrRefused, b.limits.Life)
	}
	if err := i.Verify(channel.Authority{Domain: b.domain, Now: now, Wallets: b.limits.Wallets}); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	id := i.ID(b.domain)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(e entry) bool { return e.invite.Expiry <= now })
	at, there := b.find(id)
	if there {
		return nil
	}
	own := 0
	for j := range b.list {
		if b.list[j].invite.Player == from {
			own++
		}
	}
	switch {
	case own >= b.limits.PerAccount:
		return fmt.Errorf("%w: it shows %d invites of yours already", ErrRefused, own)
	case len(b.list) >= b.limits.Total:
		return fmt.Errorf("%w: it is full", ErrRefused)
	}
	b.list = slices.Insert(b.list, at, entry{id, i})
	return nil
}

// Withdraw stops showing an invite, if it is the account's.
func (b *Board) Withdraw(from common.Address, id common.Hash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at, there := b.find(id); there && b.list[at].invite.Player == from {
		b.list = slices.Delete(b.list, at, at+1)
	}
}

// Leave stops showing what an account has posted.
func (b *Board) Leave(account common.Address) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(e entry) bool { return e.invite.Player == account })
}

// Page answers a query at a time (Unix seconds): of what it asks for, what the asker may join.
func (b *Board) Page(asker common.Address, q channel.ListInvites, now uint64) channel.InvitePage {
	b.mu.Lock()
	defer b.mu.Unlock()
	page := channel.InvitePage{Query: q.Query}
	at, there := b.find(q.After)
	if there {
		at++
	}
	for ; at < len(b.list); at++ {
		i := &b.list[at].invite
		if i.Expiry <= now || !i.Invites(asker) || q.Rules != (common.Address{}) && q.Rules != i.Rules || q.Asset != nil && *q.Asset != i.Asset {
			continue
		}
		if len(page.Invites) == channel.MaxPage {
			page.More = true
			break
		}
		page.Invites = append(page.Invites, *i)
	}
	return page
}

func (b *Board) find(id common.Hash) (at int, there bool) {
	return slices.BinarySearchFunc(b.list, id, func(e entry, id common.Hash) int { return e.id.Cmp(id) })
}
