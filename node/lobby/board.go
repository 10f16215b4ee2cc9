// Package lobby is the board on which a node shows invites: its own, and, if it is a lobby host,
// those of others. A board is in memory only. It shows an invite until that expires, also while its
// player is away. But then the invite yields to those of connected players, so the transport bounds
// how many accounts keep others off the board. Players post their invites again when they connect.
//
// A lobby needs no trust. It can hide an invite, or show one that is gone, but not forge or change
// one: readers verify the player's signature, and joining asks the player itself.
package lobby

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// ErrRefused is wrapped by every error about an invite that the board does not show.
var ErrRefused = errors.New("the lobby does not show it")

// Limit is how many invites a board shows.
var Limit = budget.Limit{Name: "lobby/invites", Counts: "invites that a board shows; those of who is away yield to others",
	Account: budget.Places(8), Total: budget.Places(1024), Friend: budget.Places(8), Friends: budget.Places(1024)}

// Life is how many seconds ahead an invite's expiry may lie: a week.
const Life = 7 * 24 * 60 * 60

// Skew is by how many seconds the clock of who checks that may be behind.
const Skew = 60 * 60

// Board is the invites that a node shows. Safe for concurrent use.
type Board struct {
	domain    protocol.Domain
	each, all int // most invites of one account; of strangers, and as many of friends

	mu   sync.Mutex
	list []entry // by ascending id
	left uint64  // how often players have left
}

type entry struct {
	id     common.Hash
	invite matchmaking.SignedInvite
	friend bool
	left   uint64 // how often players had left when this one did; 0: it is there
}

// NewBoard returns an empty board for one chain and Arena.
func NewBoard(d protocol.Domain) *Board {
	return &Board{domain: d, each: Limit.Account.Burst, all: Limit.Total.Burst}
}

// Post shows an invite of an account's, which counts as a friend's or a stranger's. The authority,
// at its time, checks the signature once there is a place for the invite. Showing it again changes
// nothing. The error wraps ErrRefused.
func (b *Board) Post(from common.Address, friend bool, i matchmaking.SignedInvite, a protocol.Authority) error {
	if i.Player != from {
		return fmt.Errorf("%w: it is not an invite of %s", ErrRefused, from)
	}
	if i.Expiry <= a.Now || i.Expiry-a.Now > Life+Skew {
		return fmt.Errorf("%w: it must expire within %d seconds", ErrRefused, Life+Skew)
	}
	e := entry{id: i.ID(b.domain), invite: i, friend: friend}
	b.mu.Lock()
	there, err := b.room(e, a.Now)
	b.mu.Unlock()
	if there || err != nil {
		return err
	}
	if err := i.Verify(a); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if there, err = b.room(e, a.Now); there || err != nil {
		return err
	}
	b.yield(e.friend)
	at, _ := b.find(e.id)
	b.list = slices.Insert(b.list, at, e)
	return nil
}

// room reports whether an invite is shown already, and fails when there is no place for it. The
// lock is held.
func (b *Board) room(e entry, now uint64) (there bool, err error) {
	b.list = slices.DeleteFunc(b.list, func(e entry) bool { return e.invite.Expiry <= now })
	if at, there := b.find(e.id); there {
		same := b.list[at].invite.Player == e.invite.Player
		if same {
			b.list[at].left = 0
		}
		return same, nil
	}
	own, all := 0, 0
	for j := range b.list {
		if b.list[j].invite.Player == e.invite.Player {
			own++
		}
		if b.list[j].friend == e.friend && b.list[j].left == 0 {
			all++
		}
	}
	switch {
	case own >= b.each:
		return false, fmt.Errorf("%w: it shows %d invites of yours already", ErrRefused, own)
	case all >= b.all:
		return false, fmt.Errorf("%w: it is full", ErrRefused)
	}
	return false, nil
}

// yield makes room for an invite, if there is none, at the cost of the player who left first. The
// lock is held.
func (b *Board) yield(friend bool) {
	all, first := 0, -1
	for j, e := range b.list {
		if e.friend != friend {
			continue
		}
		if all++; e.left != 0 && (first < 0 || e.left < b.list[first].left) {
			first = j
		}
	}
	if all >= b.all && first >= 0 {
		b.list = slices.Delete(b.list, first, first+1)
	}
}

// Withdraw stops showing an invite, if it is the account's.
func (b *Board) Withdraw(from common.Address, id common.Hash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at, there := b.find(id); there && b.list[at].invite.Player == from {
		b.list = slices.Delete(b.list, at, at+1)
	}
}

// Leave notes that an account is away: what it has posted may be displaced from now on.
func (b *Board) Leave(account common.Address) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left++
	for j := range b.list {
		if e := &b.list[j]; e.invite.Player == account && e.left == 0 {
			e.left = b.left
		}
	}
}

// Return stops showing what an account posted before it left: it posts again what still stands.
func (b *Board) Return(account common.Address) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(e entry) bool { return e.invite.Player == account && e.left != 0 })
}

// Page answers a query at a time (Unix seconds) with the matching invites that the asker may join.
func (b *Board) Page(asker common.Address, q message.ListInvites, now uint64) message.InvitePage {
	b.mu.Lock()
	defer b.mu.Unlock()
	page := message.InvitePage{Query: q.Query}
	at, there := b.find(q.After)
	if there {
		at++
	}
	for ; at < len(b.list); at++ {
		i := &b.list[at].invite
		if i.Expiry <= now || !i.Invites(asker) || q.Rules != (common.Address{}) && q.Rules != i.Rules || q.Asset != nil && *q.Asset != i.Asset {
			continue
		}
		if len(page.Invites) == message.MaxPage {
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
