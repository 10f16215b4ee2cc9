package node

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// TestVerifiedTables: a table is verified if its group is what its sealed list makes, or that
// without those who did not come.
func TestVerifiedTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Round)
		ok     bool
	}{
		"whole":            {func(*Round) {}, true},
		"without one":      {func(r *Round) { r.Groups[0].Players = r.Groups[0].Players[1:] }, true},
		"not sealed yet":   {func(r *Round) { r.Seal, r.Groups = protocol.Signature{}, nil }, true},
		"with too few":     {func(r *Round) { r.Groups[0].Players = r.Groups[0].Players[2:] }, false},
		"in another order": {func(r *Round) { p := r.Groups[0].Players; p[0], p[1] = p[1], p[0] }, false},
		"for other stakes": {func(r *Round) { r.Groups[0].Players[0].Stake.SetUint64(6) }, false},
		"without a group":  {func(r *Round) { r.Groups = nil }, false},
		"with two groups":  {func(r *Round) { r.Groups = append(r.Groups, r.Groups[0]) }, false},
		"drawn by a block": {func(r *Round) { r.Draw = common.Hash{1} }, false},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := tableBy(t, n, playerKey(t, 7).Address())
		r.Signature = sign(t, 7, r.ID)
		for _, p := range []byte{2, 3, 4} {
			e := signedBets(t, n, r.ID, p)
			at := 0
			for at < len(r.Entries) && r.Entries[at].Player.Cmp(e.Player) < 0 {
				at++
			}
			r.Entries = append(r.Entries[:at:at], append([]matchmaking.Registration{e}, r.Entries[at:]...)...)
		}
		r.Seal = sign(t, 7, matchmaking.SealDigest(n.domain, r.ID, r.Entries))
		r.Groups = []RoundGroup{{Players: append([]matchmaking.Registration(nil), r.Entries...), State: GroupDrawn}}
		c.change(&r)
		l.putRound(n, &r)
		_, err := n.VerifyRound(t.Context(), r.ID)
		if name == "in another order" && err != nil && !strings.Contains(err.Error(), "group 1 ") {
			t.Errorf("%s: %v", name, err)
		}
		if (err == nil) != c.ok || err != nil && !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRoundsAreGrouped: a house groups the players as the game does.
func TestRoundsAreGrouped(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	pairs, table := pairsBy(t, n, common.Address{7}), tableBy(t, n, common.Address{7})
	for name, c := range map[string]struct {
		of     *Round
		change func(*matchmaking.Round)
		want   error
	}{
		"pairs":            {&pairs, func(*matchmaking.Round) {}, nil},
		"pairs at a table": {&pairs, func(r *matchmaking.Round) { r.Shuffle = 0 }, protocol.ErrTerms},
		"one":              {&pairs, func(r *matchmaking.Round) { r.Fewest = 1 }, protocol.ErrTerms},
		"three":            {&pairs, func(r *matchmaking.Round) { r.Seats = 3 }, protocol.ErrTerms},
		"a table":          {&table, func(*matchmaking.Round) {}, nil},
		"a shuffled table": {&table, func(r *matchmaking.Round) { r.Shuffle = 110 }, protocol.ErrTerms},
	} {
		terms := c.of.Terms
		c.change(&terms)
		game, err := n.config.Games.Find(c.of.Game)
		l.must(err)
		if err := checkGroups(&terms, game); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReferrersAtATable: a match is played with the seats of the players' referrers, and the
// house's for who is not there.
func TestReferrersAtATable(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	r := tableBy(t, n, common.Address{7})
	players := []matchmaking.Registration{bets(common.Address{1}, 5), bets(common.Address{2}, 5), bets(common.Address{3}, 5)}
	players[0].Referrer, players[1].Referrer = common.Address{3}, common.Address{9}
	encoded, err := r.MatchParams(&RoundGroup{Players: players})
	l.must(err)
	want, err := box9.Codec().DecodeParams(r.Terms.Params)
	l.must(err)
	if want = want.Refer(1, 3); !bytes.Equal(encoded, want.Bytes()) {
		t.Errorf("%x, want %x", encoded, want.Bytes())
	}
	delete(n.config.Rules, box9.GameName)
	if _, _, err := n.deployed(box9.GameName); !errors.Is(err, games.ErrUnknownGame) {
		t.Errorf("without a rules contract: %v", err)
	}
}

// TestPreviewOfARound: everybody of a pair sees it in its own role; of other games there is none.
func TestPreviewOfARound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	r := pairsBy(t, n, common.Address{7})
	g := RoundGroup{Players: []matchmaking.Registration{bets(common.Address{1}, 500), bets(common.Address{2}, 600)}}
	for account, role := range map[common.Address]string{{7}: "house", {1}: "X", {2}: "Y"} {
		if v, err := r.Preview(&g, account); err != nil || v.(splitsteal.View).Role != role {
			t.Errorf("%s sees %v, %v", account, v, err)
		}
	}
	table := tableBy(t, n, common.Address{7})
	if v, err := table.Preview(&g, common.Address{1}); v != nil || err != nil {
		t.Errorf("of Box 9: %v, %v", v, err)
	}
	chess := Round{Game: "chess"}
	if _, err := chess.Preview(&g, common.Address{1}); !errors.Is(err, games.ErrUnknownGame) {
		t.Errorf("of chess: %v", err)
	}
}

// TestWhereAPeerIs: an account is known that is connected, or of which there is an address.
func TestWhereAPeerIs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	there, away := l.guest(n).Address(), common.Address{2}
	l.must(n.net.Keep(away, "/memory/"+away.Hex()))
	l.must(n.net.Keep(common.Address{3}))
	for account, want := range map[common.Address]bool{there: true, away: true, {3}: false, {4}: false} {
		if got := n.seek(account); got != want {
			t.Errorf("%s: known %t", account, got)
		}
	}
}

// TestGroupsAreGivenUp: a player whose house opens no channel in time gives its group up, and tells
// nobody; a house tells the players.
func TestGroupsAreGivenUp(t *testing.T) {
	t.Parallel()
	for _, house := range []byte{1, 7} {
		l := newLab(t)
		n := l.node(nil)
		two, three := l.guest(n, 2), l.guest(n, 3)
		r := pairsBy(t, n, playerKey(t, house).Address())
		r.Signature = sign(t, house, r.ID)
		r.Groups = []RoundGroup{{State: GroupDrawn, Players: []matchmaking.Registration{signedBets(t, n, r.ID, 2), signedBets(t, n, r.ID, 3)}}}
		l.putRound(n, &r)
		n.head.block.Number, n.head.clock = 110+2*20+12, 33
		if err := n.tendGroup(t.Context(), &r, 0, r.Groups[0]); err != nil {
			t.Fatal(err)
		}
		if now, err := n.Round(r.ID); err != nil || (now.Groups[0].State == GroupDropped) != (house == 7) || len(two.told())+len(three.told()) != 0 {
			t.Errorf("house %d: %s, %v", house, now.Groups[0].State, err)
		}
		if err := n.drop(r.ID, 0, "no"); err != nil {
			t.Fatal(err)
		}
		for _, g := range []*guest{two, three} {
			list := g.told()
			if (len(list) == 1) != (house == 1) || len(list) > 0 && list[0].(message.RoundNotice).Refusal != "no" {
				t.Errorf("house %d: a player is told %v", house, list)
			}
		}
		if now, err := n.Round(r.ID); err != nil || now.Groups[0].Since != 33 {
			t.Errorf("house %d: since %d, %v", house, now.Groups[0].Since, err)
		}
		events, _, err := n.log.past(eventPrefix, 0)
		if err != nil || len(events) == 0 || !strings.HasSuffix(events[len(events)-1].Text, "group 1 does not play: no") {
			t.Errorf("house %d: %v, %v", house, events, err)
		}
	}
}
