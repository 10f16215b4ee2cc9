// Command demo plays real games for play money: an embedded chain, two full nodes with their own
// keys and stores, libp2p between them. One is honest; what the other does is the scenario. It
// prints what happened, what it cost in gas and how fast it was, and fails when a run ends
// otherwise than it should.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
)

func main() {
	if os.Getenv(childEnv) != "" {
		exit(child(catalog.Standard()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(run(ctx, os.Args[1:], os.Stdout))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// runTimeout bounds one run.
const runTimeout = 10 * time.Minute

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	game := flags.String("game", "all", "the game to play: "+names(catalog.Standard())+" or all")
	scenario := flags.String("scenario", "all", "what the second player does: "+scenarioNames()+" or all")
	seed := flags.String("seed", "ante", "the accounts of the embedded chain follow from it")
	asJSON := flags.Bool("json", false, "print one JSON object instead of a story")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	list, err := tasks(catalog.Standard(), *game, *scenario)
	if err != nil {
		return err
	}
	story := out
	if *asJSON {
		story = io.Discard
	}
	fmt.Fprint(story, introduction)
	var report struct {
		Runs []*result `json:"runs"`
	}
	failed := 0
	for r := range perform(ctx, story, list, *seed) {
		report.Runs = append(report.Runs, r)
		if !r.OK {
			failed++
		}
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if *asJSON {
		if err := json.NewEncoder(out).Encode(report); err != nil {
			return err
		}
	} else {
		summarise(out, report.Runs)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d runs ended otherwise than they should", failed, len(report.Runs))
	}
	return nil
}

const introduction = `Full nodes on a chain of their own, with libp2p between them, play for money. Alice is honest. What Mallory, the other
player, does is the scenario; whatever it is, Alice ends with at least what the last position that all signed gives her.
All lock 1 ether once.
`

func names(c games.Catalog) string {
	list := make([]string, len(c))
	for i := range c {
		list[i] = c[i].Name
	}
	return strings.Join(list, ", ")
}
