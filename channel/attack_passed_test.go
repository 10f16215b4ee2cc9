package channel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// liars are seats 0 and 1 of a match of three, who lead it along lines that fork, with chance moves
// that nobody need sign, and show seat 2 any part of them. Seat 2 is honest and never on move.
type liars struct {
	*table
	*rand.Rand
	id     common.Hash
	lines  [][]made
	signed map[protocol.Turn]common.Hash // by seat 2
	given  map[common.Hash]protocol.Signature
	record *protocol.Record
	now    uint64
}

// made is a position and how it was made.
type made struct {
	turn  protocol.Turn
	state []byte
	move  []byte
	by    uint8
}

// fork makes a line that leaves another one at an index.
func (l *liars) fork(line []made, noise byte) {
	j := l.seats[2].m.Judge(l.id)
	for len(line) < 8 {
		last := line[len(line)-1]
		mover, err := j.Mover(last.state)
		if err != nil {
			l.t.Fatal(err)
		}
		move := []byte{Keep, noise}
		switch {
		case mover == games.Chance:
			move = []byte{Pass}
		case mover == games.Nobody || mover == 2:
			l.lines = append(l.lines, line)
			return
		case len(line)%3 == 2 && mover == 0:
			move = []byte{Fate, noise}
		}
		next, err := j.Play(last.state, move, 0, 0)
		if err != nil {
			l.t.Fatal(err)
		}
		line = append(line[:len(line):len(line)], made{last.turn + 1, next, move, mover})
		l.audit.position(l.id, last.turn+1, next)
	}
	l.lines = append(l.lines, line)
}

// support is any part of any line, with any of the signatures that the liars have.
func (l *liars) support() protocol.Support {
	line := l.lines[l.IntN(len(l.lines))]
	from := l.IntN(len(line))
	to := from + l.IntN(len(line)-from)
	s := protocol.Support{Turn: line[from].turn, Base: line[from].state}
	for i, p := range line[from : to+1] {
		if i > 0 {
			s.Moves = append(s.Moves, p.move)
		}
		for seat := range uint8(3) {
			sig, ok := l.given[protocol.StateHash(p.state)], true
			switch {
			case seat < 2 && (i > 0 && p.by == seat || l.IntN(3) > 0):
				sig = l.signPosition(int(seat), l.id, p.turn, p.state)
			case seat < 2 || sig == protocol.Signature{}:
				ok = false
			}
			if ok {
				s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(i), Seat: seat, Signature: sig})
			}
		}
	}
	return s
}

// post has the Arena record a support, if it would, and tells seat 2, finally or not.
func (l *liars) post(s protocol.Support) {
	r, err := l.seats[2].m.Judge(l.id).Replay(&s, l.record, l.now)
	if err != nil || r.Rank().Agreed == 0 || !r.Outranks(l.record, l.now, l.terms.Window) {
		return
	}
	e := onchain.Recorded{ChannelID: l.table.id, MatchID: l.id, Support: &s, Record: protocol.Record{Status: protocol.MatchLive,
		Turn: protocol.MarkOf(r.Turn), State: r.Hash, Mover: r.Mover, Marks: r.Marks, Spent: make([]uint64, 3), Since: l.now, Block: l.now}}
	l.record = &e.Record
	_ = l.step(2, channel.ChainSeen{Event: e})
	if l.IntN(3) > 0 {
		_ = l.step(2, channel.ChainSeen{Event: e, Final: true})
	}
}

// expire ends the clock at the recorded position: the next epoch begins, with a fork.
func (l *liars) expire() {
	if l.record == nil {
		return
	}
	var state []byte
	for _, line := range l.lines {
		for _, p := range line {
			if protocol.StateHash(p.state) == l.record.State {
				state = p.state
			}
		}
	}
	turn := l.record.Turn.Turn().NextEpoch()
	next := append([]byte(nil), state...)
	next[5]++ // the same seat is to move on
	l.record = &protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(turn), State: protocol.StateHash(next), Mover: next[1],
		Marks: []protocol.Mark{protocol.MarkOf(turn), protocol.MarkOf(turn), protocol.MarkOf(turn)}, Spent: make([]uint64, 3), Since: l.now, Block: l.now}
	l.audit.position(l.id, turn, next)
	l.lines = nil
	start := []made{{turn: turn, state: next, by: games.Nobody}}
	l.fork(start, 1)
	l.fork(start, 2)
	l.must(2, channel.ChainSeen{Event: onchain.Recorded{ChannelID: l.table.id, MatchID: l.id, Record: *l.record, State: next}, Final: true})
}

// hear takes what seat 2 signed, and holds it to its mark.
func (l *liars) hear() {
	for _, p := range l.queue {
		c, ok := p.msg.(message.Countersign)
		if !ok || p.from != 2 || c.MatchID != l.id {
			continue
		}
		for _, line := range l.lines {
			for _, m := range line {
				at := protocol.Position{MatchID: l.id, Turn: c.Turn, State: protocol.StateHash(m.state)}
				if m.turn != c.Turn || c.Signature.Verify(at.Digest(l.domain), l.terms.Signers[2]) != nil {
					continue
				}
				if had, twice := l.signed[c.Turn]; twice && had != at.State {
					l.t.Fatalf("two positions are signed at turn %s", c.Turn)
				}
				for turn := range l.signed {
					if _, again := l.signed[c.Turn]; turn > c.Turn && !again {
						l.t.Fatalf("turn %s is signed after turn %s", c.Turn, turn)
					}
				}
				l.signed[c.Turn], l.given[at.State] = at.State, c.Signature
			}
		}
	}
	l.queue = nil
}

// TestAttack_CollusionFork_Passed: positions whose base a seat has signed past, that the chain has
// recorded, or that chance made and nobody signs, make an honest seat sign nothing twice at a turn
// and nothing new below its mark: not along forks, not through restarts, not over an expiry.
func TestAttack_CollusionFork_Passed(t *testing.T) {
	runs, signed := 100, 0
	if testing.Short() {
		runs = 20
	}
	for seed := range uint64(runs) {
		l := &liars{table: openTable(t, 3), Rand: rand.New(rand.NewPCG(seed, 9)), signed: map[protocol.Turn]common.Hash{}, given: map[common.Hash]protocol.Signature{}, now: 10}
		l.id = l.match(0)
		l.hear()
		start := l.view(2, l.id)
		l.lines = [][]made{{{state: start.State, by: games.Nobody}}}
		for _, s := range start.Support.Signatures {
			if s.Seat == 2 {
				l.given[protocol.StateHash(start.State)] = s.Signature
			}
		}
		l.fork(l.lines[0], 1)
		for noise := range byte(3) {
			line := l.lines[len(l.lines)-1]
			l.fork(line[:1+l.IntN(len(line)-1)], noise+2)
		}
		for range 60 {
			switch l.IntN(8) {
			case 0, 1, 2, 3:
				s := l.support()
				_ = l.says(l.IntN(2), 2, message.SyncReply{MatchID: l.id, Support: &s})
			case 4:
				l.post(l.support())
			case 5:
				l.now += l.Uint64N(l.terms.Window + 2)
				l.must(2, channel.ClockAt{Now: l.now, Block: l.now})
			case 6:
				l.restart(2)
				_ = l.step(2, channel.Idle{})
			case 7:
				if l.IntN(6) == 0 {
					l.expire()
				}
				l.must(2, channel.Tick{})
			}
			l.hear()
		}
		signed += len(l.signed)
	}
	if signed < runs {
		t.Errorf("in %d matches %d positions were signed: nothing is shown", runs, signed)
	}
	t.Logf("%d positions were signed in %d matches", signed, runs)
}
