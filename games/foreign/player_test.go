package foreign

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// tale is rules that say whatever a test has them say: a state is the name of a scene, a move a
// byte. Rules of strangers may be as odd as these.
type tale map[string]scene

type scene struct {
	mover uint8
	fails bool            // nobody can tell who moves
	next  map[byte]string // by move; all others are refused
	pays  []uint64        // in the end
}

func (r tale) Start(*games.Context) ([]byte, error) { return []byte("start"), nil }

func (r tale) Mover(state []byte) (uint8, error) {
	s := r[string(state)]
	if s.fails {
		return s.mover, games.ErrIllegal
	}
	return s.mover, nil
}

func (r tale) Play(_ *games.Context, state, move []byte) ([]byte, error) {
	if next, legal := r[string(state)].next[move[0]]; legal {
		return []byte(next), nil
	}
	return nil, games.ErrIllegal
}

func (r tale) Expire(*games.Context, []byte) ([]byte, error) { return nil, games.ErrIllegal }

func (r tale) Outcome(state []byte, _ []uint256.Int) (o games.Outcome, err error) {
	if r[string(state)].pays == nil {
		return o, games.ErrIllegal
	}
	for _, v := range r[string(state)].pays {
		o.Payouts = append(o.Payouts, *uint256.NewInt(v))
	}
	copy(o.Reason[:], "so\x1bit\x7fis~ said")
	return o, nil
}

// told is a player side of such rules, whose manifest knows the moves 0 to 3.
func told(t *testing.T, r tale) player {
	t.Helper()
	m, err := readManifest(strings.NewReader(`{"name":"tale","summary":"s","seats":2,"turns":9,"params":[],"position":[],` +
		`"moves":[{"name":"say","fields":[{"name":"what","max":3}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return player{m, r}
}

// in is how seat 0 sees a scene; both seats have staked 10.
func in(name string) games.Table {
	c := &games.Context{Stakes: []uint256.Int{*uint256.NewInt(10), *uint256.NewInt(10)}, Signers: make([]common.Address, 2)}
	return games.Table{Context: c, State: []byte(name), Random: rand.NewChaCha8([32]byte{3})}
}

var (
	won  = scene{mover: games.Nobody, pays: []uint64{20, 0}}
	lost = scene{mover: games.Nobody, pays: []uint64{0, 20}}
	even = scene{mover: games.Nobody, pays: []uint64{10, 10}}
)

// Moves are looked for where a seat is on move, and nowhere else, though the rules might accept
// some.
func TestPlayer_MovesOfSeatsOnly(t *testing.T) {
	for mover, seats := range map[uint8]bool{0: true, 1: true, games.MaxSeats - 1: true, games.MaxSeats: false, games.Chance: false, games.Nobody: false} {
		p := told(t, tale{"start": {mover: mover, next: map[byte]string{1: "end", 3: "end"}}})
		list, err := p.Moves(in("start").Context, []byte("start"))
		if want := [][]byte{{1}, {3}}; err != nil || seats != slices.EqualFunc(list, want, slices.Equal) || !seats && list != nil {
			t.Errorf("mover %d: %x, %v", mover, list, err)
		}
	}
}

// Rules that can't tell who moves fail every question in their own way: nobody is told that it is
// somebody else's turn.
func TestPlayer_RulesFail(t *testing.T) {
	p := told(t, tale{"start": {fails: true, next: map[byte]string{1: "end"}}})
	at := in("start")
	for _, at.Seat = range []uint8{0, 1} {
		_, auto := p.Auto(at)
		_, bot := p.Bot(at)
		_, choose := p.Choose(at, "1")
		_, ask := p.Ask(at)
		_, view := p.View(at)
		_, moves := p.Moves(at.Context, at.State)
		for name, err := range map[string]error{"auto": auto, "bot": bot, "choose": choose, "ask": ask, "view": view, "moves": moves} {
			if !errors.Is(err, games.ErrIllegal) || errors.Is(err, games.ErrNotYourTurn) {
				t.Errorf("%s of seat %d: %v", name, at.Seat, err)
			}
		}
	}
}

// A manifest may say one move in two ways, or two in one. Each legal move is listed once, as what
// is typed to make it.
func TestPlayer_LegalIsTyped(t *testing.T) {
	m, err := readManifest(strings.NewReader(`{"name":"tale","summary":"s","seats":2,"turns":9,"params":[],"position":[],"moves":[` +
		`{"name":"pass","prefix":"0x00"},{"name":"say","fields":[{"name":"what","values":["yes","no","No","0"]}]},{"name":"give up","prefix":"0x09"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	end := scene{mover: 0, next: map[byte]string{0: "end", 1: "end", 2: "end", 3: "end", 9: "end"}}
	p := player{m, tale{"start": end}}
	shown, err := p.View(in("start"))
	if err != nil {
		t.Fatal(err)
	}
	legal := shown.(view).Legal
	if want := []string{"pass", "0x09", "say no", "0x02", "say 0"}; !slices.Equal(legal, want) {
		t.Errorf("legal are %q, want %q", legal, want)
	}
	for i, move := range []byte{0, 9, 1, 2, 3} {
		if d, err := p.Choose(in("start"), legal[i]); err != nil || !slices.Equal(d.Move, []byte{move}) {
			t.Errorf("%q is %v, %v", legal[i], d, err)
		}
	}
}

// The bot makes the move that wins; failing that, none that loses, and none after which the next
// seat wins; a seat that moves again does not lose by what it could do then, and after the end
// nobody moves, whatever the rules accept. Whichever move it looks at first.
func TestPlayer_BotLooksAhead(t *testing.T) {
	for name, c := range map[string]struct {
		tale
		want []byte // any of these
	}{
		"a win": {tale{
			"start": {next: map[byte]string{0: "even", 1: "won", 2: "quiet"}}, "quiet": {mover: 1},
		}, []byte{1}},
		"no loss": {tale{
			"start": {next: map[byte]string{0: "lost", 1: "even", 2: "lost"}},
		}, []byte{1}},
		"no reply that wins": {tale{
			"start": {next: map[byte]string{0: "trap", 1: "quiet", 2: "trap"}},
			"trap":  {mover: 1, next: map[byte]string{0: "won", 3: "lost"}}, "quiet": {mover: 1, next: map[byte]string{0: "even", 1: "won"}},
		}, []byte{1}},
		"moving again": {tale{
			"start": {next: map[byte]string{0: "trap", 1: "again", 2: "trap"}},
			"trap":  {mover: 1, next: map[byte]string{3: "lost"}}, "again": {next: map[byte]string{0: "won"}},
		}, []byte{1}},
		"chance": {tale{
			"start": {next: map[byte]string{0: "trap", 1: "chance"}},
			"trap":  {mover: 1, next: map[byte]string{3: "lost"}}, "chance": {mover: games.Chance, next: map[byte]string{0: "lost"}},
		}, []byte{1}},
		"no such seat": {tale{
			"start": {next: map[byte]string{0: "trap", 1: "odd"}},
			"trap":  {mover: 1, next: map[byte]string{3: "lost"}}, "odd": {mover: games.MaxSeats, next: map[byte]string{0: "lost"}},
		}, []byte{1}},
		"nobody knows": {tale{
			"start": {mover: 0, next: map[byte]string{0: "trap", 1: "odd"}},
			"trap":  {mover: 1, next: map[byte]string{3: "lost"}}, "odd": {fails: true, next: map[byte]string{0: "won"}},
		}, []byte{1}},
		"refused replies": {tale{
			// what comes with a refusal
			"start": {next: map[byte]string{0: "trap", 1: "quiet"}}, "": lost,
			"trap": {mover: 1, next: map[byte]string{3: "lost"}}, "quiet": {mover: 1, next: map[byte]string{0: "even"}},
		}, []byte{1}},
		"nothing better": {tale{"start": {next: map[byte]string{0: "lost", 2: "lost"}}}, []byte{0, 2}},
	} {
		c.tale["won"], c.tale["lost"], c.tale["even"] = won, lost, even
		p, at := told(t, c.tale), in("start")
		for range 16 { // it begins with any of them
			if d, err := p.Bot(at); err != nil || !slices.Contains(c.want, d.Move[0]) {
				t.Errorf("%s: %v, %v, want one of %v", name, d, err, c.want)
			}
		}
	}
}

// Of moves that are as good, the bot makes the one that it has drawn.
func TestPlayer_BotDraws(t *testing.T) {
	p, at := told(t, tale{"start": {next: map[byte]string{0: "quiet", 1: "quiet", 2: "quiet", 3: "quiet"}}, "quiet": {mover: 1}}), in("start")
	same := in("start").Random
	for range 16 {
		want, err := games.Below(same, 4)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := p.Bot(at); err != nil || int(d.Move[0]) != want {
			t.Errorf("%v, %v, want %d", d, err, want)
		}
	}
}

// Nobody has won where somebody can still move, or nobody knows who, though the rules tell who gets
// what.
func TestPlayer_GainsInTheEnd(t *testing.T) {
	p := told(t, tale{
		"going on": {mover: 1, pays: won.pays}, "over, perhaps": {fails: true, mover: games.Nobody, pays: won.pays}, "won": won,
		"odd": {fails: true, next: map[byte]string{0: "won"}},
	}).search()
	for name, want := range map[string]int{"going on": 0, "over, perhaps": 0, "won": 1} {
		if got := p.gains(in(name).Context, []byte(name), 0); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	second := in("odd")
	if second.Seat = 1; p.loses(second, second.State) {
		t.Error("lost to a seat that nobody knows to be on move")
	}
}

// What is won is told by what a seat gets of what it staked; where nobody has staked anything, as
// if all had staked the same.
func TestPlayer_EndingOfNoStakes(t *testing.T) {
	g := connectFour(t)
	at := table(t, g, "0101010")
	for i := range at.Context.Stakes {
		at.Context.Stakes[i].Clear()
	}
	for seat, want := range []string{"win", "loss"} {
		at.Seat = uint8(seat)
		v, err := g.Player.View(at)
		if err != nil || v.(view).Ending != want || v.(view).Phase != "over" {
			t.Errorf("seat %d: %+v, %v, want a %s", seat, v, err, want)
		}
	}
}

// Whatever rules give as their reason, a terminal is shown nothing but letters and signs.
func TestPlayer_ReasonIsPrintable(t *testing.T) {
	v, err := told(t, tale{"won": won}).View(in("won"))
	if err != nil || v.(view).Reason != "so?it?is~ said" || !strings.HasSuffix(v.String(), "you won (so?it?is~ said).\n") {
		t.Errorf("%+v, %v", v, err)
	}
}

// Without a board, or of a state of another form than the manifest's, a view shows what there is.
func TestPlayer_ViewWithoutBoard(t *testing.T) {
	v, err := told(t, tale{}).View(in(""))
	if err != nil || v.(view).Board != nil || string(v.(view).Position) != "{}" {
		t.Errorf("%+v, %v", v, err)
	}
	p := connectFour(t).Player.(player)
	p.rules = tale{"odd": {mover: 1}}
	v, err = p.View(in("odd"))
	if want := "0x" + hex.EncodeToString([]byte("odd")); err != nil || v.(view).Board != nil || v.String() != want+"\nYou are seat 0; seat 1 moves.\n" {
		t.Errorf("%+v, %v", v, err)
	}
}

// As much of what can be typed is told as fits, cut where no letter is cut.
func TestCutText(t *testing.T) {
	whole := strings.Repeat("x", maxUsage)
	for text, want := range map[string]string{whole: whole, whole + "y": whole + "…", whole[1:] + "ä": whole[1:] + "…"} {
		if got := cutText(text); got != want {
			t.Errorf("%d bytes are cut to %d: …%q", len(text), len(got), got[len(got)-8:])
		}
	}
}
