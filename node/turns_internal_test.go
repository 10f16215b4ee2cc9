package node

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestNotesHeard: what another seat says makes this one think again where it is on move and may
// move.
func TestNotesHeard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first  uint8
		of     int
		frozen bool
		want   int
	}{
		"its turn": {0, 0, false, 1}, "the other's turn": {0, 1, false, 0}, "the chain's turn": {games.Chance, 0, false, 0},
		"its turn, but it signs nothing": {0, 0, true, 0},
	} {
		l := newLab(t)
		nodes := []*Node{l.node(nil), l.node(nil)}
		id := l.channel(common.Address{}, []uint64{5, 5}, nodes...)
		l.must(l.session(nodes[0], id).step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(c.first), Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}))
		l.settle()
		s := l.session(nodes[c.of], id)
		if c.frozen {
			l.must(s.feed(channel.StoreRestored{}))
		}
		m := s.machine.Matches()[0]
		s.todo = nil
		if s.follow([]channel.Event{channel.NoteHeard{MatchID: m.ID, Turn: m.Turn}}); len(s.todo) != c.want {
			t.Errorf("%s: %v", name, s.todo)
		}
	}
}

// TestWaitsFrozen: a frozen channel goes to the chain only when its user says so, and says that.
func TestWaitsFrozen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(bob, id)
	l.must(s.feed(channel.StoreRestored{}))
	m, _ := s.machine.Match(match)
	s.wishes()
	if w := s.match(m).Waiting; w == nil || !strings.Contains(w.Text, "dispute exit") || strings.Contains(w.Text, "by itself") {
		t.Errorf("waits for %+v", w)
	}
	if err := bob.CloseChannel(id); !errors.Is(err, channel.ErrRestored) || !strings.Contains(err.Error(), "dispute exit") {
		t.Error(err)
	}
}

// TestTurnsThatWait: while the chain decides a match its turn waits for that.
func TestTurnsThatWait(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, l.node(nil))
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	m, _ := s.machine.Match(match)
	s.instructions.Bots = map[common.Hash]bool{match: true}
	l.says(alice, id, onchain.Recorded{ChannelID: id, MatchID: match, Record: protocol.Record{
		Status: protocol.MatchLive, Turn: 1, State: common.Hash{1}, Mover: 1, Marks: []protocol.Mark{1, 1}, Spent: []uint64{0, 0}, Clock: 5, Deadline: 25,
	}})
	s.todo = []decision{{matchID: match, turn: m.Turn}}
	if l.must(s.tryToDecide()); len(s.later) != 1 || s.later[0].matchID != match {
		t.Errorf("%v waits", s.later)
	}
}

// TestStuck: a position that can't be shown, and a bot that fails, are told once for each turn.
func TestStuck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*Node)
		want  string
	}{
		"a game that it lacks":   {func(n *Node) { n.drive = driver.New(driver.Config{}) }, "can't be shown"},
		"a bot without its dice": {func(n *Node) { n.config.Rand = strings.NewReader("") }, "random"},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		match := l.match(alice, id, 1, 0, 1)
		s := l.session(alice, id)
		m, _ := s.machine.Match(match)
		s.instructions.Bots = map[common.Hash]bool{match: true}
		c.spoil(alice)
		for range 2 {
			s.todo = []decision{{matchID: match, turn: m.Turn}}
			l.must(s.tryToDecide())
		}
		if told := l.events(alice, Alarm); len(told) != 1 || !strings.Contains(told[0], c.want) {
			t.Errorf("%s: %q", name, told)
		}
	}
}

// TestSits: a node sits down at the newest turn of a match that it plays.
func TestSits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5, 5}, alice, bob, carol)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	m, _ := s.machine.Match(match)
	p, err := s.sit(match, m.Turn)
	if err != nil || !p.mine || p.chance {
		t.Errorf("%+v, %v", p, err)
	}
	for name, c := range map[string]struct {
		of    *Node
		match common.Hash
		turn  protocol.Turn
		want  error
	}{
		"another turn":     {alice, match, m.Turn + 1, channel.ErrStale},
		"an unknown match": {alice, common.Hash{1}, 0, channel.ErrStale},
		"others' match":    {carol, match, 0, ErrUnknownMatch},
	} {
		if _, err := l.session(c.of, id).sit(c.match, c.turn); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sage is a player side that does as it is told.
type sage struct {
	games.Player
	auto, bot *games.Decision
	chance    []byte
	err       error
}

func (p sage) Auto(games.Table) (*games.Decision, error) { return p.auto, p.err }
func (p sage) Bot(games.Table) (*games.Decision, error)  { return p.bot, nil }

// oracle is a sage that follows the chain.
type oracle struct{ sage }

func (p oracle) Follows() bool                           { return true }
func (p oracle) Chance(games.Table) ([]byte, error)      { return p.chance, p.err }
func (p oracle) Upkeep(games.Table) (*games.Call, error) { return nil, nil }

// TestDecidesAlone: what needs no person is done first, then the bot chooses, where it may; the
// chain's move is made once it can be.
func TestDecidesAlone(t *testing.T) {
	t.Parallel()
	auto, bot, fails := &games.Decision{Move: []byte("auto")}, &games.Decision{Move: []byte("bot")}, storetest.ErrCrash
	for name, c := range map[string]struct {
		player games.Player
		bot    bool
		chance bool
		move   string
		err    error
	}{
		"by itself":                 {sage{auto: auto, bot: bot}, true, false, "auto", nil},
		"the bot":                   {sage{bot: bot}, true, false, "bot", nil},
		"no bot":                    {sage{bot: bot}, false, false, "", nil},
		"it fails":                  {sage{bot: bot, err: fails}, true, false, "", fails},
		"the chain":                 {oracle{sage{auto: auto, chance: []byte("chance")}}, true, true, "chance", nil},
		"the chain, not yet":        {oracle{sage{chance: []byte("x"), err: games.ErrNotYet}}, true, true, "", nil},
		"the chain, never":          {oracle{sage{auto: auto}}, true, true, "", nil},
		"the chain, it fails":       {oracle{sage{chance: []byte("x"), err: fails}}, true, true, "", fails},
		"the chain, in other hands": {sage{auto: auto}, true, true, "", nil},
	} {
		p := &seat{game: games.Game{Player: c.player}, bot: c.bot, chance: c.chance}
		move := ""
		d, err := p.decideAlone()
		if d != nil {
			move = string(d.Move)
		}
		if move != c.move || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, move, err)
		}
	}
}
