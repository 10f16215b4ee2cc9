package sandbox

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ethereum/go-ethereum/common"
)

// run plays lines of Mastermind and returns what is printed.
func run(t *testing.T, rules games.Rules, lines ...string) ([]map[string]any, error) {
	t.Helper()
	g := mastermind.Game()
	g.Rules = rules
	return runGame(t, g, `{"rounds":1,"guesses":2}`, lines...)
}

func runGame(t *testing.T, g games.Game, object string, lines ...string) ([]map[string]any, error) {
	t.Helper()
	params, err := g.Params.Encode(json.RawMessage(object))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Context(g, params, nil, common.HexToHash("0x77"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = Match{Game: g, Rules: g.Rules, Context: c, Random: rand.Reader}.Run(strings.NewReader(strings.Join(lines, "\n")), &out)
	var printed []map[string]any
	for d := json.NewDecoder(&out); d.More(); {
		var object map[string]any
		if err := d.Decode(&object); err != nil {
			t.Fatal(err)
		}
		printed = append(printed, object)
	}
	return printed, err
}

func engine(t *testing.T, name string) games.Rules {
	t.Helper()
	r, err := Engine(mastermind.Game(), name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A match of bots comes to its end in every engine, and its moves and digests are a transcript that
// all of them accept.
func TestRun_Transcript(t *testing.T) {
	played, err := run(t, engine(t, "both"), strings.Split(strings.Repeat(`{"bot":true} `, 9), " ")...)
	if err != nil && !errors.Is(err, ErrLines) {
		t.Fatal(err)
	}
	var transcript []string
	for _, p := range played[1:] {
		if p["error"] != nil {
			break // over before the bots' last lines
		}
		transcript = append(transcript, `{"move":"`+p["move"].(string)+`","digest":"`+p["digest"].(string)+`"}`)
	}
	for _, name := range []string{"go", "evm", "both"} {
		again, err := run(t, engine(t, name), transcript...)
		if err != nil {
			t.Fatalf("%s: %v, %v", name, err, again[len(again)-1])
		}
		last := again[len(again)-1]
		if last["mover"] != "nobody" || last["phase"] != "over" || len(last["payouts"].([]any)) != 2 || last["verdict"] == nil {
			t.Errorf("%s: %v", name, last)
		}
		forged := append([]string(nil), transcript...)
		forged[2] = strings.Replace(forged[2], `"digest":"0x`, `"digest":"0x0`, 1)
		if again, err := run(t, engine(t, name), forged...); !errors.Is(err, ErrLines) || !strings.Contains(again[3]["error"].(string), "the position's digest is") {
			t.Errorf("%s: a forged digest: %v, %v", name, err, again[3])
		}
	}
}

// Whatever is wrong with a line is said in its place, changes nothing, and the next one is played.
func TestRun_BadLines(t *testing.T) {
	for line, want := range map[string]string{
		`junk`: "want one JSON move", `{"mover":1}`: "unknown field", `{}`: "exactly one of", `{"bot":true,"auto":true}`: "exactly one of",
		`"0x0z"`: "hex", `"0x01"`: "illegal", `{"move":"0x"}`: "illegal", `"" ""`: "more than one", `"heads"`: "nothing to choose",
		`[1]`: "neither an object nor a string", `{"move":1}`: `"move" has the wrong type, number`, `{"bot":"yes"}`: `"bot" has the wrong type, string`,
	} {
		printed, err := run(t, engine(t, "both"), line, `{"auto":true}`)
		if !errors.Is(err, ErrLines) || len(printed) != 3 {
			t.Fatalf("%s: %v, %v", line, printed, err)
		}
		if said := printed[1]["error"]; said == nil || !strings.Contains(said.(string), want) || printed[1]["line"] != 1.0 {
			t.Errorf("%s: %v, want %q", line, printed[1], want)
		}
		if printed[2]["phase"] != "call" || printed[2]["line"] != 2.0 {
			t.Errorf("%s: then %v", line, printed[2])
		}
	}
}

// An object may say a move by its name; whatever else is in it but a digest is refused.
func TestRun_Named(t *testing.T) {
	g, err := foreign.Load("../../../../examples/connectfour/connectfour.json")
	if err != nil {
		t.Fatal(err)
	}
	played, err := runGame(t, g, "", `"drop 3"`)
	if err != nil {
		t.Fatal(err)
	}
	after := played[1]["digest"].(string)
	for line, want := range map[string]string{
		`{"move":"drop","column":3}`: "", `{"digest":"` + after + `","move":"drop","column":3}`: "",
		`{"move":"drop","column":2,"digest":"` + after + `"}`: "the position's digest is", `{"move":"drop","column":3,"digset":"0x"}`: `there is no "digset"`,
		`{"move":"drop","column":3,"expire":true}`: `there is no "expire"`, `{"move":"drop","column":3} {}`: "unknown field", `{"move":"01"}`: "0x and the bytes of a move",
	} {
		printed, err := runGame(t, g, "", line)
		if want == "" && (err != nil || printed[1]["digest"] != after) {
			t.Errorf("%s: %v, %v", line, printed[1], err)
		}
		if said, _ := printed[1]["error"].(string); !strings.Contains(said, want) || (err == nil) != (want == "") {
			t.Errorf("%s: %v, %v; want %q", line, printed[1], err, want)
		}
	}
}

// off is Mastermind that calls the coin wrongly.
type off struct{ games.Rules }

func (o off) Play(c *games.Context, state, move []byte) ([]byte, error) {
	next, err := o.Rules.Play(c, state, move)
	if len(next) == 40 {
		next[39] ^= 1
	}
	return next, err
}

// strict refuses what the contract takes.
type strict struct{ games.Rules }

func (strict) Expire(*games.Context, []byte) ([]byte, error) { return nil, games.ErrIllegal }

func TestEngine_Differ(t *testing.T) {
	for name, rules := range map[string]games.Rules{"state": off{mastermind.Game().Rules}, "refusal": strict{mastermind.Game().Rules}} {
		g := mastermind.Game()
		g.Rules = rules
		r, err := Engine(g, "both")
		if err != nil {
			t.Fatal(err)
		}
		_, err = run(t, r, `{"auto":true}`, `{"auto":true}`, `{"expire":true}`)
		if !errors.Is(err, ErrDiffer) || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	solidity := mastermind.Game()
	c, err := evm.Deploy(solidity.Contract)
	if err != nil {
		t.Fatal(err)
	}
	solidity.Rules = c.Rules()
	for _, test := range []struct {
		game games.Game
		name string
		fine bool
	}{
		{mastermind.Game(), "jvm", false}, {mastermind.Game(), "", true}, {solidity, "", true}, {solidity, "evm", true},
		{solidity, "go", false}, {solidity, "both", false},
	} {
		if _, err := Engine(test.game, test.name); (err == nil) != test.fine || err != nil && !errors.Is(err, ErrEngine) {
			t.Errorf("%q: %v", test.name, err)
		}
	}
}
