package sim

import (
	"bytes"
	"maps"
	"slices"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// cheats are what seats that cheat can do besides what their machines do: sign other positions,
// show them, and post any evidence that any of them ever held, at once, and so before or after any
// transaction of an honest seat in the block at hand.
func (n *node) cheats(l *list) {
	for _, id := range sortedIDs(n.gang.albums) {
		if n.left.forks > 0 {
			n.forge(l, id)
		}
		if n.left.shows > 0 {
			n.shows(l, id)
		}
		if n.left.posts > 0 {
			n.postings(l, id)
		}
		n.meddles(l, id)
	}
	for k, t := range n.pool {
		for j, a := range thefts(t.action) {
			n.post(l, false, a, "steal %d %d", k, j)
		}
	}
	if n.left.posts > 0 {
		for k := range n.gang.ledgers {
			n.contest(l, k)
		}
	}
}

// thefts are all that a front-runner can make of a transaction: the same, each of its steps, and
// those without their Demands.
func thefts(a onchain.Action) []onchain.Action {
	switch a := a.(type) {
	case onchain.Batch:
		var all []onchain.Action
		for _, one := range a {
			all = append(all, thefts(one)...)
		}
		return all
	case onchain.Advance:
		if a.Demand != nil {
			bare := a
			bare.Demand = nil
			return []onchain.Action{a, bare}
		}
	}
	return []onchain.Action{a}
}

// post is the step in which the adversary's transaction goes into the block at hand.
func (n *node) post(l *list, counts bool, a onchain.Action, format string, args ...any) {
	l.add(func(n *node) {
		t, err := n.submit(n.gang.members[0], "", a)
		if err != nil {
			return // what can't even be encoded
		}
		n.pool = n.pool[:len(n.pool)-1]
		err = n.execute(t)
		n.count(a, err)
		if counts && err == nil {
			n.left.posts--
		}
	}, format, args...)
}

func (n *node) contest(l *list, k int) {
	ledger, by := n.gang.ledgers[k], n.gang.members[0]
	sig, err := by.cfg.Signer.Sign(protocol.Contest{ChannelID: n.id, Version: ledger.Version}.Digest(n.domain))
	if err == nil {
		n.post(l, true, onchain.ContestLedger{Terms: n.terms, Ledger: *ledger, Seat: uint8(by.index), Signature: sig[:]}, "contest %d", ledger.Version)
	}
}

// postings are the supports that anybody who cheats ever held, with a Demand where one of them may
// make it, and without.
func (n *node) postings(l *list, id common.Hash) {
	a := n.gang.albums[id]
	for k, s := range a.supports {
		n.post(l, true, n.gang.advance(n.gang.members[0], id, a, s, false), "post %d", k)
		by := n.gang.members[0]
		if end := n.endOf(id, a, s); end != nil && n.gang.member(a, end.Mover) == by {
			by = n.gang.members[len(n.gang.members)-1]
		}
		n.post(l, true, n.gang.advance(by, id, a, s, true), "demand %d", k)
	}
}

// meddles are a Demand, an expiry, a payment, an agreement and an accusation, wherever there may be
// reason for one.
func (n *node) meddles(l *list, id common.Hash) {
	a, r := n.gang.albums[id], n.view.Recorded(id)
	if n.left.posts > 0 {
		for k, d := range a.draws {
			n.post(l, true, onchain.Agree{Terms: n.terms, Match: a.terms, Record: r, Agreement: *d}, "agree %d", k)
		}
		for _, e := range n.equivocations(id, a) {
			n.post(l, true, onchain.Convict{Terms: n.terms, Match: a.terms, Record: r, Proof: e}, "convict %d at %s", e.Seat, e.Turn)
		}
	}
	if posted, deadline := n.view.Ledger(); posted != nil && n.chain.Block() >= deadline && n.view.Status() == disputes.Contested {
		n.post(l, false, onchain.Settle{Terms: n.terms, Ledger: posted.Ledger}, "settle")
	}
	if r == nil || r.Status >= protocol.MatchFinal {
		return
	}
	if r.Status == protocol.MatchLive && r.Clock == 0 && n.left.posts > 0 {
		by := n.gang.members[0]
		if n.gang.member(a, r.Mover) == by {
			by = n.gang.members[len(n.gang.members)-1]
		}
		if sig, err := by.cfg.Signer.Sign(protocol.Demand{MatchID: id, Turn: r.Turn.Turn()}.Digest(n.domain)); err == nil {
			n.post(l, true, onchain.DemandMove{Terms: n.terms, Match: a.terms, Record: *r, Signature: sig}, "demand")
		}
	}
	if r.Deadline != 0 && n.chain.Block() >= r.Deadline {
		n.post(l, false, onchain.Expire{Terms: n.terms, Match: a.terms, Record: *r, State: n.states[r.State]}, "expire")
	}
}

// forge signs another move, where a seat that cheats is on move in anything that it holds, or in
// what is recorded.
func (n *node) forge(l *list, id common.Hash) {
	a := n.gang.albums[id]
	for k, s := range a.supports {
		if end := n.endOf(id, a, s); end != nil && (end.OnRecord || end.Rank().Agreed > 0) {
			n.forgeFrom(l, id, s, end.State, end.Mover, end.Signed, 0, "fork %d %s", k)
		}
	}
	r := n.view.Recorded(id)
	if r == nil || r.Status != protocol.MatchLive || n.states[r.State] == nil {
		return
	}
	var signed uint16
	for i, m := range r.Marks {
		if m == r.Turn {
			signed |= 1 << i
		}
	}
	state := n.states[r.State]
	n.forgeFrom(l, id, &protocol.Support{Turn: r.Turn.Turn(), Base: state}, state, r.Mover, signed, r.Block, "fork %d %s", -1)
}

func (n *node) forgeFrom(l *list, id common.Hash, s *protocol.Support, state []byte, mover uint8, signed uint16, recorded uint64, format string, k int) {
	a := n.gang.albums[id]
	if n.gang.member(a, mover) == nil {
		return
	}
	moves := n.alphabet(mover, s.Last())
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		next, err := a.judge.Play(state, moves[name], signed, recorded)
		if err != nil || slices.ContainsFunc(a.supports, func(o *protocol.Support) bool { return n.leads(id, o, s.Last()+1, next) }) {
			continue
		}
		l.add(func(n *node) {
			a := n.gang.albums[id]
			longer, signs := n.gang.extend(n.gang.member(a, mover), id, a, s, state, moves[name], signed, recorded)
			if longer == nil {
				return
			}
			p := protocol.Position{MatchID: id, Turn: longer.Last(), State: signs}
			longer, _ = n.gang.cosign(id, a, longer, next, n.uncommitted(p))
			a.supports = append(a.supports, longer)
			n.forks = append(n.forks, longer)
			n.left.forks--
		}, format, k, name)
	}
}

// uncommitted are the seats that cheat and signed nothing else of a position's turn.
func (n *node) uncommitted(p protocol.Position) []*seat {
	digest, at := p.Digest(n.domain), spot{p.MatchID, p.Turn}
	return slices.DeleteFunc(slices.Clone(n.gang.members), func(m *seat) bool {
		key := m.cfg.Signer.(*pen)
		return !key.signed[digest] && n.pens.signed(n.history, key, at)
	})
}

// leads reports whether a support is known to lead to a position.
func (n *node) leads(id common.Hash, s *protocol.Support, turn protocol.Turn, state []byte) bool {
	end := n.endOf(id, n.gang.albums[id], s)
	return s.Last() == turn && end != nil && bytes.Equal(end.State, state)
}

// shows tell an honest seat of a forged move.
func (n *node) shows(l *list, id common.Hash) {
	a := n.gang.albums[id]
	for k, s := range n.forks {
		at := uint16(len(s.Moves))
		end := n.endOf(id, a, s)
		if end == nil || at == 0 || end.Movers[at-1] == games.Chance {
			continue
		}
		by := end.Movers[at-1]
		i := slices.IndexFunc(s.Signatures, func(sig protocol.SeatSignature) bool { return sig.At == at && sig.Seat == by })
		if i < 0 {
			continue
		}
		for _, to := range n.seats {
			if to.honest {
				l.add(func(n *node) {
					n.left.shows--
					n.send(int(a.terms.Seats[by]), to.index, message.Move{MatchID: id, Turn: s.Last(), Move: s.Moves[at-1], State: end.Hash, Signature: s.Signatures[i].Signature})
				}, "show %d to %d", k, to.index)
			}
		}
	}
}

// endOf is where a support leads, nil where it does not by itself. It is worked out once.
func (n *node) endOf(id common.Hash, a *album, s *protocol.Support) *protocol.Replayed {
	if end, known := n.pens.ends[s]; known {
		return end
	}
	end, err := a.judge.Replay(s, nil, n.now())
	if err != nil {
		if end, err = a.judge.Replay(s, n.view.Recorded(id), n.now()); err != nil {
			return nil
		}
	}
	n.pens.ends[s] = &end
	return &end
}

// equivocations are the proofs that seats that cheat could put together, against whomever.
func (n *node) equivocations(id common.Hash, a *album) []protocol.Equivocation {
	if len(n.forks) == 0 {
		return nil
	}
	said := map[disputes.Signed]bool{}
	var all []disputes.Signed
	for _, s := range a.supports {
		end := n.endOf(id, a, s)
		if end == nil {
			continue
		}
		for _, sig := range s.Signatures {
			one := disputes.Signed{Turn: s.Turn + protocol.Turn(sig.At), State: protocol.StateHash(end.States[sig.At]), Seat: sig.Seat, Signature: sig.Signature}
			if !said[one] {
				said[one] = true
				all = append(all, one)
			}
		}
	}
	twice := func(o disputes.Signed) bool {
		return slices.ContainsFunc(all, func(p disputes.Signed) bool { return p.Turn == o.Turn && p.Seat == o.Seat && p.State != o.State })
	}
	all = slices.DeleteFunc(slices.Clone(all), func(o disputes.Signed) bool { return !twice(o) })
	return disputes.FindEquivocations(n.domain, id, a.judge.Context(0, 0).Signers, all)
}
