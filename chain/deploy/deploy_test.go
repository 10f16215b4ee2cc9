package deploy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/deploy"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func contracts() []deploy.Contract {
	arena := deploy.Arena(true, 4, 100)
	arena.Name = "arena"
	board := deploy.Scoreboard(arena.Address())
	board.Name = "board"
	return []deploy.Contract{arena, board}
}

// world is a chain without the factory, and what deploys there.
func world(t *testing.T, id uint64, url func(string) string) (*devnet.Chain, deploy.Sending) {
	t.Helper()
	return worldOf(t, devnet.Config{ChainID: id, Bare: true}, url)
}

func worldOf(t *testing.T, of devnet.Config, url func(string) string) (*devnet.Chain, deploy.Sending) {
	t.Helper()
	c, err := devnet.Start(of)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	client, err := chain.Dial(t.Context(), chain.Config{URL: url(c.URL())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := deploy.Sending{Client: client, Sender: sender(t, c, client), Poll: 10 * time.Millisecond, Done: func(name string, r chain.Report) { t.Log(name, r.GasUsed) }}
	return c, s
}

// sender sends what the chain's first account pays for, and remembers nothing of another's.
func sender(t *testing.T, c *devnet.Chain, client *chain.Client) *chain.Sender {
	t.Helper()
	s, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(c.Key(0)), Store: store.NewMemory(), Fees: chain.Fees{Reserve: 1},
		Now: func(ctx context.Context) (uint64, error) {
			head, err := client.Head(ctx)
			return head.Time, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func same(url string) string { return url }

func look(t *testing.T, s deploy.Sending) *deploy.Plan {
	t.Helper()
	plan, err := deploy.Look(t.Context(), s.Client, contracts())
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestDeploy: on two chains without anything the factory and the contracts come to the same
// addresses, for what was said before, and once.
func TestDeploy(t *testing.T) {
	t.Parallel()
	addresses := map[common.Address]int{}
	for _, id := range []uint64{1337, 4242} {
		c, s := world(t, id, same)
		plan := look(t, s)
		gas, _ := plan.Cost(money.Market{})
		var used uint64
		s.Done = func(_ string, r chain.Report) { used += r.GasUsed }
		if err := plan.Send(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if plan.Factory || used < gas-gas/100 || used > gas+gas/100 {
			t.Errorf("factory %v; it took %d gas, and %d was said before", plan.Factory, used, gas)
		}
		for _, step := range plan.Steps {
			addresses[step.Address()]++
			if code, err := step.CodeAt(id, step.Address()); err != nil || !bytes.Equal(code, step.Code) {
				t.Errorf("%s is taken to have other code than it has: %v", step.Name, err)
			}
		}
		if again := look(t, s); len(again.Missing()) != 0 || !again.Factory {
			t.Errorf("afterwards %d are missing", len(again.Missing()))
		}
		// Since when it is there is found, and is what it was.
		if err := c.Mine(20); err != nil {
			t.Fatal(err)
		}
		if since, err := s.Client.Since(t.Context(), plan.Steps[0].Address()); err != nil || since != 3 {
			t.Errorf("the Arena is there since block %d, %v; want 3", since, err)
		}
	}
	if len(addresses) != 2 {
		t.Errorf("the addresses of two contracts on two chains: %v", addresses)
	}
}

// TestDeployGoesOn: what is there already, as after a failure, is not paid for again.
func TestDeployGoesOn(t *testing.T) {
	t.Parallel()
	_, s := world(t, 1337, same)
	ctx, stop := context.WithCancel(t.Context())
	s.Done = func(name string, _ chain.Report) {
		if name == "arena" {
			stop()
		}
	}
	if err := look(t, s).Send(ctx, s); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	plan := look(t, s)
	if list := plan.Missing(); len(list) != 1 || list[0].Name != "board" || !plan.Factory {
		t.Fatalf("missing: %v", list)
	}
	if _, wei := plan.Cost(money.Market{Byte: 1}); wei.Uint64() != uint64(len(contracts()[1].Init))+32+200 {
		t.Errorf("the data of the rest costs %v", wei)
	}
	if _, wei := plan.Cost(money.Market{BaseFee: 1}); !wei.Lt(uint256.NewInt(10_000_000)) {
		t.Errorf("the rest costs %v", wei)
	}
	if err := plan.Send(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// TestDeployGoesOn_Waiting: what was sent before an interruption, and is in no block yet, is not
// sent again.
func TestDeployGoesOn_Waiting(t *testing.T) {
	t.Parallel()
	c, s := worldOf(t, devnet.Config{ChainID: 1337, Manual: true}, same)
	mine := func(string) {
		if err := c.Mine(1); err != nil {
			t.Error(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	s.Waits = func(string) { stop() }
	if err := look(t, s).Send(ctx, s); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.Sender, s.Waits = sender(t, c, s.Client), mine
	plan := look(t, s)
	if err := plan.Send(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if list := look(t, s).Missing(); len(list) != 0 {
		t.Errorf("missing: %v", list)
	}
	client := c.Client()
	defer client.Close()
	if n, err := client.NonceAt(t.Context(), c.Address(0), nil); err != nil || n != uint64(len(plan.Steps)) {
		t.Errorf("%d transactions, %v", n, err)
	}
}

// altered passes requests on to a chain, and changes what it answers.
func altered(t *testing.T, change func(request, answer []byte) []byte) func(string) string {
	return func(target string) string {
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
			body, _ := io.ReadAll(in.Body)
			response, err := http.Post(target, "application/json", bytes.NewReader(body)) //nolint:noctx // a test's
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			defer response.Body.Close()
			answer, _ := io.ReadAll(response.Body)
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(change(body, answer))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
}

// TestOtherCode: a chain that has something else at the address is refused, before anything is
// paid.
func TestOtherCode(t *testing.T) {
	t.Parallel()
	_, s := world(t, 1337, altered(t, func(request, answer []byte) []byte {
		if bytes.Contains(request, []byte("eth_getCode")) && bytes.Contains(bytes.ToLower(request), []byte(common.Bytes2Hex(contracts()[1].Address().Bytes()))) {
			return bytes.Replace(answer, []byte(`"0x"`), []byte(`"0x6001"`), 1)
		}
		return answer
	}))
	_, err := deploy.Look(t.Context(), s.Client, contracts())
	var differs *deploy.Differs
	if !errors.As(err, &differs) || differs.Name != "board" {
		t.Errorf("%v", err)
	}
}

// TestNoFactory: an endpoint that refuses the transaction without a chain id is named as the
// reason, before anything is paid for it.
func TestNoFactory(t *testing.T) {
	t.Parallel()
	c, s := world(t, 1337, altered(t, func(request, answer []byte) []byte {
		if bytes.Contains(request, []byte("eth_sendRawTransaction")) && bytes.Contains(request, []byte("2222222222222222")) {
			return []byte(`{"jsonrpc":"2.0","id":` + string(bytes.SplitN(bytes.SplitN(request, []byte(`"id":`), 2)[1], []byte(","), 2)[0]) +
				`,"error":{"code":-32000,"message":"only replay-protected (EIP-155) transactions allowed over RPC"}}`)
		}
		return answer
	}))
	if err := look(t, s).Send(t.Context(), s); !errors.Is(err, deploy.ErrNoFactory) {
		t.Errorf("%v", err)
	}
	client := c.Client()
	defer client.Close()
	if n, err := client.NonceAt(t.Context(), c.Address(0), nil); err != nil || n != 0 {
		t.Errorf("it paid for %d transactions, %v", n, err)
	}
}

// TestWhatCannotBeDeployed: a constructor that fails is found without a transaction.
func TestWhatCannotBeDeployed(t *testing.T) {
	t.Parallel()
	_, s := world(t, 1337, same)
	if _, err := deploy.Look(t.Context(), s.Client, []deploy.Contract{{Name: "broken", Init: []byte{0xfe}}}); err == nil {
		t.Error("no error")
	}
}
