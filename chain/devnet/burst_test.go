package devnet_test

import (
	"context"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

const (
	burstAccounts = 10
	burstEach     = 300
)

// burst sends burstEach transactions from each of burstAccounts accounts at once, in the order of
// their nonces, and returns when the chain has accepted all.
func burst(t *testing.T, chain *devnet.Chain) {
	t.Helper()
	client := chain.Client()
	defer client.Close()
	id := new(big.Int).SetUint64(chain.ChainID())
	signer := types.LatestSignerForChainID(id)
	var done sync.WaitGroup
	for account := range burstAccounts {
		done.Go(func() {
			to := chain.Address(account)
			for nonce := range uint64(burstEach) {
				tx := types.MustSignNewTx(chain.Key(account), signer, &types.DynamicFeeTx{
					ChainID: id, Nonce: nonce, To: &to, Gas: params.TxGas,
					GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(100 * params.GWei),
				})
				if err := client.SendTransaction(context.Background(), tx); err != nil {
					t.Errorf("account %d, nonce %d: %v", account, nonce, err)
					return
				}
			}
		})
	}
	done.Wait()
}

// unmined counts the burst's transactions that no block has.
func unmined(t *testing.T, chain *devnet.Chain, client *ethclient.Client) (n uint64) {
	t.Helper()
	for account := range burstAccounts {
		nonce, err := client.NonceAt(context.Background(), chain.Address(account), nil)
		if err != nil {
			t.Fatal(err)
		}
		n += burstEach - nonce
	}
	return n
}

// Transactions that come while blocks are made are all in a block in the end: the next one has
// those that remain.
func TestBurst_WhileBlocksAreMade(t *testing.T) {
	chain, client := start(t, devnet.Config{Manual: true})
	sent := make(chan struct{})
	var miner sync.WaitGroup
	miner.Go(func() {
		for {
			select {
			case <-sent:
				return
			default:
				if err := chain.Mine(1); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	burst(t, chain)
	close(sent)
	miner.Wait()
	if err := chain.Mine(1); err != nil {
		t.Fatal(err)
	}
	if n := unmined(t, chain, client); n > 0 {
		t.Errorf("%d of %d accepted transactions are in no block", n, burstAccounts*burstEach)
	}
}

// A chain that makes blocks on demand goes on until every accepted transaction is in a block.
func TestBurst_OnDemand(t *testing.T) {
	chain, client := start(t, devnet.Config{})
	heads := make(chan *types.Header)
	socket, err := ethclient.Dial(chain.WS())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	subscription, err := socket.SubscribeNewHead(context.Background(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer subscription.Unsubscribe()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var blocks sync.WaitGroup
	blocks.Go(func() { // heads must be taken while the burst runs
		for n := unmined(t, chain, client); n > 0; n = unmined(t, chain, client) {
			select {
			case <-heads:
			case <-ctx.Done():
				t.Errorf("%d transactions are in no block", n)
				return
			}
		}
	})
	burst(t, chain)
	blocks.Wait()
}
