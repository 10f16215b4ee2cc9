package node

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestWhenNothingMoreComesOfARound: of a house's when all its groups are over, of a player's when
// its own is, or when it takes no part and no channel of it is being opened.
func TestWhenNothingMoreComesOfARound(t *testing.T) {
	t.Parallel()
	house, me := common.Address{7}, common.Address{1}
	mine := func(s GroupState, offer common.Hash) RoundGroup {
		return RoundGroup{Players: []matchmaking.Registration{bets(me, 5)}, State: s, Offer: offer}
	}
	others := RoundGroup{State: GroupPlaying}
	for name, c := range map[string]struct {
		as      common.Address
		drawn   bool
		groups  []RoundGroup
		trouble string
		want    bool
	}{
		"a house, not drawn":              {as: house},
		"a house that was away":           {as: house, trouble: "away", want: true},
		"a house, nobody came":            {as: house, drawn: true, want: true},
		"a house, all is over":            {as: house, drawn: true, groups: []RoundGroup{{State: GroupDone}, {State: GroupDropped}}, want: true},
		"a house, one plays":              {as: house, drawn: true, groups: []RoundGroup{{State: GroupDone}, {State: GroupPlaying}}},
		"a player, not drawn":             {as: me, trouble: "refused"},
		"a player, the odd one":           {as: me, drawn: true, groups: []RoundGroup{others}, want: true},
		"a player, drawn":                 {as: me, drawn: true, groups: []RoundGroup{others, mine(GroupDrawn, common.Hash{})}},
		"a player, paid":                  {as: me, drawn: true, groups: []RoundGroup{others, mine(GroupDone, common.Hash{4})}, want: true},
		"a player, given up":              {as: me, drawn: true, groups: []RoundGroup{others, mine(GroupDropped, common.Hash{})}, want: true},
		"a player who plays":              {as: me, drawn: true, groups: []RoundGroup{mine(GroupPlaying, common.Hash{4})}},
		"a player who takes no part":      {as: me, drawn: true, trouble: "x", groups: []RoundGroup{mine(GroupDrawn, common.Hash{})}, want: true},
		"a player who signed an opening":  {as: me, drawn: true, trouble: "x", groups: []RoundGroup{mine(GroupOffered, common.Hash{4})}},
		"a player, and others are paid":   {as: me, drawn: true, groups: []RoundGroup{{State: GroupDone}, mine(GroupPlaying, common.Hash{4})}},
		"a house, in the eyes of a guest": {as: common.Address{9}, drawn: true, groups: []RoundGroup{others}, want: true},
	} {
		r := Round{Terms: matchmaking.Round{House: house, Shuffle: 110}, Groups: c.groups, Trouble: c.trouble}
		if c.drawn {
			r.Draw = common.Hash{1}
		}
		if got := r.finished(c.as); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestRoundsThatAreTended: a node takes its own rounds on, and those in which it is registered,
// until nothing more comes of them.
func TestRoundsThatAreTended(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Node, *Round)
		want   string // becomes of it
	}{
		"in which it plays":                    {func(*Node, *Round) {}, "the house has not said who plays, or has left you out"},
		"in which it is not":                   {func(_ *Node, r *Round) { r.Own = nil }, ""},
		"in which it is told that it does not": {func(_ *Node, r *Round) { r.Trouble = "no room" }, "no room"},
		"that it may be told of yet":           {func(n *Node, _ *Round) { n.head.block.Number-- }, ""},
		"that are sealed":                      {func(n *Node, r *Round) { r.Seal = sign(t, 7, r.ID) }, ""},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := tableBy(t, n, common.Address{7})
		own := bets(n.Account(), 5)
		r.Own = &own
		n.head.block.Number = 100 + attempts*20 + n.confirmations()
		c.change(n, &r)
		l.putRound(n, &r)
		l.must(n.tendRounds(t.Context()))
		now, err := n.Round(r.ID)
		l.must(err)
		if now.Trouble != c.want || !now.sealed() && now.drawn() {
			t.Errorf("%s: %q", name, now.Trouble)
		}
	}
	l := newLab(t)
	n := l.node(nil)
	n.head.block.Number = 100
	open, over := tableBy(t, n, n.Account()), tableBy(t, n, n.Account())
	over.ID, over.Trouble = common.Hash{1}, "away"
	l.putRound(n, &open)
	l.putRound(n, &over)
	l.must(n.tendRounds(t.Context()))
	for _, r := range []*Round{&open, &over} {
		if now, err := n.Round(r.ID); err != nil || now.sealed() == (r == &over) {
			t.Errorf("%q: sealed %t, %v", r.Trouble, now.sealed(), err)
		}
	}
}

// TestOnlyOnesOwnGroupIsTended: a player gives its own group up when it is too late, and leaves
// others alone; a house tends all.
func TestOnlyOnesOwnGroupIsTended(t *testing.T) {
	t.Parallel()
	const late = 110 + 2*20 + 1
	for _, c := range []struct {
		house byte
		block uint64
	}{{1, late}, {7, late}, {7, late - 1}} {
		l := newLab(t)
		n := l.node(nil)
		r := pairsBy(t, n, playerKey(t, c.house).Address())
		own := bets(n.Account(), 5)
		r.Own, r.Seal, r.Draw = &own, sign(t, c.house, r.ID), common.Hash{1}
		r.Groups = []RoundGroup{
			{Players: []matchmaking.Registration{own, bets(common.Address{9}, 5)}, State: GroupDrawn},
			// without an offer
			{Players: []matchmaking.Registration{bets(common.Address{8}, 5), bets(common.Address{9}, 5)}, State: GroupOffered},
		}
		l.putRound(n, &r)
		n.head.block.Number = c.block
		if err := n.tendRound(t.Context(), &r); (err == nil) != (c.house == 7) {
			t.Errorf("house %d: %v", c.house, err)
		}
		now, err := n.Round(r.ID)
		l.must(err)
		if (now.Groups[0].State == GroupDropped) != (c.block == late) || now.Groups[1].State != GroupOffered {
			t.Errorf("house %d, block %d: %s, %s", c.house, c.block, now.Groups[0].State, now.Groups[1].State)
		}
	}
}

// TestWhenAGroupCloses: a group's channel is closed when its match is paid, or none was played in
// it for a window.
func TestWhenAGroupCloses(t *testing.T) {
	t.Parallel()
	const since, window = 500, 20
	ended, contested, unknown := "ended", "contested", "unknown"
	for name, c := range map[string]struct {
		channel string
		result  func(*Result) // nil: there is none
		now     uint64
		want    GroupState
		err     error
	}{
		"while it may be played":        {now: since + window - 1, want: GroupPlaying},
		"when it was never played":      {now: since + window, want: GroupClosing},
		"while it is played":            {now: since + 5*window, result: func(r *Result) { r.Paid = false }, want: GroupPlaying},
		"when it is paid":               {result: func(*Result) {}, want: GroupClosing},
		"when another one is paid":      {result: func(r *Result) { r.Channel = common.Hash{9} }, now: since, want: GroupPlaying},
		"when the channel is paid out":  {channel: ended, result: func(*Result) {}, want: GroupClosing},
		"when the chain decides":        {channel: contested, result: func(*Result) {}, want: GroupClosing},
		"when there is no such channel": {channel: unknown, result: func(*Result) {}, want: GroupPlaying, err: ErrUnknownChannel},
	} {
		l := newLab(t)
		n := l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, n, l.node(nil))
		switch c.channel {
		case ended:
			id = common.Hash{5}
			l.put(n, endedPrefix+id.Hex(), Channel{ID: id, Status: ChannelEnded})
		case contested:
			l.says(n, id, onchain.Contested{ChannelID: id, Ledger: l.session(n, id).machine.Ledger(), Deadline: 50})
		case unknown:
			id = common.Hash{6}
		}
		if c.result != nil {
			res := Result{Match: common.Hash{3}, Channel: id, Paid: true, Payouts: stakes(1, 1)}
			c.result(&res)
			l.put(n, resultPrefix+res.Match.Hex(), res)
		}
		r := pairsBy(t, n, common.Address{7})
		r.Groups = []RoundGroup{{State: GroupPlaying, Channel: id, Since: since}}
		l.putRound(n, &r)
		n.head.clock = c.now
		if err := n.tendGroup(t.Context(), &r, 0, r.Groups[0]); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		now, err := n.Round(r.ID)
		l.must(err)
		if now.Groups[0].State != c.want {
			t.Errorf("%s: %s", name, now.Groups[0].State)
		}
		if c.channel != "" {
			continue
		}
		if asked, _ := l.session(n, id).machine.Closing(); asked != (c.want == GroupClosing) {
			t.Errorf("%s: closing %t", name, asked)
		}
	}
}

// TestWhenAGroupIsDone: when its channel is paid out.
func TestWhenAGroupIsDone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	open, over := l.channel(common.Address{}, []uint64{5, 5}, n, l.node(nil)), common.Hash{5}
	l.put(n, endedPrefix+over.Hex(), Channel{ID: over, Status: ChannelEnded})
	for id, c := range map[common.Hash]struct {
		want GroupState
		err  error
	}{open: {GroupClosing, nil}, over: {GroupDone, nil}, {6}: {GroupClosing, ErrUnknownChannel}} {
		r := pairsBy(t, n, common.Address{7})
		r.Groups = []RoundGroup{{State: GroupClosing, Channel: id}}
		l.putRound(n, &r)
		if err := n.tendGroup(t.Context(), &r, 0, r.Groups[0]); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", id, err)
		}
		if now, err := n.Round(r.ID); err != nil || now.Groups[0].State != c.want {
			t.Errorf("%s: %s, %v", id, now.Groups[0].State, err)
		}
	}
}

// TestOpeningsOfGroups: a group's channel is known as soon as all signers are, so that the round
// judges what is proposed in it; its match can start when it is open. What is declined or lapses is
// not waited for.
func TestOpeningsOfGroups(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		offer  func(*Offer)
		opens  bool // the channel is being opened
		opened bool // it is open
		known  bool // the group knew it
		late   bool // it is contested already
		house  bool
		want   GroupState
		says   string
	}{
		"offered":                    {offer: func(o *Offer) { o.Terms.Signers = make([]common.Address, 3) }, want: GroupOffered},
		"declined":                   {offer: func(o *Offer) { o.State = OfferDeclined }, want: GroupDropped, says: "group 1 does not play: its channel is declined"},
		"lapsed":                     {offer: func(o *Offer) { o.State = OfferLapsed }, want: GroupDropped, says: "group 1 does not play: its channel is lapsed"},
		"accepted by all":            {want: GroupOffered, says: "group 1 opens channel"},
		"accepted by all, as before": {known: true, want: GroupOffered},
		"opening":                    {opens: true, known: true, want: GroupOffered},
		"open":                       {opens: true, opened: true, known: true, want: GroupPlaying, says: "is open, the match can start"},
		"over again, at a house":     {opens: true, opened: true, known: true, late: true, house: true, want: GroupPlaying, says: "is open, the match can start"},
		"open, at a house":           {opens: true, opened: true, known: true, house: true, want: GroupPlaying, says: "is open, the match can start"},
	} {
		l := newLab(t)
		n, bob, carol := l.node(nil), l.node(nil), l.node(nil)
		house := bob
		seats := []*Node{bob, n, carol}
		if c.house {
			house, seats = n, []*Node{n, bob, carol}
		}
		r := pairsBy(t, n, house.Account())
		terms := l.session(n, l.channel(common.Address{}, []uint64{50_000, 50_000, 50_000}, seats...)).terms
		if !c.opened { // another channel
			signer, err := n.config.Sessions(common.Hash{77})
			l.must(err)
			terms.Salt, terms.Signers = common.Hash{77}, []common.Address{{1}, signer.Address(), {3}}
		}
		if c.opens && !c.opened {
			_, err := n.found(terms, 1)
			l.must(err)
		}
		if c.late {
			id := terms.ID(n.domain)
			l.says(n, id, onchain.Contested{ChannelID: id, Ledger: l.session(n, id).machine.Ledger(), Deadline: 50})
		}
		o := Offer{ID: common.Hash{4}, Seat: 1, State: OfferAccepted, Terms: terms}
		if c.offer != nil {
			c.offer(&o)
		}
		l.putOffer(n, &o)
		g := RoundGroup{State: GroupOffered, Offer: o.ID}
		for _, p := range seats[1:] {
			g.Players = append(g.Players, bets(p.Account(), 400))
		}
		if c.known {
			g.Channel = o.Terms.ID(n.domain)
		}
		r.Groups = []RoundGroup{g}
		l.putRound(n, &r)
		l.must(n.tendGroup(t.Context(), &r, 0, g))
		now, err := n.Round(r.ID)
		l.must(err)
		if got := now.Groups[0]; got.State != c.want || (got.Channel == o.Terms.ID(n.domain)) != (complete(&o.Terms) && c.want != GroupDropped) {
			t.Errorf("%s: %s, %s", name, got.State, got.Channel)
		}
		texts := l.events(n, RoundNews)
		if (len(texts) == 1) != (c.says != "") || len(texts) > 0 && !strings.Contains(texts[0], c.says) {
			t.Errorf("%s: %q", name, texts)
		}
		l.settle()
		if (len(carol.Matches()) == 1) != (c.house && !c.late) {
			t.Errorf("%s: %d matches are played", name, len(carol.Matches()))
		}
	}
}

// TestAttack_OfferFlood_Forgotten: newer offers have the node forget those by which a house opened
// the channels of a round. The match starts all the same where the channel is known, also when
// nothing can be done for another group.
func TestAttack_OfferFlood_Forgotten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	house := l.node(nil)
	r, g, _ := l.pair(house, l.node(nil))
	lost := g
	lost.Offer, lost.Channel = common.Hash{5}, common.Hash{}
	r.Own, r.Seal, r.Draw, r.Groups = nil, sign(t, 1, r.ID), common.Hash{1}, []RoundGroup{lost, g}
	l.putRound(house, &r)
	if err := house.tendRound(t.Context(), &r); !errors.Is(err, ErrUnknownOffer) {
		t.Errorf("of the group whose channel is not known: %v", err)
	}
	now, err := house.Round(r.ID)
	l.must(err)
	if now.Groups[0].State != GroupOffered || now.Groups[1].State != GroupPlaying {
		t.Errorf("the groups are %s and %s", now.Groups[0].State, now.Groups[1].State)
	}
}

// TestAGroupThatIsNotOffered: while a house can't offer a group its channel, the match of another
// group starts, whose channel is open.
func TestAGroupThatIsNotOffered(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	house := l.node(nil)
	told := Join(t, nil).drive
	house.drive.Arena, house.drive.Client = told.Arena, told.Client
	r, g, _ := l.pair(house, l.node(nil))
	unheard := RoundGroup{Players: []matchmaking.Registration{bets(common.Address{8}, 400), bets(common.Address{9}, 400)}, State: GroupDrawn}
	r.Named = unheard.players()
	r.Own, r.Seal, r.Draw, r.Groups = nil, sign(t, 1, r.ID), common.Hash{1}, []RoundGroup{unheard, g}
	l.putRound(house, &r)
	house.head.block.Number = r.Terms.Begins()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the chain is not asked what the players have
	if err := house.tendRound(ctx, &r); !errors.Is(err, context.Canceled) {
		t.Errorf("of the group that is not offered: %v", err)
	}
	now, err := house.Round(r.ID)
	l.must(err)
	if now.Groups[0].State != GroupDrawn || now.Groups[1].State != GroupPlaying {
		t.Errorf("the groups are %s and %s", now.Groups[0].State, now.Groups[1].State)
	}
}

// TestAMatchIsProposedOnce: a house dies when it has proposed the match of a group and not yet
// noted that in the round. Once it is back it takes the group on, whether that waits for an answer,
// is played or paid, and proposes nothing again.
func TestAMatchIsProposedOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	house := l.node(nil)
	r, g, _ := l.pair(house, l.node(nil))
	r.Groups = []RoundGroup{g}
	l.putRound(house, &r)
	back := func(when string, proposed, played int) {
		t.Helper()
		l.must(house.setGroup(r.ID, 0, g, "as it was when the house died"))
		if err := house.tendGroup(t.Context(), &r, 0, g); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		now, err := house.Round(r.ID)
		l.must(err)
		if at := now.Groups[0].State; at != GroupPlaying || len(house.Proposed()) != proposed || len(house.Matches()) != played {
			t.Errorf("%s: the group is %s, %d proposals, %d matches", when, at, len(house.Proposed()), len(house.Matches()))
		}
	}
	back("at first", 1, 0)
	back("while the match waits", 1, 0)
	l.settle()
	back("while it is played", 0, 1)
	id := house.Matches()[0].ID
	for i, choice := range []string{"steal", "split"} {
		for _, n := range l.nodes {
			if n.Account() == g.Players[i].Player {
				l.must(n.Play(id, choice))
				l.settle()
			}
		}
	}
	back("when it is paid", 0, 0)
}
