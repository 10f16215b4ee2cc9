package channel_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// scripted are rules that do what a test says, and otherwise start with, and stay in, one state in
// which seat 0 moves.
type scripted struct {
	start   func() ([]byte, error)
	mover   func(state []byte) (uint8, error)
	play    func(state, move []byte) ([]byte, error)
	outcome func(stakes []uint256.Int) (games.Outcome, error)
}

func (s scripted) Start(*games.Context) ([]byte, error) {
	if s.start != nil {
		return s.start()
	}
	return []byte{1}, nil
}

func (s scripted) Mover(state []byte) (uint8, error) {
	if s.mover != nil {
		return s.mover(state)
	}
	return 0, nil
}

func (s scripted) Play(_ *games.Context, state, move []byte) ([]byte, error) {
	if s.play != nil {
		return s.play(state, move)
	}
	return state, nil
}

func (s scripted) Expire(_ *games.Context, state []byte) ([]byte, error) { return state, nil }

func (s scripted) Outcome(_ []byte, stakes []uint256.Int) (games.Outcome, error) {
	if s.outcome != nil {
		return s.outcome(stakes)
	}
	return games.Outcome{Payouts: stakes}, nil
}

// judged is the judge of the same match under other rules.
func (e *evidence) judged(rules games.Rules) *protocol.Judge {
	e.t.Helper()
	j, err := protocol.NewJudge(e.domain, &e.table.terms, &e.terms, rules)
	if err != nil {
		e.t.Fatal(err)
	}
	return j
}

// positions makes a support of states, each signed by some seats, whatever the rules say of them.
func (e *evidence) positions(turn protocol.Turn, states, moves [][]byte, signers ...[]int) *protocol.Support {
	s := &protocol.Support{Turn: turn, Base: states[0], Moves: moves}
	for at, seats := range signers {
		for _, seat := range seats {
			s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(at), Seat: uint8(seat),
				Signature: e.signPosition(seat, e.judge.MatchID(), turn+protocol.Turn(at), states[at])})
		}
	}
	return s
}

var (
	both      = []int{0, 1}
	errRules  = errors.New("the rules fail")
	endedAt   = func([]byte) (uint8, error) { return games.Nobody, nil }
	seat7     = func([]byte) (uint8, error) { return 7, nil }
	noMover   = func([]byte) (uint8, error) { return 0, errRules }
	noMove    = func([]byte, []byte) ([]byte, error) { return nil, games.ErrIllegal }
	goesOn    = func([]byte, []byte) ([]byte, error) { return []byte{2}, nil }
	paysBack  = func(stakes []uint256.Int) (games.Outcome, error) { return games.Outcome{Payouts: stakes}, errRules }
	paysThird = func(stakes []uint256.Int) (games.Outcome, error) {
		return games.Outcome{Payouts: append(append([]uint256.Int{}, stakes...), uint256.Int{})}, nil
	}
	paysAll = func([]uint256.Int) (games.Outcome, error) {
		return games.Outcome{Payouts: []uint256.Int{*new(uint256.Int).SetAllOne(), *uint256.NewInt(201)}}, nil
	}
)

// Evidence that the Arena refuses, however well it is signed: what a node took for good would cost
// it a dispute.
func TestReplayRefuses(t *testing.T) {
	e := newEvidence(t, 2)
	one, two := []byte{1}, []byte{2}
	long := make([]byte, games.MaxState+1)
	toy := toyRules{}
	win := play(t, e.start, Win)
	backwards := e.positions(0, [][]byte{e.start, win}, [][]byte{{Win}}, both, both)
	backwards.Signatures[0], backwards.Signatures[2] = backwards.Signatures[2], backwards.Signatures[0]
	backwards.Signatures[1], backwards.Signatures[3] = backwards.Signatures[3], backwards.Signatures[1]
	stranger := e.positions(0, [][]byte{e.start}, nil, both)
	stranger.Signatures = append(stranger.Signatures, protocol.SeatSignature{Seat: 2, Signature: stranger.Signatures[0].Signature})
	for name, x := range map[string]struct {
		rules games.Rules
		s     *protocol.Support
		want  error  // besides ErrSupport
		says  string // if there is none
	}{
		"signatures out of order":       {toy, backwards, nil, "ascending"},
		"a seat that doesn't play":      {toy, stranger, nil, "by seat 2"},
		"no state of the game":          {toy, e.positions(0, [][]byte{two}, nil, both), games.ErrIllegal, ""},
		"an illegal move":               {toy, e.positions(0, [][]byte{e.start}, [][]byte{{99}}, both), games.ErrIllegal, ""},
		"a state of no size":            {scripted{}, e.positions(0, [][]byte{long}, nil, both), games.ErrIllegal, ""},
		"a mover that can't be told":    {scripted{mover: noMover}, e.positions(0, [][]byte{one}, nil, both), errRules, ""},
		"a mover who doesn't play":      {scripted{mover: seat7}, e.positions(0, [][]byte{one}, nil, both), games.ErrIllegal, ""},
		"an illegal move to nowhere":    {scripted{play: noMove}, e.positions(0, [][]byte{one, nil}, [][]byte{{1}}, both, both), games.ErrIllegal, ""},
		"a move after the end":          {scripted{mover: endedAt, play: goesOn}, e.positions(0, [][]byte{one, two}, [][]byte{{1}}, both, both), nil, "after the match was over"},
		"an end that can't be paid":     {scripted{mover: endedAt, outcome: paysBack}, e.positions(0, [][]byte{one}, nil, both), errRules, ""},
		"an end that pays a third seat": {scripted{mover: endedAt, outcome: paysThird}, e.positions(0, [][]byte{one}, nil, both), games.ErrIllegal, ""},
		"an end that pays more":         {scripted{mover: endedAt, outcome: paysAll}, e.positions(0, [][]byte{one}, nil, both), protocol.ErrTerms, ""},
		"a start that can't be made":    {scripted{start: func() ([]byte, error) { return one, errRules }}, e.positions(0, [][]byte{one}, nil, nil), errRules, ""},
		"another start":                 {scripted{}, e.positions(0, [][]byte{two}, nil, nil), nil, "start with"},
	} {
		_, err := e.judged(x.rules).Replay(x.s, nil, 0)
		if !errors.Is(err, protocol.ErrSupport) || x.want != nil && !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	largest := e.positions(0, [][]byte{long[1:]}, nil, both)
	if _, err := e.judged(scripted{}).Replay(largest, nil, 0); err != nil {
		t.Errorf("the largest state: %v", err)
	}
}

// A judge is of a match that fits the channel, and knows the signatures of its seats alone.
func TestJudgeRefuses(t *testing.T) {
	e := newEvidence(t, 2)
	terms := e.terms
	terms.Seats = []uint8{0, 2}
	if j, err := protocol.NewJudge(e.domain, &e.table.terms, &terms, toyRules{}); j != nil || !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("a match with a seat that the channel doesn't have: %v", err)
	}
	hash := protocol.StateHash(e.start)
	sig := e.signPosition(1, e.judge.MatchID(), 0, e.start)
	for seat, want := range []error{protocol.ErrSignature, nil, protocol.ErrSignature} {
		if err := e.judge.Verify(0, hash, uint8(seat), sig); !errors.Is(err, want) {
			t.Errorf("seat 1's signature for seat %d: %v, want %v", seat, err, want)
		}
	}
}

// A peer's support with a signature of a seat that the match doesn't have is passed over: it counts
// for nothing, not even what else is in it.
func TestSupportOfStrangersIsPassedOver(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	v := tb.view(0, id)
	next := play(t, v.State, Pass)
	s := &protocol.Support{Base: v.State, Signatures: []protocol.SeatSignature{{Seat: 2, Signature: tb.signPosition(1, id, 0, v.State)},
		{At: 1, Seat: 0, Signature: tb.signPosition(0, id, 1, next)}}, Moves: [][]byte{{Pass}}}
	tb.heard("of a stranger", 1, 0, message.SyncReply{MatchID: id, Support: s}, nil)
}

// A walk along evidence that the Arena refuses stops where it is wrong, so that no position is
// taken for one of a turn at which it does not stand.
func TestWalkStopsAtWhatIsWrong(t *testing.T) {
	e := newEvidence(t, 2)
	forged := e.support(0, e.start, nil, by(Pass, 0), by(Pass, 1), by(Pass, 0))
	forged.Signatures[1].Signature = forged.Signatures[0].Signature
	for name, c := range map[string]struct {
		s    *protocol.Support
		want []protocol.Turn
	}{
		"right to its end":   {e.support(0, e.start, nil, by(Pass, 0), by(Pass, 1)), []protocol.Turn{0, 1, 2}},
		"an illegal move":    {&protocol.Support{Base: e.start, Moves: [][]byte{{99}, {Pass}}}, []protocol.Turn{0}},
		"a forged signature": {forged, []protocol.Turn{0, 1, 2}},
	} {
		var seen []protocol.Turn
		e.judge.Walk(c.s, nil, 0, func(_ uint16, turn protocol.Turn, _ common.Hash) { seen = append(seen, turn) })
		if !slices.Equal(seen, c.want) {
			t.Errorf("%s: visits turns %v, want %v", name, seen, c.want)
		}
	}
}

// A position that follows a long line has a turn of its own, and none of a later epoch.
func TestReplayIsAsLongAsTurns(t *testing.T) {
	e := newEvidence(t, 2)
	fate := scripted{mover: func([]byte) (uint8, error) { return games.Chance, nil }}
	j := e.judged(fate)
	for _, x := range []struct {
		turn  protocol.Turn
		moves int
		taken bool
	}{
		{0, protocol.MaxRunBytes / 2, true}, {0, protocol.MaxRunBytes/2 + 1, false},
		{math.MaxUint32 - 1, 1, true}, {math.MaxUint32, 1, false}, {math.MaxUint32, 0, true},
	} {
		s := e.positions(x.turn, [][]byte{{1}}, nil, []int{0, 1})
		s.Moves = slices.Repeat([][]byte{nil}, x.moves)
		if x.moves == protocol.MaxRunBytes/2 {
			s.Moves[0] = make([]byte, protocol.MaxRunBytes%2) // not a byte more fits
		}
		r, err := j.Replay(s, nil, 0)
		if x.taken && (err != nil || r.Turn != x.turn+protocol.Turn(x.moves)) || !x.taken && !errors.Is(err, protocol.ErrSupport) {
			t.Errorf("%d moves from turn %d: turn %s, %v", x.moves, x.turn, r.Turn, err)
		}
	}
}
