package cli

import (
	"bufio"
	"context"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// sitting is one interactive game at the terminal. It prints a line for each event, and the board
// when the player is to move, once for each turn.
type sitting struct {
	*remote
	id     string
	match  *antev1.Match // as of the last refresh: never ahead of the printed events
	last   uint64        // cursor of the last event that was printed
	asked  string        // the turn and question of the last prompt
	prompt bool          // a prompt stands on the screen, unanswered
	board  bool          // the board is to be shown in any case
	sure   string        // what the user was asked to type again, and for what
	gone   bool          // the user was told that the daemon does not answer
	recent []string      // the last lines about what happened, to stand under a board that is redrawn
	time   countdown
}

// sit begins a game with a match as it was found: the daemon may go away before the first look.
func sit(api *remote, m *antev1.Match) *sitting {
	return &sitting{remote: api, id: m.Id, match: m, board: true}
}

func (s *sitting) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.past(ctx, func(*antev1.Event) {}); err != nil {
		return err
	}
	news, failed := s.watch(ctx, &antev1.StreamEventsRequest{After: s.last, MatchId: s.id})
	lines, beats := s.lines(ctx), time.NewTicker(beat)
	defer beats.Stop()
	var again <-chan time.Time
	for due := true; ; {
		if due {
			over, err := s.refresh(ctx)
			if over || err != nil && !lost(err) {
				return err
			}
			again = s.missed(err)
		}
		due = true
		select {
		case <-beats.C:
			s.tick()
			due = false
		case <-again:
		case <-news:
		case line, open := <-lines:
			if !open {
				return nil
			}
			s.prompt = false
			if done, err := s.do(line); done || err != nil && !lost(err) {
				return err
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// missed tells the user when the daemon stops answering and when it is back. While it is gone it
// returns when to look again.
func (s *sitting) missed(err error) <-chan time.Time {
	if err == nil {
		s.gone = false
		return nil
	}
	if !s.gone {
		s.clear()
		s.printf("the daemon stopped: your side of the match waits, and it goes on here once the daemon is back\n" +
			"(start it with: channeld run; /quit leaves)\n")
		s.gone, s.board = true, true
	}
	return time.After(retry)
}

// past reads what happened in the match since the last call.
func (s *sitting) past(ctx context.Context, tell func(*antev1.Event)) error {
	request := &antev1.StreamEventsRequest{After: s.last, MatchId: s.id, PastOnly: true}
	return (&follower{api: s.remote, request: request}).run(ctx, func(e *antev1.Event) error {
		s.last = e.Cursor
		tell(e)
		return nil
	})
}

// lines reads what the user types. When the game ends the reader still waits in a read, until the
// process ends.
func (s *sitting) lines(ctx context.Context) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(s.In); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// refresh prints the new events, then shows the board where it is due and asks for a move where one
// is wanted. It reads the match before the events, so that no board is ahead of them.
func (s *sitting) refresh(ctx context.Context) (over bool, err error) {
	m, err := call(s.remote, s.GetMatch, &antev1.GetMatchRequest{MatchId: s.id})
	if err != nil {
		return false, err
	}
	before, screen := s.last, s.looks()
	if err := s.past(ctx, s.tell); err != nil {
		return false, err
	}
	s.match = m.Match
	over = ended(m.Match)
	asking := m.Match.Turn + " " + m.Ask
	fresh := m.Ask != "" && asking != s.asked
	drawn := over || fresh || s.board || screen.redraws && s.last != before
	if drawn {
		s.clear()
		if screen.redraws {
			s.printf("%s", wipe+strings.Repeat("\n", clockLines))
		}
		s.printf("\n")
		if over {
			if before := s.boardBefore(); before != "" {
				s.printf("%s\n\n", s.picture(before))
			}
		}
		s.printMatch(m)
		if screen.redraws {
			s.printf("\n%s", s.folded(strings.Join(s.recent, "")))
		}
	}
	switch {
	case over:
		return true, nil
	case m.Ask == "" && s.board:
		s.printf("%s; /help says what can be done meanwhile\n", movers(m.Match))
	case m.Ask != "" && drawn:
		s.printf("%s\n> ", s.folded(clean(m.Ask)+" (or /help)"))
		s.asked, s.prompt = asking, true
	case m.Ask != "" && !s.prompt:
		s.printf("> ")
		s.prompt = true
	}
	s.board = false
	s.look(m)
	s.showClock()
	return false, nil
}

// movers says who is to move where the user is asked nothing.
func movers(m *antev1.Match) string {
	switch {
	case m.Mover == chance:
		return "the chain is to move: it takes a block"
	case m.Mover == int32(m.Seat): //nolint:gosec // seats are few
		return "your daemon is to move"
	default:
		return "the others are to move"
	}
}

// boardBefore returns the board before the last position, if that shows less of it: what a round
// was played with can be taken off the board when it ends.
func (s *sitting) boardBefore() string {
	r, err := call(s.remote, s.GetReplay, &antev1.GetReplayRequest{MatchId: s.id})
	if err != nil || len(r.Positions) < 2 {
		return "" // the moves are not kept
	}
	before := r.Positions[len(r.Positions)-2].View
	if strings.Count(before, "\n") <= strings.Count(r.Positions[len(r.Positions)-1].View, "\n") {
		return ""
	}
	return before
}

// shownEvents is how many lines stand under a board that is redrawn.
const shownEvents = 6

// tell prints an event; on a screen that is redrawn it comes with the board. The board asks for
// moves.
func (s *sitting) tell(e *antev1.Event) {
	if e.Kind == "your_turn" {
		return
	}
	line := s.named(clean(e.Text)) + "\n"
	if s.recent = append(s.recent, line); len(s.recent) > shownEvents {
		s.recent = s.recent[1:]
	}
	if !s.looks().redraws {
		s.clear()
		s.printf("%s", line)
	}
}

// clear begins a new line after a prompt that nobody answered.
func (s *sitting) clear() {
	if s.prompt {
		s.printf("\n")
		s.prompt = false
	}
}
