package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestOtherChains deploys to chains of other programs and plays a match there that ends in a
// dispute. One that isn't installed is skipped: .ci/run installs all.
func TestOtherChains(t *testing.T) {
	for name, other := range map[string]struct {
		program string // where it is installed
		args    func(port string) []string
	}{
		"anvil": {"../../node_modules/@foundry-rs/anvil-*/bin/anvil", func(port string) []string {
			return []string{"--port", port, "--block-time", "1", "--silent"}
		}},
		"geth": {"../../bin/geth", func(port string) []string {
			return []string{
				"--dev", "--dev.period", "1", "--http", "--http.port", port, "--ws", "--ws.port", port, "--ipcdisable", "--nodiscover",
				"--http.api", "eth,net,web3", "--ws.api", "eth,net,web3", "--authrpc.port", "0", "--port", "0", "--verbosity", "1",
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := filepath.Glob(other.program)
			if err != nil || len(found) == 0 {
				t.Skipf("%s is not installed", name)
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
			testscript.Run(t, testscript.Params{
				Dir:                 "testdata/others",
				RequireExplicitExec: true,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"start": start, "field": field, "until": until,
					"fund": func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(fund(client, args[0])) },
				},
				Setup: func(e *testscript.Env) error {
					e.Setenv("HTTP", "http://127.0.0.1:"+port)
					e.Setenv("WS", "ws://127.0.0.1:"+port)
					e.Setenv("ID", id)
					e.Values[background] = processes{}
					return os.WriteFile(filepath.Join(e.WorkDir, "password"), []byte("correct horse\n"), 0o600)
				},
			})
		})
	}
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
