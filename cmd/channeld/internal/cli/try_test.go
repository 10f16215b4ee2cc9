package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	"github.com/ante-games/ante/games/catalog"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"go.uber.org/goleak"
)

// trial is a running channeld try, seen from outside.
type trial struct {
	Link, Friend, Dir string
	Channels          map[string]string // by opponent

	t   *testing.T
	api antev1connect.NodeServiceClient
}

// try starts channeld try. Its end is checked when the test ends: no error, and nothing left.
func try(t *testing.T, args ...string) *trial {
	dir := filepath.Join(t.TempDir(), "trial") // made first, so that it is removed last
	t.Cleanup(func() {
		if err := goleak.Find(
			goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
			goleak.IgnoreAnyFunction("github.com/cockroachdb/pebble.(*DB).mpoolDrain"),
			goleak.IgnoreAnyFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"),
			goleak.IgnoreAnyFunction("github.com/ipfs/go-log/writer.(*MirrorWriter).logRoutine"),
		); err != nil {
			t.Error(err)
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	in, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		args = append([]string{"--json", "--dir", dir, "try", "--no-open"}, args...)
		ended <- cli.Main(ctx, args, cli.Terminal{In: os.Stdin, Out: out, Err: t.Output(), Games: catalog.Standard()})
		_ = out.Close()
	}()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("channeld try ends with %d", code)
		}
	})
	text, err := bufio.NewReader(in).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	w := &trial{t: t}
	if err := json.Unmarshal(text, w); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	token, err := os.ReadFile(filepath.Join(w.Dir, "api-token"))
	if err != nil {
		t.Fatal(err)
	}
	at, _, _ := strings.Cut(w.Link, "/page/")
	w.api = antev1connect.NewNodeServiceClient(http.DefaultClient, at, connect.WithInterceptors(connect.UnaryInterceptorFunc(
		func(next connect.UnaryFunc) connect.UnaryFunc {
			return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
				r.Header().Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
				return next(ctx, r)
			}
		})))
	return w
}

// propose proposes a match to an opponent and returns it once it runs, played by a bot.
func (w *trial) propose(opponent, game, params string, stakes ...string) *antev1.Match {
	w.t.Helper()
	channel := w.Channels[opponent]
	if _, err := w.api.ProposeMatch(w.t.Context(), connect.NewRequest(&antev1.ProposeMatchRequest{
		ChannelId: channel, Game: game, ParamsJson: params, Stakes: stakes,
	})); err != nil {
		w.t.Fatalf("%s with %s: %v", game, opponent, err)
	}
	m := w.until(channel, func(m *antev1.Match) bool {
		return m.Game == game && m.Status == antev1.MatchStatus_MATCH_STATUS_RUNNING
	})
	if _, err := w.api.SetBot(w.t.Context(), connect.NewRequest(&antev1.SetBotRequest{MatchId: m.Id, On: true})); err != nil {
		w.t.Fatalf("%s with %s: %v", game, opponent, err)
	}
	return m
}

// until waits for a match of a channel that is as wanted.
func (w *trial) until(channel string, wanted func(*antev1.Match) bool) *antev1.Match {
	w.t.Helper()
	for t := time.NewTicker(100 * time.Millisecond); ; <-t.C {
		r, err := w.api.ListMatches(w.t.Context(), connect.NewRequest(&antev1.ListMatchesRequest{ChannelId: channel, Booked: true}))
		if err != nil {
			w.t.Fatal(err)
		}
		if i := slices.IndexFunc(r.Msg.Matches, wanted); i >= 0 {
			return r.Msg.Matches[i]
		}
	}
}

// TestTry: one command, and a person plays each game against a bot, and sees who falls silent and
// who lies lose by the chain.
func TestTry(t *testing.T) {
	w := try(t)
	page, err := http.Get(w.Link)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	if page.StatusCode != http.StatusOK {
		t.Errorf("the page answers %s", page.Status)
	}

	first := w.until(w.Channels["hanna"], func(m *antev1.Match) bool {
		if m.Game != "mastermind" || !m.YourTurn {
			return false
		}
		view, err := w.api.GetMatch(t.Context(), connect.NewRequest(&antev1.GetMatchRequest{MatchId: m.Id}))
		if err != nil {
			t.Fatal(err)
		}
		return view.Msg.Ask != "" // the daemon makes the first moves by itself
	})
	move := &antev1.PlayRequest{MatchId: first.Id, Turn: "0", Move: "0123"}
	if _, err := w.api.Play(t.Context(), connect.NewRequest(move)); connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("a move for turn 0: %v", err)
	}
	move.Turn = first.Turn
	if _, err := w.api.Play(t.Context(), connect.NewRequest(move)); err != nil {
		t.Fatal(err)
	}

	ended := []*antev1.Match{
		w.propose("sid", "mastermind", "", "10000000000000000"),
		w.propose("lara", "mastermind", "", "10000000000000000"),
	}
	for _, m := range append(ended,
		w.propose("hanna", "battleships", "", "10000000000000000"),
		w.propose("hanna", "split-or-steal", `{"house":3}`, "10000000000000000"),
		w.propose("hanna", "sums-and-cows", ""),
		w.propose("holly", "box9", `{"rounds":1}`, "100000000000000000"),
	) {
		w.until(m.ChannelId, func(now *antev1.Match) bool { return now.Id == m.Id && now.Turn != "0" && now.Turn != m.Turn })
	}
	for i, guilty := range []int{0, 1} {
		m := w.until(ended[i].ChannelId, func(m *antev1.Match) bool {
			return m.Id == ended[i].Id && m.Status == antev1.MatchStatus_MATCH_STATUS_BOOKED
		})
		if len(m.Guilty) != guilty || m.Payouts[m.Seat] != "20000000000000000" {
			t.Errorf("match %d: guilty %v, %s: payouts %v", i, m.Guilty, m.Reason, m.Payouts)
		}
	}
	r, err := w.api.ListTransactions(t.Context(), connect.NewRequest(&antev1.ListTransactionsRequest{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, why := range []string{"keeps silent", "post the end of the match"} {
		if !slices.ContainsFunc(r.Msg.Transactions, func(tx *antev1.Transaction) bool { return strings.Contains(tx.Why, why) }) {
			t.Errorf("nothing was sent to the chain because %q", why)
		}
	}
}
