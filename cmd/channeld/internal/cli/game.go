package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/skeleton"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/spf13/cobra"
)

// pinsDir is where the daemon's directory has the rules that its user agreed to.
const pinsDir = "games"

func (a *app) pins() foreign.Pins { return foreign.Pins(a.path(pinsDir)) }

func gameCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "game", Short: "Games that don't come with this program"},
		newGameCommand(a), addGameCommand(a), listPinsCommand(a), removeGameCommand(a))
}

func newGameCommand(a *app) *cobra.Command {
	var ante string
	var secrets bool
	cmd := &cobra.Command{Use: "new NAME", Short: "Write the beginnings of a game of your own", Args: cobra.ExactArgs(1),
		Long: "Write the beginnings of a game of your own into a new directory: rules in Go and in Solidity, their tests, and a channeld\n" +
			"that knows them. It is a game, complete, for you to change: tictactoe or, with --secrets, rock, paper, scissors, where\n" +
			"seats commit to what they choose and open it later. docs/write-a-game.md explains both.",
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := a.Games.Find(args[0]); err == nil {
				return fmt.Errorf("%w: %s comes with this program", skeleton.ErrName, args[0])
			}
			from, err := source(ante)
			if err != nil {
				return err
			}
			example := skeleton.Open
			if secrets {
				example = skeleton.Secret
			}
			if err := skeleton.New(args[0], args[0], example, from); err != nil {
				return err
			}
			return a.report(map[string]string{"dir": args[0]}, "wrote %s; next:\n  cd %s\n  go mod tidy\n  go test ./...\nafter changes of the Solidity file:\n  npm install --prefix . solc@0.8.37\n  node compile.mjs\n", args[0], args[0])
		}}
	cmd.Flags().StringVar(&ante, "ante", "", "directory of Ante's sources; left out: this program's release, or the sources that it is in or is started in")
	cmd.Flags().BoolVar(&secrets, "secrets", false, "a game in which seats hide what they choose")
	return cmd
}

// source is where a new game finds Ante: what the user says, else where this program comes from.
func source(dir string) (skeleton.Source, error) {
	if dir != "" {
		from, err := skeleton.Checkout(dir)
		if err != nil {
			err = fmt.Errorf("--ante %s: %w", dir, err)
		}
		return from, err
	}
	built, _ := debug.ReadBuildInfo()
	if built == nil {
		built = new(debug.BuildInfo)
	}
	var places []string
	if dir, err := os.Getwd(); err == nil {
		places = append(places, dir)
	}
	if program, err := os.Executable(); err == nil {
		places = append(places, filepath.Dir(program))
	}
	from, err := skeleton.Find(built, places...)
	if err != nil {
		err = fmt.Errorf("%w: say with --ante DIR where they are", err)
	}
	return from, err
}

func addGameCommand(a *app) *cobra.Command {
	var yes *bool
	cmd := &cobra.Command{Use: "add MANIFEST.json ADDRESS", Short: "Play by rules that somebody has deployed",
		Long: "Play by rules that somebody has deployed at an address, described by a manifest. Their code is taken from the chain,\n" +
			"checked as far as code can be, tried out, and pinned: other code is never played under this name. Nobody of this program\n" +
			"has read such rules, so you are asked first. It takes effect when the daemon starts next.",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := a.config(c)
			if err != nil {
				return err
			}
			at, err := parseAddress("address", args[1])
			if err != nil {
				return err
			}
			manifest, compiled, err := foreign.Read(args[0])
			if err != nil {
				return err
			}
			return a.addGame(c.Context(), settings, manifest, compiled, at, *yes)
		}}
	yes = yesFlag(cmd)
	return cmd
}

// addGame pins the rules at an address. compiled is the code that the file beside the manifest
// deploys, which must be the same; nil: there is no such file.
func (a *app) addGame(ctx context.Context, settings *config.Config, m *foreign.Manifest, compiled []byte, at common.Address, yes bool) error {
	if _, err := a.Games.Find(m.Name); err == nil {
		return fmt.Errorf("%w: %s comes with this program", foreign.ErrPinned, m.Name)
	}
	if g, err := a.Games.At(settings.Games, at); err == nil {
		return fmt.Errorf("%s has the rules of %s, which comes with this program: play that", at, g.Name)
	}
	client, err := chain.Dial(ctx, settings.Chain.Endpoints())
	if err != nil {
		return err
	}
	defer client.Close()
	code, _, err := client.Code(ctx, at)
	if err != nil {
		return err
	}
	pin := foreign.Pin{Manifest: m, Rules: at, ChainID: client.ChainID(), CodeHash: crypto.Keccak256Hash(code)}
	g, err := pin.Game(code)
	if err != nil {
		return err
	}
	if compiled != nil && !bytes.Equal(code, compiled) {
		return fmt.Errorf("%w: the code at %s has hash %s, and what %s deploys, beside your manifest, has hash %s: is the address right, and the file that of the contract deployed there? To go by the hash alone take \"code\" out of the manifest",
			foreign.ErrCode, at, pin.CodeHash, m.Code, crypto.Keccak256Hash(compiled))
	}
	trial := foreign.Try(g, 50, rand.Reader)
	if trial.Wrong != nil {
		return fmt.Errorf("%w: in a trial, %w", foreign.ErrCode, trial.Wrong)
	}
	warn(a.Err, &pin, len(code), compiled != nil, trial)
	if !yes {
		if err := a.agree(); err != nil {
			return err
		}
	}
	if err := a.pins().Add(pin); err != nil {
		return err
	}
	return a.report(pinned(pin), "%s is pinned; the daemon plays it from its next start on\n", m.Name)
}

// pinned is what --json prints of rules that the user agreed to.
func pinned(p foreign.Pin) map[string]any {
	return map[string]any{"game": p.Manifest.Name, "rules": p.Rules, "codeHash": p.CodeHash, "chainId": p.ChainID}
}

// warn tells what is known about rules, and what is not.
func warn(w io.Writer, p *foreign.Pin, size int, compared bool, t foreign.Trial) {
	m := p.Manifest
	fmt.Fprintf(w, "%s: %s\n", m.Name, m.Summary)
	fmt.Fprintf(w, "  rules at    %s on chain %d\n  code hash   %s (%d bytes)\n", p.Rules, p.ChainID, p.CodeHash, size)
	if compared {
		fmt.Fprintf(w, "              the same as %s deploys, which is beside your manifest\n", m.Code)
	}
	fmt.Fprintf(w, "  seats       %d, for at most %d moves\n", m.Seats, m.Turns)
	fmt.Fprintf(w, "Checked: the code can use nothing but its input: no clock, no storage, no other contract. A call may take %d gas, which bounds\n"+
		"its time and memory, and return %d bytes.\n", evm.Allowance, evm.MaxReturn)
	fmt.Fprintf(w, "Tried: %d matches of random moves, the longest of %d; %d moves in all. What was staked was paid out", t.Matches, t.Longest, t.Moves)
	if t.Stuck > 0 {
		fmt.Fprintf(w, "; in %d matches no legal move was found somewhere, and time ran out", t.Stuck)
	}
	fmt.Fprintf(w, ". To try a move out takes up to %d gas", t.Gas)
	if t.Cut > 0 {
		fmt.Fprintf(w, "; in %d positions there were too many to try them all, and the bot does not know the rest", t.Cut)
	}
	fmt.Fprint(w, ".\nNOT checked: whether the game is fair, whether a move or a seat always wins, whether it is what the manifest says. Whoever\n"+
		"wrote these rules may know how to win your stake. Compare the code hash with somebody you trust, and stake only what you can lose.\n"+
		"The other player needs the same rules at the same address.\n")
}

func listPinsCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "list", Short: "The rules that you agreed to", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, err := a.pins().List()
			if err != nil {
				return err
			}
			if a.json {
				said := make([]map[string]any, len(list))
				for i, p := range list {
					said[i] = pinned(p)
				}
				return a.report(said, "")
			}
			table(a.Out, "GAME\tRULES\tCODE HASH\tCHAIN", list, func(p foreign.Pin) []any {
				return []any{p.Manifest.Name, p.Rules.Hex(), p.CodeHash.Hex(), p.ChainID}
			})
			return nil
		}}
}

func removeGameCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "remove NAME", Short: "Agree to rules no longer", Args: cobra.ExactArgs(1),
		Long: "Agree to rules no longer, from the daemon's next start on. Finish the matches that are played by them first: they can't go on without.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.pins().Remove(args[0]); err != nil {
				if errors.Is(err, os.ErrNotExist) {
					return fmt.Errorf("there is no pinned game %s (see: channeld game list)", args[0])
				}
				return err
			}
			return a.report(map[string]string{"forgotten": args[0]}, "%s is forgotten\n", args[0])
		}}
	noQuestion(cmd)
	return cmd
}
