package devnet_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

func start(t *testing.T, config devnet.Config) (*devnet.Chain, *ethclient.Client) {
	t.Helper()
	chain, err := devnet.Start(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chain.Close(); err != nil {
			t.Error(err)
		}
	})
	client, err := ethclient.Dial(chain.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return chain, client
}

func number(t *testing.T, client *ethclient.Client) uint64 {
	t.Helper()
	n, err := client.BlockNumber(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pay sends one wei from account 0 to account 1.
func pay(t *testing.T, chain *devnet.Chain, client *ethclient.Client) common.Hash {
	t.Helper()
	nonce, err := client.PendingNonceAt(context.Background(), chain.Address(0))
	if err != nil {
		t.Fatal(err)
	}
	return payWith(t, chain, client, nonce)
}

func payWith(t *testing.T, chain *devnet.Chain, client *ethclient.Client, nonce uint64) common.Hash {
	t.Helper()
	to := chain.Address(1)
	tx := types.MustSignNewTx(chain.Key(0), types.LatestSignerForChainID(new(big.Int).SetUint64(chain.ChainID())), &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(chain.ChainID()), Nonce: nonce, To: &to, Value: big.NewInt(1),
		Gas: params.TxGas, GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(10 * params.GWei),
	})
	if err := client.SendTransaction(context.Background(), tx); err != nil {
		t.Fatal(err)
	}
	return tx.Hash()
}

func TestABlockIsMadeWhenATransactionArrives(t *testing.T) {
	chain, err := devnet.Start(devnet.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer chain.Close()
	client, err := ethclient.Dial(chain.WS())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	heads := make(chan *types.Header, 16)
	subscription, err := client.SubscribeNewHead(context.Background(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer subscription.Unsubscribe()

	tx := pay(t, chain, client)
	if head := <-heads; head.Number.Uint64() != 1 {
		t.Fatalf("head %d, want 1", head.Number)
	}
	receipt, err := client.TransactionReceipt(context.Background(), tx)
	if err != nil {
		t.Fatal(err)
	}
	if receipt.BlockNumber.Uint64() != 1 || receipt.Status != 1 {
		t.Fatalf("receipt %+v", receipt)
	}
}

func TestManualBlocksTimeAndReorg(t *testing.T) {
	chain, client := start(t, devnet.Config{Manual: true, Seed: "fixed"})
	ctx := context.Background()

	if id, err := client.ChainID(ctx); err != nil || id.Uint64() != devnet.DefaultChainID {
		t.Fatalf("chain id %v, %v", id, err)
	}
	tx := pay(t, chain, client)
	if n := number(t, client); n != 0 {
		t.Fatalf("head %d before Mine", n)
	}
	if err := chain.Mine(3); err != nil {
		t.Fatal(err)
	}
	if n := number(t, client); n != 3 {
		t.Fatalf("head %d, want 3", n)
	}
	before, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := chain.AdvanceTime(time.Hour); err != nil {
		t.Fatal(err)
	}
	after, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if after.Number.Uint64() != 4 || after.Time != before.Time+3600 {
		t.Fatalf("head %d at %d, want 4 at %d", after.Number, after.Time, before.Time+3600)
	}

	if err := chain.Reorg(4); err != nil {
		t.Fatal(err)
	}
	if n := number(t, client); n != 5 {
		t.Fatalf("head %d after a reorg of 4, want 5", n)
	}
	replaced, err := client.HeaderByNumber(ctx, big.NewInt(4))
	if err != nil {
		t.Fatal(err)
	}
	if replaced.Hash() == after.Hash() {
		t.Fatal("block 4 is still the old one")
	}
	if _, err := client.TransactionReceipt(ctx, tx); !errors.Is(err, ethereum.NotFound) {
		t.Fatalf("receipt of a transaction that was taken back: %v", err)
	}
	if err := chain.Reorg(6); err == nil || !strings.Contains(err.Error(), "only 5") {
		t.Fatalf("reorg below the genesis: %v", err)
	}
}

// The first block's transactions are indexed in the background: that must not be seen.
func TestAReceiptThatIsNotThereIsNotFound(t *testing.T) {
	for range 20 {
		chain, client := start(t, devnet.Config{Manual: true})
		if err := chain.Mine(1); err != nil {
			t.Fatal(err)
		}
		if _, err := client.TransactionReceipt(context.Background(), common.Hash{1}); !errors.Is(err, ethereum.NotFound) {
			t.Fatal(err)
		}
	}
}

// The pool works in the background, and must not be seen to.
func TestABlockHasAllThatWasSentBefore(t *testing.T) {
	chain, client := start(t, devnet.Config{Manual: true})
	for nonce := uint64(0); nonce < 150; nonce += 3 {
		for i := range uint64(3) {
			payWith(t, chain, client, nonce+i)
		}
		if err := chain.Mine(1); err != nil {
			t.Fatal(err)
		}
		mined, err := client.NonceAt(context.Background(), chain.Address(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		if mined != nonce+3 {
			t.Fatalf("%d transactions are mined, want %d", mined, nonce+3)
		}
		if nonce%2 == 0 {
			continue
		}
		if err := chain.Rewind(1); err != nil { // and send them again
			t.Fatal(err)
		}
		for i := range uint64(3) {
			payWith(t, chain, client, nonce+i)
		}
		if err := chain.Mine(1); err != nil {
			t.Fatal(err)
		}
	}
}

// What a write to an empty slot costs shows which fork prices storage.
func TestOsakaRules(t *testing.T) {
	chain, client := start(t, devnet.Config{Manual: true})
	// The init code is sstore(0, 1).
	tx, err := chain.Send(context.Background(), chain.Key(0), types.DynamicFeeTx{Data: common.FromHex("60015f55")})
	if err != nil {
		t.Fatal(err)
	}
	if err := chain.Mine(1); err != nil {
		t.Fatal(err)
	}
	receipt, err := client.TransactionReceipt(context.Background(), tx.Hash())
	if err != nil {
		t.Fatal(err)
	}
	// 53,000 creation; 4 non-zero bytes of calldata; 2 per word of init code; PUSH1 3, PUSH0 2,
	// SSTORE 22,100.
	if want := uint64(53_000 + 4*16 + 2 + 3 + 2 + 22_100); receipt.GasUsed != want {
		t.Fatalf("a storage write cost %d gas, want %d", receipt.GasUsed, want)
	}
}

func TestAChainSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	chain, err := devnet.Start(devnet.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := chain.Mine(5); err != nil {
		t.Fatal(err)
	}
	owner := chain.Address(0)
	if _, err := devnet.Start(devnet.Config{DataDir: dir}); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Fatalf("a second chain on one directory: %v", err)
	}
	if err := chain.Close(); err != nil {
		t.Fatal(err)
	}
	if err := chain.Close(); err != nil {
		t.Fatal("second Close:", err)
	}

	again, client := start(t, devnet.Config{DataDir: dir, Manual: true})
	if n := number(t, client); n != 5 {
		t.Fatalf("head %d after a restart, want 5", n)
	}
	if again.Address(0) != owner {
		t.Fatal("other accounts after a restart")
	}
	pay(t, again, client)
	if err := again.Mine(1); err != nil {
		t.Fatal(err)
	}
	if n := number(t, client); n != 6 {
		t.Fatalf("head %d, want 6", n)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	first, _ := start(t, devnet.Config{})
	kept, err := devnet.Start(devnet.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	var port int
	if _, after, ok := strings.Cut(first.URL(), "127.0.0.1:"); ok {
		for _, digit := range after {
			port = port*10 + int(digit-'0')
		}
	}
	for name, test := range map[string]struct {
		config devnet.Config
		want   string
	}{
		"port in use":      {devnet.Config{Port: port}, "choose another"},
		"other accounts":   {devnet.Config{DataDir: dir, Accounts: 3}, "other accounts"},
		"short block time": {devnet.Config{BlockTime: time.Millisecond}, "a second or more"},
		"two modes":        {devnet.Config{BlockTime: time.Second, Manual: true}, "not together"},
	} {
		t.Run(name, func(t *testing.T) {
			chain, err := devnet.Start(test.config)
			if err == nil {
				chain.Close()
				t.Fatal("started")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %q does not say %q", err, test.want)
			}
		})
	}
}

func TestDeploy(t *testing.T) {
	ctx := context.Background()
	addresses := make(map[common.Address]bool)
	for range 2 {
		chain, client := start(t, devnet.Config{Seed: "fixed"})
		receipt, err := chain.DeployArena(ctx, true, 4, 1000)
		if err != nil {
			t.Fatal(err)
		}
		addresses[receipt.ContractAddress] = true
		if code, err := client.CodeAt(ctx, receipt.ContractAddress, receipt.BlockNumber); err != nil || len(code) == 0 {
			t.Fatalf("no code, %v", err)
		}
		if _, err := chain.Deploy(ctx, common.FromHex("fe")); err == nil || !strings.Contains(err.Error(), "constructor failed") {
			t.Fatalf("a constructor that fails: %v", err)
		}
	}
	if len(addresses) != 1 {
		t.Fatalf("one seed gives the Arena %d addresses", len(addresses))
	}
}

// TestDeployAll: contracts that fit in one block are in one, in every mode; those that don't are in
// the next. One that fails, and one that no chain takes, let those before it stand.
func TestDeployAll(t *testing.T) {
	ctx := context.Background()
	fine, fails, huge := common.FromHex("00"), common.FromHex("fe"), make([]byte, 200_000)
	loop := common.FromHex("5b620f4240" + "5a11" + "5f57" + "00") // jumpdest; while gas > 1,000,000
	for _, manual := range []bool{false, true} {
		chain, _ := start(t, devnet.Config{Manual: manual})
		for _, c := range []struct {
			codes  [][]byte
			made   int
			blocks uint64
		}{
			{[][]byte{fine, fine, fine}, 3, 1},
			{[][]byte{fine, fails, fine}, 1, 1},
			{[][]byte{fine, huge, fine}, 1, 1},
			{[][]byte{loop, loop, loop, loop}, 4, 2},
			{[][]byte{fine, fine}, 2, 1},
		} {
			before := chain.Head()
			made, err := chain.DeployAll(ctx, c.codes...)
			if len(made) != c.made || (err == nil) != (len(made) == len(c.codes)) {
				t.Fatalf("made %d of %d contracts: %v", len(made), len(c.codes), err)
			}
			if blocks := chain.Head() - before; blocks != c.blocks {
				t.Errorf("%d contracts took %d blocks, want %d", len(c.codes), blocks, c.blocks)
			}
		}
	}
}
