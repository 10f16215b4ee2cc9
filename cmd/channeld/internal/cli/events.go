package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func eventsCommand(a *app) *cobra.Command {
	var after uint64
	var follow bool
	var until []string
	cmd := &cobra.Command{Use: "events", Short: "Show what has happened, and what happens", Args: cobra.NoArgs,
		Long: "Show what happened after a cursor. With --follow continue until interrupted; with --until, until an event of one\n" +
			"of the given kinds has happened, for scripts.",
		RunE: a.client(func(api *remote, _ []string) error {
			request := &antev1.StreamEventsRequest{After: after, PastOnly: !follow && len(until) == 0}
			return (&follower{api: api, request: request}).run(api.ctx, func(e *antev1.Event) error {
				if err := api.event(e); err != nil {
					return err
				}
				if slices.Contains(until, e.Kind) {
					return errDone
				}
				return nil
			})
		})}
	cmd.Flags().Uint64Var(&after, "after", 0, "cursor after which to begin")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "continue until interrupted")
	cmd.Flags().StringSliceVar(&until, "until", nil, "continue until an event of this kind")
	return cmd
}

func (api *remote) event(e *antev1.Event) error {
	if api.json {
		return api.printJSON(e, "")
	}
	api.printf("%d  %s  %-14s %s%s\n", e.Cursor, clockTime(e.Time), e.Kind, api.named(clean(e.Text)), concerns(e))
	return nil
}

// concerns names the match, else the channel, that an event is about and does not name itself.
func concerns(e *antev1.Event) string {
	switch {
	case e.MatchId != "" && !strings.Contains(e.Text, e.MatchId):
		return fmt.Sprintf(" (match %s)", short(e.MatchId))
	case e.MatchId == "" && e.ChannelId != "" && !strings.Contains(e.Text, e.ChannelId):
		return fmt.Sprintf(" (channel %s)", short(e.ChannelId))
	default:
		return ""
	}
}

// errDone ends a follower without an error.
var errDone = errors.New("done")

// follower reads events, and goes on from where it was when the daemon is restarted.
type follower struct {
	api       *remote
	request   *antev1.StreamEventsRequest
	connected bool   // the daemon has answered, so it will be back
	lost      func() // called when it goes away; nil: nobody asks
}

// lost reports whether an error means that the daemon went away, so that the same call may succeed
// once it is back.
func lost(err error) bool {
	c, is := errors.AsType[*connect.Error](err)
	if !is {
		return false
	}
	return !connect.IsWireError(err) || c.Code() == connect.CodeUnavailable || c.Code() == connect.CodeCanceled
}

// retry is how long to wait for a daemon that went away.
const retry = 500 * time.Millisecond

func (f *follower) run(ctx context.Context, handle func(*antev1.Event) error) error {
	for {
		err := f.once(ctx, func(e *antev1.Event) error {
			f.connected = true
			return handle(e)
		})
		switch {
		case err == nil && f.request.PastOnly, errors.Is(err, errDone), ctx.Err() != nil:
			return nil
		case err != nil && !lost(err), !f.connected:
			return err
		}
		if f.lost != nil {
			f.lost()
		}
		select {
		case <-time.After(retry):
		case <-ctx.Done():
			return nil
		}
	}
}

// watch tells of each new event until the context ends: a token stands for what came since the last
// was taken. It fails like a follower that goes on when the daemon is away.
func (api *remote) watch(ctx context.Context, request *antev1.StreamEventsRequest) (news <-chan struct{}, failed <-chan error) {
	tokens, ended := make(chan struct{}, 1), make(chan error, 1)
	look := func() {
		select {
		case tokens <- struct{}{}:
		default: // there are news already
		}
	}
	events := &follower{api: api, request: request, connected: true, lost: look}
	go func() {
		ended <- events.run(ctx, func(*antev1.Event) error {
			look()
			return nil
		})
	}()
	return tokens, ended
}

func (f *follower) once(ctx context.Context, handle func(*antev1.Event) error) error {
	if _, err := f.api.token(); err != nil {
		return err // a stream would only say that it can't connect
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := f.api.StreamEvents(ctx, connect.NewRequest(f.request))
	if err != nil {
		return err
	}
	defer stream.Close()
	for stream.Receive() {
		e := stream.Msg().Event
		if err := handle(e); err != nil {
			return err
		}
		f.request.After = e.Cursor
	}
	if err := stream.Err(); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	return nil
}
