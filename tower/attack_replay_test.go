package tower

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// weighed counts the moves that are replayed, by any goroutine.
type weighed struct {
	toy.Rules
	n *atomic.Int64
}

func (w weighed) Play(c *games.Context, state, move []byte) ([]byte, error) {
	w.n.Add(1)
	return w.Rules.Play(c, state, move)
}

// horde is a channel all of whose seats are one attacker's. Each has given another support of each
// match.
type horde struct {
	*siege
	n       atomic.Int64
	matches []protocol.MatchTerms
}

// mob has the tower hold so many moves for each seat and match.
func mob(t *testing.T, seats, matches, moves int) *horde {
	t.Helper()
	h := new(horde)
	h.siege = besiege(t, func(c *Config) {
		game := toy.Game()
		game.Rules = weighed{n: &h.n}
		c.Games = games.Catalog{game}
		c.Limits.Every, c.Limits.Burst = time.Nanosecond, 1<<30
	})
	h.terms = protocol.Terms{Window: 40, OpenBy: 1 << 35, Salt: common.Hash{9}}
	h.owners, h.seats = nil, nil
	for i := range seats {
		h.owners = append(h.owners, key(t, byte(100+i)))
		h.seats = append(h.seats, key(t, byte(200+i)))
		h.terms.Players = append(h.terms.Players, h.owners[i].Address())
		h.terms.Signers = append(h.terms.Signers, h.seats[i].Address())
		h.terms.Deposits = append(h.terms.Deposits, *uint256.NewInt(1000))
		h.act(0, onchain.Deposit{Account: h.owners[i].Address(), Amount: *uint256.NewInt(1000)})
	}
	h.id = h.terms.ID(h.domain)
	open := onchain.Open{Terms: h.terms}
	for _, k := range h.owners {
		sig := h.sign(k, h.id)
		open.Signatures = append(open.Signatures, sig[:])
	}
	h.act(0, open)
	h.mine(3)
	l := protocol.Ledger{ChannelID: h.id, Version: 2}
	for range seats {
		l.Balances = append(l.Balances, *uint256.NewInt(uint64(1000 - matches)))
	}
	for i := range matches {
		m := protocol.MatchTerms{ChannelID: h.id, Nonce: 2<<8 | uint64(i), Rules: h.world.Rules["toy"], Params: toy.Params(0)}
		for seat := range seats {
			m.Seats, m.Stakes = append(m.Seats, uint8(seat)), append(m.Stakes, *uint256.NewInt(1))
		}
		h.matches = append(h.matches, m)
		l.Locks = append(l.Locks, protocol.Lock{MatchID: m.ID(h.domain), Stakes: m.Stakes})
	}
	slices.SortFunc(l.Locks, func(a, b protocol.Lock) int { return a.MatchID.Cmp(b.MatchID) })
	h.ledger = protocol.SignedLedger{Ledger: l}
	for _, k := range h.seats {
		h.ledger.Signatures = append(h.ledger.Signatures, h.sign(k, l.Digest(h.domain)))
	}
	for seat := range seats {
		h.hand(seat, message.TowerEvidence{Ledger: h.ledger, Matches: h.matches})
		for i := range h.matches {
			h.hand(seat, h.run(i, moves, byte(seat)))
		}
	}
	return h
}

// hand gives the tower evidence, as slowly as its budgets want.
func (h *horde) hand(seat int, e message.TowerEvidence) {
	h.Helper()
	h.now = h.now.Add(time.Minute)
	if r := h.give(seat, e); r.Refusal != "" {
		h.Fatal(r.Refusal)
	}
}

// run is evidence of so many moves by the first seat after the start of a match, which differ by a
// salt.
func (h *horde) run(match, moves int, salt byte) message.TowerEvidence {
	h.Helper()
	m := h.matches[match]
	judge, err := protocol.NewJudge(h.domain, &h.terms, &m, toy.Rules{})
	h.must(err)
	state, err := judge.Start()
	h.must(err)
	s := &protocol.Support{Base: state}
	sign := func(at int, seat uint8) {
		d := judge.Digest(protocol.Turn(at), protocol.StateHash(state))
		s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(at), Seat: seat, Signature: h.sign(h.seats[seat], d)})
	}
	for seat := range h.seats {
		sign(0, uint8(seat))
	}
	for i := range moves {
		move := toy.Pass(0, salt)
		state, err = judge.Play(state, move, 1, 0)
		h.must(err)
		s.Moves = append(s.Moves, move)
		sign(i+1, 0)
	}
	return message.TowerEvidence{Ledger: h.ledger, Matches: []protocol.MatchTerms{m}, MatchID: m.ID(h.domain), Support: s}
}

// cost is how many moves are replayed meanwhile.
func (h *horde) cost(do func()) int {
	h.n.Store(0)
	do()
	return int(h.n.Load())
}

// contest posts version 1 of the ledger.
func (h *horde) contest() {
	h.Helper()
	first := h.first()
	sig := h.sign(h.seats[0], protocol.Contest{ChannelID: h.id, Version: first.Version}.Digest(h.domain))
	h.act(0, onchain.ContestLedger{Terms: h.terms, Ledger: first, Seat: 0, Signature: sig[:]})
}

// TestAttack_TowerFlood_Looks: all seats of a channel are one attacker's, who contests it for less
// than a transaction costs, so that the tower looks at it again at each block. What it was given is
// replayed once, and not for each seat and at each block, while other channels wait. With 16 seats
// and 64 matches that was 571,392 moves a look.
func TestAttack_TowerFlood_Looks(t *testing.T) {
	const seats, matches, moves = 4, 6, protocol.MaxRun - 1
	h := mob(t, seats, matches, moves)
	h.contest()
	// two moves of each match: what is posted of it is shortened
	if n, most := h.cost(func() { h.mine(1) }), (seats+2)*matches*moves; n == 0 || n > most {
		t.Errorf("%d moves replayed at the first look, at most %d", n, most)
	}
	for range 3 {
		if n := h.cost(func() { h.mine(1) }); n > 0 {
			t.Errorf("%d moves replayed at another block", n)
		}
	}
	longer := h.run(0, moves+1, 0)
	if n, most := h.cost(func() { h.hand(0, longer); h.mine(1) }), 4*(moves+1); n == 0 || n > most {
		t.Errorf("%d moves replayed for %d that came, at most %d", n, moves+1, most)
	}
}

// TestAttack_TowerFlood_Quiet: in a channel of an attacker nothing is due on the chain any more,
// and evidence comes at each block. It is not taken up anew each time. What nothing comes of is
// dropped.
func TestAttack_TowerFlood_Quiet(t *testing.T) {
	h := mob(t, 2, 3, 0)
	for i := range h.matches {
		h.hand(0, h.run(i, protocol.MaxRun, 0))
	}
	e := h.run(0, 1, 0)
	h.act(0, onchain.Advance{Terms: h.terms, Match: h.matches[0], Ledger: &h.ledger, Support: *e.Support})
	h.mine(2)
	for range 3 {
		if n := h.cost(func() { h.hand(0, message.TowerEvidence{Ledger: h.ledger, Matches: h.matches}); h.mine(2) }); n > 0 {
			t.Errorf("%d moves replayed again", n)
		}
	}
	h.mine(int(h.linger()) - 2)
	if h.Counts().Disputes != 1 {
		t.Error("it is dropped at once")
	}
	h.mine(4)
	if h.Counts().Disputes != 0 {
		t.Error("it is never dropped")
	}
}
