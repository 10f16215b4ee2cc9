package cli

import (
	"bufio"
	"context"
	"strings"

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
	sure   bool          // the last line was /concede
}

func (s *sitting) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.past(ctx, func(*antev1.Event) {}); err != nil {
		return err
	}
	news, failed := make(chan struct{}, 1), make(chan error, 1)
	since := s.last
	go func() {
		failed <- follower{s.remote, &antev1.StreamEventsRequest{After: since, MatchId: s.id}}.run(ctx, func(*antev1.Event) error {
			select {
			case news <- struct{}{}:
			default: // there are news already
			}
			return nil
		})
	}()
	lines := s.lines(ctx)
	for {
		over, err := s.refresh(ctx)
		if err != nil || over {
			return err
		}
		select {
		case <-news:
		case line, open := <-lines:
			if !open {
				return nil
			}
			s.prompt = false
			if done, err := s.do(line); done || err != nil {
				return err
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// past reads what happened in the match since the last call.
func (s *sitting) past(ctx context.Context, tell func(*antev1.Event)) error {
	request := &antev1.StreamEventsRequest{After: s.last, MatchId: s.id, PastOnly: true}
	return follower{s.remote, request}.run(ctx, func(e *antev1.Event) error {
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
	if err := s.past(ctx, s.tell); err != nil {
		return false, err
	}
	s.match = m.Match
	over = ended(m.Match)
	asking := m.Match.Turn + " " + m.Ask
	fresh := m.Ask != "" && asking != s.asked
	if over || fresh || s.board {
		s.clear()
		s.printf("\n")
		s.printMatch(m)
	}
	switch {
	case over:
		return true, nil
	case m.Ask == "" && s.board:
		s.printf("the others are to move; /help says what can be done meanwhile\n")
	case fresh, m.Ask != "" && s.board:
		s.printf("%s (or /help)\n> ", m.Ask)
		s.asked, s.prompt = asking, true
	case m.Ask != "" && !s.prompt:
		s.printf("> ")
		s.prompt = true
	}
	s.board = false
	return false, nil
}

// tell prints an event. The board asks for moves.
func (s *sitting) tell(e *antev1.Event) {
	if e.Kind == "your_turn" {
		return
	}
	s.clear()
	s.printf("%s\n", clean(e.Text))
}

// clear begins a new line after a prompt that nobody answered.
func (s *sitting) clear() {
	if s.prompt {
		s.printf("\n")
		s.prompt = false
	}
}
