package node

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// sign signs a digest by a player's key.
func sign(t testing.TB, by byte, digest common.Hash) protocol.Signature {
	t.Helper()
	sig, err := playerKey(t, by).Sign(digest)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

// signedBets is a registration that its player signed.
func signedBets(t testing.TB, n *Node, round common.Hash, player byte) matchmaking.Registration {
	t.Helper()
	e := bets(playerKey(t, player).Address(), 5)
	e.Signature = sign(t, player, e.Digest(n.domain, round))
	return e
}

// said is what a house says of a round, signed by it and by the players of its list.
func said(t *testing.T, n *Node, house byte, sealed bool, players ...byte) (Round, message.RoundNotice) {
	t.Helper()
	r := pairsBy(t, n, playerKey(t, house).Address())
	m := message.RoundNotice{Round: r.Terms}
	m.Signature = sign(t, house, r.ID)
	for _, p := range players {
		m.Entries = append(m.Entries, signedBets(t, n, r.ID, p))
	}
	if len(m.Entries) == 2 && m.Entries[0].Player.Cmp(m.Entries[1].Player) > 0 {
		m.Entries[0], m.Entries[1] = m.Entries[1], m.Entries[0]
	}
	if sealed {
		m.Seal = sign(t, house, matchmaking.SealDigest(n.domain, r.ID, m.Entries))
	}
	return r, m
}

// TestRoundsOfAskedHouses: a node takes in what a house that it asked says of its own rounds, and
// nothing that anybody says of others'.
func TestRoundsOfAskedHouses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		house, from byte
		asked       bool
		known       int
	}{
		"of the house":                  {7, 7, true, 1},
		"of a house that was not asked": {7, 7, false, 0},
		"of another house":              {7, 8, true, 0},
		"of oneself":                    {1, 1, true, 0},
	} {
		l := newLab(t)
		n := l.node(nil)
		_, m := said(t, n, c.house, false)
		from := playerKey(t, c.from).Address()
		if c.asked {
			n.houses[from] = 0
		}
		err := n.receiveNotice(from, m)
		if list, failed := n.Rounds(); (err == nil) != (c.known > 0) || err != nil && !errors.Is(err, ErrUnknownRound) || failed != nil || len(list) != c.known {
			t.Errorf("%s: %d are known, %v, %v", name, len(list), err, failed)
		}
	}
}

// TestSealedLists: once a list is sealed another one changes nothing, and a second seal is an
// error. Who isn't in it doesn't play.
func TestSealedLists(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	n.drive.Client = Join(t, nil).drive.Client
	r, first := said(t, n, 7, true, 2, 3)
	_, again := said(t, n, 7, true, 3, 2)
	_, second := said(t, n, 7, true, 2)
	_, old := said(t, n, 7, false, 2)
	own := bets(n.Account(), 5)
	r.Own = &own
	l.putRound(n, &r)
	n.head.block.Number = 105
	for i, c := range []struct {
		m    message.RoundNotice
		want error
	}{{first, nil}, {old, nil}, {again, nil}, {second, protocol.ErrTerms}} {
		if err := n.receiveNotice(r.Terms.House, c.m); !errors.Is(err, c.want) {
			t.Errorf("%d: %v", i, err)
		}
		now, err := n.Round(r.ID)
		if err != nil || len(now.Entries) != 2 || now.Seal != first.Seal || now.Trouble != "the house has left you out" {
			t.Errorf("%d: %d players, %q, %v", i, len(now.Entries), now.Trouble, err)
		}
	}
}

// TestOpenLists: until a list is sealed it grows, and shorter ones are older. A player whom the
// house refuses doesn't play, nor does anybody where the list was sealed when the draw could be
// known.
func TestOpenLists(t *testing.T) {
	t.Parallel()
	client := Join(t, nil).drive.Client // of a chain that has not come so far
	for name, c := range map[string]struct {
		sealed  bool
		refusal string
		block   uint64
		players []byte
		entries int
		trouble string
	}{
		"longer":         {players: []byte{1, 2}, entries: 2},
		"as long":        {players: []byte{2}, entries: 1},
		"shorter":        {entries: 1},
		"with a refusal": {refusal: "no", players: []byte{2}, entries: 1, trouble: "no"},
		"sealed in time": {sealed: true, block: 109, players: []byte{1, 2}, entries: 2},
		"sealed late":    {sealed: true, block: 110, players: []byte{1, 2}, entries: 2, trouble: "the list of players was sealed too late: the house could have chosen it by the draw"},
	} {
		l := newLab(t)
		n := l.node(nil)
		n.drive.Client = client
		r, m := said(t, n, 7, c.sealed, c.players...)
		m.Refusal = c.refusal
		own := signedBets(t, n, r.ID, 1)
		r.Own, r.Entries = &own, []matchmaking.Registration{signedBets(t, n, r.ID, 3)}
		l.putRound(n, &r)
		n.head.block.Number = c.block
		if err := n.receiveNotice(r.Terms.House, m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		now, err := n.Round(r.ID)
		if err != nil || len(now.Entries) != c.entries || now.Trouble != c.trouble {
			t.Errorf("%s: %d players, %q, %v", name, len(now.Entries), now.Trouble, err)
		}
		if name == "as long" && !now.Entries[0].Same(&m.Entries[0]) {
			t.Error("a list as long is not taken over")
		}
		events, _, err := n.log.past(eventPrefix, 0)
		if want := c.refusal != "" || c.sealed; err != nil || (len(events) > 0) != want {
			t.Errorf("%s: the user is told %v, %v", name, events, err)
		}
	}
}

// TestSealedTables: the list of a table makes its group, whenever it is sealed. Too few players
// don't play.
func TestSealedTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		players []byte
		before  string // what was wrong already
		refusal string
		own     bool
		trouble string
	}{
		"enough":                {players: []byte{1, 2}, own: true},
		"too few":               {players: []byte{1}, own: true, trouble: "too few players: nothing of yours was locked"},
		"others'":               {players: []byte{2, 3}},
		"others', with a word":  {players: []byte{2, 3}, refusal: "no"},
		"with a second refusal": {players: []byte{2, 3}, own: true, before: "no room", refusal: "no", trouble: "the house has left you out"},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := tableBy(t, n, playerKey(t, 7).Address())
		m := message.RoundNotice{Round: r.Terms, Signature: sign(t, 7, r.ID), Refusal: c.refusal}
		for _, p := range c.players {
			m.Entries = append(m.Entries, signedBets(t, n, r.ID, p))
		}
		slices.SortFunc(m.Entries, func(a, b matchmaking.Registration) int { return a.Player.Cmp(b.Player) })
		m.Seal = sign(t, 7, matchmaking.SealDigest(n.domain, r.ID, m.Entries))
		if r.Trouble = c.before; c.own {
			own := signedBets(t, n, r.ID, 1)
			r.Own = &own
		}
		l.putRound(n, &r)
		n.head.block.Number = 200
		l.must(n.receiveNotice(r.Terms.House, m))
		now, err := n.Round(r.ID)
		l.must(err)
		if now.Trouble != c.trouble || (len(now.Groups) == 1) != (len(c.players) == 2) {
			t.Errorf("%s: %q, %d groups", name, now.Trouble, len(now.Groups))
		}
		if said := slices.ContainsFunc(l.events(n, RoundNews), func(s string) bool { return strings.Contains(s, "the house says") }); said {
			t.Errorf("%s: the user hears what doesn't matter any more", name)
		}
	}
}

// TestNewsOfRoundsIsPaidFor: what a house says is paid from what friends may have checked, two
// signatures and those of the entries that are new.
func TestNewsOfRoundsIsPaidFor(t *testing.T) {
	t.Parallel()
	for left, want := range map[int]error{2: ErrBusy, 3: nil} {
		l := newLab(t)
		n := l.node(nil)
		r, m := said(t, n, 7, false, 2, 3)
		r.Entries = m.Entries[:1]
		l.putRound(n, &r)
		who := n.who(r.Terms.House)
		who.Friend = true
		if err := charge(n.budgets.signatures, who, signatureLimit.Friend.Burst-left); err != nil {
			t.Fatal(err)
		}
		if err := n.receiveNotice(r.Terms.House, m); !errors.Is(err, want) {
			t.Errorf("with %d signatures left: %v", left, err)
		}
	}
}
