package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

const sittingHelp = `
Besides moves you can type
  /draw      offer a draw, or accept the one that is offered
  /concede   give the match to the other player
  /bot       let a bot play on for you
  /board     show the board again
  /quit      leave; the match goes on, and the daemon looks after it
`

// do carries out a line of the user's. Mistakes are explained, and the prompt comes again.
func (s *sitting) do(line string) (done bool, err error) {
	if strings.HasPrefix(line, "/") {
		line = strings.ToLower(line)
	}
	sure := s.sure
	s.sure = ""
	switch line {
	case "":
		return false, nil
	case "/quit", "/q":
		return true, nil
	case "/help", "/?", "?":
		err = s.help()
	case "/board":
		s.board = true
	case "/concede":
		if sure != line {
			s.sure = line
			s.printf("%s: type /concede again to do it\n", s.givesUp(s.match))
			return false, nil
		}
		_, err = call(s.remote, s.Concede, &antev1.ConcedeRequest{MatchId: s.id})
	case "/bot":
		_, err = call(s.remote, s.SetBot, &antev1.SetBotRequest{MatchId: s.id, On: true})
	case "/draw":
		err = s.draw(sure)
	default:
		if strings.HasPrefix(line, "/") {
			s.printf("there is no %s\n%s", clean(line), sittingHelp)
			return false, nil
		}
		var r *antev1.PlayResponse
		if r, err = call(s.remote, s.Play, &antev1.PlayRequest{MatchId: s.id, Turn: s.match.Turn, Move: line}); err == nil && r.Match.Recall != "" {
			s.printf("%s\n", cleanLines(r.Match.Recall))
		}
	}
	switch connect.CodeOf(err) {
	case connect.CodeInvalidArgument, connect.CodeFailedPrecondition, connect.CodeNotFound:
		// not found: it ended meanwhile
		s.printf("%s%s\n", s.explain(err), meant(line))
		return false, nil
	}
	return false, err
}

// meant adds to a refusal of a line that is like a command how commands are typed.
func meant(line string) string {
	switch strings.ToLower(line) {
	case "help", "h", "quit", "q", "exit", "board", "draw", "concede", "bot":
		return " (commands begin with a slash: /help)"
	default:
		return ""
	}
}

// help says how the game is played, and what else can be typed.
func (s *sitting) help() error {
	r, err := call(s.remote, s.ListGames, &antev1.ListGamesRequest{})
	if err != nil {
		return err
	}
	var rules map[string]json.RawMessage
	_ = json.Unmarshal([]byte(s.match.ParamsJson), &rules) // none of a game that is not known
	for _, g := range r.Games {
		if g.Name != s.match.Game {
			continue
		}
		for _, p := range g.Parameters {
			if value, set := rules[p.Name]; set {
				p.DefaultJson = string(value)
			}
		}
		s.printGame(g, true)
	}
	s.printf("%s", sittingHelp)
	return nil
}

// draw accepts another seat's offer, or makes one. What is offered may be anything, and may come
// while the user types: what is not everybody's stake back has to be typed twice.
func (s *sitting) draw(sure string) error {
	for _, d := range s.match.Draws {
		if d.Seat == s.match.Seat {
			continue
		}
		offer := fmt.Sprint("/draw ", d.Seat, d.Payouts)
		if !slices.Equal(d.Payouts, s.match.Stakes) && sure != offer {
			s.sure = offer
			s.printf("%s offers to end it with %s, of which %s is yours: type /draw again to agree\n", seatName(s.match, int32(d.Seat)), //nolint:gosec // seats are few
				s.monies(d.Payouts, s.match.Asset), s.money(d.Payouts[s.match.Seat], s.match.Asset))
			return nil
		}
		_, err := call(s.remote, s.AcceptDraw, &antev1.AcceptDrawRequest{MatchId: s.id, Seat: d.Seat, Payouts: d.Payouts})
		return err
	}
	_, err := call(s.remote, s.OfferDraw, &antev1.OfferDrawRequest{MatchId: s.id})
	if err == nil {
		s.printf("offered: everybody's stake back; it is off when somebody moves\n")
	}
	return err
}
