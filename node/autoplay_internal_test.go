package node

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var errMute = errors.New("it has lost its tongue")

// voice is a player side that talks, follows the chain, and can neither move nor say what a person
// has to do.
type voice struct {
	games.Player
	games.Chained
	said *int
}

func (v voice) Bot(games.Table) (*games.Decision, error) { return nil, errMute }

func (v voice) Ask(games.Table) (string, error) { return "", errMute }

func (v voice) Say(games.Table, string) (*games.Note, error) { return nil, errMute }

func (v voice) Chat(games.Table) (*games.Note, error) { *v.said++; return nil, nil }

func (v voice) Follows() bool { return true }

// talking is a match of toy between two nodes with voices, the first of which is on move.
func (l *lab) talking(said *int, bot bool, side func(voice) games.Player) (match common.Hash, sides [2]*session) {
	l.t.Helper()
	var nodes []*Node
	for range 2 {
		nodes = append(nodes, l.node(func(c *Config) {
			game := toy.Game()
			game.Player = side(voice{Player: game.Player, said: said})
			c.Games, c.Policy.Bot = games.Catalog{game}, bot
		}))
	}
	id := l.channel(common.Address{}, []uint64{5, 5}, nodes...)
	match = l.match(nodes[0], id, 1, 0, 1)
	return match, [2]*session{l.session(nodes[0], id), l.session(nodes[1], id)}
}

// TestWhenBotsTalk: a bot says what it has to say while another is on move.
func TestWhenBotsTalk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seat int
		bot  bool
		want int
	}{"the other is on move": {1, true, 1}, "it is on move": {0, true, 0}, "a person plays": {1, false, 0}} {
		l := newLab(t)
		said := 0
		match, sides := l.talking(&said, c.bot, func(v voice) games.Player { return v })
		said = 0
		if err := sides[c.seat].speak(match); said != c.want || c.bot && err != nil {
			t.Errorf("%s: it talks %d times, %v", name, said, err)
		}
	}
	l := newLab(t)
	alice, bob := l.node(func(c *Config) { c.Policy.Bot, c.Policy.Approve = true, nil }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, bob, alice)
	s := l.session(bob, id)
	l.must(s.step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}))
	l.settle()
	mute := l.session(alice, id)
	l.must(mute.feed(channel.ApproveProposal{Version: alice.Proposals()[0].Version}))
	l.settle()
	match := mute.machine.Matches()[0].ID
	if err := errors.Join(mute.speak(match), mute.upkeep(t.Context(), match)); err != nil || len(mute.following()) != 0 {
		t.Errorf("a game that has nothing to say, and needs nothing: %v", err)
	}
}

// needy is a voice whose contract needs a call.
type needy struct {
	voice
	worth *uint256.Int
}

func (n needy) Upkeep(games.Table) (*games.Call, error) {
	return &games.Call{Why: "keep it", Gas: 1_000, Worth: n.worth}, nil
}

// TestWorthACall: a call that rules need is made where it costs no more than what depends on it, at
// most what all have staked, and that is no less than the user's floor; else a person hears of it.
func TestWorthACall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asset        common.Address
		price, floor uint64
		worth        *uint256.Int
		want         bool
	}{
		"as dear": {price: 2, want: true}, "too dear": {price: 3}, "in a token": {asset: common.Address{1}, price: 3, want: true},
		"at the floor": {floor: 2_000, want: true}, "below the floor": {floor: 2_001},
		"as dear as what depends on it": {price: 1, worth: uint256.NewInt(1_000), want: true},
		"dearer than that":              {price: 1, worth: uint256.NewInt(999)},
		"worth more than was staked":    {price: 3, worth: uint256.NewInt(9_000)},
		"where that is below the floor": {floor: 1_000, worth: uint256.NewInt(999)},
	} {
		l := newLab(t)
		node := l.node(func(config *Config) {
			config.Policy.GasPrice, config.Policy.Floor = *uint256.NewInt(c.price), *uint256.NewInt(c.floor)
			game := toy.Game()
			game.Player = needy{voice{Player: game.Player, said: new(int)}, c.worth}
			config.Games = games.Catalog{game}
		})
		id := l.channel(c.asset, []uint64{1_000, 1_000}, node, l.node(nil))
		s := l.session(node, id)
		m, _ := s.machine.Match(l.match(node, id, 1_000, 0, 1))
		if got := s.isWorth(&m, &games.Call{Gas: 1_000, Worth: c.worth}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if c.want {
			continue
		}
		if err := s.autoplay(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "keep it: not sent: its gas costs more") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// host is a voice that asks for what can be said, and waits for no block.
type host struct{ voice }

func (host) Ask(games.Table) (string, error) { return "your bet?", nil }
func (host) Follows() bool                   { return false }

// TestAskedWhatToSay: a person is asked once a turn for what can be said while another is on move.
func TestAskedWhatToSay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	said := 0
	match, sides := l.talking(&said, false, func(v voice) games.Player { return host{v} })
	s := sides[1]
	for range 2 {
		l.must(s.speak(match))
	}
	if told := l.events(l.of(s), YourTurn); len(told) != 1 || told[0] != "your bet?" {
		t.Errorf("told %q", told)
	}
}

// TestAskedOnlyPeople: a person who is on move is asked to move, and told when nobody can say what
// for; a bot is not.
func TestAskedOnlyPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seat int
		bot  bool
		want int
	}{"a person": {0, false, 1}, "a bot": {0, true, 0}, "the other": {1, false, 0}} {
		l := newLab(t)
		said := 0
		match, sides := l.talking(&said, c.bot, func(v voice) games.Player { return v })
		s := sides[c.seat]
		s.helpless = map[common.Hash]protocol.Turn{}
		m, _ := s.machine.Match(match)
		before := len(l.events(l.of(s), Alarm))
		p, err := s.sit(match, m.Turn)
		l.must(err)
		l.must(s.askUser(decision{matchID: match, turn: m.Turn}, &p))
		told := l.events(l.of(s), Alarm)[before:]
		if len(told) != c.want || c.want > 0 && !strings.Contains(told[0], errMute.Error()) {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// patient is a voice whose bot waits, and that asks for nothing.
type patient struct{ voice }

func (patient) Bot(games.Table) (*games.Decision, error) { return nil, nil }
func (patient) Ask(games.Table) (string, error)          { return "", nil }
func (patient) Follows() bool                            { return false }

// cheater is a host that makes an illegal move by itself.
type cheater struct{ host }

func (cheater) Auto(games.Table) (*games.Decision, error) {
	return &games.Decision{Move: []byte("no move of toy")}, nil
}

// TestWaitsForAPerson: a match waits for a person at a turn that the person was asked to take, or
// that the node can't take by itself; not before the node has tried, and not while a bot plays or
// nothing is to be chosen.
func TestWaitsForAPerson(t *testing.T) {
	t.Parallel()
	asks := func(v voice) games.Player { return host{v} }
	mute := func(v voice) games.Player { return v }
	waits := func(v voice) games.Player { return patient{v} }
	for name, c := range map[string]struct {
		seat int
		bot  bool
		side func(voice) games.Player
		want bool
	}{
		"asked": {0, false, asks, true}, "not told what for": {0, false, mute, true}, "the other": {1, false, asks, false},
		"its own move is refused": {0, false, func(v voice) games.Player { return cheater{host{v}} }, true},
		"a bot that finds none":   {0, true, mute, true}, "a bot that waits": {0, true, waits, false}, "nothing to choose": {0, false, waits, false},
	} {
		l := newLab(t)
		said := 0
		match, sides := l.talking(&said, c.bot, c.side)
		s := sides[c.seat]
		yours := func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			m, _ := s.machine.Match(match)
			return s.match(m).Yours
		}
		forget := func() { s.helpless, s.asks = map[common.Hash]protocol.Turn{}, nil }
		if forget(); yours() {
			t.Errorf("%s: it waits before the node has looked", name)
		}
		s.remind()
		if l.must(s.tryToDecide()); yours() != c.want {
			t.Errorf("%s: it waits: %t", name, !c.want)
		}
		// what was not asked while the chain decided is asked after that, unless it is conceded
		forget()
		s.again()
		if l.must(s.tryToDecide()); yours() != (c.want && !c.bot) {
			t.Errorf("%s: a later look has it wait: %t", name, yours())
		}
		forget()
		s.instructions.Given = map[common.Hash]bool{match: true}
		if s.again(); len(s.todo) != 0 {
			t.Errorf("%s: conceded, and decided again", name)
		}
	}
}

// TestAnswersThatAreLate: a move that a plan lacks and that was made meanwhile needs no answer, and
// neither does a look at what is let go.
func TestAnswersThatAreLate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	m, _ := s.machine.Match(match)
	for _, w := range []disputes.Want{{MatchID: match, Turn: m.Turn + 1}, {MatchID: common.Hash{1}}} {
		if err := s.answer(w, 1); err != nil {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// TestDemands: what the user demands of a peer holds for the turn at which it was demanded.
func TestDemands(t *testing.T) {
	t.Parallel()
	for after, want := range map[protocol.Turn]bool{0: true, 1: false} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		match := l.match(alice, id, 1, 0, 1)
		s := l.session(bob, id)
		m, _ := s.machine.Match(match)
		s.instructions.Demand = map[common.Hash]protocol.Turn{match: m.Turn + after}
		if got := s.wishes().Demand[match]; got != want {
			t.Errorf("demanded %d turns on: %t", after, got)
		}
	}
}

// TestRaisedOnce: an alarm that a plan raises twice is told once, and again when it came back; a
// notice is none.
func TestRaisedOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	before := len(l.events(alice, Alarm))
	urgent := disputes.Alarm{Level: disputes.Notice + 1, Kind: "late", Text: "look"}
	for k, list := range [][]disputes.Alarm{{urgent, urgent}, {urgent}, {{Level: disputes.Notice, Kind: "note", Text: "look"}}, {urgent}} {
		s.raise(list)
		if told := len(l.events(alice, Alarm)) - before; told != 1+k/3 {
			t.Errorf("%d: told %d times", k, told)
		}
	}
}

// TestLate: a session is late that is still busy.
func TestLate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	for _, c := range []struct{ busy, late, want bool }{{false, true, false}, {true, true, true}, {true, false, false}} {
		s.looking.busy = c.busy
		if s.looking.markLate(c.late); s.looking.isLate() != c.want || (alice.Err() != nil) != c.want {
			t.Errorf("busy %t, late %t: %v", c.busy, c.late, alice.Err())
		}
	}
}

// TestWhoMoved: a seat of others' match is named by its number, and a match that is gone by
// nobody's rules.
func TestWhoMoved(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5, 5}, alice, bob, carol)
	match := l.match(alice, id, 1, 0, 1)
	for n, want := range map[*Node]string{alice: "your opponent", bob: "you", carol: "seat 1"} {
		if got := l.session(n, id).texts().who(match, 1); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := l.session(alice, id).texts().describeMove(channel.Moved{MatchID: common.Hash{1}, Seat: 1, Before: []byte{1}}); got != "seat 1 moved" {
		t.Errorf("%q", got)
	}
}
