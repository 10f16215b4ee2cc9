package node

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// shown is an invite of a key's to a match of toy for five each, as change leaves it.
func (l *lab) shown(n *Node, by *protocol.Key, change func(*matchmaking.Invite)) matchmaking.SignedInvite {
	l.t.Helper()
	s := matchmaking.SignedInvite{Invite: matchmaking.Invite{Player: by.Address(), Rules: toyRules, Params: toy.Params(0), Window: 20, Expiry: uint64(l.now.Unix()) + 3600}}
	s.Least, s.Most = *uint256.NewInt(5), *uint256.NewInt(5)
	if change != nil {
		change(&s.Invite)
	}
	var err error
	s.Signature, err = by.Sign(s.ID(n.domain))
	l.must(err)
	return s
}

// TestJoinsAny: of what others show, what is public and takes the stake is tried, one after the
// other, by chance or not at all.
func TestJoinsAny(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob := l.key()
	join := func(part string, list ...matchmaking.SignedInvite) {
		t.Helper()
		if _, err := n.JoinAny(t.Context(), list, uint256.NewInt(5)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("want %q: %v", part, err)
		}
	}
	past := l.shown(n, bob, func(i *matchmaking.Invite) { i.Expiry = uint64(l.now.Unix()) })
	join("no public invite", l.shown(n, bob, func(i *matchmaking.Invite) { i.Guests = []common.Address{n.Account()} }),
		l.shown(n, bob, func(i *matchmaking.Invite) { i.Least, i.Most = *uint256.NewInt(6), *uint256.NewInt(6) }))
	join("it expired", past)
	join("more than a week", l.shown(n, bob, func(i *matchmaking.Invite) { i.Expiry = uint64(l.now.Unix()) + lobby.Life + lobby.Skew + 1 }))
	l.must(n.browser.mayJoin(new(l.shown(n, bob, func(i *matchmaking.Invite) { i.Expiry = uint64(l.now.Unix()) + lobby.Life + lobby.Skew })), n.authority()))
	n.config.Rand = iotest.ErrReader(errors.New("none is left"))
	join("none is left", past, past)
}

// TestJoinedBefore: an invite is joined once, and a store that can't be read is not one that knows
// of none.
func TestJoinedBefore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	l.channel(common.Address{}, []uint64{9, 9}, alice, bob)
	s := l.shown(alice, bob.config.Player.(*protocol.Key), nil)
	id, err := alice.Join(t.Context(), s, uint256.NewInt(5))
	l.must(err)
	if _, err := alice.Join(t.Context(), s, uint256.NewInt(5)); !errors.Is(err, ErrBusy) {
		t.Errorf("again: %v", err)
	}
	l.spoil(alice, invitePrefix+id.Hex())
	if _, err := alice.Join(t.Context(), s, uint256.NewInt(5)); err == nil || errors.Is(err, ErrBusy) || errors.Is(err, ErrUnknownInvite) {
		t.Errorf("unreadable: %v", err)
	}
}

// TestWhatTwoCanPlay: a game that says what each seat has to stake is played by two, for what does
// for both.
func TestWhatTwoCanPlay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		least []uint64
		want  bool
	}{"it does": {[]uint64{5, 5}, true}, "the first needs more": {[]uint64{6, 5}, false}, "the second needs more": {[]uint64{5, 6}, false}, "for three": {[]uint64{5, 5, 5}, false}, "for one": {[]uint64{5}, false}} {
		l := newLab(t)
		n := l.node(func(c2 *Config) {
			game := toy.Game()
			game.Stakes = func([]byte) ([]uint256.Int, error) { return stakes(c.least...), nil }
			c2.Games = games.Catalog{game}
		})
		i := l.invite(n, 1, nil)
		if err := n.playable(&i.Invite, uint256.NewInt(5)); (err == nil) != c.want || err != nil && !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForgottenGuests: who was told of an invite is remembered until it expires.
func TestForgottenGuests(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	now := uint64(l.now.Unix())
	n.invited = map[common.Hash]uint64{{1}: now, {2}: now + 1}
	s := l.shown(n, l.key(), nil)
	n.tellInvited(&s.Invite)
	if _, kept := n.invited[common.Hash{2}]; len(n.invited) != 2 || !kept {
		t.Errorf("remembered: %v", n.invited)
	}
}

// TestPagesGoOn: a node that has more to show is asked for it, as long as it shows something, and
// no more is kept than a look holds.
func TestPagesGoOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shows, had int
		more       bool
		asked      int
	}{
		"more": {1, 0, true, 1}, "no more": {1, 0, false, 0}, "more of nothing": {0, 0, true, 0}, "it is full": {1, maxFound, true, 1}, "all but": {1, maxFound - 1, true, 1},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n)
		round := &look{waiting: map[common.Address]int{g.Address(): maxPages}, found: map[common.Hash]matchmaking.SignedInvite{}, done: make(chan struct{})}
		for k := range c.had {
			round.found[common.BigToHash(uint256.NewInt(uint64(k)).ToBig())] = matchmaking.SignedInvite{}
		}
		page := message.InvitePage{Query: n.begin(round), More: c.more}
		for range c.shows {
			page.Invites = append(page.Invites, l.shown(n, g.Key, nil))
		}
		if err := n.receivePage(g.Address(), page); err != nil || len(g.told()) != c.asked || len(round.found) != min(c.had+c.shows, maxFound) {
			t.Errorf("%s: %d found, %v", name, len(round.found), err)
		}
		if over := len(round.waiting) == 0; over != (c.asked == 0) {
			t.Errorf("%s: it has said all %t", name, over)
		}
	}
}
