package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

const token = "open sesame"

// serve runs a node on a dev chain, and its API.
func serve(t *testing.T, adapt ...func(*node.Config)) *httptest.Server {
	t.Helper()
	w, err := dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	settings, err := w.Config(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range adapt {
		a(&settings)
	}
	n, err := node.Start(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	server := httptest.NewServer(api.New(api.Config{
		Node: n, Store: settings.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Window: 100, Games: w.Games, Rules: w.Rules, Now: time.Now,
		Dial: func(context.Context, string) (common.Address, error) {
			return common.Address{}, transport.ErrUnreachable
		},
	}))
	t.Cleanup(server.Close)
	return server
}

func client(server *httptest.Server, shown string) antev1connect.NodeServiceClient {
	return antev1connect.NewNodeServiceClient(server.Client(), server.URL, connect.WithInterceptors(showing(shown)))
}

type showing string

func (s showing) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		r.Header().Set("Authorization", string(s))
		return next(ctx, r)
	}
}

func (s showing) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, spec)
		conn.RequestHeader().Set("Authorization", string(s))
		return conn
	}
}

func (s showing) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

func TestAPI(t *testing.T) {
	server := serve(t)
	t.Run("Token", func(t *testing.T) { onlyWithToken(t, server) })
	t.Run("View", func(t *testing.T) { viewOnlyLooks(t, server) })
	t.Run("Prove", func(t *testing.T) { provesItself(t, server) })
	t.Run("BadRequests", func(t *testing.T) { badRequests(t, client(server, "Bearer "+token)) })
	t.Run("BadFields", func(t *testing.T) { badFields(t, client(server, "Bearer "+token)) })
	t.Run("Status", func(t *testing.T) { status(t, client(server, "Bearer "+token)) })
	t.Run("Draw", func(t *testing.T) { drawn(t, client(server, "Bearer "+token)) })
	t.Run("Events", func(t *testing.T) { resumable(t, client(server, "Bearer "+token)) })
	t.Run("JSON", func(t *testing.T) { plainJSON(t, server) })
	t.Run("Misspelt", func(t *testing.T) { misspeltJSON(t, server) })
}

func onlyWithToken(t *testing.T, server *httptest.Server) {
	for _, shown := range []string{"", "Bearer ", "Bearer wrong", "Bearer " + token + "x", token, "Basic " + token} {
		c := client(server, shown)
		_, err := c.GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
		if connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("%q gets the status: %v", shown, err)
		}
		stream, err := c.StreamEvents(t.Context(), connect.NewRequest(&antev1.StreamEventsRequest{PastOnly: true}))
		if err == nil {
			if stream.Receive() {
				t.Errorf("%q gets events", shown)
			}
			err = stream.Err()
			_ = stream.Close()
		}
		if connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("%q gets events: %v", shown, err)
		}
	}
	if _, err := client(server, "Bearer "+token).GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{})); err != nil {
		t.Errorf("the right token: %v", err)
	}
}

// viewOnlyLooks: with what a page is given one gets at these procedures of all that there are, and
// at no other.
func viewOnlyLooks(t *testing.T, server *httptest.Server) {
	looks := []string{"GetStatus", "ListAlarms", "ListChannels", "ListMatches"}
	methods := antev1.File_ante_v1_api_proto.Services().ByName("NodeService").Methods()
	for i := range methods.Len() {
		name := string(methods.Get(i).Name())
		call := func(shown string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/"+antev1connect.NodeServiceName+"/"+name, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+shown)
			reply, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer reply.Body.Close()
			return reply.StatusCode
		}
		want := http.StatusUnauthorized
		if slices.Contains(looks, name) {
			want = http.StatusOK
		}
		if got := call(api.View(token)); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
		if got := call(api.View("another")); got != http.StatusUnauthorized {
			t.Errorf("%s with another daemon's: %d", name, got)
		}
	}
}

const (
	unknown  = "0x00000000000000000000000000000000000000000000000000000000000000ff"
	stranger = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
)

func badRequests(t *testing.T, c antev1connect.NodeServiceClient) {
	bad, missing, refused := connect.CodeInvalidArgument, connect.CodeNotFound, connect.CodeFailedPrecondition
	tooMuch := "115792089237316195423570985008687907853269984665640564039457584007913129639936"
	for name, try := range map[string]struct {
		want connect.Code
		call func(context.Context) error
	}{
		"balance of no asset":   {bad, call(c.GetBalance, &antev1.GetBalanceRequest{Asset: "eth"})},
		"deposit of nothing":    {bad, call(c.Deposit, &antev1.DepositRequest{})},
		"deposit of text":       {bad, call(c.Deposit, &antev1.DepositRequest{Amount: "1e18"})},
		"deposit of less":       {bad, call(c.Deposit, &antev1.DepositRequest{Amount: "-1"})},
		"deposit beyond":        {bad, call(c.Deposit, &antev1.DepositRequest{Amount: tooMuch})},
		"deposit of too much":   {refused, call(c.Deposit, &antev1.DepositRequest{Amount: tooMuch[:60]})},
		"deposit of zero":       {bad, call(c.Deposit, &antev1.DepositRequest{Amount: "0"})},
		"withdraw too much":     {refused, call(c.Withdraw, &antev1.WithdrawRequest{Amount: "1"})},
		"withdraw to nobody":    {bad, call(c.Withdraw, &antev1.WithdrawRequest{Amount: "1", To: "0x12"})},
		"withdraw to a slip":    {bad, call(c.Withdraw, &antev1.WithdrawRequest{Amount: "1", To: strings.Replace(stranger, "C51812dc", "c51812dc", 1)})},
		"peer that isn't there": {refused, call(c.AddPeer, &antev1.AddPeerRequest{Address: "/ip4/127.0.0.1/tcp/1"})},
		"open with nobody":      {bad, call(c.OpenChannel, &antev1.OpenChannelRequest{})},
		"open without deposits": {bad, call(c.OpenChannel, &antev1.OpenChannelRequest{Peers: []string{stranger}, Deposits: []string{"1"}})},
		"open with a bad peer":  {bad, call(c.OpenChannel, &antev1.OpenChannelRequest{Peers: []string{"bob"}, Deposits: []string{"1", "1"}})},
		"accept no id":          {bad, call(c.AcceptOffer, &antev1.AcceptOfferRequest{OfferId: "0x1"})},
		"accept unknown":        {missing, call(c.AcceptOffer, &antev1.AcceptOfferRequest{OfferId: unknown})},
		"decline unknown":       {missing, call(c.DeclineOffer, &antev1.DeclineOfferRequest{OfferId: unknown})},
		"channel no id":         {bad, call(c.GetChannel, &antev1.GetChannelRequest{ChannelId: unknown[2:]})},
		"channel unknown":       {missing, call(c.GetChannel, &antev1.GetChannelRequest{ChannelId: unknown})},
		"close unknown":         {missing, call(c.CloseChannel, &antev1.CloseChannelRequest{ChannelId: unknown})},
		"resize unknown":        {missing, call(c.ResizeChannel, &antev1.ResizeChannelRequest{ChannelId: unknown, Deposits: []string{"1", ""}})},
		"keep unknown":          {missing, call(c.ResizeChannel, &antev1.ResizeChannelRequest{ChannelId: unknown})},
		"propose in unknown":    {missing, call(c.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: unknown, Game: "mastermind", Stakes: []string{"1"}})},
		"propose no stake":      {bad, call(c.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: unknown, Game: "mastermind"})},
		"propose seat 256":      {bad, call(c.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: unknown, Stakes: []string{"1"}, Seats: []uint32{256}})},
		"withdraw no id":        {bad, call(c.WithdrawProposals, &antev1.WithdrawProposalsRequest{})},
		"withdraw in unknown":   {missing, call(c.WithdrawProposals, &antev1.WithdrawProposalsRequest{ChannelId: unknown})},
		"approve unknown":       {refused, call(c.ApproveMatch, &antev1.ApproveMatchRequest{ChannelId: unknown})},
		"reject unknown":        {refused, call(c.RejectMatch, &antev1.RejectMatchRequest{ChannelId: unknown})},
		"matches of no id":      {bad, call(c.ListMatches, &antev1.ListMatchesRequest{ChannelId: "x"})},
		"match unknown":         {missing, call(c.GetMatch, &antev1.GetMatchRequest{MatchId: unknown})},
		"play unknown":          {missing, call(c.Play, &antev1.PlayRequest{MatchId: unknown, Move: "0123"})},
		"bot unknown":           {missing, call(c.SetBot, &antev1.SetBotRequest{MatchId: unknown})},
		"concede unknown":       {missing, call(c.Concede, &antev1.ConcedeRequest{MatchId: unknown})},
		"draw unknown":          {missing, call(c.OfferDraw, &antev1.OfferDrawRequest{MatchId: unknown})},
		"box without a price":   {bad, call(c.VerifyRound, &antev1.VerifyRoundRequest{Block: 1})},
		"draw of text":          {bad, call(c.OfferDraw, &antev1.OfferDrawRequest{MatchId: unknown, Payouts: []string{"all"}})},
		"draw of seat 300":      {bad, call(c.AcceptDraw, &antev1.AcceptDrawRequest{MatchId: unknown, Seat: 300})},
		"dispute unknown":       {missing, call(c.GetDispute, &antev1.GetDisputeRequest{ChannelId: unknown})},
		"dispute how":           {bad, call(c.StartDispute, &antev1.StartDisputeRequest{ChannelId: unknown})},
		"demand what":           {bad, call(c.StartDispute, &antev1.StartDisputeRequest{ChannelId: unknown, Action: antev1.DisputeAction_DISPUTE_ACTION_DEMAND, MatchId: unknown})},
		"exit unknown":          {missing, call(c.StartDispute, &antev1.StartDisputeRequest{ChannelId: unknown, Action: antev1.DisputeAction_DISPUTE_ACTION_EXIT})},
	} {
		if err := try.call(t.Context()); connect.CodeOf(err) != try.want {
			t.Errorf("%s: %v, want %v", name, err, try.want)
		}
	}
	long := strings.Repeat("n", node.MaxMemo+1)
	for name, call := range map[string]func(context.Context) error{
		"decline": call(c.DeclineOffer, &antev1.DeclineOfferRequest{OfferId: unknown, Reason: long}),
		"cancel":  call(c.CancelInvite, &antev1.CancelInviteRequest{InviteId: unknown, Reason: long}),
	} {
		if err := call(t.Context()); connect.CodeOf(err) != bad || number(err) != "ANTE-3017" {
			t.Errorf("%s with too long a reason: %v", name, err)
		}
	}
}

// badFields makes requests in which nothing makes sense: the error names every field.
func badFields(t *testing.T, c antev1connect.NodeServiceClient) {
	for _, try := range []struct {
		fields string
		call   func(context.Context) error
	}{
		{"asset least most deposit guest", call(c.CreateInvite, &antev1.CreateInviteRequest{Asset: "x", Least: "x", Most: "x", Deposit: "x", Guests: []string{"x"}})},
		{"invite_id with stake", call(c.PlaceBid, &antev1.PlaceBidRequest{})},
		{"asset to amount", call(c.Withdraw, &antev1.WithdrawRequest{Asset: "x", To: "x", Amount: "x"})},
		{"token amount", call(c.RedeemTokens, &antev1.RedeemTokensRequest{Amount: "x"})},
	} {
		err := try.call(t.Context())
		for field := range strings.FieldsSeq(try.fields) {
			if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), ": "+field+" is ") {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
}

// call makes a call of a request whose answer is of no interest.
func call[I, O any](method func(context.Context, *connect.Request[I]) (*connect.Response[O], error), in *I) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := method(ctx, connect.NewRequest(in))
		return err
	}
}

func status(t *testing.T, c antev1connect.NodeServiceClient) {
	s, err := c.GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
	if err != nil {
		t.Fatal(err)
	}
	if s.Msg.Generation != 1 || s.Msg.ClockUnit != "blocks" || len(s.Msg.Addresses) == 0 || s.Msg.Version != "test" {
		t.Errorf("status %v", s.Msg)
	}
	b, err := c.GetBalance(t.Context(), connect.NewRequest(&antev1.GetBalanceRequest{}))
	if err != nil || b.Msg.Bank != "0" || b.Msg.Wallet != "1000000000000000000000000" {
		t.Errorf("balance %v, %v", b, err)
	}
	g, err := c.ListGames(t.Context(), connect.NewRequest(&antev1.ListGamesRequest{}))
	if err != nil || len(g.Msg.Games) == 0 || g.Msg.Games[0].Rules == "" || len(g.Msg.Games[0].Parameters) == 0 {
		t.Errorf("games %v, %v", g, err)
	}
}

// drawn asks for what a block of the chain draws.
func drawn(t *testing.T, c antev1connect.NodeServiceClient) {
	r, err := c.VerifyRound(t.Context(), connect.NewRequest(&antev1.VerifyRoundRequest{Block: 1, PriceCoins: "10"}))
	if err != nil {
		t.Fatal(err)
	}
	got, want := r.Msg.Draw, box9.Draw(common.HexToHash(r.Msg.Draw.Hash), 10)
	if got.Hash == (common.Hash{}).Hex() || got.Gold != uint32(want.Gold) || got.Rehash != want.Rehash.Hex() || len(got.Parts) != box9.Boxes {
		t.Errorf("block 1 draws %v, want %v", got, want)
	}
}

// resumable reads the events of two deposits, the second of which happens while the stream is open,
// and again from the cursor of the first.
func resumable(t *testing.T, c antev1connect.NodeServiceClient) {
	stream, err := c.StreamEvents(t.Context(), connect.NewRequest(&antev1.StreamEventsRequest{}))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var cursors []uint64
	for _, amount := range []string{"1000", "2000"} {
		_, err := c.Deposit(t.Context(), connect.NewRequest(&antev1.DepositRequest{Amount: amount}))
		if err != nil {
			t.Fatal(err)
		}
		for found := false; !found; {
			if !stream.Receive() {
				t.Fatal(stream.Err())
			}
			e := stream.Msg().Event
			found = e.Kind == string(node.Transaction) && strings.Contains(e.Text, "deposit "+amount+" wei")
			cursors = append(cursors, e.Cursor)
		}
	}
	for i, after := range cursors {
		again, err := c.StreamEvents(t.Context(), connect.NewRequest(&antev1.StreamEventsRequest{After: after, PastOnly: true}))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range cursors[i+1:] {
			if !again.Receive() || again.Msg().Event.Cursor != want {
				t.Errorf("after %d comes %v, %v; want %d", after, again.Msg(), again.Err(), want)
			}
		}
		_ = again.Close()
	}
	txs, err := c.ListTransactions(t.Context(), connect.NewRequest(&antev1.ListTransactionsRequest{Limit: 1}))
	if err != nil || len(txs.Msg.Transactions) != 1 || txs.Msg.Transactions[0].GasUsed == 0 ||
		txs.Msg.Transactions[0].Why != "deposit 2000 wei" {
		t.Errorf("transactions %v, %v", txs, err)
	}
}

// misspeltJSON: a request with a name that there is not is refused, and not done without it.
func misspeltJSON(t *testing.T, server *httptest.Server) {
	for _, kind := range []string{"application/json", "application/json; charset=utf-8"} {
		for procedure, body := range map[string]string{
			antev1connect.NodeServiceWithdrawProcedure:     `{"amounts":"1"}`,
			antev1connect.NodeServiceCreateAccessProcedure: `{"name":"bot","scope":"ACCESS_SCOPE_PLAY","limits":[{"amount":"1","aset":"0x12"}]}`,
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+procedure, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", kind)
			r.Header.Set("Authorization", "Bearer "+token)
			reply, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(reply.Body)
			_ = reply.Body.Close()
			if err != nil || reply.StatusCode != http.StatusBadRequest || !strings.Contains(string(said), "unknown field") {
				t.Errorf("%s, %s, %s: %s: %s, %v", procedure, kind, body, reply.Status, said, err)
			}
		}
	}
}

// plainJSON: a script needs nothing but an HTTP client.
func plainJSON(t *testing.T, server *httptest.Server) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+antev1connect.NodeServiceGetStatusProcedure, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	reply, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK || !strings.Contains(string(body), `"clockUnit":"blocks"`) {
		t.Errorf("%s: %s, %v", reply.Status, body, err)
	}
}
