package gametest

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// cheat is one thing that a seat may do instead of its honest move.
type cheat struct {
	name   string
	d      *games.Decision // nil: nothing, until its time has run out
	silent bool            // and it never moves again
}

// The cheats that every game is tried with, besides its own liars.
const (
	silence     = "falls silent"
	lateness    = "lets one move time out"
	copying     = "copies another seat's commitment"
	unopenable  = "commits to what it can't open"
	rubbish     = "commits to rubbish"
	wrongSecret = "opens another secret"
	wrongSalt   = "opens with another salt"
	alien       = "shows another seat's opening"
	early       = "opens early"
)

// cheatMatches is how many matches are tried for each of the suite's parameters (under go test
// -short one, of which no page is made), and cheatPlaces at how many positions of one match the
// same cheat is tried by the same seat in the same phase.
const (
	cheatMatches = 4
	cheatPlaces  = 2
)

// Cheats plays matches honestly, and each again with every way to cheat of every seat at every
// phase, all else unchanged. It fails if a cheat pays better than honest play, or convicts an
// honest seat, and returns the result of each.
func (s Suite) Cheats(t testing.TB) []Row {
	t.Helper()
	p := s.pair(t)
	rows := make(rows)
	matches := cheatMatches
	if testing.Short() {
		matches = 1
	}
	for i := range matches * max(1, len(s.Params)) {
		m := s.newMatch(t, p, i)
		rows.level(m)
		start := s.newLine(m)
		honest := start.end(s.Game.Player)
		rows.alternatives(start, honest)
		for _, l := range s.Game.Liars {
			for seat := range m.c.Stakes {
				rows.lie(m, uint8(seat), l, 0, honest)
				rows.lie(m, uint8(seat), l, 1, honest)
			}
		}
	}
	return rows.sorted()
}

// end plays on until the match is over, and returns that.
func (l *line) end(p games.Player) *line {
	for end := l.fork(); ; {
		seat := end.mover()
		if seat == games.Nobody {
			return end
		}
		d, err := end.decide(p, seat)
		if err != nil || !end.play(seat, d) {
			end.t.Fatalf("%sseat %d cannot move in 0x%x: %v", end.where, seat, end.state, err)
		}
	}
}

// alternatives tries all cheats at all positions on the way to the honest end.
func (r rows) alternatives(now, honest *line) {
	for seen := make(map[key]int); ; {
		seat := now.mover()
		if seat == games.Nobody {
			return
		}
		d, err := now.decide(now.suite.Game.Player, seat)
		if err != nil {
			now.t.Fatalf("%sseat %d cannot move in 0x%x: %v", now.where, seat, now.state, err)
		}
		for _, c := range now.cheats(seat, d, honest) {
			k := now.key(seat, c.name)
			if seen[k]++; seen[k] <= cheatPlaces {
				r.try(now, seat, c, k, honest)
			}
		}
		now.play(seat, d)
	}
}

// cheats lists what a seat might do instead of its honest move.
func (l *line) cheats(seat uint8, honest *games.Decision, end *line) []cheat {
	list := []cheat{{name: silence, silent: true}, {name: lateness}}
	add := func(name string, move []byte, secrets commit.Secrets) {
		if !bytes.Equal(move, honest.Move) {
			list = append(list, cheat{name: name, d: &games.Decision{Move: move, Secrets: secrets}})
		}
	}
	before, after := l.openings(seat, l.secrets[seat]), l.openings(seat, honest.Secrets)
	switch {
	case len(after) > len(before):
		for _, other := range l.steps {
			if other.seat != seat && len(other.commits) > 0 && len(other.move) == len(honest.Move) {
				add(copying, other.move, l.secrets[seat])
			}
		}
		junk := make([]byte, len(honest.Move))
		_, _ = l.table(seat).Random.Read(junk) // never fails
		add(unopenable, junk, honest.Secrets)
		if move, secrets, ok := l.rubbish(seat, before, after, honest.Move); ok {
			add(rubbish, move, secrets)
		}
	case opens(after, honest.Move):
		for _, o := range after {
			if at := index(honest.Move, o.Salt); at >= 0 {
				add(wrongSalt, flip(honest.Move, at+31), honest.Secrets)
			}
		}
		for _, at := range []int{0, len(honest.Move) - 1} {
			if !slices.ContainsFunc(after, func(o commit.Opening) bool { return within(honest.Move, o.Salt, at) }) {
				add(wrongSecret, flip(honest.Move, at), honest.Secrets)
			}
		}
		for _, other := range l.steps {
			if other.seat != seat && other.opens {
				add(alien, other.move, l.secrets[seat])
			}
		}
	}
	for _, later := range end.steps[min(len(l.steps)+1, len(end.steps)):] {
		if later.seat == seat && later.opens {
			add(early, later.move, honest.Secrets)
			break
		}
	}
	return list
}

// rubbish makes a seat commit, under the same salts, to what is no secret of any game.
func (l *line) rubbish(seat uint8, before, after []commit.Opening, move []byte) ([]byte, commit.Secrets, bool) {
	var salts []byte
	for _, o := range after {
		salts = append(salts, o.Salt[:]...)
	}
	v, err := commit.Open(commit.Secrets{}, l.c.MatchID, seat, bytes.NewReader(salts))
	if err != nil {
		return nil, commit.Secrets{}, false
	}
	move, found := bytes.Clone(move), false
	for i, o := range after {
		secret := o.Secret
		if i >= len(before) {
			secret = common.MaxHash
		}
		now, err := v.Commit(o.Scope.Tag, o.Scope.Round, secret)
		if err != nil {
			return nil, commit.Secrets{}, false
		}
		if at := index(move, o.Scope.Hash(o.Secret, o.Salt)); at >= 0 && secret != o.Secret {
			copy(move[at:], now[:])
			found = true
		}
	}
	return move, v.Secrets(), found
}

// try plays on from a position with a cheat.
func (r rows) try(from *line, seat uint8, c cheat, k key, honest *line) {
	l := from.fork()
	switch {
	case c.d == nil:
		l.expire()
		if !c.silent && l.mover() == games.Nobody {
			return // as silence
		}
	case !l.play(seat, c.d):
		r.add(k, "refused: no legal move", new(big.Int))
		return
	}
	for range 4*l.turns + 16 {
		mover := l.mover()
		if mover == games.Nobody {
			r.end(l, seat, k, honest)
			return
		}
		if mover != seat {
			d, err := l.decide(l.suite.Game.Player, mover)
			if err != nil || !l.play(mover, d) {
				l.t.Fatalf("%sseat %d %q, and honest seat %d cannot move in 0x%x: %v", l.where, seat, c.name, mover, l.state, err)
			}
		} else if c.silent || !l.wriggle(seat) {
			l.expire()
		}
	}
	l.t.Fatalf("%sseat %d %q in phase %q, and the match is never over: 0x%x", l.where, seat, c.name, k.phase, l.state)
}

// wriggle lets a seat that has cheated move as an honest one if it can, or else by whatever another
// seat has opened.
func (l *line) wriggle(seat uint8) bool {
	if d, err := l.decide(l.suite.Game.Player, seat); err == nil && l.play(seat, d) {
		return true
	}
	for _, other := range l.steps {
		if other.seat != seat && other.opens && l.play(seat, &games.Decision{Move: other.move, Secrets: l.secrets[seat]}) {
			return true
		}
	}
	return false
}

// lie plays a match with one of the game's own liars.
func (r rows) lie(m *match, seat uint8, liar games.Liar, round uint32, honest *line) {
	l := m.suite.newLine(m)
	p, k, lied := liar.Player(round), key{}, false
	for {
		mover := l.mover()
		if mover == games.Nobody {
			break
		}
		d, err := l.decide(l.suite.Game.Player, mover)
		if mover == seat {
			var other *games.Decision
			if other, err = l.decide(p, seat); err == nil && !lied && (d == nil || !bytes.Equal(d.Move, other.Move)) {
				lied, k = true, l.key(seat, liar.Name)
			}
			d = other
		}
		switch {
		case err == nil && l.play(mover, d):
		case mover == seat && lied:
			l.expire()
		default:
			l.t.Fatalf("%sseat %d cannot move in 0x%x: %v", l.where, mover, l.state, err)
		}
	}
	if lied {
		r.end(l, seat, k, honest)
	}
}

// flip returns bytes of which one bit is another.
func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

func index(b []byte, word common.Hash) int { return bytes.Index(b, word[:]) }

// within reports whether a byte belongs to a word.
func within(b []byte, word common.Hash, at int) bool {
	i := index(b, word)
	return i >= 0 && at >= i && at < i+32
}
