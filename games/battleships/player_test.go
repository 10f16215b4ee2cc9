package battleships

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// duel is a match between two player sides, moved by typing.
type duel struct {
	t       *testing.T
	c       *games.Context
	players [2]games.Player
	secrets [2]commit.Secrets
	random  *rand.ChaCha8
	state   []byte
	log     []string // what was done, as Describe says
}

func newDuel(t *testing.T, p Params) *duel {
	t.Helper()
	g := Game()
	d := &duel{t: t, players: [2]games.Player{g.Player, g.Player}, random: rand.NewChaCha8([32]byte{5}), c: &games.Context{
		MatchID: common.Hash{7}, Params: p.Bytes(), Stakes: make([]uint256.Int, 2), Signers: make([]common.Address, 2),
	}}
	var err error
	if d.state, err = g.Rules.Start(d.c); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *duel) mover() uint8 {
	seat, err := Game().Rules.Mover(d.state)
	if err != nil {
		d.t.Fatal(err)
	}
	return seat
}

func (d *duel) table(seat uint8) games.Table {
	return games.Table{Context: d.c, State: d.state, Seat: seat, Secrets: commit.Load(d.secrets[seat].Expose()), Random: d.random}
}

func (d *duel) move(seat uint8, m *games.Decision, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatalf("seat %d in %x: %v", seat, d.state, err)
	}
	text, err := Game().Player.Describe(d.c, d.state, m.Move)
	if err != nil {
		d.t.Fatal(err)
	}
	d.log = append(d.log, fmt.Sprintf("%d %s", seat, text))
	d.secrets[seat] = m.Secrets
	if d.state, err = Game().Rules.Play(d.c, d.state, m.Move); err != nil {
		d.t.Fatal(err)
	}
}

// settle plays what needs nobody's judgement, and returns who has to choose next.
func (d *duel) settle() uint8 {
	d.t.Helper()
	for {
		seat := d.mover()
		if seat == games.Nobody {
			return seat
		}
		m, err := d.players[seat].Auto(d.table(seat))
		if m == nil && err == nil {
			return seat
		}
		d.move(seat, m, err)
	}
}

// typed has whoever is to choose type this.
func (d *duel) typed(text string) *duel {
	d.t.Helper()
	seat := d.settle()
	m, err := d.players[seat].Choose(d.table(seat), text)
	d.move(seat, m, err)
	d.settle()
	return d
}

func (d *duel) view(seat uint8) View {
	d.t.Helper()
	v, err := Game().Player.View(d.table(seat))
	if err != nil {
		d.t.Fatal(err)
	}
	return v.(View)
}

// A whole match by typing: fleets are placed, shots fired until all is hit; answers, the coin and
// the opening come by themselves.
func TestPlayer_WholeMatch(t *testing.T) {
	for _, p := range []Params{proving, trusting} {
		d := newDuel(t, p).typed(exampleFleet).typed(fleets[1].Text())
		shooter := d.mover()
		target := fleets[1-shooter]
		for rest := target; rest != 0; rest &= rest - 1 {
			if d.mover() != shooter {
				t.Fatalf("a hit at %v passed the turn", rest.first())
			}
			d.typed(rest.first().String())
		}
		if mine, theirs := d.view(shooter), d.view(1-shooter); mine.Ending != "win" || theirs.Ending != "loss" || mine.Reason != "" {
			t.Errorf("views %+v, %+v", mine, theirs)
		}
		last := d.log[len(d.log)-1]
		if want := fmt.Sprintf("%d opens its board: %s", shooter, fleets[shooter].Text()); last != want {
			t.Errorf("%q, want %q", last, want)
		}
	}
}

func TestPlayer_Refuses(t *testing.T) {
	d := newDuel(t, proving)
	refuse := func(text, hint string) {
		t.Helper()
		if _, err := d.players[0].Choose(d.table(d.mover()), text); !errors.Is(err, games.ErrText) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want an error with %q", text, err, hint)
		}
	}
	refuse("", "such as")
	refuse("reveal", "no ship")
	if _, err := (player{}).Choose(seat{State: State{Phase: Showing}}, "reveal"); !errors.Is(err, games.ErrText) {
		t.Errorf("a board opened before the first shot: %v", err)
	}
	d.typed("random").typed("RANDOM")
	shooter := d.mover()
	d.typed("e4")
	for c := Cell(0); d.mover() != shooter; c++ {
		d.typed(c.String())
	}
	refuse("e4", "before")
	refuse("i9", "no cell")
	if _, err := d.players[0].Choose(d.table(1-d.mover()), "a1"); !errors.Is(err, games.ErrNotYourTurn) {
		t.Errorf("out of turn: %v", err)
	}
}

// The seat whose opponent answers what no fleet fits opens its board by itself, on either's turn,
// and wins.
func TestPlayer_OpensWhenNoFleetFits(t *testing.T) {
	for _, l := range Game().Liars {
		p := proving
		if l.Reason == "false answer" {
			p = trusting
		}
		for liar := range uint8(2) {
			d := newDuel(t, p)
			d.players[liar] = l.Player(0)
			for seat := d.settle(); seat != games.Nobody; seat = d.settle() {
				m, err := Game().Player.Bot(d.table(seat))
				d.move(seat, m, err)
			}
			o, err := Game().Rules.Outcome(d.state, d.c.Stakes)
			if err != nil || o.Guilty != 1<<liar || o.ReasonText() != l.Reason {
				t.Errorf("%s, seat %d: %+v, %v", l.Name, liar, o, err)
			}
		}
	}
}

// An impossible answer is complained of at once, also when it is the liar's turn to shoot and ours
// to answer; and who has hit all there is says so.
func TestPlayer_OpensToAnswer(t *testing.T) {
	g := Game()
	b := started(t, g.Rules, trusting, 0, fleets)
	// Seat 1 has answered with hits that touch by a corner.
	hits := Cell(0).set() | Cell(9).set()
	vault, err := commit.Open(commit.Secrets{}, b.C.MatchID, 0, rand.NewChaCha8([32]byte{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := vault.Commit(fleetTag, 0, hidden(fleets[0])); err != nil {
		t.Fatal(err)
	}
	opens := func(s State) {
		t.Helper()
		at := seat{Context: b.C, Params: trusting, State: s, Seat: 0, Vault: vault, Random: rand.NewChaCha8([32]byte{})}
		m, decided, err := player{}.Auto(at)
		if _, opens := m.(Reveal); err != nil || !decided || !opens {
			t.Errorf("%T, %v, %v, want a Reveal", m, decided, err)
		}
		m, err = player{}.Bot(at)
		if _, opens := m.(Reveal); err != nil || !opens {
			t.Errorf("the bot: %T, %v, want a Reveal", m, err)
		}
	}
	opens(b.shotsAt(1, Board{Shots: hits, Hits: hits}, Board{}).play(Shot(63)).Now())
	// and when it is ours to shoot
	opens(b.shotsAt(0, Board{}, Board{Shots: hits, Hits: hits}).Now())
	opens(b.shotsAt(0, Board{}, Board{Shots: fleets[1], Hits: fleets[1]}).Now())
}

// Views and what is recalled show what they should, and a view nothing of a fleet that is not
// opened.
func TestPlayer_View(t *testing.T) {
	d := newDuel(t, proving)
	if text := d.view(1).String(); !strings.Contains(text, "place their fleets") {
		t.Error(text)
	}
	d.typed(exampleFleet).typed(fleets[1].Text())
	shooter := d.mover()
	miss := (^fleets[1-shooter]).first()
	d.typed(fleets[1-shooter].first().String()).typed(miss.String())
	v := d.view(shooter)
	if v.Turn != "opponent" || v.Other.Hits != 1 || v.Other.Shots != 2 || v.Other.Opened || strings.Contains(strings.Join(v.Other.Rows, ""), "#") {
		t.Errorf("%+v", v)
	}
	for seat := range uint8(2) {
		recall, err := Game().Player.Recall(d.table(seat))
		if err != nil || !strings.Contains(recall, fleets[seat].Text()) || strings.Count(recall, "#") < 17 {
			t.Errorf("seat %d recalls %q, %v", seat, recall, err)
		}
	}
	d.typed("reveal")
	if d.mover() != games.Nobody { // the other opens by itself
		t.Fatalf("nobody opened: %v", d.log)
	}
	for seat := range uint8(2) {
		v := d.view(seat)
		if !v.Own.Opened || !v.Other.Opened || v.Reason != "early reveal" || !strings.Contains(v.String(), "The match is over") {
			t.Errorf("%+v", v)
		}
		object, err := json.Marshal(v)
		if err != nil || !strings.Contains(string(object), `"rows":["`) {
			t.Errorf("%s, %v", object, err)
		}
	}
}

func Example() {
	b := Board{Shots: 0x0000000000020103, Hits: 0x0000000000000103}
	fmt.Println(draw(b.rows(mustFleet(exampleFleet))))
	// Output:
	//    a b c d e f g h
	//  1 x x # . # . # .
	//  2 x . # . # . # .
	//  3 # o # . # . . .
	//  4 # . . . . . . #
	//  5 . . # . # . . #
	//  6 . . # . # . . .
	//  7 . . . . . . . .
	//  8 . . . . . . . .
}
