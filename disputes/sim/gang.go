package sim

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// gang is all seats that cheat. They share what they hold and see, and the adversary who orders
// blocks is theirs: it sees every transaction before it is mined.
type gang struct {
	*history
	r       *rand.Rand
	members []*seat
	acts    []act
	at      uint64 // the block from which on they act again
	left    int    // how often they still may: what they do costs time, not only theirs

	swept      bool // everything that is final was fetched at last
	front      bool // goes before honest transactions, with what those carry
	ledgers    []*protocol.SignedLedger
	albums     map[common.Hash]*album
	confidants []string
}

// album is what the gang has of a match.
type album struct {
	terms    protocol.MatchTerms
	judge    *protocol.Judge
	ledger   *protocol.SignedLedger
	supports []*protocol.Support // all that there ever were, the forks that they signed among them
	draws    []*protocol.SignedAgreement
}

// act is something that a member does in a block, before anybody else.
type act struct {
	by *seat
	do func(g *gang, by *seat)
}

// hooks are how a seat that cheats differs from an honest one. The zero value is an honest seat.
type hooks struct {
	names []string
	says  func(to int, msg message.Message) bool // whether a message leaves
	// takes messages in place of the network: see Explore
	mail    func(to int, msg message.Message)
	chooses func(m *channel.MatchView, t games.Table, honest func() (*games.Decision, error)) (*games.Decision, error)
	player  games.Player              // who decides in place of the game's own
	passive bool                      // does nothing on the chain by itself
	late    bool                      // answers clocks at the last moment
	drops   func(onchain.Action) bool // which actions it never sends
}

// keeps returns what is left of an action; nil: nothing.
func (h *hooks) keeps(a onchain.Action) onchain.Action {
	if h.drops == nil {
		return a
	}
	list, several := a.(onchain.Batch)
	if !several {
		list = onchain.Batch{a}
	}
	switch list = slices.DeleteFunc(slices.Clone(list), h.drops); len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}

// join makes a seat a member with one to three strategies.
func (g *gang) join(s *seat) {
	g.members = append(g.members, s)
	if g.albums == nil {
		g.albums = map[common.Hash]*album{}
		first := protocol.FirstLedger(g.id, &g.terms)
		g.ledgers = []*protocol.SignedLedger{{Ledger: first}}
		g.left = 8 + g.r.IntN(16)
	}
	n := min(1+g.r.IntN(3), len(g.config.Strategies))
	for _, i := range g.r.Perm(len(g.config.Strategies))[:n] {
		st := g.config.Strategies[i]
		s.hooks.names = append(s.hooks.names, st.Name+st.join(g, s))
		g.confidants = append(g.confidants, st.Name)
	}
}

func (g *gang) names() []string {
	list := slices.Clone(g.confidants)
	slices.Sort(list)
	return slices.Compact(list)
}

// learn keeps what a member holds now: it can be posted for ever.
func (g *gang) learn(s *seat) {
	if l := s.machine.Ledger(); l.Version > g.ledgers[len(g.ledgers)-1].Version {
		g.ledgers = append(g.ledgers, &l)
	}
	for _, m := range s.machine.Matches() {
		if m.Seat < 0 || m.Support == nil || m.Ledger == nil {
			continue
		}
		a := g.albums[m.ID]
		if a == nil {
			a = &album{terms: m.Terms, judge: s.machine.Judge(m.ID), ledger: m.Ledger}
			g.albums[m.ID] = a
		}
		a.add(m.Support)
		if m.Agreement != nil && (len(a.draws) == 0 || a.draws[len(a.draws)-1].Turn != m.Agreement.Turn) {
			a.draws = append(a.draws, m.Agreement)
		}
	}
}

func (a *album) add(s *protocol.Support) {
	if len(a.supports) > 0 {
		old := a.supports[len(a.supports)-1]
		if old.Last() == s.Last() && len(old.Signatures) == len(s.Signatures) && bytes.Equal(old.Base, s.Base) {
			return
		}
	}
	a.supports = append(a.supports, s)
}

// act has the members do what they do in this block.
func (g *gang) act() {
	for _, s := range g.members {
		g.learn(s)
	}
	if len(g.acts) == 0 || g.left == 0 || g.chain.Block() < g.at {
		return
	}
	g.left--
	one := g.acts[g.r.IntN(len(g.acts))]
	one.do(g, one.by)
	g.at = g.chain.Block() + 1
	if g.r.IntN(2) == 0 {
		g.at += g.r.Uint64N(window)
	}
}

// collects is the block from which on even seats that cheat are out for their money.
func (h *history) collects() uint64 { return h.leave + 12*window }

// collect has members fetch what is theirs at last, where nobody else has a reason to.
func (g *gang) collect() {
	if g.chain.Block() < g.collects() {
		return
	}
	for _, s := range g.members {
		if s.hooks.passive {
			s.hooks.passive, s.fresh = false, true
		}
	}
	if l, _ := g.view.Ledger(); l != nil && len(g.members) > 0 && !g.swept {
		if a := g.closing(l.Ledger); len(a.Matches) > 0 {
			g.swept = true
			g.post(g.members[0], a)
		}
	}
}

// closing settles a ledger, with every match that is final and was not paid yet.
func (h *history) closing(l protocol.Ledger) onchain.Settle {
	a := onchain.Settle{Terms: h.terms, Ledger: l}
	for _, k := range l.Locks {
		r := h.view.Record(k.MatchID)
		if terms := h.termsOf(k.MatchID); terms != nil && !h.view.Paid(k.MatchID) && r.Status >= protocol.MatchAgreed {
			a.Matches = append(a.Matches, onchain.FinalMatch{Terms: *terms, Record: r})
		}
	}
	return a
}

// termsOf returns the terms of a match that anybody ever knew, nil if nobody did.
func (h *history) termsOf(id common.Hash) *protocol.MatchTerms {
	for _, s := range h.seats {
		if c := s.claims[id]; c != nil {
			return &c.terms
		}
	}
	return nil
}

// next is the block in which they act again; 0: never.
func (g *gang) next() uint64 {
	if len(g.acts) == 0 || g.left == 0 {
		return 0
	}
	return g.at
}

// post puts an action into the pool, in a member's name. What can't even be encoded is passed over.
func (g *gang) post(by *seat, a onchain.Action) {
	if t, err := g.submit(by, "", a); err == nil {
		t.first = true
		g.progress = true
	}
}

// order puts the pool into the order of the block: the gang's own first, then what it made of
// honest transactions, and these in any order, some of them later.
func (g *gang) order(pool []*tx) []*tx {
	var own, others, ahead []*tx
	for _, t := range pool {
		if t.first {
			own = append(own, t)
			continue
		}
		if t.not == 0 && t.from.honest && g.weather.delay > 0 && len(g.members) > 0 {
			t.not = g.chain.Block() + uint64(g.r.IntN(g.weather.delay+1))
		}
		if g.front && t.from.honest && t.action != nil && g.left > 0 && g.r.IntN(2) == 0 {
			g.left--
			g.pool = nil
			for _, a := range g.thefts(t.action) {
				g.post(g.members[0], a)
			}
			ahead, g.pool = append(ahead, g.pool...), nil
		}
		others = append(others, t)
	}
	g.shuffle(others)
	return slices.Concat(own, ahead, others)
}

func (g *gang) shuffle(list []*tx) {
	if len(g.members) > 0 {
		g.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// anyMatch picks one of the matches that the gang knows.
func (g *gang) anyMatch() (common.Hash, *album) {
	ids := sortedIDs(g.albums)
	if len(ids) == 0 {
		return common.Hash{}, nil
	}
	id := ids[g.r.IntN(len(ids))]
	return id, g.albums[id]
}

// thefts are what a front-runner makes of a transaction: the same, or the same without the Demand,
// or its steps one by one.
func (g *gang) thefts(a onchain.Action) []onchain.Action {
	switch a := a.(type) {
	case onchain.Batch:
		return []onchain.Action{a[g.r.IntN(len(a))]}
	case onchain.Advance:
		if a.Demand != nil && g.r.IntN(2) == 0 {
			a.Demand = nil
		}
		return []onchain.Action{a}
	}
	return []onchain.Action{a}
}
