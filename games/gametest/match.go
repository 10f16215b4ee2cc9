package gametest

import (
	"crypto/ecdsa"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// match is one random match through both engines.
type match struct {
	*pair
	suite   Suite
	r       *rand.Rand
	random  *rand.ChaCha8 // the players' own
	c       *games.Context
	chain   *blocks
	keys    []*ecdsa.PrivateKey // of the sessions, by seat
	secrets []commit.Secrets    // by seat
	turns   uint64              // the most there may be
	enough  uint64              // turns after which nobody cares for the rest; 0: never
	reason  string              // how it ended
	// of the moves that commit, when what is shown is looked at; else nil
	told *samples
}

func (s Suite) newMatch(t testing.TB, p *pair, number int) *match {
	t.Helper()
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], *seedFlag)
	binary.BigEndian.PutUint64(seed[8:], uint64(number))
	random := rand.NewChaCha8(seed)
	p.where = fmt.Sprintf("-gametest.seed=%d -gametest.match=%d: ", *seedFlag, number)
	m := &match{pair: p, suite: s, r: rand.New(random), random: random}
	m.c = &games.Context{Params: s.params(t, number)}
	m.c.MatchID = m.hash()
	m.c.Domain = m.hash()
	m.chain = newBlocks(m.c.MatchID, s.Noted)
	m.c.Facts = m.chain
	m.c.Stakes = m.stakes(t)
	for range m.c.Stakes {
		key, err := crypto.ToECDSA(crypto.Keccak256(m.bytes(20)))
		if err != nil {
			t.Fatal(err)
		}
		m.keys = append(m.keys, key)
		m.c.Signers = append(m.c.Signers, crypto.PubkeyToAddress(key.PublicKey))
	}
	m.secrets = make([]commit.Secrets, len(m.c.Stakes))
	turns, err := s.Game.Turns(m.c.Params)
	if err != nil {
		t.Fatalf("%sturns: %v", p.where, err)
	}
	m.turns = turns
	return m
}

func (m *match) stakes(t testing.TB) []uint256.Int {
	t.Helper()
	if m.suite.Stakes != nil {
		return m.suite.Stakes(m.r, m.c.Params)
	}
	stakes := m.suite.least(t, m.c.Params)
	for i := range stakes { // what it takes at least, and often more
		if more := m.stake(); m.suite.Game.Stakes == nil || m.r.IntN(2) == 0 {
			stakes[i].Add(&stakes[i], &more)
		}
	}
	return stakes
}

// least is what each seat must stake.
func (s Suite) least(t testing.TB, params []byte) []uint256.Int {
	t.Helper()
	if s.Game.Stakes == nil {
		return make([]uint256.Int, s.seats(t))
	}
	least, err := s.Game.Stakes(params)
	if err != nil {
		t.Fatalf("stakes of params 0x%x: %v", params, err)
	}
	return least
}

// seats is the least number of seats that the game can be played by.
func (s Suite) seats(t testing.TB) int {
	t.Helper()
	for n := 2; n <= games.MaxSeats; n++ {
		c := &games.Context{Params: s.params(t, 0), Stakes: make([]uint256.Int, n), Signers: make([]common.Address, n)}
		if _, err := s.Game.Rules.Start(c); err == nil {
			return n
		}
	}
	t.Fatalf("%s starts with no number of seats from 2 to %d, under params 0x%x", s.Game.Name, games.MaxSeats, s.params(t, 0))
	return 0
}

func (m *match) play() {
	state, err := m.start(m.c)
	if err != nil {
		m.t.Fatalf("%sstart: %v", m.where, err)
	}
	for turn := uint64(0); ; turn++ {
		seat, err := m.mover(state)
		if err != nil {
			m.t.Fatalf("%sturn %d: mover of 0x%x: %v", m.where, turn, state, err)
		}
		if seat == games.Nobody {
			m.finish(state)
			return
		}
		if m.enough != 0 && turn >= m.enough {
			return
		}
		if turn >= m.turns {
			m.t.Fatalf("%snot over after %d turns, at 0x%x", m.where, turn, state)
		}
		m.witnessed()
		move := m.choose(state, seat)
		m.probe(state, move)
		expired, err := m.expire(m.c, state)
		if err != nil {
			m.t.Fatalf("%sturn %d: 0x%x cannot be expired: %v", m.where, turn, state, err)
		}
		m.runOut(expired)
		if m.r.IntN(100) == 0 || seat == games.Chance && move == nil {
			state = expired
			continue
		}
		if state, err = m.pair.play(m.c, state, move); err != nil {
			m.t.Fatalf("%sturn %d: the player side made an illegal move 0x%x: %v", m.where, turn, move, err)
		}
	}
}

// runOut lets time run out until the match is over: wherever a match stands, its stakes are shared
// out at last.
func (m *match) runOut(state []byte) {
	for range m.turns + 1 {
		seat, err := m.mover(state)
		if err != nil {
			m.t.Fatalf("%smover of 0x%x: %v", m.where, state, err)
		}
		if seat == games.Nobody {
			if _, err := m.outcome(state, m.c.Stakes); err != nil {
				m.t.Fatalf("%s0x%x is over, but has no outcome: %v", m.where, state, err)
			}
			return
		}
		if state, err = m.expire(m.c, state); err != nil {
			m.t.Fatalf("%s0x%x cannot be expired: %v", m.where, state, err)
		}
	}
	m.t.Fatalf("%snot over after %d expiries, at 0x%x", m.where, m.turns+1, state)
}

// choose returns a legal move: usually one that the player side makes of itself, else any.
func (m *match) choose(state []byte, seat uint8) []byte {
	if seat == games.Chance {
		return m.chance(state)
	}
	t := m.table(state, seat)
	var d *games.Decision
	var err error
	if m.suite.Odd != nil && m.r.IntN(16) == 0 {
		d, err = m.suite.Odd(m.r, t)
	}
	if d == nil && err == nil && m.r.IntN(16) != 0 {
		if d, err = m.wait(t, func() (*games.Decision, error) { return m.suite.Game.Player.Auto(t) }); d == nil && err == nil {
			m.asked(t)
		}
	}
	if d == nil && err == nil {
		d, err = m.any(m.r, t)
	}
	return m.made(t, d, err)
}

// asked demands that a seat which has to choose is told what: no node waits for a person otherwise.
func (m *match) asked(t games.Table) {
	ask, err := m.suite.Game.Player.Ask(t)
	if err == nil && ask == "" && !games.Follows(m.suite.Game.Player) {
		err = errors.New("it is asked nothing")
	}
	if err != nil {
		m.t.Fatalf("%sin 0x%x seat %d has to choose: %v", m.where, t.State, t.Seat, err)
	}
}

// any chooses as people might who know only what is legal.
func (m *match) any(r *rand.Rand, t games.Table) (*games.Decision, error) {
	if m.suite.Choose != nil {
		if d, err := m.suite.Choose(r, t); d != nil || err != nil {
			return d, err
		}
	}
	list, err := m.suite.Game.Player.Moves(t.Context, t.State)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		return &games.Decision{Move: list[r.IntN(len(list))], Secrets: t.Secrets}, nil
	}
	return m.wait(t, func() (*games.Decision, error) { return m.suite.Game.Player.Bot(t) })
}

// made keeps the seat's new secrets, and returns its move.
func (m *match) made(t games.Table, d *games.Decision, err error) []byte {
	if d == nil || err != nil {
		m.t.Fatalf("%sseat %d cannot move in 0x%x: %v", m.where, t.Seat, t.State, err)
	}
	m.secrets[t.Seat] = d.Secrets
	return d.Move
}

// finish checks a position that is over: nothing follows, and the stakes are shared out.
func (m *match) finish(state []byte) {
	if next, err := m.expire(m.c, state); err == nil {
		m.t.Fatalf("%s0x%x is over, but expires to 0x%x", m.where, state, next)
	}
	for _, move := range [][]byte{nil, m.bytes(32)} {
		if next, err := m.pair.play(m.c, state, move); err == nil {
			m.t.Fatalf("%s0x%x is over, but goes on to 0x%x", m.where, state, next)
		}
	}
	o, err := m.outcome(state, m.c.Stakes)
	if err != nil {
		m.t.Fatalf("%s0x%x is over, but has no outcome: %v", m.where, state, err)
	}
	m.probe(state, nil)
	m.reason = o.ReasonText()
}

func (m *match) hash() common.Hash { return common.Hash(m.bytes(32)) }

func (m *match) bytes(n int) []byte {
	b := make([]byte, n)
	_, _ = m.random.Read(b) // never fails
	return b
}

// stake returns amounts of all sizes, zero and nearly the most there can be included.
func (m *match) stake() uint256.Int {
	var v uint256.Int
	v.SetBytes(m.bytes(m.r.IntN(32)))
	return v
}
