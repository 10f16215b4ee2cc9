package foreign

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

const example = "../../examples/connectfour/"

func connectFour(t testing.TB) games.Game {
	t.Helper()
	g, err := Load(example + "connectfour.json")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// table plays columns and returns the match after them, as the seat on move sees it (the last
// winner, if it is over).
func table(t *testing.T, g games.Game, columns string) games.Table {
	t.Helper()
	c := &games.Context{Params: []byte{0}, Stakes: make([]uint256.Int, 2), Signers: make([]common.Address, 2)}
	c.Stakes[0].SetUint64(5)
	c.Stakes[1].SetUint64(6)
	state, err := g.Rules.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	at := games.Table{Context: c, State: state, Random: rand.Reader}
	for i, column := range columns {
		d, err := g.Player.Choose(at, string(column))
		if err != nil {
			t.Fatalf("disc %d of %s: %v", i, columns, err)
		}
		if at.State, err = g.Rules.Play(c, at.State, d.Move); err != nil {
			t.Fatal(err)
		}
		if mover, _ := g.Rules.Mover(at.State); mover != games.Nobody {
			at.Seat = mover
		}
	}
	return at
}

// drawn fills the board without four in a line.
const drawn = "010101" + "101010" + "232323" + "323232" + "454545" + "545454" + "666666"

func TestConnectFour_Lines(t *testing.T) {
	g := connectFour(t)
	for columns, want := range map[string]uint64{ // what seat 0 gets; 0: it goes on
		"0101010": 11, "0011223": 11, "01123223633": 11, "65543443033": 11, "010101": 0, "0112322363": 0,
		drawn: 6,
	} {
		at := table(t, g, columns)
		o, err := g.Rules.Outcome(at.State, at.Context.Stakes)
		if (err == nil) != (want != 0) || err == nil && !o.Payouts[0].Eq(uint256.NewInt(want)) {
			t.Errorf("%s: seat 0 gets %v, %v; want %d", columns, o.Payouts, err, want)
		}
	}
	at := table(t, g, "333333")
	if _, err := g.Player.Choose(at, "3"); !errors.Is(err, games.ErrIllegal) || !strings.Contains(err.Error(), "refuse drop 3") {
		t.Errorf("a full column: %v", err)
	}
	if list, err := g.Player.Moves(at.Context, at.State); err != nil || len(list) != 6 {
		t.Errorf("legal moves: %x, %v", list, err)
	}
}

func TestPlayer_Choose(t *testing.T) {
	g := connectFour(t)
	at := table(t, g, "")
	for _, typed := range []string{"drop 3", " 3 ", "DROP 3", "0x03", `{"move":"drop","column":3}`} {
		if d, err := g.Player.Choose(at, typed); err != nil || string(d.Move) != "\x03" {
			t.Errorf("%s: %v, %v", typed, d, err)
		}
	}
	for typed, want := range map[string]string{
		"": "COLUMN (0..6)", "7": "want 0..6", "drop": "want drop COLUMN", "drop 1 2": "want drop COLUMN", "push 1": "want drop COLUMN", "-1": "want 0..6",
		"0xzz": "hex", "{}": "as an object", `{"move":"drop"}`: "want 0..6", "{": "unexpected",
		`{"move":"drop","column":3,"row":1}`: `there is no "row"`, `{"move":"drop","column":3} {}`: "more than one",
	} {
		if d, err := g.Player.Choose(at, typed); !errors.Is(err, games.ErrText) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", typed, d, err, want)
		}
	}
	for _, typed := range []string{"0x", "0x07"} {
		if d, err := g.Player.Choose(at, typed); !errors.Is(err, games.ErrIllegal) || errors.Is(err, games.ErrText) {
			t.Errorf("%q: %v, %v", typed, d, err)
		}
	}
	at.Seat = 1
	if _, err := g.Player.Choose(at, "3"); !errors.Is(err, games.ErrNotYourTurn) {
		t.Error(err)
	}
	if ask, err := g.Player.Ask(at); ask != "" || err != nil {
		t.Errorf("%q, %v", ask, err)
	}
	if ask, err := g.Player.Ask(table(t, g, drawn[:len(drawn)-1])); !strings.HasSuffix(ask, "such as: drop 6?") || err != nil {
		t.Errorf("the only move: %q, %v", ask, err)
	}
}

func TestPlayer_View(t *testing.T) {
	g := connectFour(t)
	at := table(t, g, "334")
	v, err := g.Player.View(at)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("  . . . . . . .\n", 4) + "  . . . O . . .\n  . . . X X . .\nYou are seat 1, and on move.\n"
	if diff := cmp.Diff(want, v.String()); diff != "" {
		t.Error(diff)
	}
	b, err := json.Marshal(v)
	if err != nil || !strings.HasPrefix(string(b), `{"phase":"play","seat":1,"mover":1,"position":{"mover":1,"ending":"none","winner":"nobody","cells":[0,0,0,1,1,0,0,`) {
		t.Errorf("%s, %v", b, err)
	}
	for _, want := range []string{`"upwards":true,"moves":[{"name":"drop","help":"a disc into a column","fields":[{"name":"column","max":6}]}]`,
		`"legal":["drop 0","drop 1","drop 2","drop 3","drop 4","drop 5","drop 6"]}`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	other := at
	if other.Seat = 0; seen(t, g, other).Legal != nil {
		t.Error("a seat that is not on move is told what it may do")
	}
	ask, err := g.Player.Ask(at)
	if want := "Your move: drop COLUMN (0..6), or 0x and the bytes of a move, such as: drop 3?"; ask != want || err != nil {
		t.Errorf("%q, %v", ask, err)
	}
	at = table(t, g, "0101010")
	for seat, want := range []string{"you won.\n", "you lost.\n"} {
		at.Seat = uint8(seat)
		if v, err := g.Player.View(at); err != nil || !strings.HasSuffix(v.String(), want) {
			t.Errorf("seat %d: %v, %v", seat, v, err)
		}
	}
}

func seen(t *testing.T, g games.Game, at games.Table) view {
	t.Helper()
	v, err := g.Player.View(at)
	if err != nil {
		t.Fatal(err)
	}
	return v.(view)
}

// The bot wins when it can, and prevents what it can.
func TestPlayer_Bot(t *testing.T) {
	g := connectFour(t)
	for columns, want := range map[string]byte{"010101": 0, "01010": 0, "0101": 0xff} {
		for range 8 {
			d, err := g.Player.Bot(table(t, g, columns))
			if err != nil || want != 0xff && d.Move[0] != want {
				t.Errorf("after %s: %v, %v; want %d", columns, d, err, want)
			}
		}
	}
}

// Code that is more than a function of its input is refused, wherever it could run; data behind it
// is not mistaken for code.
func TestAttack_BadRules_Vet(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		fine bool
	}{
		"nothing":            {"", false},
		"reads the block":    {"43 00", false},
		"reads the time":     {"42 00", false},
		"reads storage":      {"5f 54 00", false},
		"reads a balance":    {"30 31 00", false},
		"reads gas":          {"5a 00", false},
		"knows its caller":   {"33 00", false},
		"block hash":         {"5f 40 00", false},
		"calls":              {"5f 5f 5f 5f 5f 5f f1 00", false},
		"calls statically":   {"5f 5f 5f 5f 5f fa 00", false},
		"delegates":          {"5f 5f 5f 5f 5f f4 00", false},
		"creates":            {"5f 5f 5f f0 00", false},
		"destroys itself":    {"5f ff", false},
		"logs":               {"5f 5f a0 00", false},
		"transient storage":  {"5f 5c 00", false},
		"a delegated wallet": {"ef0100" + strings.Repeat("11", 20), false},
		"undefined":          {"0c 00", false},
		"since Osaka":        {"5f 1e 00", false},
		"behind a jump":      {"6005 56 43 43 5b 43 00", false},
		"in a push":          {"60 43 00", true},
		"in data":            {"00 43 42 54", true},
		"data with a target": {"00 43 5b 42", false},
		"target in a push":   {"00 61 5b 42 43", true},
		"pure":               {"5f 35 20 5f 52 60 20 5f f3", true},
	} {
		err := Vet(common.FromHex("0x" + strings.ReplaceAll(test.code, " ", "")))
		if (err == nil) != test.fine || err != nil && !errors.Is(err, ErrCode) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Vet(make([]byte, maxCode+1)); !errors.Is(err, ErrCode) {
		t.Errorf("too much code: %v", err)
	}
	for name, init := range map[string]string{"mastermind": bindings.MastermindMetaData.Bin, "toy": testbindings.ToyRulesMetaData.Bin} {
		code, err := evm.Runtime(common.FromHex(init))
		if err != nil {
			t.Fatal(err)
		}
		if err := Vet(code); (err == nil) != (name == "mastermind") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Other code than that which was agreed to is not played.
func TestPin_Game(t *testing.T) {
	init, err := os.ReadFile(example + "ConnectFour.bin")
	if err != nil {
		t.Fatal(err)
	}
	code, err := evm.Runtime(common.FromHex(strings.TrimSpace(string(init))))
	if err != nil {
		t.Fatal(err)
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
	p := Pin{Manifest: m, CodeHash: crypto.Keccak256Hash(code)}
	g, err := p.Game(code)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := evm.Runtime(g.Contract); err != nil || !bytes.Equal(again, code) {
		t.Errorf("what it deploys is other code: %v", err)
	}
	for _, other := range [][]byte{nil, code[1:], append(bytes.Clone(code), 0)} {
		if _, err := p.Game(other); !errors.Is(err, ErrCode) {
			t.Errorf("other code: %v", err)
		}
	}
	if _, err := (&Pin{}).Game(code); !errors.Is(err, ErrManifest) {
		t.Errorf("no manifest: %v", err)
	}
}

func TestReadManifest_Refuses(t *testing.T) {
	const fine = `{"name":"x","summary":"s","seats":2,"turns":9,"params":[{"name":"p"}],"position":[{"name":"f","count":9}],"moves":[{"name":"m","fields":[{"name":"a"}]}],"board":{"field":"f","width":3,"signs":".X"}}`
	if _, err := readManifest(strings.NewReader(fine)); err != nil {
		t.Fatal(err)
	}
	for old, bad := range map[string]string{
		`"name":"x"`: `"name":"X x"`, `"seats":2,`: `"seats":2,"guide":"a\n\u001b[2J",`, `"summary":"s"`: `"summary":"a\u001b[2J"`, `"seats":2`: `"seats":17`, `"turns":9`: `"turns":0`,
		`"name":"p"`: `"name":"p","size":33`, `"name":"f"`: `"name":"f","size":-1`, `"name":"a"`: `"name":"a","min":9,"max":3`,
		`"name":"m"`: `"name":""`, `"width":3`: `"width":4`, `"signs":".X"`: `"signs":"."`, `"field":"f"`: `"field":"g"`,
		`{"name":"p"}`: `{"name":"p"},{"name":"p"}`, `"name":"x",`: `"name":"x","gas":1,`, `"count":9`: `"count":9999`,
		`"name":"f","count":9}`: `"name":"f","open":true}`, `"name":"f",`: `"name":"g","count":2,"open":true},{"name":"f",`, `{"name":"a"`: `{"name":"a","count":2,"open":true`,
		`[{"name":"a"`: `[{"name":"digest"`, `"fields":[{"name":"a"`: `"fields":[{"name":"move"`,
		`{"name":"m",`: `{"name":"m","prefix":"zz",`, `"params":[{"name":"p"`: `"params":[{"name":"p","default":300`, `"params":[`: `"params":[{"name":"q","values":["only"]},`,
	} {
		if !strings.Contains(fine, old) {
			t.Fatal(old)
		}
		if _, err := readManifest(strings.NewReader(strings.Replace(fine, old, bad, 1))); !errors.Is(err, ErrManifest) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for old, c := range map[string][2]string{
		`"seats":2`: {`"seats":2,"guide":"one\n` + strings.Repeat("x", maxText+1) + `"`, "line 2 of the guide"},
		`"count":9`: {`"count":9,"max":2`, `2 signs ".X", want one for each value of f, 0..2`},
		`"width":3`: {`"width":4`, "does not divide the 9 of f"}, `"field":"f"`: {`"field":"g"`, `named "g"`},
	} {
		if _, err := readManifest(strings.NewReader(strings.Replace(fine, old, c[0], 1))); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", c[0], err, c[1])
		}
	}
	if _, err := readManifest(strings.NewReader(strings.Repeat(" ", maxManifest) + fine)); !errors.Is(err, ErrManifest) {
		t.Errorf("a large one: %v", err)
	}
}

// TestAttack_BadRules_Steering: nothing of a manifest steers the terminal that asks for agreement
// to its rules, or turns the direction of writing there.
func TestAttack_BadRules_Steering(t *testing.T) {
	for _, sign := range []string{"\x1b", "\u009b", "\u061c", "\u200f", "\u2028", "\u202e", "\u2066", "\n"} {
		word := "a" + sign + "[2Jb"
		for what, m := range map[string]Manifest{
			"none":    {},
			"summary": {Summary: word},
			"code":    {Code: word},
			"guide":   {Guide: "one\ntwo" + strings.ReplaceAll(word, "\n", "\t")},
			"moves":   {Moves: []Move{{Name: "m", Help: word}}},
			"names":   {Position: []Field{{Name: word}}},
			"values":  {Params: []Field{{Name: "p", Values: []string{"no", word}}}},
		} {
			m.Name, m.Seats, m.Turns = "x", 2, 9
			if err := m.check(); (err == nil) != (what == "none") {
				t.Errorf("%q in the %s: %v", sign, what, err)
			}
		}
	}
}

// No manifest makes anything panic, whatever the state and the move are.
func FuzzManifest(f *testing.F) {
	b, err := os.ReadFile(example + "connectfour.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, make([]byte, 45), "drop 3")
	f.Add(b, []byte{1}, `{"move":"drop","column":[]}`)
	f.Fuzz(func(_ *testing.T, manifest, state []byte, typed string) {
		m, err := readManifest(bytes.NewReader(manifest))
		if err != nil {
			return
		}
		object, _ := m.read(state)
		if object != nil && !json.Valid(object) {
			panic(string(object))
		}
		move, err := m.parseMove(typed)
		if err == nil {
			_ = m.describe(move)
		}
		_ = m.describe(state)
		_ = m.usage()
		n := 0
		for range m.choices {
			if n++; n > 3*maxChoices*max(1, len(m.Moves)) {
				panic("too many choices")
			}
		}
	})
}
