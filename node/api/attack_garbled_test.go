package api_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const noText = "a\xff\xfeb"

// failing carries requests until it is set, and then answers them as it says.
type failing struct {
	atomic.Bool
	status int
	say    func(request []byte) string
}

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if !f.Load() {
		return http.DefaultTransport.RoundTrip(r)
	}
	request, err := io.ReadAll(r.Body)
	return &http.Response{StatusCode: f.status, Status: http.StatusText(f.status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(f.say(request))), Request: r}, err
}

// TestAttack_LyingRPC_Garbled: what an endpoint says instead of an answer need be no text, and
// hides no alarm.
func TestAttack_LyingRPC_Garbled(t *testing.T) {
	alarmed(t, &failing{status: http.StatusBadGateway, say: func([]byte) string { return noText }}, "cannot reach the chain")
}

// TestAttack_LyingRPC_Wordy: nor need it be short. What is longer than the store takes would keep
// every later alarm from it, too.
func TestAttack_LyingRPC_Wordy(t *testing.T) {
	ids := regexp.MustCompile(`"id":(\d+)`)
	alarmed(t, &failing{status: http.StatusOK, say: func(request []byte) string {
		var list []string
		for _, id := range ids.FindAllSubmatch(request, -1) {
			list = append(list, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no, %s"}}`, id[1], strings.Repeat("o", store.MaxCommit/2)))
		}
		said := strings.Join(list, ",")
		if request[0] == '[' {
			said = "[" + said + "]"
		}
		return said
	}}, "no, ooo")
}

// alarmed fails unless the alarm about an endpoint that fails is told, and stands in the list.
func alarmed(t *testing.T, endpoint *failing, want string) {
	t.Helper()
	const patience = 5 * time.Minute // long answers take a busy machine long to read
	c := client(serve(t, func(c *node.Config) { c.Chain.Transport, c.Chain.Timeout = endpoint, patience }), "Bearer "+token)
	endpoint.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events, err := c.StreamEvents(ctx, connect.NewRequest(new(antev1.StreamEventsRequest)))
	check(t, err)
	defer events.Close()
	for events.Receive() {
		if events.Msg().Event.Kind == string(node.Alarm) {
			break
		}
	}
	check(t, events.Err())
	r, err := c.ListAlarms(t.Context(), connect.NewRequest(new(antev1.ListAlarmsRequest)))
	check(t, err)
	if !slices.ContainsFunc(r.Msg.Alarms, func(a *antev1.Alarm) bool { return a.Stands && strings.Contains(a.Text, want) && len(a.Text) < 4096 }) {
		t.Errorf("%d alarms, of which none says briefly %q", len(r.Msg.Alarms), want)
	}
}

// garbling are rules whose outcome has a reason that is no text.
type garbling struct{ games.Rules }

func (g garbling) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, err := g.Rules.Outcome(state, stakes)
	copy(o.Reason[:], noText)
	return o, err
}

// TestAttack_BadRules_Garbled: rules may end a match for a reason that is no text. While the other
// player does not sign what it pays, all matches can be seen, and so played and left.
func TestAttack_BadRules_Garbled(t *testing.T) {
	ctx, bad := t.Context(), catalog.Standard()
	for i := range bad {
		bad[i].Rules = garbling{bad[i].Rules}
	}
	w, err := dev.Start(ctx, devnet.Config{}, bad)
	check(t, err)
	t.Cleanup(func() { _ = w.Close() })
	eager := func(account int) node.Config {
		c, err := w.Config(account)
		check(t, err)
		c.Policy.Bot = true
		c.Policy.Accept, c.Policy.Approve = func(node.Offer) bool { return true }, func(node.Proposal) bool { return true }
		return c
	}
	run := func(c node.Config) *node.Node {
		n, err := node.Start(ctx, c)
		check(t, err)
		t.Cleanup(func() { _ = n.Close() })
		check(t, dev.Deposit(ctx, n, uint256.NewInt(1e18)))
		return n
	}
	mine, theirs := eager(0), eager(1)
	var moved atomic.Bool // from then on bob signs no ledger
	nodetest.Lose(&theirs, func(env *antev1.Envelope) bool {
		if env.GetMove() != nil {
			moved.Store(true)
		}
		return moved.Load() && (env.GetPropose() != nil || env.GetApprove() != nil || env.GetSync() != nil || env.GetSyncReply() != nil)
	})
	alice, bob := run(mine), run(theirs)
	check(t, dev.Connect(ctx, alice, bob))
	one := uint256.NewInt(1e18)
	offer, err := alice.Offer(ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*one, *one}, Window: 100})
	check(t, err)
	channel, err := alice.Opened(ctx, offer)
	check(t, err)
	check(t, alice.Propose(channel.ID, node.MatchRequest{Game: "mastermind", Params: []byte(`{"rounds":1}`), Stakes: []uint256.Int{*uint256.NewInt(1e17)}}))
	check(t, alice.Wait(ctx, func() (bool, error) {
		list := alice.Matches()
		return len(list) == 1 && list[0].Outcome != nil, nil
	}))
	server := httptest.NewServer(api.New(api.Config{
		Node: alice, Store: mine.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Window: 100, Games: w.Games, Rules: w.Rules, Now: time.Now,
	}))
	t.Cleanup(server.Close)
	r, err := client(server, "Bearer "+token).ListMatches(ctx, connect.NewRequest(new(antev1.ListMatchesRequest)))
	check(t, err)
	if len(r.Msg.Matches) != 1 || r.Msg.Matches[0].Status != antev1.MatchStatus_MATCH_STATUS_OVER || !strings.HasPrefix(r.Msg.Matches[0].Reason, "a\ufffdb") {
		t.Errorf("%v", r.Msg.Matches)
	}
}
