package node

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// sitting is a sealed table by a house of some players, one group, with stakes of nothing.
func sitting(t testing.TB, n *Node, house byte, players ...byte) Round {
	t.Helper()
	r := tableBy(t, n, playerKey(t, house).Address())
	r.Signature, r.Seal = sign(t, house, r.ID), sign(t, house, r.ID)
	for _, p := range players {
		r.Entries = append(r.Entries, entry(t, n, r.ID, p, nil))
	}
	r.Groups = []RoundGroup{{Players: slices.Clone(r.Entries), State: GroupDrawn}}
	return r
}

// TestAttemptsThatFail: a player waits for another attempt to open its group's channel where there
// can be one: with fewer players, in time.
func TestAttemptsThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fewest uint8
		block  uint64
		want   GroupState
	}{
		"with one more than must be":  {2, 100, GroupDrawn},
		"with as few as may be":       {3, 100, GroupDropped},
		"when there is time for one":  {2, 100 + attempts*20, GroupDrawn},
		"when there is none any more": {2, 100 + attempts*20 + 1, GroupDropped},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := sitting(t, n, 7, 1, 2, 3)
		r.Terms.Fewest = c.fewest
		r.Groups[0].State, r.Groups[0].Offer = GroupOffered, common.Hash{4}
		l.putRound(n, &r)
		n.head.block.Number = c.block
		l.must(n.unopened(t.Context(), &r, 0, r.Groups[0], &Offer{ID: common.Hash{4}, Seat: 1, State: OfferLapsed}))
		now, err := n.Round(r.ID)
		l.must(err)
		if g := now.Groups[0]; g.State != c.want || len(g.Players) != 3 || (g.Offer == common.Hash{}) != (c.want == GroupDrawn) {
			t.Errorf("%s: %s, offer %s", name, g.State, g.Offer)
		}
	}
}

// TestWhoCame: a house offers a channel that wasn't opened again to those who did their part, have
// the money and are enough. The others are told, and so is, at once, who waits for an opening that
// somebody declined.
func TestWhoCame(t *testing.T) {
	t.Parallel()
	arena := Join(t, nil).drive.Arena
	for name, c := range map[string]struct {
		state    OfferState
		by       byte
		without  int // the seat that has no signer yet
		unsigned int // the seat that has not signed, of those that must
		poor     int // the seat that has not its stake any more
		wallet   int // the seat whose signature is not its key's
		fewest   uint8
		left     []byte // none: it is given up
	}{
		"one declines":                    {state: OfferDeclined, by: 3, fewest: 2, left: []byte{2, 4}},
		"one declines before all came":    {state: OfferDeclined, by: 3, without: 3, fewest: 2, left: []byte{2, 4}},
		"one declines, and one is poor":   {state: OfferDeclined, by: 3, poor: 1, fewest: 2},
		"one declines where all must be":  {state: OfferDeclined, by: 3, fewest: 3},
		"one does not come":               {state: OfferLapsed, without: 1, fewest: 2, left: []byte{3, 4}},
		"one does not sign":               {state: OfferLapsed, unsigned: 3, fewest: 2, left: []byte{2, 3}},
		"one does not sign, one is poor":  {state: OfferLapsed, unsigned: 3, poor: 1, fewest: 1, left: []byte{3}},
		"nobody is missing":               {state: OfferLapsed, fewest: 2},
		"nobody is missing, one was poor": {state: OfferLapsed, poor: 2, fewest: 2, left: []byte{2, 4}},
		"nobody but a wallet's signature": {state: OfferLapsed, wallet: 1, fewest: 2, left: []byte{3, 4}},
		"one was poor, not the wallet":    {state: OfferLapsed, by: 3, wallet: 1, fewest: 2, left: []byte{2, 4}},
		"one does not sign, of a wallet":  {state: OfferLapsed, unsigned: 3, wallet: 1, fewest: 2, left: []byte{2, 3}},
	} {
		l := newLab(t)
		n := l.node(nil)
		n.drive.Arena = arena
		guests := []*guest{l.guest(n, 2), l.guest(n, 3), l.guest(n, 4)}
		r := sitting(t, n, 1, 2, 3, 4)
		r.Terms.Fewest = c.fewest
		o := Offer{ID: common.Hash{4}, State: c.state, Reason: "why", Terms: protocol.Terms{
			Players: append([]common.Address{n.Account()}, r.Groups[0].players()...), Signers: []common.Address{{1}, {2}, {3}, {4}},
		}}
		for _, signs := range []byte{1, 2, 3, 4} {
			sig := sign(t, signs, o.Terms.ID(n.domain))
			o.Signatures = append(o.Signatures, sig[:])
		}
		if c.by > 0 {
			o.By = playerKey(t, c.by).Address()
		}
		if c.without > 0 {
			o.Terms.Signers[c.without] = common.Address{}
			o.Signatures = make([][]byte, 4)
		}
		if c.unsigned > 0 {
			o.Signatures[c.unsigned] = nil
		}
		if c.wallet > 0 {
			o.Signatures[c.wallet] = make([]byte, 97)
		}
		if c.poor > 0 {
			r.Groups[0].Players[c.poor-1].Stake.SetUint64(1)
		}
		r.Groups[0].State, r.Groups[0].Offer = GroupOffered, o.ID
		l.putRound(n, &r)
		l.must(n.unopened(t.Context(), &r, 0, r.Groups[0], &o))
		now, err := n.Round(r.ID)
		l.must(err)
		g := now.Groups[0]
		if again := len(c.left) > 0; again != (g.State == GroupDrawn) || again == (g.State == GroupDropped) {
			t.Errorf("%s: %s, %v", name, g.State, g.players())
		}
		for i, player := range guests {
			number := byte(i + 2)
			stays := slices.Contains(c.left, number)
			if g.State == GroupDrawn && stays != matchmaking.Registered(g.Players, player.Address()) {
				t.Errorf("%s: goes on with player %d: %t", name, number, !stays)
			}
			var takenBack, refused int
			for _, m := range player.told() {
				switch m := m.(type) {
				case message.OpenReply:
					if takenBack++; m.OfferID != o.ID || !strings.HasPrefix(m.Decline, "taken back: why") {
						t.Errorf("%s: player %d is told %v", name, number, m)
					}
				case message.RoundNotice:
					if refused++; m.Refusal == "" {
						t.Errorf("%s: player %d is told of nothing", name, number)
					}
				}
			}
			if (takenBack == 1) != (c.state == OfferDeclined && number != c.by) || (refused == 1) == stays {
				t.Errorf("%s: player %d is told %d and %d times", name, number, takenBack, refused)
			}
		}
	}
}

// TestWhoHasTheMoney: when a channel is to be offered, a group goes on without those who have spent
// their stakes, who are told, or is given up when that leaves too few.
func TestWhoHasTheMoney(t *testing.T) {
	t.Parallel()
	arena := Join(t, nil).drive.Arena
	for name, c := range map[string]struct {
		poor   bool
		fewest uint8
		want   GroupState
		left   int
	}{
		"all":             {false, 2, GroupDrawn, 3},
		"all but one":     {true, 2, GroupDrawn, 2},
		"all but too few": {true, 3, GroupDropped, 3},
	} {
		l := newLab(t)
		n := l.node(nil)
		n.drive.Arena = arena
		poor, rich := l.guest(n, 3), l.guest(n, 4)
		r := sitting(t, n, 1, 2, 3, 4)
		r.Terms.Fewest = c.fewest
		if c.poor {
			r.Groups[0].Players[1].Stake.SetUint64(1)
		}
		l.putRound(n, &r)
		g := r.Groups[0]
		if short, err := n.unpaid(t.Context(), &r, 0, &g); err != nil || short != c.poor {
			t.Errorf("%s: short %t, %v", name, short, err)
		}
		now, err := n.Round(r.ID)
		l.must(err)
		if g := now.Groups[0]; g.State != c.want || len(g.Players) != c.left {
			t.Errorf("%s: %s, %d players", name, g.State, len(g.Players))
		}
		if (len(poor.told()) == 1) != c.poor || (len(rich.told()) == 1) != (c.want == GroupDropped) {
			t.Errorf("%s: the wrong players are told", name)
		}
		if texts := l.events(n, RoundNews); c.left == 2 && (len(texts) != 1 || !strings.Contains(texts[0], "group 1 goes on with the 2")) {
			t.Errorf("%s: %q", name, texts)
		}
	}
	l := newLab(t)
	n := l.node(nil)
	n.drive.Arena = arena
	r := sitting(t, n, 1, 2, 3, 4)
	r.Groups[0].Players[2].Stake.SetUint64(1)
	l.putRound(n, &r)
	l.must(n.offerGroup(t.Context(), &r, 0))
	if now, err := n.Round(r.ID); err != nil || now.Groups[0].State != GroupDrawn || len(now.Groups[0].Players) != 2 {
		t.Errorf("offered to who has spent its stake: %+v, %v", now.Groups, err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := n.unpaid(gone, &r, 0, &r.Groups[0]); err == nil {
		t.Error("nobody could be asked, and all have the money")
	}
}

// TestOffersOfGroups: a house offers a group its channel, once, in time, if it has named all its
// players or has earned their subsidy.
func TestOffersOfGroups(t *testing.T) {
	t.Parallel()
	two, three := playerKey(t, 2).Address(), playerKey(t, 3).Address()
	for name, c := range map[string]struct {
		table  bool
		named  []common.Address
		earned bool
		block  uint64
		want   GroupState
		reason string
	}{
		"a table":                 {table: true, want: GroupOffered},
		"a table, late":           {table: true, block: 100 + attempts*20 + 1, want: GroupDropped, reason: "in time"},
		"a pair that it named":    {named: []common.Address{two, three}, want: GroupOffered},
		"a pair, one of it named": {named: []common.Address{two}, want: GroupDropped, reason: "earned"},
		"a pair":                  {want: GroupDropped, reason: "earned"},
		"a pair, out of profits":  {earned: true, want: GroupOffered},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := pairsBy(t, n, n.Account())
		if c.table {
			r = tableBy(t, n, n.Account())
		}
		r.Named = c.named
		r.Groups = []RoundGroup{{Players: []matchmaking.Registration{bets(two, 400), bets(three, 400)}, State: GroupDrawn}}
		l.putRound(n, &r)
		if c.earned {
			before := r
			before.ID, before.Groups = common.Hash{9}, []RoundGroup{{Players: r.Groups[0].Players, State: GroupDone, Channel: common.Hash{9}}}
			l.putRound(n, &before)
			l.put(n, resultPrefix+before.ID.Hex(), Result{Channel: common.Hash{9}, Payouts: stakes(1_000_000, 0, 0)})
		}
		for i, o := range []Offer{
			{Memo: roundMemo(common.Hash{1}), Terms: protocol.Terms{Players: []common.Address{n.Account(), two, three}}},
			{Memo: roundMemo(r.ID), Terms: protocol.Terms{Players: []common.Address{n.Account(), three, two}}},
			{Memo: roundMemo(r.ID), Terms: protocol.Terms{Players: []common.Address{n.Account(), two, three}}},
		} {
			o.ID, o.State, o.Time = common.Hash{byte(i + 1)}, OfferOpen, int64(i)
			l.putOffer(n, &o)
		}
		n.head.block.Number = c.block
		l.must(n.offerGroup(t.Context(), &r, 0))
		now, err := n.Round(r.ID)
		l.must(err)
		g := now.Groups[0]
		if offered := g.State == GroupOffered; g.State != c.want || offered != (g.Offer == common.Hash{3}) || g.Named != (offered && len(c.named) == 2) || !strings.Contains(g.Reason, c.reason) {
			t.Errorf("%s: %s, offer %s, named %t, %q", name, g.State, g.Offer, g.Named, g.Reason)
		}
		if texts := l.events(n, RoundNews); c.want == GroupOffered && !strings.Contains(texts[0], "group 1, ") {
			t.Errorf("%s: %q", name, texts)
		}
	}
}

// TestForHowLongAChannelMayBeOpened: those of a table who are offered its channel again may have
// signed an earlier attempt, and get more time.
func TestForHowLongAChannelMayBeOpened(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	for name, c := range map[string]struct {
		table   bool
		players int
		want    uint64
	}{"a whole table": {true, 3, 20}, "what is left of it": {true, 2, 60}, "a pair": {false, 2, 20}} {
		r := sitting(t, n, 1, 2, 3, 4)
		if !c.table {
			r.Terms.Shuffle = 110
		}
		if got := r.openWithin(&RoundGroup{Players: r.Entries[:c.players]}); got != c.want {
			t.Errorf("%s: within %d", name, got)
		}
	}
}
