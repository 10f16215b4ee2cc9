package mastermind

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

// desk is one seat's side of a match: its stored secrets, and what its user types.
type desk struct {
	t      *testing.T
	stored []byte
	typed  []string
}

func (d *desk) table(c *games.Context, state []byte, seat uint8) games.Table {
	return games.Table{Context: c, State: state, Seat: seat, Secrets: commit.Load(d.stored), Random: rand.Reader}
}

// move is what a node does on its seat's turn.
func (d *desk) move(p games.Player, table games.Table) []byte {
	d.t.Helper()
	decision, err := p.Auto(table)
	if err == nil && decision == nil {
		if len(d.typed) == 0 {
			d.t.Fatal("nothing left to type")
		}
		if ask, _ := p.Ask(table); ask == "" {
			d.t.Fatal("a choice that is not asked for")
		}
		decision, err = p.Choose(table, d.typed[0])
		d.typed = d.typed[1:]
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.stored = decision.Secrets.Expose()
	return decision.Move
}

// Two people play a match of two rounds; every move is made by a side that knows only what it
// stored, as after a crash.
func TestPlayer_WholeMatch(t *testing.T) {
	g := Game()
	params, err := g.Params.Encode([]byte(`{"rounds":2,"guesses":3}`))
	if err != nil {
		t.Fatal(err)
	}
	c := &games.Context{MatchID: common.HexToHash("0xfeed"), Params: params, Stakes: make([]uint256.Int, 2)}
	c.Stakes[0].SetUint64(10)
	c.Stakes[1].SetUint64(10)
	state, err := g.Rules.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	desks := []*desk{{t: t}, {t: t}}
	for {
		seat, err := g.Rules.Mover(state)
		if err != nil {
			t.Fatal(err)
		}
		if seat == games.Nobody {
			break
		}
		s, err := rules{}.DecodeState(state)
		if err != nil {
			t.Fatal(err)
		}
		if s.Phase == Making && len(desks[0].typed)+len(desks[1].typed) == 0 {
			// The first maker's code takes two guesses, the second's is not found.
			desks[s.Maker].typed = []string{"0 1,2 3", "4444", "4441", "4414"}
			desks[1-s.Maker].typed = []string{"5500", "0123", "1444"}
		}
		move := desks[seat].move(g.Player, desks[seat].table(c, state, seat))
		text, err := g.Player.Describe(c, state, move)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, text)
		if state, err = g.Rules.Play(c, state, move); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"hides a code for round 1", "guesses 5500", "answers 0 right, 1 misplaced", "guesses 0123",
		"answers 4 right, 0 misplaced", "opens the code 0123",
		"hides a code for round 2", "guesses 4444", "answers 3 right, 0 misplaced", "guesses 4441",
		"answers 2 right, 2 misplaced", "guesses 4414", "answers 2 right, 2 misplaced", "opens the code 1444",
	}
	if diff := cmp.Diff(want, said[3:]); diff != "" {
		t.Error(diff)
	}
	if text := (player{}).Describe(Params{Pegs: 4, Colours: 6}, State{}, Reveal{Code: 1 << 15}); text != "opens what is no code" {
		t.Errorf("a lie is told as %q", text)
	}
	for i, start := range []string{"tosses", "calls", "shows"} {
		if !strings.HasPrefix(said[i], start) {
			t.Errorf("move %d: %s", i, said[i])
		}
	}
	view, err := g.Player.View(desks[0].table(c, state, 0))
	if err != nil {
		t.Fatal(err)
	}
	v, ok := view.(View)
	if !ok || v.Points[0]+v.Points[1] != 2+3+6 || v.Ending == "draw" || v.Ending == "" {
		t.Errorf("%+v", view)
	}
}

// makerTable is a table at which seat 0 has to make a code, then to answer.
func makerTable(t *testing.T) (*board, games.Table) {
	t.Helper()
	b := started(t, Game().Rules, defaults, 0)
	return b, games.Table{Context: b.C, State: b.State, Seat: 0, Random: rand.Reader}
}

func TestPlayer_ChooseExplains(t *testing.T) {
	p := Game().Player
	_, table := makerTable(t)
	for _, text := range []string{"", "012", "01234", "0126", "abcd", "0 1 2 -", "0123 0123"} {
		if _, err := p.Choose(table, text); !errors.Is(err, games.ErrText) {
			t.Errorf("%q: %v", text, err)
		}
	}
	table.Seat = 1
	if _, err := p.Choose(table, "0123"); !errors.Is(err, games.ErrNotYourTurn) {
		t.Errorf("out of turn: %v", err)
	}
	if ask, err := p.Ask(table); ask != "" || err != nil {
		t.Errorf("asked out of turn: %q, %v", ask, err)
	}
}

// A code once committed to stays: the same commitment comes again after a restart, another code is
// refused.
func TestPlayer_CommitTwice(t *testing.T) {
	p := Game().Player
	_, table := makerTable(t)
	if d, err := p.Auto(table); d != nil || err != nil {
		t.Fatalf("a code made by nobody: %v, %v", d, err)
	}
	first, err := p.Choose(table, "0123")
	if err != nil {
		t.Fatal(err)
	}
	table.Secrets = commit.Load(first.Secrets.Expose())
	again, err := p.Auto(table)
	if err != nil || again == nil || string(again.Move) != string(first.Move) {
		t.Errorf("after a restart: %v, %v", again, err)
	}
	if bot, err := p.Bot(table); err != nil || string(bot.Move) != string(first.Move) {
		t.Errorf("the bot's move: %v", err)
	}
	if _, err := p.Choose(table, "3210"); !errors.Is(err, commit.ErrCommitted) {
		t.Errorf("another code: %v", err)
	}
	if text, err := p.Recall(table); text != "your code is 0123" || err != nil {
		t.Errorf("recalled %q, %v", text, err)
	}
}

// The maker's code can be recalled from when it is chosen until it is opened, by the maker.
func TestPlayer_Recall(t *testing.T) {
	p := Game().Player
	b, table := makerTable(t)
	recalls := func(want string) {
		t.Helper()
		for seat, want := range []string{want, ""} {
			at := games.Table{Context: b.C, State: b.State, Seat: uint8(seat), Random: rand.Reader}
			if seat == 0 {
				at.Secrets = table.Secrets
			}
			if text, err := p.Recall(at); text != want || err != nil {
				t.Errorf("seat %d in phase %d recalls %q, %v, want %q", seat, b.Now().Phase, text, err, want)
			}
		}
	}
	recalls("")
	d, err := p.Choose(table, "0123")
	if err != nil {
		t.Fatal(err)
	}
	table.Secrets = d.Secrets
	recalls("your code is 0123")
	b.play(Commit(d.Move))
	recalls("your code is 0123")
	b.play(Guess(code)).play(Reply(NewFeedback(4, 0)))
	recalls("your code is 0123") // the maker has yet to open it
	table.State = b.State
	opening, err := p.Auto(table)
	if err != nil {
		t.Fatal(err)
	}
	if b.State, err = b.Rules.Play(b.C, b.State, opening.Move); err != nil {
		t.Fatal(err)
	}
	recalls("")
	over := b.Now()
	over.Phase, over.Round = Over, 0
	b.at(over)
	recalls("")
}

// A store without the code says so; one of another match is refused.
func TestPlayer_LostSecret(t *testing.T) {
	p := Game().Player
	b, table := makerTable(t)
	d, err := p.Choose(table, "0123")
	if err != nil {
		t.Fatal(err)
	}
	b.play(Commit(d.Move)).play(Guess(miss))
	table.State = b.State
	if _, err := p.Auto(table); !errors.Is(err, commit.ErrNoSecret) {
		t.Errorf("without secrets: %v", err)
	}
	table.Secrets = d.Secrets
	if _, err := p.Auto(table); err != nil {
		t.Error(err)
	}
	other := *b.C
	other.MatchID[5]++
	table.Context = &other
	if _, err := p.Auto(table); !errors.Is(err, commit.ErrSecrets) {
		t.Errorf("with another match's secrets: %v", err)
	}
}

// What a node shows, sends and stores in plain before the reveal tells nothing of the code.
func TestAttack_LoggedSecret(t *testing.T) {
	p := Game().Player
	b, table := makerTable(t)
	d, err := p.Choose(table, "3521")
	if err != nil {
		t.Fatal(err)
	}
	b.play(Commit(d.Move)).play(Guess(miss))
	table.State, table.Secrets = b.State, d.Secrets
	view, err := p.View(table)
	if err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{view.String(), string(object)} {
		if strings.Contains(text, "3521") || strings.Contains(text, "3 5 2 1") {
			t.Errorf("the view tells the code: %s", text)
		}
	}
}

func TestView_Text(t *testing.T) {
	g := Game()
	b := started(t, g.Rules, defaults, 0).hide(code).play(Guess(digits(0, 2, 1, 5))).play(Reply(NewFeedback(1, 2))).play(Guess(miss))
	show := func(seat uint8) string {
		v, err := g.Player.View(games.Table{Context: b.C, State: b.State, Seat: seat})
		if err != nil {
			t.Fatal(err)
		}
		return v.String()
	}
	want := "Round 1 of 4, you are the breaker. Points: you 0, opponent 0.\n  1. 0 2 1 5   ●○○·\n  2. 5 5 5 5   ?\n"
	if diff := cmp.Diff(want, show(1)); diff != "" {
		t.Error(diff)
	}
	b.expire()
	if got := show(1); !strings.HasSuffix(got, "The match is over: you won (silence).\n") {
		t.Error(got)
	}
	if got := show(0); !strings.HasSuffix(got, "The match is over: you lost (silence).\n") {
		t.Error(got)
	}
}

func TestParams(t *testing.T) {
	g := Game()
	params, err := g.Params.Encode(nil)
	if err != nil || string(params) != string(defaults.Bytes()) {
		t.Fatalf("defaults %v, %v", params, err)
	}
	object, err := g.Params.Decode(params)
	if want := `{"pegs":4,"colours":6,"rounds":4,"guesses":12,"bonus":6,"dispute":0}`; err != nil || string(object) != want {
		t.Errorf("%s, %v", object, err)
	}
	if turns, err := g.Turns(params); turns != 107 || err != nil {
		t.Errorf("%d turns, %v", turns, err)
	}
	if _, err := g.Turns(params[:5]); err == nil {
		t.Error("turns of bad parameters")
	}
}
