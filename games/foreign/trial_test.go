package foreign

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Rules that no rules may be like are found by playing them.
func TestTry(t *testing.T) {
	g := connectFour(t)
	fine := Try(g, 20, rand.Reader)
	if fine.Wrong != nil || fine.Matches != 20 || fine.Stuck != 0 || fine.Longest < 7 || fine.Longest > 42 {
		t.Errorf("connect four: %+v", fine)
	}
	short := g
	short.Turns = func([]byte) (uint64, error) { return 6, nil }
	if got := Try(short, 20, rand.Reader); got.Wrong == nil || !strings.Contains(got.Wrong.Error(), "not over after 6 moves") {
		t.Errorf("too few turns stated: %v", got.Wrong)
	}
	patient := g
	patient.Rules = endless{g.Rules}
	if got := Try(patient, 20, rand.Reader); got.Wrong == nil || !strings.Contains(got.Wrong.Error(), "silence has no end") {
		t.Errorf("no expiry: %v", got.Wrong)
	}
	dumb := g
	dumb.Player = speechless{g.Player}
	if got := Try(dumb, 20, rand.Reader); !errors.Is(got.Wrong, errUntried) || got.Moves != 0 || got.Stuck != 20 {
		t.Errorf("a manifest without moves: %+v", got)
	}
}

type (
	endless    struct{ games.Rules }
	speechless struct{ games.Player }
)

func (endless) Expire(*games.Context, []byte) ([]byte, error)     { return nil, games.ErrIllegal }
func (speechless) Moves(*games.Context, []byte) ([][]byte, error) { return nil, nil }

// pledge is rules under which both seats commit to 32 bytes, and then open nothing that a trial
// could guess: who does not is late.
type pledge struct{ games.Rules }

func (pledge) Start(*games.Context) ([]byte, error) { return []byte{0}, nil }

func (pledge) Mover(state []byte) (uint8, error) {
	switch n := state[0]; {
	case n < 4:
		return n % 2, nil
	default:
		return games.Nobody, nil
	}
}

func (pledge) Play(_ *games.Context, state, move []byte) ([]byte, error) {
	if state[0] > 1 || len(move) != 33 || move[0] != 7 {
		return nil, games.ErrIllegal
	}
	return append([]byte{state[0] + 1}, append(state[1:len(state):len(state)], move[1:]...)...), nil
}

func (pledge) Expire(_ *games.Context, state []byte) ([]byte, error) {
	return []byte{state[0] + 1}, nil
}

func (pledge) Outcome(_ []byte, stakes []uint256.Int) (games.Outcome, error) {
	return games.Outcome{Payouts: stakes}, nil
}

// pledgeGame is rules with moves that can't be listed, and states of any length.
func pledgeGame(t *testing.T) games.Game {
	t.Helper()
	m, err := readManifest(strings.NewReader(`{"name":"pledge","summary":"s","seats":2,"turns":4,"params":[],` +
		`"position":[{"name":"done"},{"name":"hashes","size":32,"count":2,"open":true}],` +
		`"moves":[{"name":"commit","prefix":"0x07","fields":[{"name":"hash","size":32}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return games.Game{
		Name: m.Name, Rules: pledge{}, Params: m.numbers(), Player: NewPlayer(m, pledge{}),
		Turns: func([]byte) (uint64, error) { return m.Turns, nil },
	}
}

// Moves of which there are too many to list are drawn, and where none is found time runs out.
func TestTry_Guesses(t *testing.T) {
	got := Try(pledgeGame(t), 20, rand.Reader)
	if got.Wrong != nil || got.Matches != 20 || got.Moves != 40 || got.Longest != 2 || got.Stuck != 20 {
		t.Errorf("%+v", got)
	}
}

// A value of 32 bytes is typed as it is shown, and a state shows as much of its last list as it
// has.
func TestPlayer_WideFields(t *testing.T) {
	g := pledgeGame(t)
	at := in("\x00")
	wide := "0x" + strings.Repeat("a1", 32)
	for range 2 {
		d, err := g.Player.Choose(at, "commit "+wide)
		if err != nil {
			t.Fatal(err)
		}
		if said, err := g.Player.Describe(at.Context, at.State, d.Move); err != nil || said != "commit "+wide {
			t.Errorf("%q, %v", said, err)
		}
		if at.State, err = g.Rules.Play(at.Context, at.State, d.Move); err != nil {
			t.Fatal(err)
		}
		at.Seat++
		v, err := g.Player.View(at)
		want := `{"done":` + string('0'+at.State[0]) + `,"hashes":["` + wide + `"` + strings.Repeat(`,"`+wide+`"`, int(at.State[0])-1) + `]}`
		if err != nil || string(v.(view).Position) != want {
			t.Errorf("%s, %v, want %s", v.(view).Position, err, want)
		}
	}
	at = in("\x00")
	for typed, want := range map[string]string{"commit " + wide[:64]: "0x and 32 bytes", "commit " + wide + "00": "0x and 32 bytes", "commit 3": "", "commit x": "0x and 32 bytes"} {
		if _, err := g.Player.Choose(at, typed); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", typed, err)
		}
	}
	if v, err := g.Player.View(at); err != nil || string(v.(view).Position) != `{"done":0,"hashes":[]}` {
		t.Errorf("%s, %v", v.(view).Position, err)
	}
}

func TestPins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "games")
	pins := Pins(dir)
	if list, err := pins.List(); err != nil || len(list) != 0 {
		t.Errorf("none: %v, %v", list, err)
	}
	f, err := os.Open(example + "connectfour.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := readManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	p := Pin{Manifest: m, Rules: common.Address{1}, ChainID: 7, CodeHash: common.Hash{9}}
	if err := pins.Add(p); err != nil {
		t.Fatal(err)
	}
	other := *m
	other.Name = "other"
	for name, again := range map[string]Pin{"name": {Manifest: m, Rules: common.Address{2}}, "address": {Manifest: &other, Rules: p.Rules}} {
		if err := pins.Add(again); !errors.Is(err, ErrPinned) {
			t.Errorf("the same %s again: %v", name, err)
		}
	}
	list, err := pins.List()
	if err != nil || len(list) != 1 || list[0].CodeHash != p.CodeHash || list[0].Rules != p.Rules || list[0].Manifest.Turns != 42 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"../x", "", "other"} {
		if err := pins.Remove(name); err == nil {
			t.Errorf("removed %q", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "evil.json"), []byte(`{"manifest":{"name":"mastermind"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pins.List(); !errors.Is(err, ErrManifest) {
		t.Errorf("a file under another name: %v", err)
	}
	if err := pins.Remove("evil"); err != nil {
		t.Error(err)
	}
	if err := pins.Remove("connect-four"); err != nil {
		t.Error(err)
	}
}
