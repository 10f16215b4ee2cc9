package disputes_test

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// board is a channel whose seats' keys the test holds, so that it can say anything in anybody's
// name.
type board struct {
	domain protocol.Domain
	terms  protocol.Terms
	id     common.Hash
	keys   []*protocol.Key
	game   games.Rules // the toy rules, unless a test says otherwise
	rules  common.Address
}

func newBoard(domain protocol.Domain, rules common.Address, seats int, window, deposit uint64) *board {
	b := &board{domain: domain, game: toy.Rules{}, rules: rules}
	b.terms = protocol.Terms{Window: window, OpenBy: 1_000_000, Salt: common.Hash{31: 1}}
	for i := range seats {
		player, signer := protocoltest.Key(fmt.Sprint("player ", i)), protocoltest.Key(fmt.Sprint("signer ", i))
		b.keys = append(b.keys, signer)
		b.terms.Players = append(b.terms.Players, player.Address())
		b.terms.Signers = append(b.terms.Signers, signer.Address())
		b.terms.Deposits = append(b.terms.Deposits, *uint256.NewInt(deposit))
	}
	b.id = b.terms.ID(domain)
	return b
}

func (b *board) sign(seat int, digest common.Hash) protocol.Signature {
	s, err := b.keys[seat].Sign(digest)
	if err != nil {
		panic(err)
	}
	return s
}

// find is the rule sets that the planner may look up.
func (b *board) find(at common.Address) (games.Rules, error) {
	if at == b.rules {
		return b.game, nil
	}
	return nil, fmt.Errorf("no rules at %s", at)
}

// ledger returns a ledger that all seats signed.
func (b *board) ledger(version uint64, closing bool, balances []uint64, locked ...*match) *protocol.SignedLedger {
	l := &protocol.SignedLedger{Ledger: protocol.Ledger{ChannelID: b.id, Version: version, Closing: closing, Balances: amounts(balances...)}}
	for _, m := range locked {
		l.Locks = append(l.Locks, protocol.Lock{MatchID: m.id, Stakes: m.terms.Stakes})
	}
	slices.SortFunc(l.Locks, func(a, b protocol.Lock) int { return a.MatchID.Cmp(b.MatchID) })
	for seat := range b.keys {
		l.Signatures = append(l.Signatures, b.sign(seat, l.Digest(b.domain)))
	}
	return l
}

// match is a match as somebody holds it: its terms and the line of positions played so far. Lines
// can be forked.
type match struct {
	*board
	terms protocol.MatchTerms
	id    common.Hash
	line  []position
}

type position struct {
	turn  protocol.Turn
	state []byte
	mover uint8
	move  []byte // what led here
	by    uint8  // who made it
}

func (b *board) match(nonce uint64, seats []uint8, params []byte, stakes ...uint64) *match {
	m := &match{board: b, terms: protocol.MatchTerms{
		ChannelID: b.id, Nonce: nonce, Rules: b.rules, Seats: seats, Stakes: amounts(stakes...), Params: params,
	}}
	m.id = m.terms.ID(b.domain)
	state, err := m.game.Start(m.context())
	if err != nil {
		panic(err)
	}
	m.line = []position{{state: state, mover: m.moverOf(state), by: games.Nobody}}
	return m
}

func (m *match) moverOf(state []byte) uint8 {
	mover, err := m.game.Mover(state)
	if err != nil {
		panic(err)
	}
	return mover
}

func (m *match) context() *games.Context {
	c := &games.Context{MatchID: m.id, Params: m.terms.Params, Stakes: m.terms.Stakes, Domain: m.domain.Separator()}
	for _, s := range m.terms.Seats {
		c.Signers = append(c.Signers, m.board.terms.Signers[s])
	}
	return c
}

// play extends the line by moves, which must be legal.
func (m *match) play(moves ...[]byte) *match {
	for _, move := range moves {
		from, c := m.last(), m.context()
		if move[0] == 6 && len(move) == 3 {
			c.Signed = uint16(move[2]) // see toy.PassIfSigned: as if they had
		}
		state, err := m.game.Play(c, from.state, move)
		if err != nil {
			panic(err)
		}
		m.line = append(m.line, position{turn: from.turn + 1, state: state, mover: m.moverOf(state), move: move, by: from.mover})
	}
	return m
}

// expire extends the line by what the rules say when the last mover's time runs out.
func (m *match) expire() *match {
	from := m.last()
	state, err := m.game.Expire(m.context(), from.state)
	if err != nil {
		panic(err)
	}
	m.line = append(m.line, position{turn: from.turn.NextEpoch(), state: state, mover: m.moverOf(state), by: games.Nobody})
	return m
}

// fork returns the same match with a line of its own, which agrees with this one up to and
// including a position.
func (m *match) fork(at int) *match {
	other := *m
	other.line = slices.Clone(m.line[:at+1])
	return &other
}

func (m *match) last() position { return m.line[len(m.line)-1] }

// mark says that a seat of the match signed a position of the line.
type mark struct {
	at   int
	seat uint8
}

// all says that every seat of the match signed a position.
func (m *match) all(at int) []mark {
	var list []mark
	for seat := range m.terms.Seats {
		list = append(list, mark{at, uint8(seat)})
	}
	return list
}

func (m *match) signature(at int, seat uint8) protocol.Signature {
	p := protocol.Position{MatchID: m.id, Turn: m.line[at].turn, State: protocol.StateHash(m.line[at].state)}
	return m.sign(int(m.terms.Seats[seat]), p.Digest(m.domain))
}

// support returns the moves from one position of the line to another, signed by their movers and by
// others as told.
func (m *match) support(base, last int, others ...[]mark) *protocol.Support {
	s := &protocol.Support{Turn: m.line[base].turn, Base: m.line[base].state}
	marks := slices.Concat(others...)
	for i := base + 1; i <= last; i++ {
		s.Moves = append(s.Moves, m.line[i].move)
		if m.line[i].by != games.Chance {
			marks = append(marks, mark{i, m.line[i].by})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Or(a.at-b.at, int(a.seat)-int(b.seat)) })
	for _, k := range slices.Compact(marks) {
		s.Signatures = append(s.Signatures, protocol.SeatSignature{
			At: uint16(k.at - base), Seat: k.seat, Signature: m.signature(k.at, k.seat),
		})
	}
	return s
}

func (m *match) agreement(turn protocol.Turn, payouts ...uint64) *protocol.SignedAgreement {
	a := &protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: m.id, Turn: turn, Payouts: amounts(payouts...)}}
	for _, s := range m.terms.Seats {
		a.Signatures = append(a.Signatures, m.sign(int(s), a.Digest(m.domain)))
	}
	return a
}

func amounts(list ...uint64) []uint256.Int {
	out := make([]uint256.Int, len(list))
	for i, v := range list {
		out[i].SetUint64(v)
	}
	return out
}

// at returns a line that stands at what a record says, as the chain's events tell it.
func (m *match) at(c *scene, r *protocol.Record) *match {
	other := *m
	for _, s := range c.honest[0].watcher.View().Posted(m.id) {
		if s.Last() == r.Turn.Turn() {
			state := m.replay(s)
			other.line = []position{{turn: s.Last(), state: state, mover: m.moverOf(state), by: games.Nobody}}
		}
	}
	return &other
}
