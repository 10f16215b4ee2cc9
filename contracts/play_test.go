package contracts_test

import (
	"cmp"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// match is a match as somebody holds it: its terms and the line of positions played so far. Lines
// can be forked.
type match struct {
	tb    *table
	rules games.Rules
	terms protocol.MatchTerms
	id    common.Hash
	line  []position
}

// position is one position of a line and how it came about.
type position struct {
	turn  protocol.Turn
	state []byte
	mover uint8  // who moves next
	move  []byte // what led here
	by    uint8  // who made it
}

// signed says that a seat of the match signed a position of the line.
type signed struct {
	at   int // index in the line
	seat uint8
}

// match returns a match with the toy rules that a ledger version may lock.
func (tb *table) match(nonce uint64, params []byte, stakes ...uint64) *match {
	seats := make([]uint8, len(stakes))
	for i := range seats {
		seats[i] = uint8(i)
	}
	return tb.matchOf(toy.Rules{}, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: nonce, Rules: tb.toy, Seats: seats, Stakes: amounts(stakes...), Params: params,
	})
}

// matchOf returns a match with any terms. Its line starts with what the rules start with, or is
// empty if they refuse.
func (tb *table) matchOf(rules games.Rules, terms protocol.MatchTerms) *match {
	m := &match{tb: tb, rules: rules, terms: terms, id: terms.ID(tb.domain)}
	if first, err := rules.Start(m.context(0, 0)); err == nil {
		mover, err := rules.Mover(first)
		tb.ok(err)
		m.line = []position{{state: first, mover: mover}}
	}
	return m
}

func (m *match) context(signedBy uint16, recorded uint64) *games.Context {
	c := &games.Context{
		MatchID: m.id, Params: m.terms.Params, Stakes: m.terms.Stakes, Domain: m.tb.domain.Separator(),
		Signed: signedBy, Recorded: recorded,
	}
	for _, s := range m.terms.Seats {
		c.Signers = append(c.Signers, m.tb.terms.Signers[s])
	}
	return c
}

// play extends the line by moves, which must be legal.
func (m *match) play(moves ...[]byte) *match {
	m.tb.Helper()
	for _, move := range moves {
		m.playIn(m.context(0, 0), move)
	}
	return m
}

func (m *match) playIn(c *games.Context, move []byte) {
	m.tb.Helper()
	from := m.at(-1)
	next, err := m.rules.Play(c, from.state, move)
	m.tb.ok(err)
	mover, err := m.rules.Mover(next)
	m.tb.ok(err)
	m.line = append(m.line, position{turn: from.turn + 1, state: next, mover: mover, move: move, by: from.mover})
}

// expired extends the line by what the rules say when the last position's mover runs out of time.
func (m *match) expired() *match {
	m.tb.Helper()
	from := m.at(-1)
	next, err := m.rules.Expire(m.context(0, 0), from.state)
	m.tb.ok(err)
	mover, err := m.rules.Mover(next)
	m.tb.ok(err)
	m.line = append(m.line, position{turn: from.turn.NextEpoch(), state: next, mover: mover})
	return m
}

// illegal extends the line by a position that no move leads to.
func (m *match) illegal(move, state []byte, mover uint8) *match {
	from := m.at(-1)
	m.line = append(m.line, position{turn: from.turn + 1, state: state, mover: mover, move: move, by: from.mover})
	return m
}

// fork returns the same match with a line of its own, which agrees with this one up to and
// including a position.
func (m *match) fork(at int) *match {
	other := *m
	other.line = slices.Clone(m.line[:at+1])
	return &other
}

// at returns a position of the line; -1 is the last.
func (m *match) at(i int) position {
	if i < 0 {
		i += len(m.line)
	}
	return m.line[i]
}

func (m *match) last() int { return len(m.line) - 1 }

// everyone says that every seat of the match signed a position.
func (m *match) everyone(at int) []signed {
	list := make([]signed, len(m.terms.Seats))
	for i := range list {
		list[i] = signed{at: at, seat: uint8(i)}
	}
	return list
}

// sign returns a seat's signature of a position.
func (m *match) sign(at int, seat uint8) protocol.Signature {
	p := protocol.Position{MatchID: m.id, Turn: m.line[at].turn, State: crypto.Keccak256Hash(m.line[at].state)}
	return m.signer(seat).sign(p.Digest(m.tb.domain))
}

func (m *match) signer(seat uint8) key { return m.tb.seats[m.terms.Seats[seat]].signer }

// support returns the moves from one position of the line to another, signed by their movers and by
// others as told.
func (m *match) support(base, last int, others ...[]signed) protocol.Support {
	s := protocol.Support{Turn: m.line[base].turn, Base: m.line[base].state}
	marks := slices.Concat(others...)
	for i := base + 1; i <= last; i++ {
		s.Moves = append(s.Moves, m.line[i].move)
		if m.line[i].by != games.Chance {
			marks = append(marks, signed{at: i, seat: m.line[i].by})
		}
	}
	slices.SortFunc(marks, func(a, b signed) int { return cmp.Or(a.at-b.at, int(a.seat)-int(b.seat)) })
	for _, k := range slices.Compact(marks) {
		s.Signatures = append(s.Signatures, protocol.SeatSignature{
			At: uint16(k.at - base), Seat: k.seat, Signature: m.sign(k.at, k.seat),
		})
	}
	return s
}

// demand returns a seat's Demand for a position.
func (m *match) demand(at int, seat uint8) *protocol.Signature {
	d := protocol.Demand{MatchID: m.id, Turn: m.line[at].turn}
	s := m.signer(seat).sign(d.Digest(m.tb.domain))
	return &s
}

// agreement returns payouts at a turn that every seat of the match signed.
func (m *match) agreement(turn protocol.Turn, payouts ...uint64) protocol.SignedAgreement {
	a := protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: m.id, Turn: turn, Payouts: amounts(payouts...)}}
	for i := range m.terms.Seats {
		a.Signatures = append(a.Signatures, m.signer(uint8(i)).sign(a.Digest(m.tb.domain)))
	}
	return a
}

// equivocation returns a seat's signatures of the last positions of two lines at one turn.
func (m *match) equivocation(other *match, seat uint8) protocol.Equivocation {
	e := protocol.Equivocation{MatchID: m.id, Turn: m.at(-1).turn, Seat: seat}
	for i, side := range []*match{m, other} {
		e.States[i] = crypto.Keccak256Hash(side.at(-1).state)
		e.Signatures[i] = side.sign(side.last(), seat)
	}
	return e
}

func amounts(list ...uint64) []uint256.Int {
	out := make([]uint256.Int, len(list))
	for i, v := range list {
		out[i].SetUint64(v)
	}
	return out
}
