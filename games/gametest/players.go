package gametest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
)

// Matches of player sides. In most, choices are any legal moves, which is quick; in the last few
// the bot's.
const (
	quickMatches = 200
	botMatches   = 4
)

// honest plays matches among honest players: nobody is convicted.
func (s Suite) honest(t testing.TB) {
	p := s.pair(t)
	told := newSamples()
	quick, bots := quickly(quickMatches), quickly(botMatches)
	for i := range quick + bots {
		m := s.newMatch(t, p, i)
		m.told = told
		players := make([]games.Player, len(m.secrets))
		for seat := range players {
			players[seat] = s.Game.Player
		}
		if o := m.between(players, i >= quick); o.Guilty != 0 || o.ReasonText() != "" {
			t.Fatalf("%shonest players ended with guilty %b, reason %q", m.where, o.Guilty, o.ReasonText())
		}
	}
	if where := told.tell(); where != "" {
		t.Fatalf("what a seat hides can be read off its commitment: %s", where)
	}
}

// quickly returns a number of matches, or what is left of it under go test -short.
func quickly(matches int) int {
	if testing.Short() {
		return matches / 4
	}
	return matches
}

// liars plays matches of one liar against honest players: whoever lied is convicted, and nobody
// else.
func (s Suite) liars(t testing.TB) {
	for _, l := range s.Game.Liars {
		s.liar(t, l)
	}
}

func (s Suite) liar(t testing.TB, l games.Liar) {
	p := s.pair(t)
	lies, quick := 0, quickly(quickMatches)
	for i := range quick {
		m := s.newMatch(t, p, i)
		players := make([]games.Player, len(m.secrets))
		for seat := range players {
			players[seat] = s.Game.Player
		}
		liar := m.r.IntN(len(players))
		watch := &witness{Player: l.Player(uint32(m.r.IntN(4))), honest: s.Game.Player, r: m.r}
		players[liar] = watch
		o := m.between(players, false)
		want := uint16(0)
		if watch.lied {
			lies++
			if l.Reason != "" {
				want = 1 << liar
			}
		}
		if o.Guilty != want || want != 0 && o.ReasonText() != l.Reason {
			t.Fatalf("%s%q: seat %d lied: %v, but guilty is %b (reason %q, want %q)",
				m.where, l.Name, liar, watch.lied, o.Guilty, o.ReasonText(), l.Reason)
		}
	}
	if lies == 0 {
		t.Fatalf("%q: no liar ever lied", l.Name)
	}
	t.Logf("%q: %d of %d had occasion to", l.Name, lies, quick)
}

// witness notices when a player's automatic move is not the one that an honest player makes of the
// same randomness, or leaves to people.
type witness struct {
	games.Player
	honest games.Player
	r      *rand.Rand
	lied   bool
}

func (w *witness) Auto(t games.Table) (*games.Decision, error) {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], w.r.Uint64())
	t.Random = rand.NewChaCha8(seed)
	truth, err := w.honest.Auto(t)
	if err != nil {
		return nil, err
	}
	t.Random = rand.NewChaCha8(seed)
	d, err := w.Player.Auto(t)
	if err == nil && d != nil {
		w.lied = w.lied || truth == nil || !bytes.Equal(d.Move, truth.Move)
	}
	return d, err
}

// between plays a match to its end. Before each move the seat's secrets are read back from what a
// store would hold.
func (m *match) between(players []games.Player, bots bool) games.Outcome {
	state, err := m.start(m.c)
	if err != nil {
		m.t.Fatalf("%sstart: %v", m.where, err)
	}
	k := keeper{match: m}
	for turn := uint64(0); ; turn++ {
		seat, err := m.mover(state)
		if err != nil {
			m.t.Fatalf("%smover: %v", m.where, err)
		}
		if m.told != nil {
			k.position(state)
		}
		if seat == games.Nobody {
			break
		}
		if turn > m.turns {
			m.t.Fatalf("%snot over after %d turns of honest players, at 0x%x", m.where, turn, state)
		}
		m.c.Signed = 1<<len(m.secrets) - 1
		if seat == games.Chance {
			state = m.drawn(state)
			continue
		}
		before := m.secrets[seat]
		table := m.table(state, seat)
		table.Secrets = commit.Load(table.Secrets.Expose())
		move := m.decide(players[seat], table, bots)
		if m.told != nil {
			k.move(state, move, seat, before, m.secrets[seat])
		}
		if state, err = m.pair.play(m.c, state, move); err != nil {
			m.t.Fatalf("%splay: %v", m.where, err)
		}
	}
	o, err := m.outcome(state, m.c.Stakes)
	if err != nil {
		m.t.Fatalf("%soutcome: %v", m.where, err)
	}
	return o
}

// drawn returns the state after the chain's move, or after its time ran out if the chain doesn't
// tell any more.
func (m *match) drawn(state []byte) []byte {
	move, next := m.chance(state), m.pair.play
	if move == nil {
		next = func(c *games.Context, state, _ []byte) ([]byte, error) { return m.expire(c, state) }
	}
	state, err := next(m.c, state, move)
	if err != nil {
		m.t.Fatalf("%schance: %v", m.where, err)
	}
	return state
}

func (m *match) decide(p games.Player, t games.Table, bots bool) []byte {
	d, err := m.wait(t, func() (*games.Decision, error) { return p.Auto(t) })
	if d == nil && err == nil {
		if bots {
			d, err = p.Bot(t)
		} else {
			d, err = m.any(m.r, t)
		}
	}
	return m.made(t, d, err)
}
