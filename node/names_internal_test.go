package node

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// nicknamed is a nickname as its account signs it.
func (l *lab) nicknamed(n *Node, by *protocol.Key, account common.Address, name string, at uint64) message.Nickname {
	l.t.Helper()
	m := message.Nickname{SignedNickname: matchmaking.SignedNickname{Nickname: matchmaking.Nickname{Account: account, Name: name, Time: at}}}
	var err error
	m.Signature, err = by.Sign(m.Digest(n.domain))
	l.must(err)
	return m
}

// TestNames: a player is called as it asks, by who is connected and who connects later; the user's
// own word goes before; those who are called alike are told apart; a friend's name lasts.
func TestNames(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	l.must(bob.SetNickname("Bob"))
	l.must(carol.SetNickname("B0B"))
	l.settle()
	if got := alice.NameOf(bob.Account()); got != (Name{Shown: "Bob", Nickname: "Bob"}) {
		t.Errorf("alice calls bob %+v", got)
	}
	l.must(carol.net.Keep(alice.Account(), alice.net.Addresses()...))
	l.settle()
	for _, n := range []*Node{bob, carol} {
		if got, hex := alice.NameOf(n.Account()).Shown, n.Account().Hex(); !strings.HasSuffix(got, "("+hex[:6]+"…"+hex[38:]+")") {
			t.Errorf("of two that are called alike one is shown as %q", got)
		}
	}
	l.must(alice.SetContact(carol.Account(), "Carol"))
	if got := alice.NameOf(carol.Account()); got != (Name{Shown: "Carol", Nickname: "B0B", Contact: "Carol"}) {
		t.Errorf("alice calls carol %+v", got)
	}
	if err := alice.SetContact(bob.Account(), "caroI"); !errors.Is(err, matchmaking.ErrName) {
		t.Errorf("two contacts of one name: %v", err)
	}
	l.must(alice.SetContact(carol.Account(), "Carol"))
	if err := alice.SetContact(bob.Account(), "0xb0b"); !errors.Is(err, matchmaking.ErrName) {
		t.Errorf("a contact that looks like an address: %v", err)
	}
	if err := alice.SetNickname("a\nb"); !errors.Is(err, matchmaking.ErrName) {
		t.Errorf("a nickname of two lines: %v", err)
	}

	again := l.node(func(c *Config) { c.Store = alice.config.Store })
	l.must(again.names.load())
	if got := again.NameOf(bob.Account()).Shown; got != "Bob" {
		t.Errorf("after a restart bob is %q", got)
	}
	if got := again.NameOf(carol.Account()); got != (Name{Shown: "Carol", Contact: "Carol"}) {
		t.Errorf("after a restart carol is %+v", got)
	}

	l.now = l.now.Add(time.Second)
	l.must(bob.SetNickname(""))
	l.settle()
	l.must(alice.SetContact(carol.Account(), ""))
	if b, c := alice.NameOf(bob.Account()).Shown, alice.NameOf(carol.Account()).Shown; b != "" || c != "B0B" {
		t.Errorf("bob and carol are %q and %q", b, c)
	}
}

// TestAttack_Nickname: nobody names another account, brings an old name back, or has a name kept
// that can't be read; strangers fill no disk, and no more memory than is set aside.
func TestAttack_Nickname(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	key, other := l.key(), l.key()
	mallory := key.Address()
	l.must(alice.receiveNickname(mallory, l.nicknamed(alice, key, mallory, "Mallory", 10)))
	for what, m := range map[string]message.Nickname{
		"in another's name":   l.nicknamed(alice, key, other.Address(), "Eve", 20),
		"passed on":           l.nicknamed(alice, other, other.Address(), "Eve", 20),
		"signed by another":   l.nicknamed(alice, other, mallory, "Eve", 20),
		"too long":            l.nicknamed(alice, key, mallory, strings.Repeat("a", matchmaking.MaxName+1), 20),
		"with an escape":      l.nicknamed(alice, key, mallory, "a\x1b[2J", 20),
		"written backwards":   l.nicknamed(alice, key, mallory, "a\u202eb", 20),
		"of two scripts":      l.nicknamed(alice, key, mallory, "Аlice", 20),
		"that seems a number": l.nicknamed(alice, key, mallory, "0x7099", 20),
	} {
		if err := alice.receiveNickname(mallory, m); err == nil {
			t.Errorf("a nickname %s is taken", what)
		}
	}
	l.must(alice.receiveNickname(mallory, l.nicknamed(alice, key, mallory, "Old", 9)))
	if got := alice.NameOf(mallory).Nickname; got != "Mallory" {
		t.Errorf("mallory is called %q", got)
	}
	if value, err := alice.config.Store.Get(nicknamePrefix + mallory.Hex()); err != nil || value != nil {
		t.Errorf("a stranger's name is stored: %s, %v", value, err)
	}
	var refused error
	for at := uint64(30); at < 200 && refused == nil; at++ {
		refused = alice.receiveNickname(mallory, l.nicknamed(alice, key, mallory, fmt.Sprint("M", at), at))
	}
	if !errors.Is(refused, ErrBusy) {
		t.Errorf("a stranger who renames itself all the time: %v", refused)
	}
	if !alice.allows(alice.budgets.told, mallory) {
		t.Error("after nicknames an offer isn't heard")
	}
	for i := range maxStrangers + 10 {
		account := common.BigToAddress(common.Big1)
		account[0], account[1] = byte(i>>8), byte(i)
		l.must(alice.keepNickname(matchmaking.SignedNickname{Nickname: matchmaking.Nickname{Account: account, Name: "x"}}, false))
	}
	if n := len(alice.nicknames); n > maxStrangers {
		t.Errorf("names of %d strangers are kept", n)
	}
}

// TestNameOfANewFriend: when a stranger becomes a player of a channel, its name is stored, and
// strangers who come later do not push it out.
func TestNameOfANewFriend(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	said := l.nicknamed(alice, bob.config.Player.(*protocol.Key), bob.Account(), "Bob", 10)
	l.must(alice.receiveNickname(bob.Account(), said))
	l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	l.must(alice.receiveNickname(bob.Account(), said))
	if value, err := alice.config.Store.Get(nicknamePrefix + bob.Account().Hex()); err != nil || value == nil {
		t.Errorf("a friend's name is not stored: %v", err)
	}
	for i := range maxStrangers + 1 {
		account := common.Address{byte(i >> 8), byte(i), 1}
		l.must(alice.keepNickname(matchmaking.SignedNickname{Nickname: matchmaking.Nickname{Account: account, Name: "x"}}, false))
	}
	if got := alice.NameOf(bob.Account()).Nickname; got != "Bob" {
		t.Errorf("strangers pushed out a friend's name: %q", got)
	}
}
