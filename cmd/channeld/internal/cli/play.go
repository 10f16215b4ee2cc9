package cli

import (
	"errors"
	"fmt"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func playCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "play [MATCH] [MOVE]", Short: "Play a match: by prompts, or one move",
		Long: "Play a match. Without a move it shows the board and asks for your moves until the match is over; /help says what\n" +
			"else can be typed. A first argument that begins with 0x is the match; without it, the only one is meant.",
		Example: "  channeld play\n  channeld play 0x3fa2 0123",
		RunE: a.client(func(api *remote, args []string) error {
			typed := ""
			if len(args) > 0 && strings.HasPrefix(args[0], "0x") {
				typed, args = args[0], args[1:]
			}
			if len(args) > 0 && strings.HasPrefix(args[0], "/") {
				return fmt.Errorf("%s is typed where play shows the board: channeld play (as a command of its own: channeld draw, concede, match bot)", clean(args[0]))
			}
			if len(args) == 0 && api.json {
				return fmt.Errorf("%wwithout a move play shows boards to people: with --json name the move (see also: channeld match show, channeld events --follow)", errUsage)
			}
			m, err := pickRunning(api, typed)
			if errors.Is(err, errNone) {
				return suggest(api, err)
			}
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return sit(api, m).run(api.ctx)
			}
			return show(api, api.Play, &antev1.PlayRequest{MatchId: m.Id, Move: strings.Join(args, " ")},
				func(r *antev1.PlayResponse) { api.printMatch(r.Match) })
		})}
}

// suggest adds to an error about a missing match what could be played instead.
func suggest(api *remote, missing error) error {
	list, err := api.proposals()
	switch {
	case err != nil:
		return missing
	case len(list.asked) > 0:
		return fmt.Errorf("%w; one is proposed to you: channeld match approve", missing)
	case len(list.mine) > 0:
		return fmt.Errorf("%w; what you proposed waits for an answer (see: channeld match list)", missing)
	case len(list.refused) > 0:
		return fmt.Errorf("%w; %s", missing, api.refusal(list.refused[len(list.refused)-1]))
	default:
		return missing
	}
}
