package disputes_test

import (
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// toyParams are those of the match that is reorganised: seat 0 begins, and who lets its clock run
// out loses.
var toyParams = toy.Params(0)

// happening is an action of ours that the chain takes back.
type happening struct {
	own onchain.Action // by alice
	// by a stranger, in front of it in the same block; nil: somebody's deposit
	beside onchain.Action
	rival  onchain.Action // what takes its place
	by     int            // who does that
	spoilt bool           // the contract then refuses ours
}

// happenings are the actions of an Arena, each on a channel that has come so far that it can be
// done.
var happenings = map[string]func(g *ground) happening{
	"deposit": func(g *ground) happening {
		return happening{own: g.gives(alice, 7), rival: g.gives(alice, 8), by: stranger}
	},
	"withdraw": func(g *ground) happening {
		g.do(g.gives(alice, deposit), g.gives(bob, deposit))
		return happening{own: onchain.Withdraw{Amount: *g.free(alice), To: g.net.Address(alice)}, rival: g.opening(), by: stranger, spoilt: true}
	},
	"open": func(g *ground) happening {
		g.do(g.gives(alice, deposit), g.gives(bob, deposit))
		return happening{own: g.opening(), rival: onchain.Withdraw{Amount: *g.free(bob), To: g.net.Address(bob)}, by: bob, spoilt: true}
	},
	"contest": func(g *ground) happening {
		m := g.begin()
		return happening{own: g.contest(g.ledger(2, false, left, m), 0), beside: g.advance(m, 1, nil, false),
			rival: g.contest(g.ledger(4, false, left, m), 1), by: stranger, spoilt: true}
	},
	"refute": func(g *ground) happening {
		m := g.begin()
		g.do(g.contest(g.ledger(2, false, left, m), 1))
		return happening{own: onchain.ContestLedger{Terms: g.terms, Ledger: *g.ledger(4, false, left, m)},
			rival: onchain.ContestLedger{Terms: g.terms, Ledger: *g.ledger(6, false, left, m)}, by: stranger, spoilt: true}
	},
	"close": func(g *ground) happening {
		g.begin()
		done := onchain.Close{Terms: g.terms, Ledger: *g.ledger(3, true, []uint64{150, 50})}
		return happening{own: done, rival: done, by: stranger, spoilt: true}
	},
	"advance": func(g *ground) happening {
		m := g.begin()
		return happening{own: g.advance(m, 1, nil, true), beside: g.contest(g.ledger(2, false, left, m), 1),
			rival: g.advance(m, 2, nil, false), by: stranger, spoilt: true}
	},
	"answer": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, true))
		r := g.recorded(m)
		return happening{own: g.advance(m, 2, r, false), beside: g.contest(g.ledger(2, false, left, m), 1),
			rival: g.advance(m, 3, r, false), by: stranger, spoilt: true}
	},
	"demand": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, false))
		r := g.recorded(m)
		return happening{own: onchain.DemandMove{Terms: g.terms, Match: m.terms, Record: *r, Signature: *m.demand(1, 0)},
			rival: g.advance(m, 2, r, false), by: stranger, spoilt: true}
	},
	"agree": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, true))
		r := g.recorded(m)
		return happening{own: onchain.Agree{Terms: g.terms, Match: m.terms, Record: r, Agreement: *m.agreement(m.line[1].turn, stake, stake)},
			rival: g.advance(m, 2, r, false), by: stranger, spoilt: true}
	},
	"expire": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, true))
		g.mine(window)
		end := onchain.Expire{Terms: g.terms, Match: m.terms, Record: *g.recorded(m), State: m.line[1].state}
		return happening{own: end, beside: g.contest(g.ledger(2, false, left, m), 1), rival: end, by: stranger, spoilt: true}
	},
	"convict": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, true))
		guilt := onchain.Convict{Terms: g.terms, Match: m.terms, Record: g.recorded(m), Proof: m.doubled(1)}
		return happening{own: guilt, beside: g.contest(g.ledger(2, false, left, m), 1), rival: guilt, by: stranger, spoilt: true}
	},
	"settle": func(g *ground) happening {
		m := g.begin()
		g.do(g.advance(m, 1, nil, true), g.contest(g.ledger(2, false, left, m), 1))
		g.mine(window)
		g.do(onchain.Expire{Terms: g.terms, Match: m.terms, Record: *g.recorded(m), State: m.line[1].state})
		all := onchain.Settle{Terms: g.terms, Ledger: g.ledger(2, false, left, m).Ledger,
			Matches: []onchain.FinalMatch{{Terms: m.terms, Record: *g.recorded(m)}}}
		some := all
		some.Matches = nil
		return happening{own: all, rival: some, by: stranger} // pays the lock that the other left
	},
	"batch": func(g *ground) happening {
		m := g.begin()
		l := g.ledger(2, false, left, m)
		return happening{own: onchain.Batch{g.contest(l, 0), g.advance(m, 1, nil, true)}, rival: g.contest(l, 1), by: stranger, spoilt: true}
	},
}

// left is what a ledger with the match leaves of the deposits.
var left = []uint64{deposit - stake, deposit - stake}

// begin opens the channel and returns a match in it, of which some moves are played.
func (g *ground) begin() *match {
	g.Helper()
	g.do(g.gives(alice, deposit), g.gives(bob, deposit), g.opening())
	return g.played()
}

// played returns the match of the channel.
func (g *ground) played() *match {
	return g.match(2<<8, []uint8{0, 1}, toyParams, stake, stake).play(toy.Pass(1), toy.Pass(0), toy.Pass(1))
}

func (g *ground) gives(to int, amount uint64) onchain.Deposit {
	return onchain.Deposit{Account: g.net.Address(to), Amount: *uint256.NewInt(amount)}
}

func (g *ground) free(account int) *uint256.Int {
	g.Helper()
	amount, err := g.arena.Bank(g.Context(), common.Address{}, g.net.Address(account))
	g.ok(err)
	return amount
}

func (g *ground) opening() onchain.Open {
	g.Helper()
	open := onchain.Open{Terms: g.terms}
	for _, account := range []int{alice, bob} {
		sig, err := protocol.NewKey(g.net.Key(account)).Sign(g.id)
		g.ok(err)
		open.Signatures = append(open.Signatures, sig[:])
	}
	return open
}

// advance takes the match to a position, on top of what is recorded; with the other seat's Demand
// if asked for.
func (g *ground) advance(m *match, at int, on *protocol.Record, demand bool) onchain.Advance {
	a := onchain.Advance{Terms: g.terms, Match: m.terms, Record: on, Support: *m.support(0, at, m.all(0))}
	if on == nil {
		a.Ledger = g.ledger(2, false, left, m)
	}
	if demand {
		a.Demand = m.demand(at, 1-m.line[at].mover)
	}
	return a
}

// recorded returns what the chain holds of the match now.
func (g *ground) recorded(m *match) *protocol.Record {
	g.Helper()
	g.listen()
	r := g.watcher.View().Record(m.id)
	return &r
}

// doubled proves that the mover of a position signed two that follow it.
func (m *match) doubled(at int) protocol.Equivocation {
	other := m.fork(at).play(toy.Pass(m.line[at].mover, 1))
	p := protocol.Equivocation{MatchID: m.id, Turn: m.line[at+1].turn, Seat: m.line[at].mover}
	for i, line := range []*match{m, other} {
		p.States[i] = protocol.StateHash(line.line[at+1].state)
		p.Signatures[i] = line.signature(at+1, p.Seat)
	}
	return p
}
