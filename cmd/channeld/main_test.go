package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
	"github.com/rogpeppe/go-internal/testscript"
)

// parallel is how many scripts and processes are tested at once unless -parallel says otherwise:
// they wait more than they compute.
const parallel = "4"

// patience is how long a script waits for what it asks for.
const patience = 15 * time.Minute

// released makes the scripts run a program that was built elsewhere, where there is no Go.
var released = flag.String("released", "", "directory of the channeld that the scripts run instead of this one, with nothing else in PATH but /usr/bin and /bin")

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", parallel); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"channeld": main, "channeld-doomed": doomed, "channeld-liar": liar, "channeld-worker": work})
}

// TestScripts runs the scripts in testdata: what a person types, and what the person sees.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"run": run, "start": start, "field": field, "until": until, "mine": mine, "fetch": fetch, "secrets": secrets, "calm": calm, "sign": sign},
		Setup: func(e *testscript.Env) error {
			e.Setenv("CHANNELD_DIR", filepath.Join(e.WorkDir, "home"))
			// Under the race detector every process would sleep for a second before it ends, to
			// catch what others of its goroutines still do. A command ends when it has nothing to
			// do; what start runs keeps that second.
			e.Setenv("GORACE", "atexit_sleep_ms=10")
			e.Values[background] = processes{}
			if *released != "" {
				e.Setenv("PATH", strings.Join([]string{*released, "/usr/bin", "/bin"}, string(filepath.ListSeparator)))
			}
			examples, err := filepath.Abs("../../examples")
			if err != nil {
				return err
			}
			e.Setenv("EXAMPLES", examples)
			// A token of which a wei buys a thousand units.
			token := append(common.FromHex(bindings.GameTokenMetaData.Bin), bindings.NewGameToken().PackConstructor(big.NewInt(1000))...)
			if err := os.WriteFile(filepath.Join(e.WorkDir, "gametoken.bin"), []byte(hex.EncodeToString(token)), 0o600); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(e.WorkDir, "password"), []byte("correct horse\n"), 0o600); err != nil {
				return err
			}
			return employ(e)
		},
	})
}

// mine runs channeld until it succeeds and prints what is wanted, and has a block made before each
// time but the first: mine REGEXP ARGUMENT…. On a chain that makes blocks only when asked, time
// passes only here.
func mine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mine REGEXP ARGUMENT…")
	}
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for range 1000 {
		stdout, stderr, err := attempt(ts, "channeld", args[1:]...)
		if err == nil && want.MatchString(stdout) {
			printed(ts, stdout, stderr)
			return
		}
		_, _, err = attempt(ts, "channeld", "devnet", "fund", ts.Getenv("MINER"), "1wei")
		ts.Check(err)
	}
	ts.Fatalf("it never says %s", args[0])
}

// fetch gets a page, whose text must match: fetch URL REGEXP.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fetch URL REGEXP")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, args[0], nil)
	ts.Check(err)
	answer, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if !regexp.MustCompile("(?m)" + args[1]).Match(text) {
		ts.Fatalf("%s: %s", answer.Status, text)
	}
}

// field takes a field of the last JSON object that the last command printed into a variable, of a
// list its first item: field VARIABLE NAME.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: field VARIABLE NAME")
	}
	var object map[string]any
	for d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout"))); ; {
		err := d.Decode(&object)
		if errors.Is(err, io.EOF) {
			break
		}
		ts.Check(err)
	}
	value, ok := object[args[1]]
	if !ok {
		ts.Fatalf("there is no field %s in %v", args[1], object)
	}
	if list, ok := value.([]any); ok && len(list) > 0 {
		value = list[0]
	}
	ts.Setenv(args[0], fmt.Sprint(value))
}

// until runs a command until it succeeds and what it prints is as wanted: until REGEXP COMMAND…
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until REGEXP COMMAND…")
	}
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	const longest = 500 * time.Millisecond
	wait := 50 * time.Millisecond
	for start := time.Now(); ; time.Sleep(wait) {
		wait = min(2*wait, longest)
		stdout, stderr, err := attempt(ts, args[1], args[2:]...)
		if err == nil && want.MatchString(stdout) {
			printed(ts, stdout, stderr)
			return
		}
		if time.Since(start) > patience {
			ts.Fatalf("%s prints after %s:\n%s%s", strings.Join(args[1:], " "), patience, stdout, stderr)
		}
	}
}
