package cli

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/sandbox"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

func rulesCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "rules", Short: "Try rules, and check transcripts, without a daemon"}, rulesPlayCommand(a), rulesHashCommand(a))
}

func rulesHashCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "hash GAME|MANIFEST.json", Short: "Print the hash of the code that a game's contract has on a chain",
		Long: "Print the hash of the code that a game's contract has on a chain, keccak256 of its bytes: what game add shows and pins. That of\n" +
			"a manifest is of the file beside it that it names as \"code\": compile the source yourself, and compare.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := a.game(args[0])
			if err != nil {
				return err
			}
			code, err := evm.Runtime(g.Contract)
			if err != nil {
				return err
			}
			hash := crypto.Keccak256Hash(code)
			return a.report(map[string]any{"game": g.Name, "codeHash": hash, "bytes": len(code)}, "%s (%s, %d bytes)\n", hash, g.Name, len(code))
		}}
}

func rulesPlayCommand(a *app) *cobra.Command {
	var params, engine, stakes, id string
	var seat uint8
	cmd := &cobra.Command{Use: "play GAME|MANIFEST.json", Short: "Play moves from the standard input, one JSON value a line",
		Long: "Play moves from the standard input, one JSON value a line, and print one position a line. A line is one of\n" +
			`  {"move":"0x…"}   the bytes of a move; "0x…" alone will do` + "\n" +
			`  {"move":"drop","column":3}  a move by its name, with its fields, of games that have a manifest` + "\n" +
			`  {"text":"…"}     what a person would type; "…" alone will do` + "\n" +
			`  {"auto":true}    the move that needs nobody's judgement, {"bot":true} the bot's` + "\n" +
			`  {"expire":true}  nothing: the mover's time runs out` + "\n" +
			`and may say which "digest" the position must then have. Whatever is wrong with a line is printed in its place.` + "\n" +
			"The rules are those in Go, those of the contract, or both, compared.",
		Example: `  channeld rules play examples/connectfour/connectfour.json` + "\n" + `  echo '{"bot":true}' | channeld rules play mastermind --engine both --params '{"rounds":1}'`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := a.game(args[0])
			if err != nil {
				return err
			}
			encoded, err := g.Params.Encode(json.RawMessage(params))
			if err != nil {
				return err
			}
			rules, err := sandbox.Engine(g, engine)
			if err != nil {
				return err
			}
			amounts, err := parseStakes(stakes)
			if err != nil {
				return err
			}
			var matchID common.Hash
			if err := matchID.UnmarshalText([]byte(id)); err != nil {
				return fmt.Errorf("--id %q: want 0x and 64 hexadecimal digits", id)
			}
			context, err := sandbox.Context(g, encoded, amounts, matchID)
			if err != nil {
				return err
			}
			if int(seat) >= len(context.Stakes) {
				return fmt.Errorf("--seat %d: there are %d seats, from 0", seat, len(context.Stakes))
			}
			return sandbox.Match{Game: g, Rules: rules, Context: context, Seat: seat, Random: rand.Reader}.Run(c.InOrStdin(), escaping{a.Out})
		}}
	cmd.Flags().StringVar(&params, "params", "{}", "parameters, a JSON object; what it leaves out takes its default")
	cmd.Flags().StringVar(&engine, "engine", "", "go, evm or both (default: all there are)")
	cmd.Flags().StringVar(&stakes, "stakes", "", "stakes by seat, with commas between them (default: the least)")
	cmd.Flags().StringVar(&id, "id", common.Hash{}.Hex(), "id of the match, to which commitments are bound")
	cmd.Flags().Uint8Var(&seat, "seat", 0, "the seat whose view is shown")
	return cmd
}

// game finds a game by its name, or makes it of a manifest beside which its code is.
func (a *app) game(typed string) (games.Game, error) {
	if strings.HasSuffix(typed, ".json") {
		return foreign.Load(typed)
	}
	return a.Games.Find(typed)
}

func parseStakes(text string) ([]uint256.Int, error) {
	if text == "" {
		return nil, nil
	}
	var list []uint256.Int
	for _, item := range strings.Split(text, ",") {
		v, err := wei.Parse(strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("--stakes: %w", err)
		}
		list = append(list, *v)
	}
	return list, nil
}
