package node

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// pairsBy is a round of pairs by some house, whose registration closes at block 100.
func pairsBy(t testing.TB, n *Node, house common.Address) Round {
	t.Helper()
	params, err := splitsteal.Game().Params.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := Round{Game: splitsteal.Name, rules: splitsteal.Game().Rounds, Terms: matchmaking.Round{
		House: house, Rules: n.config.Rules[splitsteal.Name], Params: splitsteal.Game().Rounds.Announce(params), Least: *uint256.NewInt(1), Most: *uint256.NewInt(1000),
		Fewest: 2, Seats: 2, Window: 20, Closes: 100, Shuffle: 110,
	}}
	r.ID = r.Terms.ID(n.domain)
	return r
}

// pair returns a round of pairs by a house, a group in it of another node's and a third player,
// whose channel is open, and what the house has in that.
func (l *lab) pair(house, carol *Node) (r Round, g RoundGroup, subsidy uint64) {
	l.t.Helper()
	bob := l.node(nil)
	r = pairsBy(l.t, house, house.Account())
	g = RoundGroup{Players: []matchmaking.Registration{bets(bob.Account(), 400), bets(carol.Account(), 400)}, State: GroupOffered, Offer: common.Hash{4}}
	deposits, err := r.Stakes(&g)
	l.must(err)
	subsidy = deposits[games.House].Uint64()
	g.Channel = l.channel(common.Address{}, []uint64{subsidy, 400, 400}, house, bob, carol)
	return r, g, subsidy
}

// tableBy is a table by some house, whose registration closes at block 100.
func tableBy(t testing.TB, n *Node, house common.Address) Round {
	t.Helper()
	params, err := box9.Game().Params.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := Round{Game: box9.GameName, rules: box9.Game().Rounds, Terms: matchmaking.Round{
		House: house, Rules: n.config.Rules[box9.GameName], Params: params, Most: *uint256.NewInt(1000), Fewest: 2, Seats: 5, Window: 20, Closes: 100,
	}}
	r.ID = r.Terms.ID(n.domain)
	return r
}

// bets is a registration.
func bets(player common.Address, stake uint64) matchmaking.Registration {
	return matchmaking.Registration{Player: player, Stake: *uint256.NewInt(stake)}
}

// TestOffersOfRounds: an offer is a round's if its memo names the round, its house makes it, and
// the player is registered there.
func TestOffersOfRounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	house, own := common.Address{7}, bets(n.Account(), 5)
	r := pairsBy(t, n, house)
	r.Own = &own
	without := tableBy(t, n, house)
	l.putRound(n, &r)
	l.putRound(n, &without)
	for name, c := range map[string]struct {
		memo string
		by   common.Address
		want bool
	}{
		"as it should be":           {roundMemo(r.ID), house, true},
		"without a round":           {r.ID.Hex(), house, false},
		"of a round not known":      {roundMemo(common.Hash{1}), house, false},
		"without this player":       {roundMemo(without.ID), house, false},
		"that somebody else offers": {roundMemo(r.ID), common.Address{8}, false},
	} {
		o := &Offer{Memo: c.memo, Seat: 1, Terms: protocol.Terms{Players: []common.Address{c.by, n.Account()}}}
		if got, is := n.roundOf(o); is != c.want || is && got.ID != r.ID {
			t.Errorf("%s: %t", name, is)
		}
	}
	l.put(n, roundPrefix+r.ID.Hex(), map[string]any{"Terms": &r.Terms, "Own": &own, "Trouble": 5})
	if _, is := n.roundOf(&Offer{Memo: roundMemo(r.ID), Seat: 1, Terms: protocol.Terms{Players: []common.Address{house, n.Account()}}}); is {
		t.Error("of a round that can't be read")
	}
}

// TestOffersThatARoundWaitsFor: until the groups are known and have studied what they play for, an
// offer waits; then one that isn't of the player's group, or comes too late, is declined, and one
// that an earlier attempt may still make needless waits.
func TestOffersThatARoundWaitsFor(t *testing.T) {
	t.Parallel()
	other := common.Address{9}
	for name, c := range map[string]struct {
		change func(*Round)
		block  uint64
		want   OfferState
	}{
		"before the draw":           {func(r *Round) { r.Draw, r.Groups = common.Hash{}, nil }, 105, OfferOpen},
		"the player is out of it":   {func(r *Round) { r.Draw, r.Groups, r.Trouble = common.Hash{}, nil, "left out" }, 105, OfferDeclined},
		"drawn, and out of it":      {func(r *Round) { r.Trouble = "sealed too late" }, 112, OfferDeclined},
		"the odd one out":           {func(r *Round) { r.Groups = nil }, 112, OfferDeclined},
		"too late":                  {nil, 110 + 2*20 + 1, OfferDeclined},
		"while it is studied":       {func(r *Round) { r.Terms.Window, r.Terms.Study = 21, 10 }, 119, OfferOpen},
		"when it was studied":       {func(r *Round) { r.Terms.Window, r.Terms.Study = 21, 10 }, 120, OfferDeclined},
		"of another window":         {func(r *Round) { r.Terms.Window++ }, 112, OfferDeclined},
		"accepted another already":  {func(r *Round) { r.Groups[0].State, r.Groups[0].Offer = GroupOffered, common.Hash{5} }, 112, OfferDeclined},
		"another is played already": {func(r *Round) { r.Groups[0].State, r.Groups[0].Offer = GroupPlaying, common.Hash{5} }, 112, OfferDeclined},
	} {
		l := newLab(t)
		n := l.node(nil)
		house := l.guest(n)
		own := bets(n.Account(), 5)
		r := pairsBy(t, n, house.Address())
		r.Own, r.Entries, r.Draw, r.Seal = &own, []matchmaking.Registration{own, bets(other, 6)}, common.Hash{1}, protocol.Signature{1}
		r.Groups = []RoundGroup{{Players: r.Entries, State: GroupDrawn}}
		stakes, err := r.Stakes(&r.Groups[0])
		if err != nil {
			t.Fatal(err)
		}
		o := Offer{ID: common.Hash{4}, Seat: 1, State: OfferOpen, Memo: roundMemo(r.ID), Signatures: make([][]byte, 3), Terms: protocol.Terms{
			Players: []common.Address{house.Address(), n.Account(), other}, Signers: make([]common.Address, 3), Deposits: stakes, Window: 20,
		}}
		if c.change != nil {
			c.change(&r)
		}
		l.putOffer(n, &o)
		l.putRound(n, &r)
		n.head.block.Number = c.block
		if err := n.judgeOffer(t.Context(), &r, &o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := n.offer(o.ID); err != nil || now.State != c.want || (now.State == OfferDeclined) != (len(house.told()) == 1) {
			t.Errorf("%s: %s, %v", name, now.State, err)
		}
	}
}

// TestAttemptsAreNotMixed: while the channel of a whole table is offered, one with fewer players
// waits; what isn't the table's doesn't.
func TestAttemptsAreNotMixed(t *testing.T) {
	t.Parallel()
	house := common.Address{7}
	for name, c := range map[string]struct {
		state  GroupState
		window uint64
		want   OfferState
	}{
		"while the first is offered": {GroupOffered, 20, OfferOpen},
		"while the first is played":  {GroupPlaying, 20, OfferDeclined},
		"with another window":        {GroupOffered, 21, OfferDeclined},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := tableBy(t, n, house)
		r.Entries = []matchmaking.Registration{bets(n.Account(), 5), bets(common.Address{0xfe}, 6), bets(common.Address{0xff}, 7)}
		own := r.Entries[0]
		r.Own, r.Seal, r.Groups = &own, protocol.Signature{1}, []RoundGroup{{Players: r.Entries, State: c.state, Offer: common.Hash{5}}}
		o := Offer{ID: common.Hash{4}, Seat: 1, State: OfferOpen, Signatures: make([][]byte, 3), Terms: protocol.Terms{
			Players: []common.Address{house, n.Account(), {0xfe}}, Deposits: stakes(0, 5, 6), Window: c.window,
		}}
		l.putOffer(n, &o)
		l.putRound(n, &r)
		if err := n.judgeOffer(t.Context(), &r, &o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := n.offer(o.ID); err != nil || now.State != c.want {
			t.Errorf("%s: %s, %v", name, now.State, err)
		}
	}
}

// TestChannelsOfAGroup: a channel is a group's if the players, the order, the deposits, the asset
// and the window are the round's.
func TestChannelsOfAGroup(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	r := tableBy(t, n, common.Address{7})
	g := RoundGroup{Players: []matchmaking.Registration{bets(common.Address{1}, 5), bets(common.Address{2}, 6), bets(common.Address{3}, 7)}}
	for name, c := range map[string]struct {
		change func(*protocol.Terms)
		want   bool
	}{
		"whole": {func(*protocol.Terms) {}, true},
		"without one": {func(t *protocol.Terms) {
			t.Players, t.Deposits = slices.Delete(t.Players, 1, 2), slices.Delete(t.Deposits, 1, 2)
		}, true},
		"with too few":     {func(t *protocol.Terms) { t.Players, t.Deposits = t.Players[:2], t.Deposits[:2] }, false},
		"with a stranger":  {func(t *protocol.Terms) { t.Players[2] = common.Address{4} }, false},
		"in another order": {func(t *protocol.Terms) { t.Players[1], t.Players[2] = t.Players[2], t.Players[1] }, false},
		"for other sums":   {func(t *protocol.Terms) { t.Deposits[1].SetUint64(6) }, false},
		"in another asset": {func(t *protocol.Terms) { t.Asset = common.Address{1} }, false},
		"slower":           {func(t *protocol.Terms) { t.Window++ }, false},
	} {
		o := Offer{Terms: protocol.Terms{Players: []common.Address{{7}, {1}, {2}, {3}}, Deposits: stakes(0, 5, 6, 7), Window: 20}}
		c.change(&o.Terms)
		if _, fits := r.offers(&g, &o); fits != c.want {
			t.Errorf("%s: %t", name, fits)
		}
	}
	unknown := r
	unknown.Game = "chess"
	if _, fits := unknown.offers(&g, &Offer{Terms: protocol.Terms{Players: []common.Address{{7}, {1}, {2}, {3}}, Window: 20}}); fits {
		t.Error("a round of a game that has none")
	}
}

// TestMatchesOfRounds: in a round's channel one match is played, the round's, once; of other
// channels the round says nothing.
func TestMatchesOfRounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		round    func(*Round)
		proposal func(*Proposal)
		played   bool
		broken   bool
		want     verdict
	}{
		"as drawn":              {want: approved},
		"played already":        {played: true, want: disapproved},
		"of two at once":        {proposal: func(p *Proposal) { p.Matches = append(p.Matches, p.Matches[0]) }, want: disapproved},
		"by other rules":        {proposal: func(p *Proposal) { p.Matches[0].Rules = common.Address{1} }, want: disapproved},
		"with other parameters": {proposal: func(p *Proposal) { p.Matches[0].Params = []byte{1} }, want: disapproved},
		"for other stakes":      {proposal: func(p *Proposal) { p.Matches[0].Stakes[2].SetUint64(1) }, want: disapproved},
		"without the house":     {proposal: func(p *Proposal) { p.Matches[0].Seats = []uint8{1, 2} }, want: disapproved},
		"with nobody": {round: func(r *Round) { r.Groups[0].Players = r.Groups[0].Players[:1] },
			proposal: func(p *Proposal) { p.Matches[0].Seats, p.Matches[0].Stakes = nil, nil }, want: disapproved},
		"in another channel": {proposal: func(p *Proposal) { p.Channel = common.Hash{1} }},
		"of the house's":     {round: func(r *Round) { r.Own = nil }},
		"of those left out":  {round: func(r *Round) { r.Groups = nil }},
		"of others": {round: func(r *Round) {
			r.Groups[0].Players = []matchmaking.Registration{bets(common.Address{8}, 1), bets(common.Address{9}, 1)}
		}},
		"before the offer":               {round: func(r *Round) { r.Groups[0].Offer = common.Hash{} }},
		"of a forgotten offer":           {round: func(r *Round) { r.Groups[0].Offer = common.Hash{9} }},
		"of an offer that can't be read": {broken: true},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := pairsBy(t, n, common.Address{7})
		own, other := bets(n.Account(), 5), bets(common.Address{9}, 6)
		r.Own, r.Groups = &own, []RoundGroup{{Players: []matchmaking.Registration{own, other}, State: GroupPlaying, Offer: common.Hash{4}}}
		amounts, err := r.Stakes(&r.Groups[0])
		if err != nil {
			t.Fatal(err)
		}
		o := Offer{ID: common.Hash{4}, Seat: 1, Terms: protocol.Terms{Players: []common.Address{{7}, n.Account(), {9}}, Deposits: amounts}}
		p := Proposal{Channel: o.Terms.ID(n.domain), Matches: []protocol.MatchTerms{{
			Rules: r.Terms.Rules, Params: r.Terms.Params, Seats: []uint8{0, 1, 2}, Stakes: slices.Clone(amounts),
		}}}
		if c.played {
			l.put(n, resultPrefix+"x", Result{Channel: p.Channel, Payouts: amounts})
		}
		if c.round != nil {
			c.round(&r)
		}
		if c.proposal != nil {
			c.proposal(&p)
		}
		l.putOffer(n, &o)
		if c.broken {
			l.put(n, offerPrefix+o.ID.Hex(), map[string]any{"Terms": &o.Terms, "Memo": 5})
		}
		l.putRound(n, &r)
		if got := n.rounds.judge(&p); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// TestPlayedUnlessTheStoreSaysNot: where the results can't be read, a channel counts as played in.
func TestPlayedUnlessTheStoreSaysNot(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	if n.playedIn(common.Hash{1}) {
		t.Error("nothing was played")
	}
	n.config.Store = &storetest.Faulty{Store: n.config.Store, Before: func(storetest.Op) error { return errors.New("broken") }}
	if !n.playedIn(common.Hash{1}) {
		t.Error("nobody knows")
	}
}

// reached is a network of which a node is told other addresses.
type reached struct {
	Network
	at []string
}

func (r reached) Addresses() []string { return r.at }

// TestAddressesOfAPlayer: a house is told a bounded number of addresses, of bounded length.
func TestAddressesOfAPlayer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	long := strings.Repeat("a", protocol.MaxText)
	addresses := []string{long + "a", long}
	for range message.MaxPeerAddresses {
		addresses = append(addresses, "b")
	}
	n.net = reached{n.net, addresses}
	e := bets(n.Account(), 5)
	if got := n.joining(common.Hash{1}, &e).Addresses; len(got) != message.MaxPeerAddresses || got[0] != long || got[1] != "b" {
		t.Errorf("%d addresses", len(got))
	}
}

// absent is an owner who signs no opening.
type absent struct{ *master }

func (absent) SignOpening(ctx context.Context, _ protocol.Domain, _ *protocol.Terms) ([]byte, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// offered has a node hold the offer of its group's channel in a round of another's.
func (l *lab) offered(n *Node, house common.Address) (Round, Offer) {
	l.t.Helper()
	r := tableBy(l.t, n, house)
	r.Terms.Closes = 1
	r.ID = r.Terms.ID(n.domain)
	r.Entries = []matchmaking.Registration{bets(n.Account(), 0), bets(common.Address{0xfe}, 6), bets(common.Address{0xff}, 7)}
	own := r.Entries[0]
	g := RoundGroup{Players: r.Entries[:2], State: GroupDrawn}
	deposits, err := r.Stakes(&g)
	l.must(err)
	r.Own, r.Seal, r.Groups = &own, protocol.Signature{1}, []RoundGroup{g}
	o := Offer{ID: common.Hash{4}, Seat: 1, State: OfferOpen, Memo: roundMemo(r.ID), Time: n.config.Now().Unix(), Signatures: make([][]byte, 3), Terms: protocol.Terms{
		Players: []common.Address{house, n.Account(), {0xfe}}, Signers: []common.Address{{1}, {}, {2}}, Deposits: deposits, Window: 20, OpenBy: n.now() + 50,
	}}
	l.putOffer(n, &o)
	l.putRound(n, &r)
	return r, o
}

// TestAttack_HotKey_AsleepInRound: nothing waits for the player to sign the channel of its group.
func TestAttack_HotKey_AsleepInRound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := Join(t, func(c *Config) {
		c.Owner = absent{&master{Key: l.key()}}
	})
	l.must(n.Wait(t.Context(), func() (bool, error) { return n.blind() == nil, nil }))
	r, o := l.offered(n, common.Address{7})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := n.tendPlayer(ctx, &r); err != nil || ctx.Err() != nil {
		t.Errorf("it waits: %v", err)
	}
	n.offers.mu.Lock()
	defer n.offers.mu.Unlock()
	if !n.asking[o.ID] {
		t.Error("the player is not asked")
	}
}

// reluctant is an owner who signs no opening, and says why.
type reluctant struct {
	*master
	why error
}

func (r reluctant) SignOpening(context.Context, protocol.Domain, *protocol.Terms) ([]byte, error) {
	return nil, r.why
}

// TestNoAnswerInRound: a player is told when its signer doesn't answer about the channel of its
// group, until that can't be opened any more, and what it is about once. What it refuses is
// declined, and not asked again.
func TestNoAnswerInRound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		why   error
		state OfferState
	}{"away": {chain.ErrSignerAway, OfferOpen}, "refused": {chain.ErrSignerRefused, OfferDeclined}} {
		l := newLab(t)
		chained, n := Join(t, nil), l.node(func(config *Config) { config.Owner = reluctant{&master{Key: l.key()}, c.why} })
		l.must(chained.Wait(t.Context(), func() (bool, error) { return chained.blind() == nil, nil }))
		n.drive, n.head, n.whole = chained.drive, chained.head, true
		r, o := l.offered(n, common.Address{7})
		for range 2 {
			l.must(n.tendPlayer(t.Context(), &r))
			n.done.Wait()
			var err error
			r, err = n.Round(r.ID)
			l.must(err)
		}
		if told := l.events(n, RoundNews); len(told) != 1 {
			t.Errorf("%s: the player is told %q", name, told)
		}
		now, err := n.offer(o.ID)
		if err != nil || now.State != c.state {
			t.Errorf("%s: it is %s, %v", name, now.State, err)
		}
		if err := n.tendOffers(t.Context(), n.now()); errors.Is(err, c.why) != (c.state == OfferOpen) {
			t.Errorf("%s: %v", name, err)
		}
		l.must(n.finishOffer(&o, OfferLapsed))
		l.must(n.tendOffers(t.Context(), n.now()))
	}
}

// TestAttack_Sybil_Opponents: a house names ever others in its rounds whom the player is to be
// connected to, and none of them comes. The latest are kept, as those whose channels are over, but
// for whom the user added.
func TestAttack_Sybil_Opponents(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	house, named := common.Address{7}, common.Address{1, 1}
	own := bets(n.Account(), 5)
	l.must(n.AddPeer(named))
	for i := range byte(8) {
		r := pairsBy(t, n, house)
		r.ID, r.Own, r.Groups = common.Hash{i}, &own, []RoundGroup{{Players: []matchmaking.Registration{own}}}
		for j := range byte(10) {
			opponent := common.Address{i + 1, j + 1}
			r.Groups[0].Players, r.Reach = append(r.Groups[0].Players, bets(opponent, 5)), append(r.Reach, message.Peer{Account: opponent})
		}
		n.keepOpponents(&r)
	}
	kept := map[common.Address]bool{}
	for _, p := range n.net.Peers() {
		kept[p.Account] = p.Kept
	}
	if len(kept) > keptPast+1 || !kept[named] || !kept[common.Address{8, 10}] {
		t.Errorf("%d are kept, at most %d: the one that was added %t, the latest %t", len(kept), keptPast+1, kept[named], kept[common.Address{8, 10}])
	}
}
