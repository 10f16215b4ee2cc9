package node_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestOnlyWhatWasAgreedOnIsExpected: an invite has a channel opened, and a match played, without
// asking the player, only if all of it is as was agreed on, and nothing else came of the invite
// before.
func TestOnlyWhatWasAgreedOnIsExpected(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob, carol := tb.players[0], tb.players[1].Account(), common.Address{9}
	agreed := node.Invite{ID: common.Hash{1}, Mine: true, State: node.InviteJoined, With: bob, Stake: *stake}
	agreed.Player, agreed.Rules, agreed.Params, agreed.Window = alice.Account(), world(t).Rules["toy"], []byte{1}, 20
	other := *uint256.NewInt(1)

	for name, c := range map[string]struct {
		i func(*node.Invite)
		o func(*protocol.Terms)
	}{
		"as agreed":                {},
		"an offer came already":    {i: func(i *node.Invite) { i.Offer = common.Hash{2} }},
		"it came already":          {i: func(i *node.Invite) { i.Offer = common.Hash{3} }},
		"a channel came already":   {i: func(i *node.Invite) { i.Channel = common.Hash{2} }},
		"another's invite":         {i: func(i *node.Invite) { i.Mine = false }},
		"not agreed on":            {i: func(i *node.Invite) { i.State = node.InviteOpen }},
		"of somebody else":         {o: func(t *protocol.Terms) { t.Players[0] = carol }},
		"with a third player":      {o: func(t *protocol.Terms) { t.Players, t.Deposits = append(t.Players, carol), append(t.Deposits, *stake) }},
		"in another asset":         {o: func(t *protocol.Terms) { t.Asset = common.Address{3} }},
		"with another window":      {o: func(t *protocol.Terms) { t.Window++ }},
		"where bob puts in less":   {o: func(t *protocol.Terms) { t.Deposits[0] = other }},
		"where alice puts in more": {o: func(t *protocol.Terms) { t.Deposits[1].AddUint64(stake, 1) }},
	} {
		i := agreed
		o := node.Offer{ID: common.Hash{3}, Seat: 1, Terms: protocol.Terms{Players: []common.Address{bob, alice.Account()}, Deposits: []uint256.Int{*stake, *stake}, Window: 20}}
		if c.i != nil {
			c.i(&i)
		}
		if c.o != nil {
			c.o(&o.Terms)
		}
		if got, err := alice.ExpectsOffer(i, &o); err != nil || got != (name == "as agreed" || name == "it came already") {
			t.Errorf("a channel %s: expected %t, %v", name, got, err)
		}
	}

	seat := slices.Index(mustChannel(t, tb).Terms.Players, bob)
	for name, c := range map[string]struct {
		i func(*node.Invite)
		p func(*node.Proposal)
	}{
		"as agreed":              {},
		"of somebody else":       {i: func(i *node.Invite) { i.With = carol }},
		"in another asset":       {i: func(i *node.Invite) { i.Asset = common.Address{3} }},
		"in another channel":     {i: func(i *node.Invite) { i.Channel = common.Hash{2} }},
		"from before":            {i: func(i *node.Invite) { i.After = 5 << 8 }},
		"by other rules":         {p: func(p *node.Proposal) { p.Matches[0].Rules = common.Address{4} }},
		"with other parameters":  {p: func(p *node.Proposal) { p.Matches[0].Params = []byte{2} }},
		"where one stakes less":  {p: func(p *node.Proposal) { p.Matches[0].Stakes[0] = other }},
		"where one stakes more":  {p: func(p *node.Proposal) { p.Matches[0].Stakes[1].AddUint64(stake, 1) }},
		"of three":               {p: func(p *node.Proposal) { p.Matches[0].Stakes = append(p.Matches[0].Stakes, *stake) }},
		"together with another":  {p: func(p *node.Proposal) { p.Matches = append(p.Matches, p.Matches[0]) }},
		"in a channel not known": {p: func(p *node.Proposal) { p.Channel = common.Hash{5} }},
	} {
		i := agreed
		p := node.Proposal{Channel: tb.channel, Version: 5, From: seat, Matches: []protocol.MatchTerms{{
			ChannelID: tb.channel, Nonce: 5 << 8, Rules: i.Rules, Params: []byte{1}, Seats: []uint8{0, 1}, Stakes: []uint256.Int{*stake, *stake},
		}}}
		if c.i != nil {
			c.i(&i)
		}
		if c.p != nil {
			c.p(&p)
		}
		if got, err := alice.ExpectsMatch(i, &p); err != nil || got != (name == "as agreed") {
			t.Errorf("a match %s: expected %t, %v", name, got, err)
		}
	}
}

func mustChannel(t *testing.T, tb *table) node.Channel {
	t.Helper()
	c, err := tb.players[0].Channel(tb.channel)
	must(t, err)
	return c
}

// TestSharedChannels: a channel does for a match with its other player, in its asset, whose stake
// both have in it.
func TestSharedChannels(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1].Account()
	c := mustChannel(t, tb)
	most := c.Ledger.Balances[0]
	if c.Ledger.Balances[1].Lt(&most) {
		most = c.Ledger.Balances[1]
	}
	above := *new(uint256.Int).AddUint64(&most, 1)
	for name, got := range map[string]bool{
		"somebody else": alice.Shared(common.Address{9}, eth, stake), "another asset": alice.Shared(bob, common.Address{9}, stake),
		"more than there is": alice.Shared(bob, eth, &above),
	} {
		if got {
			t.Errorf("%s: shared", name)
		}
	}
	if !alice.Shared(bob, eth, &most) {
		t.Error("all that is in it: not shared")
	}
}

// TestRepliesChangeNothing: a reply to an offer is one of a player who was asked, of the same
// terms, signer by signer.
func TestRepliesChangeNothing(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	own, bob, carol := p.Account(), common.Address{8}, common.Address{9}
	for name, c := range map[string]struct {
		o    func(*node.Offer)
		m    func(*message.OpenReply)
		from common.Address
		ok   bool
	}{
		"as asked":           {ok: true},
		"declined":           {m: func(m *message.OpenReply) { *m = message.OpenReply{OfferID: m.OfferID, Decline: "no"} }, ok: true},
		"over":               {o: func(o *node.Offer) { o.State = node.OfferDeclined }, m: func(m *message.OpenReply) { m.Terms.Window = 1 }, ok: true},
		"of a stranger":      {from: common.Address{7}},
		"of oneself":         {from: own},
		"to another's offer": {o: func(o *node.Offer) { o.Seat, o.Terms.Players = 2, []common.Address{carol, bob, own} }},
		"to an offer of his, with terms": {o: func(o *node.Offer) { o.Seat, o.Terms.Players = 1, []common.Address{bob, own, carol} },
			m: func(m *message.OpenReply) { m.Terms.Signers[0] = common.Address{5} }},
		"other terms":               {m: func(m *message.OpenReply) { m.Terms.Window++ }},
		"fewer signers":             {m: func(m *message.OpenReply) { m.Terms.Signers = m.Terms.Signers[:2] }},
		"fewer signatures":          {m: func(m *message.OpenReply) { m.Signatures = m.Signatures[:2] }},
		"no signer":                 {m: func(m *message.OpenReply) { m.Terms.Signers[1] = common.Address{} }},
		"another signer":            {o: func(o *node.Offer) { o.Terms.Signers[1] = common.Address{6} }},
		"the same signer as before": {o: func(o *node.Offer) { o.Terms.Signers[1] = common.Address{5} }, ok: true},
	} {
		o := node.Offer{State: node.OfferOpen, Signatures: make([][]byte, 3), Terms: protocol.Terms{
			Players: []common.Address{own, bob, carol}, Signers: make([]common.Address, 3), Deposits: []uint256.Int{*stake, *stake, *stake}, Window: 20,
		}}
		if c.o != nil {
			c.o(&o)
		}
		o.ID = p.OfferID(&o.Terms)
		m := message.OpenReply{OfferID: o.ID, Terms: o.Terms, Signatures: make([][]byte, 3)}
		m.Terms.Signers = slices.Clone(o.Terms.Signers)
		m.Terms.Signers[1] = common.Address{5}
		if c.m != nil {
			c.m(&m)
		}
		from := c.from
		if from == (common.Address{}) {
			from = bob
		}
		if err := p.MayReply(&o, from, &m); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
