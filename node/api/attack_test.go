package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const listed = "https://example.org"

// pair is two nodes with an ether each in their banks, and an open channel with as much in it. The
// first has an API; the second accepts what it is offered.
type pair struct {
	server  *httptest.Server
	config  api.Config
	alice   *node.Node
	bob     *node.Node
	channel common.Hash
}

func start(t *testing.T, adapt ...func(*node.Config)) *pair {
	t.Helper()
	ctx := t.Context()
	w, err := dev.Start(ctx, devnet.Config{}, catalog.Standard())
	check(t, err)
	t.Cleanup(func() { _ = w.Close() })
	settings, err := w.Config(0)
	check(t, err)
	settings.Policy.Bot, settings.Policy.Accept, settings.Policy.Approve = false, nil, nil
	for _, a := range adapt {
		a(&settings)
	}
	p := new(pair)
	p.alice, err = node.Start(ctx, settings)
	check(t, err)
	t.Cleanup(func() { _ = p.alice.Close() })
	p.bob, err = w.Node(ctx, 1)
	check(t, err)
	t.Cleanup(func() { _ = p.bob.Close() })
	check(t, dev.Connect(ctx, p.alice, p.bob))
	two, one := uint256.NewInt(2e18), uint256.NewInt(1e18)
	check(t, dev.Deposit(ctx, p.alice, two))
	check(t, dev.Deposit(ctx, p.bob, two))
	p.config = api.Config{
		Node: p.alice, Store: settings.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Window: 100, Games: w.Games, Rules: w.Rules, Now: time.Now,
		Dial: func(context.Context, string) (common.Address, error) {
			return common.Address{}, transport.ErrUnreachable
		},
	}
	p.server = httptest.NewServer(api.Guard([]string{listed}, api.New(p.config)))
	t.Cleanup(p.server.Close)
	offer, err := p.alice.Offer(ctx, node.OpenRequest{Peers: []common.Address{p.bob.Account()}, Deposits: []uint256.Int{*one, *one}, Window: 100})
	check(t, err)
	channel, err := p.alice.Opened(ctx, offer)
	check(t, err)
	p.channel = channel.ID
	return p
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// access makes a token.
func (p *pair) access(t *testing.T, scope antev1.AccessScope, limit string) string {
	t.Helper()
	request := &antev1.CreateAccessRequest{Name: scope.String() + limit, Scope: scope}
	if limit != "" {
		request.Limits = []*antev1.AssetAmount{{Amount: limit}}
	}
	r, err := p.owner().CreateAccess(t.Context(), connect.NewRequest(request))
	check(t, err)
	return r.Msg.Token
}

func (p *pair) owner() antev1connect.NodeServiceClient { return client(p.server, "Bearer "+token) }

// moved fails if anything was done with the player's money, or begun that could do it.
func (p *pair) moved(t *testing.T, what string) {
	t.Helper()
	offers, err := p.alice.Offers()
	check(t, err)
	invites, err := p.alice.Invites()
	check(t, err)
	c, err := p.alice.Channel(p.channel)
	check(t, err)
	transactions, err := p.alice.Transactions(100)
	check(t, err)
	theirs, err := p.bob.Channel(p.channel)
	check(t, err)
	if len(offers) != 1 || len(invites) != 0 || c.Ledger.Version != 1 || theirs.Ledger.Version != 1 || len(p.alice.Matches()) != 0 || len(transactions) != 2 {
		t.Errorf("%s: %d offers, %d invites, ledger %d, %d matches, %d transactions", what, len(offers), len(invites), c.Ledger.Version, len(p.alice.Matches()), len(transactions))
	}
}

// everything is a request of each procedure that would do something with the money.
func (p *pair) everything(c antev1connect.NodeServiceClient) map[string]func(context.Context) error {
	const stake = "100000000000000000"
	channel, bob := p.channel.Hex(), p.bob.Account().Hex()
	return map[string]func(context.Context) error{
		"Deposit":       call(c.Deposit, &antev1.DepositRequest{Amount: stake}),
		"Withdraw":      call(c.Withdraw, &antev1.WithdrawRequest{To: stranger}),
		"OpenChannel":   call(c.OpenChannel, &antev1.OpenChannelRequest{Peers: []string{bob}, Deposits: []string{stake, stake}}),
		"CreateInvite":  call(c.CreateInvite, &antev1.CreateInviteRequest{Game: "mastermind", Least: "1", Most: stake}),
		"ProposeMatch":  call(c.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: channel, Game: "mastermind", Stakes: []string{stake}}),
		"ResizeChannel": call(c.ResizeChannel, &antev1.ResizeChannelRequest{ChannelId: channel, Deposits: []string{"1100000000000000000", ""}}),
		"CloseChannel":  call(c.CloseChannel, &antev1.CloseChannelRequest{ChannelId: channel}),
		"StartDispute":  call(c.StartDispute, &antev1.StartDisputeRequest{ChannelId: channel, Action: antev1.DisputeAction_DISPUTE_ACTION_EXIT}),
		"CreateAccess":  call(c.CreateAccess, &antev1.CreateAccessRequest{Name: "more", Scope: antev1.AccessScope_ACCESS_SCOPE_EVERYTHING}),
		"RegisterRound": call(c.RegisterRound, &antev1.RegisterRoundRequest{RoundId: unknown}),
	}
}

// TestAttack_WeakToken: nothing moves for whoever may not move it. What each of these shows is all
// that keeps it out: with the daemon's own token the same requests are done.
func TestAttack_WeakToken(t *testing.T) {
	p := start(t)
	t.Run("Look", func(t *testing.T) {
		for name, try := range p.everything(client(p.server, "Bearer "+p.access(t, antev1.AccessScope_ACCESS_SCOPE_LOOK, ""))) {
			if err := try(t.Context()); connect.CodeOf(err) != connect.CodePermissionDenied {
				t.Errorf("%s: %v", name, err)
			}
		}
		p.moved(t, "a token to look")
	})
	t.Run("Limit", func(t *testing.T) { p.overLimit(t) })
	t.Run("Secrets", func(t *testing.T) { start(t).showsNothing(t) })
	t.Run("Origin", func(t *testing.T) { p.otherOrigins(t) })
	t.Run("Replay", func(t *testing.T) { p.replayed(t) })
	t.Run("Counts", func(t *testing.T) { p.counts(t) })
	t.Run("Resizes", func(t *testing.T) { start(t).resizes(t) })
	t.Run("Stream", func(t *testing.T) { p.listening(t) })
}

// overLimit: a token to play up to less than what is asked does nothing, and says what is left.
func (p *pair) overLimit(t *testing.T) {
	c := client(p.server, "Bearer "+p.access(t, antev1.AccessScope_ACCESS_SCOPE_PLAY, "99999999999999999"))
	all := p.everything(c)
	for _, name := range []string{"CloseChannel", "RegisterRound"} { // they put nothing at risk
		delete(all, name)
	}
	for name, try := range all {
		err := try(t.Context())
		if connect.CodeOf(err) != connect.CodePermissionDenied {
			t.Errorf("%s: %v", name, err)
		}
		if strings.HasPrefix(name, "Create") && name != "CreateAccess" && !strings.Contains(err.Error(), "is left of its limit") {
			t.Errorf("%s does not say what is left: %v", name, err)
		}
	}
	p.moved(t, "a token over its limit")
}

// otherOrigins: a page of another origin is refused whatever it knows, and so is one whose name
// leads here; no preflight lets it ask.
func (p *pair) otherOrigins(t *testing.T) {
	own := strings.TrimPrefix(p.server.URL, "http://")
	for _, try := range []struct {
		what, host, origin string
		want               int
	}{
		{"another origin", own, "https://evil.example", http.StatusForbidden},
		{"an opaque origin", own, "null", http.StatusForbidden},
		{"an origin that begins alike", own, listed + ".evil.example", http.StatusForbidden},
		{"the listed one, unencrypted", own, "http://example.org", http.StatusForbidden},
		{"another port of this computer", own, "http://127.0.0.1:1", http.StatusForbidden},
		{"a rebound name", "evil.example", "http://evil.example", http.StatusMisdirectedRequest},
		{"a rebound name without an origin", "evil.example:80", "", http.StatusMisdirectedRequest},
		{"a name that begins alike", "localhost.evil.example", "", http.StatusMisdirectedRequest},
		{"the daemon's own page", own, "http://" + own, http.StatusOK},
		{"a listed origin", own, listed, http.StatusOK},
		{"no page", own, "", http.StatusOK},
	} {
		send := func(method, procedure, body string) *http.Response {
			r, err := http.NewRequestWithContext(t.Context(), method, p.server.URL+procedure, strings.NewReader(body))
			check(t, err)
			r.Host = try.host
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+token)
			if try.origin != "" {
				r.Header.Set("Origin", try.origin)
			}
			if method == http.MethodOptions {
				r.Header.Set("Access-Control-Request-Method", http.MethodPost)
			}
			reply, err := p.server.Client().Do(r)
			check(t, err)
			_, _ = io.Copy(io.Discard, reply.Body)
			check(t, reply.Body.Close())
			return reply
		}
		procedure, body := antev1connect.NodeServiceGetStatusProcedure, "{}"
		if try.want != http.StatusOK { // it would move money
			procedure, body = antev1connect.NodeServiceWithdrawProcedure, `{"to":"`+stranger+`"}`
		}
		if got := send(http.MethodPost, procedure, body); got.StatusCode != try.want {
			t.Errorf("%s: %s, want %d", try.what, got.Status, try.want)
		}
		allowed := send(http.MethodOptions, procedure, "").Header.Get("Access-Control-Allow-Origin")
		if want := try.origin == listed; (allowed == listed) != want || allowed != "" && !want {
			t.Errorf("%s: the preflight allows %q", try.what, allowed)
		}
	}
	p.moved(t, "pages of other origins")
}

// counts: what a token stakes counts durably until nothing is left, a revoked one does nothing, and
// playing a match that the owner began counts its stake, once.
func (p *pair) counts(t *testing.T) {
	const half = "50000000000000000"
	shown := p.access(t, antev1.AccessScope_ACCESS_SCOPE_PLAY, "0100000000000000000")
	c := client(p.server, "Bearer "+shown)
	propose := call(c.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: p.channel.Hex(), Game: "mastermind", Stakes: []string{half}})
	check(t, propose(t.Context()))
	match := p.begun(t)
	play := call(c.SetBot, &antev1.SetBotRequest{MatchId: match.Hex()})
	check(t, play(t.Context()))
	check(t, play(t.Context())) // the same match counts once
	if err := propose(t.Context()); connect.CodeOf(err) != connect.CodePermissionDenied || !strings.Contains(err.Error(), "0 is left") {
		t.Errorf("beyond the limit: %v", err)
	}
	list, err := p.owner().ListAccess(t.Context(), connect.NewRequest(&antev1.ListAccessRequest{}))
	check(t, err)
	for _, a := range list.Msg.Access {
		if len(a.Risked) > 0 {
			if a.Risked[0].Amount != "100000000000000000" {
				t.Errorf("it counted %v", a.Risked)
			}
			_, err := p.owner().RevokeAccess(t.Context(), connect.NewRequest(&antev1.RevokeAccessRequest{Id: a.Id}))
			check(t, err)
		}
	}
	if err := play(t.Context()); connect.CodeOf(err) != connect.CodeUnauthenticated {
		t.Errorf("a revoked token: %v", err)
	}
}

// resizes: where a match runs, nobody knows what a deposit of as much as the balance will add to
// what is left after it. A token's limit is the most that it can be.
func (p *pair) resizes(t *testing.T) {
	check(t, call(p.owner().ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: p.channel.Hex(), Game: "mastermind", Stakes: []string{"100000000000000000"}})(t.Context()))
	p.begun(t)
	for limit, want := range map[string]connect.Code{"899999999999999999": connect.CodePermissionDenied, "900000000000000000": 0} {
		c := client(p.server, "Bearer "+p.access(t, antev1.AccessScope_ACCESS_SCOPE_PLAY, limit))
		err := call(c.ResizeChannel, &antev1.ResizeChannelRequest{ChannelId: p.channel.Hex(), Deposits: []string{"900000000000000000", ""}})(t.Context())
		if err == nil != (want == 0) || err != nil && connect.CodeOf(err) != want {
			t.Errorf("up to %s: %v", limit, err)
		}
	}
}

// showsNothing: a token to play up to less than the stake of a match does not see what the opponent
// must not know of it, by which the stake can be lost as well. One that may lose it does, and it
// counts.
func (p *pair) showsNothing(t *testing.T) {
	owner := p.owner()
	check(t, call(owner.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: p.channel.Hex(), Game: "battleships", Stakes: []string{"100000000000000000"}})(t.Context()))
	match := p.begun(t).Hex()
	for limit, want := range map[string]connect.Code{"99999999999999999": connect.CodePermissionDenied, "100000000000000000": 0} {
		c := client(p.server, "Bearer "+p.access(t, antev1.AccessScope_ACCESS_SCOPE_PLAY, limit))
		for name, look := range map[string]func(context.Context) error{
			"GetMatch": call(c.GetMatch, &antev1.GetMatchRequest{MatchId: match}), "GetReplay": call(c.GetReplay, &antev1.GetReplayRequest{MatchId: match}),
		} {
			if err := look(t.Context()); err == nil != (want == 0) || err != nil && connect.CodeOf(err) != want {
				t.Errorf("%s up to %s: %v", name, limit, err)
			}
		}
		if want != 0 {
			continue
		}
		if err := call(c.SetBot, &antev1.SetBotRequest{MatchId: match})(t.Context()); err != nil {
			t.Errorf("it counted already: %v", err)
		}
		err := call(c.CreateInvite, &antev1.CreateInviteRequest{Game: "mastermind", Least: "1"})(t.Context())
		if err == nil || !strings.Contains(err.Error(), "0 is left") {
			t.Errorf("what it saw does not count: %v", err)
		}
	}
}

// replayed: a request that is sent again with its key is answered as it was, also after a restart
// of the service, and is not done again.
func (p *pair) replayed(t *testing.T) {
	restart := func(c api.Config) *httptest.Server {
		again := httptest.NewServer(api.New(c))
		t.Cleanup(again.Close)
		return again
	}
	open := func(server *httptest.Server, shown, key, memo string) (string, error) {
		r := connect.NewRequest(&antev1.OpenChannelRequest{Peers: []string{p.bob.Account().Hex()}, Deposits: []string{"100000000000000000", "1"}, Memo: memo})
		r.Header().Set(api.KeyHeader, key)
		reply, err := client(server, "Bearer "+shown).OpenChannel(t.Context(), r)
		if err != nil {
			return "", err
		}
		return reply.Msg.OfferId, nil
	}
	offers := func() int {
		list, err := p.alice.Offers()
		check(t, err)
		return len(list)
	}
	before := offers()
	first, err := open(p.server, token, "one", "")
	check(t, err)
	for _, server := range []*httptest.Server{p.server, restart(p.config)} {
		if again, err := open(server, token, "one", ""); again != first || err != nil {
			t.Errorf("sent again it answers %s, %v; want %s", again, err, first)
		}
		if _, err := open(server, token, "one", "another"); connect.CodeOf(err) != connect.CodeFailedPrecondition {
			t.Errorf("another request with its key: %v", err)
		}
	}
	if n := offers(); n != before+1 {
		t.Errorf("%d offers were made, want one", n-before)
	}
	weak := p.access(t, antev1.AccessScope_ACCESS_SCOPE_PLAY, "100000000000000000")
	for range 3 { // its first is the limit
		if other, err := open(p.server, weak, "one", ""); other == first || err != nil {
			t.Errorf("another token's key answers %s, %v", other, err)
		}
	}
	if n := offers(); n != before+2 {
		t.Errorf("%d offers were made, want two", n-before)
	}
}

// listening: a token that is revoked hears nothing more, also where it listens already.
func (p *pair) listening(t *testing.T) {
	made, err := p.owner().CreateAccess(t.Context(), connect.NewRequest(&antev1.CreateAccessRequest{Name: "ear", Scope: antev1.AccessScope_ACCESS_SCOPE_LOOK}))
	check(t, err)
	newest := func() uint64 {
		list, err := p.alice.Past(0)
		check(t, err)
		return list[len(list)-1].Cursor
	}
	heard, err := client(p.server, "Bearer "+made.Msg.Token).StreamEvents(t.Context(), connect.NewRequest(&antev1.StreamEventsRequest{After: newest()}))
	check(t, err)
	defer heard.Close()
	_, err = p.owner().RevokeAccess(t.Context(), connect.NewRequest(&antev1.RevokeAccessRequest{Id: made.Msg.Access.Id}))
	check(t, err)
	last := newest()
	one := *uint256.NewInt(1)
	_, err = p.bob.Offer(t.Context(), node.OpenRequest{Peers: []common.Address{p.alice.Account()}, Deposits: []uint256.Int{one, one}, Window: 100})
	check(t, err)
	for heard.Receive() {
		if e := heard.Msg().Event; e.Cursor > last {
			t.Fatalf("a revoked token hears %q", e.Text)
		}
	}
	if connect.CodeOf(heard.Err()) != connect.CodeUnauthenticated {
		t.Errorf("its stream ends with %v", heard.Err())
	}
}

// begun waits for a match.
func (p *pair) begun(t *testing.T) common.Hash {
	t.Helper()
	for e, err := range p.alice.Events(t.Context(), 0) {
		check(t, err)
		if e.Kind == node.MatchStarted {
			return e.Match
		}
	}
	t.Fatal("no match begins")
	return common.Hash{}
}
