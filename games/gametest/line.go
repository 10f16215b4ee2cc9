package gametest

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// line is one course that a match may take. A seat's n-th decision draws on randomness that depends
// on the match, the seat and n alone, so honest seats behave alike in all courses of one match:
// they differ only by what a cheat does.
type line struct {
	*match
	state   []byte
	secrets []commit.Secrets // by seat
	made    []uint64         // decisions by seat
	steps   []step
	asked   uint64 // how often who is on move, so that it ends
}

// step is a move that was made.
type step struct {
	seat    uint8
	state   []byte // in which it was made
	move    []byte
	commits []commit.Opening // what the seat committed to by it
	opens   bool             // it shows a salt of the seat's
}

func (s Suite) newLine(m *match) *line {
	state, err := m.start(m.c)
	if err != nil {
		m.t.Fatalf("%sstart: %v", m.where, err)
	}
	n := len(m.c.Stakes)
	return &line{match: m, state: state, secrets: make([]commit.Secrets, n), made: make([]uint64, n)}
}

func (l *line) fork() *line {
	f := *l
	f.secrets, f.made, f.steps = slices.Clone(l.secrets), slices.Clone(l.made), slices.Clip(l.steps)
	return &f
}

// mover is the seat on move, or games.Nobody. What the chain has to do is done before.
func (l *line) mover() uint8 {
	for l.c.Signed = 1<<len(l.secrets) - 1; ; l.state = l.drawn(l.state) {
		seat, err := l.match.mover(l.state)
		if err != nil {
			l.t.Fatalf("%smover: %v", l.where, err)
		}
		if l.asked++; l.asked > 8*l.turns+64 {
			l.t.Fatalf("%snot over after %d turns and expiries, at 0x%x", l.where, l.asked, l.state)
		}
		if seat != games.Chance {
			return seat
		}
	}
}

// table is the match as a seat's own machine sees it: with the secrets read back from what a store
// would hold.
func (l *line) table(seat uint8) games.Table {
	var seed [32]byte
	copy(seed[:], l.c.MatchID[:16])
	seed[16] = seat
	binary.BigEndian.PutUint64(seed[24:], l.made[seat])
	return games.Table{
		Context: l.c, State: l.state, Seat: seat, Secrets: commit.Load(l.secrets[seat].Expose()), Random: rand.NewChaCha8(seed),
		Notes: l.notes(l.state, seat), Sign: l.sign(seat),
	}
}

// decide is what a player side does on its turn; where it leaves the choice to people, any legal
// move.
func (l *line) decide(p games.Player, seat uint8) (*games.Decision, error) {
	t := l.table(seat)
	if d, err := l.wait(t, func() (*games.Decision, error) { return p.Auto(t) }); d != nil || err != nil {
		return d, err
	}
	return l.any(rand.New(t.Random.(*rand.ChaCha8)), t)
}

// play makes a move, and reports whether it is legal.
func (l *line) play(seat uint8, d *games.Decision) bool {
	next, err := l.pair.play(l.c, l.state, d.Move)
	if err != nil {
		return false
	}
	before, after := l.openings(seat, l.secrets[seat]), l.openings(seat, d.Secrets)
	l.steps = append(l.steps, step{seat, l.state, d.Move, after[min(len(before), len(after)):], opens(after, d.Move)})
	l.state, l.secrets[seat] = next, d.Secrets
	l.made[seat]++
	return true
}

// expire lets the mover's time run out.
func (l *line) expire() {
	next, err := l.match.expire(l.c, l.state)
	if err != nil {
		l.t.Fatalf("%s0x%x cannot be expired: %v", l.where, l.state, err)
	}
	l.state = next
}

func (m *match) openings(seat uint8, s commit.Secrets) []commit.Opening {
	list, err := s.Openings(m.c.MatchID, seat)
	if err != nil {
		m.t.Fatalf("%sseat %d: %v", m.where, seat, err)
	}
	return list
}

// look is what a game's view says of a position for a seat, where it says it in the usual words.
func (l *line) look(seat uint8) (phase, role string) {
	var said struct{ Phase, Role string }
	if v, err := l.suite.Game.Player.View(l.table(seat)); err == nil {
		if b, err := json.Marshal(v); err == nil {
			_ = json.Unmarshal(b, &said) // another form says nothing
		}
	}
	return said.Phase, said.Role
}

// opens reports whether a move shows a salt.
func opens(list []commit.Opening, move []byte) bool {
	return slices.ContainsFunc(list, func(o commit.Opening) bool { return shows(move, o.Salt) })
}

func shows(b []byte, word common.Hash) bool { return len(b) >= 32 && index(b, word) >= 0 }
