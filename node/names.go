package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

const (
	nicknamePrefix = "nickname/" // by account: what it signed, of this player and of friends
	contactPrefix  = "contact/"  // by account: what the user calls it
	// maxStrangers caps the nicknames of strangers, which are kept in memory only.
	maxStrangers = 1024
)

// names are what accounts are called: what they signed, and what the user says.
type names struct {
	*core

	mu        sync.Mutex
	nicknames map[common.Address]matchmaking.SignedNickname
	strangers []common.Address // among them, oldest first
	contacts  map[common.Address]string
	alike     map[string]int // by likeness: how many accounts are called so
}

func newNames(c *core) *names {
	return &names{core: c, nicknames: map[common.Address]matchmaking.SignedNickname{}, contacts: map[common.Address]string{}, alike: map[string]int{}}
}

// load reads what is stored.
func (n *names) load() error {
	n.mu.Lock()
	nicknames := allStored(n.config.Store, nicknamePrefix, func(account string, v matchmaking.SignedNickname) {
		of := common.HexToAddress(account)
		n.rename(of, func() { n.nicknames[of] = v })
	})
	contacts := allStored(n.config.Store, contactPrefix, func(account, name string) {
		of := common.HexToAddress(account)
		n.rename(of, func() { n.contacts[of] = name })
	})
	n.mu.Unlock()
	return errors.Join(n.readable(nicknamePrefix, nicknames), n.readable(contactPrefix, contacts))
}

// SetNickname signs the player's nickname and sends it to connected peers; empty removes it.
func (n *names) SetNickname(name string) error {
	n.mu.Lock()
	before := n.nicknames[n.Account()].Time
	n.mu.Unlock()
	own := matchmaking.SignedNickname{Deputy: n.deputy.Load(), Nickname: matchmaking.Nickname{
		Account: n.Account(), Name: name, Time: max(before+1, uint64(n.config.Now().Unix())), //nolint:gosec // after 1970
	}}
	var err error
	if own.Signature, err = n.config.Player.Sign(own.Digest(n.domain)); err != nil {
		return err
	}
	if err := own.Verify(n.authority()); err != nil {
		return err
	}
	if err := n.keepNickname(own, true); err != nil {
		return err
	}
	for _, p := range n.net.Peers() {
		if p.Connected {
			n.sayNickname(p.Account)
		}
	}
	return nil
}

// sayNickname tells an account how this player asks to be called, if it does.
func (n *names) sayNickname(to common.Address) {
	n.mu.Lock()
	own, named := n.nicknames[n.Account()]
	n.mu.Unlock()
	if !named {
		return
	}
	if own.Deputy != nil {
		own.Deputy = n.deputy.Load() // which may be renewed
	}
	if err := n.send(to, message.Nickname{SignedNickname: own}); err != nil {
		n.config.Log.Debug("nickname not sent", "peer", to, "error", err)
	}
}

// receiveNickname takes how an account asks to be called. Of strangers it is forgotten at the next
// start, and the oldest go first.
func (n *names) receiveNickname(from common.Address, m message.Nickname) error {
	if m.Account != from {
		return fmt.Errorf("%s names %s", from, m.Account)
	}
	n.mu.Lock()
	known, there := n.nicknames[from]
	stranger := slices.Contains(n.strangers, from)
	n.mu.Unlock()
	who := n.who(from)
	befriended := stranger && who.Friend && m.Time == known.Time
	if there && m.Time <= known.Time && !befriended {
		return nil
	}
	a, err := n.checkedFor(who, 1)
	if err != nil {
		return err
	}
	if err := m.Verify(a); err != nil {
		return err
	}
	if err := charge(n.budgets.nicknames, who, 1); err != nil {
		return err
	}
	return n.keepNickname(m.SignedNickname, who.Friend)
}

// keepNickname notes a nickname that is checked, durably that of a friend.
func (n *names) keepNickname(name matchmaking.SignedNickname, friend bool) error {
	if friend {
		if err := n.persist(nicknamePrefix+name.Account.Hex(), name); err != nil {
			return err
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if friend { // whom no stranger pushes out
		n.strangers = slices.DeleteFunc(n.strangers, func(a common.Address) bool { return a == name.Account })
	}
	if _, there := n.nicknames[name.Account]; !there && !friend {
		n.strangers = append(n.strangers, name.Account)
		if len(n.strangers) > maxStrangers {
			n.rename(n.strangers[0], func() { delete(n.nicknames, n.strangers[0]) })
			n.strangers = n.strangers[1:]
		}
	}
	n.rename(name.Account, func() { n.nicknames[name.Account] = name })
	return nil
}

// SetContact stores the user's name for an account; empty removes it. No two are called alike, as
// commands take the name for the account: it fails with matchmaking.ErrName.
func (n *names) SetContact(account common.Address, name string) error {
	value := []byte(nil)
	n.mu.Lock()
	defer n.mu.Unlock()
	if name != "" {
		err := matchmaking.CheckName(name)
		if err != nil {
			return err
		}
		for other, theirs := range n.contacts {
			if other != account && matchmaking.Alike(theirs, name) {
				return fmt.Errorf("%w: you call %s %q already", matchmaking.ErrName, other, theirs)
			}
		}
		if value, err = json.Marshal(name); err != nil {
			return err
		}
	}
	if err := n.config.Store.Commit(map[string][]byte{contactPrefix + account.Hex(): value}); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	n.rename(account, func() {
		delete(n.contacts, account)
		if name != "" {
			n.contacts[account] = name
		}
	})
	return nil
}

// Name is what an account is called.
type Name struct {
	Shown    string // with a short address where another account is called alike; empty: it has none
	Nickname string // that it signed
	Contact  string // that the user gave
}

// NameOf returns what an account is called: the user's own name for it takes precedence over its
// nickname.
func (n *names) NameOf(account common.Address) Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := Name{Nickname: n.nicknames[account].Name, Contact: n.contacts[account]}
	if out.Shown = n.called(account); out.Shown == "" {
		return out
	}
	if slices.ContainsFunc(matchmaking.Likenesses(out.Shown), func(like string) bool { return n.alike[like] > 1 }) {
		hex := account.Hex()
		out.Shown += " (" + hex[:6] + "…" + hex[len(hex)-4:] + ")"
	}
	return out
}

// rename changes what an account is called. The lock is held.
func (n *names) rename(account common.Address, change func()) {
	n.count(account, -1)
	change()
	n.count(account, 1)
}

// count counts an account with those who are called alike. The lock is held.
func (n *names) count(account common.Address, by int) {
	name := n.called(account)
	if name == "" {
		return
	}
	for _, like := range matchmaking.Likenesses(name) {
		if n.alike[like] += by; n.alike[like] == 0 {
			delete(n.alike, like)
		}
	}
}

// called returns the one name of an account. The lock is held.
func (n *names) called(account common.Address) string {
	if name := n.contacts[account]; name != "" {
		return name
	}
	return n.nicknames[account].Name
}

// Contacts returns the accounts that the user has a name for, in order.
func (n *names) Contacts() []common.Address {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.SortedFunc(maps.Keys(n.contacts), common.Address.Cmp)
}
