package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/signertest"
	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	cheating "github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/rogpeppe/go-internal/testscript"
)

// others are chains of other programs, each with what the endpoints of alice and carol allow: they
// are who takes a dispute there.
var others = []struct {
	name, program string // and where it is installed
	args          func(port string) []string
	undo          func(head, depth uint64) (method string, args []any) // the newest blocks
	alice, carol  string                                               // providers; empty: a WebSocket without limits
}{
	{"anvil", "../../node_modules/@foundry-rs/anvil-*/bin/anvil", func(port string) []string {
		return []string{"--port", port, "--block-time", "1", "--silent"}
	}, func(_, depth uint64) (string, []any) { return "anvil_reorg", []any{depth, []any{}} }, "", "QuickNode"},
	{"geth", "../../bin/geth", func(port string) []string {
		return []string{
			"--dev", "--dev.period", "1", "--http", "--http.port", port, "--ws", "--ws.port", port, "--ipcdisable", "--nodiscover",
			"--http.api", "eth,net,web3,debug", "--ws.api", "eth,net,web3", "--authrpc.port", "0", "--port", "0", "--verbosity", "1",
		}
	}, func(head, depth uint64) (string, []any) { return "debug_setHead", []any{hexutil.Uint64(head - depth)} }, "Alchemy", "Moralis"},
}

// TestOtherChains deploys to chains of other programs and plays matches there that end in a
// dispute: a silence, a lie, and a reorganisation in between. The endpoints of those who are
// wronged have the limits of providers. A chain that isn't installed is skipped: .ci/run installs
// all.
func TestOtherChains(t *testing.T) {
	for _, other := range others {
		t.Run(other.name, func(t *testing.T) {
			t.Parallel()
			found, err := filepath.Glob(other.program)
			if err != nil || len(found) == 0 {
				t.Skipf("%s is not installed", other.name)
			}
			port := freePort(t)
			chain := exec.Command(found[0], other.args(port)...) //nolint:gosec // a tool of the tests
			chain.Stderr = os.Stderr
			if err := chain.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = chain.Process.Kill()
				_ = chain.Wait() // it was killed
			})
			client, id := reach(t, "http://127.0.0.1:"+port)
			deployer, err := crypto.ToECDSA(crypto.Keccak256([]byte("deployer")))
			if err != nil {
				t.Fatal(err)
			}
			signer := signertest.Start(t, deployer)
			alice, carol := sold(t, port, other.alice), sold(t, port, other.carol)
			testscript.Run(t, testscript.Params{
				Dir:                 "testdata/others",
				RequireExplicitExec: true,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"run": run, "start": start, "cheat": cheat, "field": field, "until": until,
					"fund": func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(fund(client, args[0])) },
					"reorganise": func(ts *testscript.TestScript, _ bool, args []string) {
						ts.Check(reorganise(client, other.undo, args[0]))
					},
				},
				Setup: func(e *testscript.Env) error {
					e.Setenv("GORACE", "atexit_sleep_ms=10") // as in TestScripts
					e.Setenv("HTTP", "http://127.0.0.1:"+port)
					e.Setenv("WS", "ws://127.0.0.1:"+port)
					e.Setenv("SIGNER", signer.URL)
					e.Setenv("DEPLOYER", crypto.PubkeyToAddress(deployer.PublicKey).Hex())
					e.Setenv("ALICE_URL", alice)
					e.Setenv("CAROL_URL", carol)
					e.Setenv("ID", id)
					e.Values[background] = processes{}
					if err := os.WriteFile(filepath.Join(e.WorkDir, "password"), []byte("correct horse\n"), 0o600); err != nil {
						return err
					}
					return employ(e)
				},
			})
		})
	}
}

// sold returns the URL of an endpoint of the chain at a port that has a provider's limits.
func sold(t *testing.T, port, provider string) string {
	if provider == "" {
		return "ws://127.0.0.1:" + port
	}
	plan, known := chaintest.Plans[provider]
	if !known {
		t.Fatalf("the plan of %s is not known", provider)
	}
	e, err := chaintest.NewEndpoint("http://127.0.0.1:" + port)
	if err != nil {
		t.Fatal(err)
	}
	e.Sell(plan)
	t.Cleanup(func() {
		e.Close()
		t.Logf("%s refused %d requests of %v", provider, e.Refused(), e.Asked())
	})
	return e.URL
}

// liar is the whole of channeld, which lies.
func liar() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Main(ctx, os.Args[1:], cli.Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Games: catalog.Standard(),
		Adapt: func(c *node.Config) error { cheating.Lie(c); return nil },
	})
	stop()
	os.Exit(code)
}

func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// reach waits until a chain answers, and returns its id.
func reach(t *testing.T, url string) (*rpc.Client, string) {
	client, err := rpc.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		var id string
		err := client.CallContext(limited, &id, "eth_chainId")
		if err == nil {
			number, err := strconv.ParseUint(id, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			return client, strconv.FormatUint(number, 10)
		}
		select {
		case <-limited.Done():
			t.Fatal(err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// fund sends ten ether of the chain's own account, and waits until they are there.
func fund(client *rpc.Client, account string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var accounts []common.Address
	if err := client.CallContext(ctx, &accounts, "eth_accounts"); err != nil {
		return err
	}
	if len(accounts) == 0 {
		return errors.New("the chain has no account with money")
	}
	var hash common.Hash
	err := client.CallContext(ctx, &hash, "eth_sendTransaction", map[string]any{"from": accounts[0], "to": account, "value": "0x8ac7230489e80000"})
	for balance := "0x0"; err == nil && balance == "0x0"; time.Sleep(50 * time.Millisecond) {
		err = client.CallContext(ctx, &balance, "eth_getBalance", account, "latest")
	}
	return err
}

// reorganise undoes the block of an account's newest transaction, and all after it. They come again
// without transactions.
func reorganise(client *rpc.Client, undo func(head, depth uint64) (string, []any), account string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var head hexutil.Uint64
	if err := client.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return err
	}
	sent := func(block any) (n hexutil.Uint64, err error) {
		return n, client.CallContext(ctx, &n, "eth_getTransactionCount", account, block)
	}
	newest, err := sent("latest")
	if err != nil {
		return err
	}
	// Blocks come while this looks: the height tells which are undone.
	first := head
	for ; first > 0; first-- {
		if before, err := sent(first - 1); err != nil || before < newest {
			break
		}
	}
	if err := client.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return err
	}
	method, args := undo(uint64(head), uint64(head-first)+1)
	if err := client.CallContext(ctx, nil, method, args...); err != nil {
		return err
	}
	if now, err := sent("latest"); err != nil || now >= newest {
		return fmt.Errorf("the account has sent %d transactions, and %d before the reorganisation: %w", now, newest, err)
	}
	return nil
}
