package cli

import (
	"context"
	"strings"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

const sittingHelp = `Type a move as it is asked for, or
  /draw      offer a draw, or accept the one that is offered
  /concede   give the match to the other player
  /bot       let a bot play on for you
  /board     show the board again
  /quit      leave; the match goes on, and the daemon looks after it
`

// do carries out a line of the user's. Mistakes are explained, and the prompt comes again.
func (s *sitting) do(ctx context.Context, line string) (done bool, err error) {
	if line != "/concede" {
		s.sure = false
	}
	switch line {
	case "":
		return false, nil
	case "/quit", "/q":
		return true, nil
	case "/help", "/?", "?":
		err = s.help(ctx)
	case "/board":
		s.board = true
	case "/concede":
		if !s.sure {
			s.sure = true
			s.printf("%s: type /concede again to do it\n", givesUp(unitsOf(ctx, s.api), s.match))
			return false, nil
		}
		_, err = s.api.Concede(ctx, connect.NewRequest(&antev1.ConcedeRequest{MatchId: s.id}))
	case "/bot":
		_, err = s.api.SetBot(ctx, connect.NewRequest(&antev1.SetBotRequest{MatchId: s.id, On: true}))
	case "/draw":
		err = s.draw(ctx)
	default:
		if strings.HasPrefix(line, "/") {
			s.printf("there is no %s\n%s", clean(line), sittingHelp)
			return false, nil
		}
		_, err = s.api.Play(ctx, connect.NewRequest(&antev1.PlayRequest{MatchId: s.id, Move: line}))
	}
	switch connect.CodeOf(err) {
	case connect.CodeInvalidArgument, connect.CodeFailedPrecondition, connect.CodeNotFound: // not found: it ended meanwhile
		s.printf("%s\n", s.explain(err))
		return false, nil
	}
	return false, err
}

// help says what the game is about, and what can be typed.
func (s *sitting) help(ctx context.Context) error {
	r, err := s.api.ListGames(ctx, connect.NewRequest(&antev1.ListGamesRequest{}))
	if err != nil {
		return err
	}
	for _, g := range r.Msg.Games {
		if g.Name == s.match.Game {
			s.printf("%s: %s\n", g.Name, g.Summary)
		}
	}
	s.printf("%s", sittingHelp)
	return nil
}

// draw accepts another seat's offer, as the user was told of it, or makes one.
func (s *sitting) draw(ctx context.Context) error {
	for _, d := range s.match.Draws {
		if d.Seat != s.match.Seat {
			_, err := s.api.AcceptDraw(ctx, connect.NewRequest(&antev1.AcceptDrawRequest{MatchId: s.id, Seat: d.Seat, Payouts: d.Payouts}))
			return err
		}
	}
	_, err := s.api.OfferDraw(ctx, connect.NewRequest(&antev1.OfferDrawRequest{MatchId: s.id}))
	if err == nil {
		s.printf("offered: everybody's stake back; it is off when somebody moves\n")
	}
	return err
}
