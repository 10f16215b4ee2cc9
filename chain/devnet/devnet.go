// Package devnet runs an Ethereum chain inside the process: go-ethereum's own node in dev mode,
// with real JSON-RPC on loopback, funded accounts and the rules of the Osaka fork. It is the chain
// of the demo, of the tests, and of a first look at the daemon; nothing about it is simulated but
// the validators.
//
// A block is made as soon as a transaction arrives (the default), at a fixed interval
// (Config.BlockTime), or only when asked (Config.Manual). Mine and AdvanceTime make blocks in every
// mode, so that windows of hours pass at once; Reorg takes blocks back. With Config.DataDir set the
// chain survives a restart.
//
// All methods are safe for concurrent use.
package devnet

import (
	"cmp"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/catalyst"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/eth/filters"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/p2p"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
)

// DefaultChainID is the chain id where Config names none.
const DefaultChainID = 1337

// gasLimit of a block: what Ethereum's mainnet has.
const gasLimit = 60_000_000

// Config describes a chain. The zero value is a chain in memory that makes a block when a
// transaction arrives.
type Config struct {
	ChainID uint64 // 0: DefaultChainID
	Port    int    // of the JSON-RPC endpoint on loopback; 0: any free one
	// at least a second: a block at this interval; 0: a block when a transaction arrives
	BlockTime time.Duration
	Manual    bool // blocks are made by Mine and AdvanceTime only
	Accounts  int  // number of funded accounts; 0: 10
	// the accounts' keys follow from it; "": random, or what DataDir remembers
	Seed    string
	DataDir string // where the chain is kept; "": in memory
	// without the factory of contracts that chains usually have (see chain/deploy); it can be made
	// by its transaction, which is bound to no chain
	Bare bool
	Code map[common.Address][]byte // of contracts that are there from the start
}

// Chain is a running chain.
type Chain struct {
	config   Config
	keys     keys
	deployer *ecdsa.PrivateKey
	stack    *node.Node
	backend  *eth.Ethereum

	// held while blocks are made or taken back, shared while the pool takes a transaction
	mining sync.RWMutex
	beacon *catalyst.SimulatedBeacon
	sealed func(*types.Block)

	stop chan struct{}
	done sync.WaitGroup
	once sync.Once
}

// Start starts a chain. Call Close when it is no longer needed.
func Start(config Config) (*Chain, error) {
	config.ChainID = cmp.Or(config.ChainID, DefaultChainID)
	config.Accounts = cmp.Or(config.Accounts, 10)
	if config.BlockTime != 0 && (config.Manual || config.BlockTime < time.Second) {
		return nil, fmt.Errorf("devnet: block time %v: want a second or more, and not together with Manual", config.BlockTime)
	}
	if config.DataDir != "" {
		if err := os.MkdirAll(config.DataDir, 0o700); err != nil {
			return nil, fmt.Errorf("devnet: %w", err)
		}
	}
	accounts, err := loadKeys(config) // one more than asked for: the deployer's
	if err != nil {
		return nil, fmt.Errorf("devnet: accounts: %w", err)
	}
	stack, err := node.New(&node.Config{
		Name:     "devnet",
		DataDir:  config.DataDir,
		HTTPHost: "127.0.0.1", HTTPPort: config.Port,
		WSHost: "127.0.0.1", WSPort: config.Port,
		HTTPModules: []string{"eth", "net", "web3", "debug"}, WSModules: []string{"eth", "net", "web3"},
		HTTPTimeouts:      rpc.DefaultHTTPTimeouts,
		BatchRequestLimit: 1000, BatchResponseMaxSize: 25_000_000,
		DBEngine: "pebble",
		P2P:      p2p.Config{NoDiscovery: true, NoDial: true},
	})
	if err != nil {
		return nil, explain(config, err)
	}
	c := &Chain{
		config: config, keys: accounts[:config.Accounts], deployer: accounts[config.Accounts],
		stack: stack, stop: make(chan struct{}),
	}
	if err := c.start(); err != nil {
		_ = stack.Close() // which a stack that does not start has done by itself
		return nil, explain(config, err)
	}
	return c, nil
}

func (c *Chain) start() (err error) {
	settings := ethconfig.Defaults
	settings.Genesis = c.genesis()
	settings.SyncMode = ethconfig.FullSync
	settings.TxPool.NoLocals = true
	settings.BlobPool.Datadir = ""
	settings.Miner.GasCeil = gasLimit
	settings.Miner.GasPrice = big.NewInt(1)
	// after that a block is sealed with what is in it: never because the machine was busy
	settings.Miner.Recommit = time.Hour
	// a call takes as long as its gas does, on a busy machine too
	settings.RPCEVMTimeout = 0
	settings.LogNoHistory = true // logs are searched block by block: no index to wait for
	settings.DatabaseCache, settings.TrieCleanCache, settings.TrieDirtyCache, settings.SnapshotCache = 32, 32, 32, 32
	if c.backend, err = eth.New(c.stack, &settings); err != nil {
		return err
	}
	c.stack.RegisterAPIs([]rpc.API{
		{Namespace: "eth", Service: filters.NewFilterAPI(filters.NewFilterSystem(c.backend.APIBackend, filters.Config{}))},
		{Namespace: "eth", Service: transactions{c}},
	})
	if err = c.stack.Start(); err != nil {
		return err
	}
	if c.beacon, err = catalyst.NewSimulatedBeacon(0, common.Address{}, c.backend); err != nil {
		return err
	}
	c.backend.SetSynced()
	c.produce()
	return nil
}

// genesis funds the accounts, under the rules of Osaka: go-ethereum's dev configuration would add a
// fork that isn't released, and price storage by it.
func (c *Chain) genesis() *core.Genesis {
	rules := *params.AllDevChainProtocolChanges
	rules.ChainID = new(big.Int).SetUint64(c.config.ChainID)
	rules.BogotaTime = nil
	genesis := &core.Genesis{
		Config:   &rules,
		GasLimit: gasLimit,
		BaseFee:  big.NewInt(params.InitialBaseFee),
		Alloc:    core.SystemContractAllocs(),
	}
	if c.config.Bare {
		delete(genesis.Alloc, params.DeterministicFactoryAddress)
	}
	for at, code := range c.config.Code {
		genesis.Alloc[at] = types.Account{Code: code, Balance: new(big.Int)}
	}
	million := new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(params.Ether))
	for _, key := range append(slices.Clone(c.keys), c.deployer) {
		genesis.Alloc[crypto.PubkeyToAddress(key.PublicKey)] = types.Account{Balance: million}
	}
	return genesis
}

// URL returns the JSON-RPC endpoint, over HTTP.
func (c *Chain) URL() string { return c.stack.HTTPEndpoint() }

// WS returns the JSON-RPC endpoint, over WebSocket.
func (c *Chain) WS() string { return c.stack.WSEndpoint() }

// Client returns a client of the chain that needs no network. Close it when done.
func (c *Chain) Client() *ethclient.Client { return ethclient.NewClient(c.stack.Attach()) }

// ChainID returns the chain's id.
func (c *Chain) ChainID() uint64 { return c.config.ChainID }

// Close stops the chain and, if it has a data directory, saves it. Closing twice does nothing.
func (c *Chain) Close() (err error) {
	c.once.Do(func() {
		close(c.stop)
		c.done.Wait()
		c.mining.Lock()
		defer c.mining.Unlock()
		err = errors.Join(c.beacon.Stop(), c.stack.Close())
	})
	return err
}

func explain(config Config, err error) error {
	operation, is := errors.AsType[*net.OpError](err)
	switch {
	case errors.As(err, new(*core.GenesisMismatchError)):
		return fmt.Errorf("devnet: %s holds a chain with other accounts or another id: use its seed and number of accounts, or another directory: %w", config.DataDir, err)
	case errors.Is(err, node.ErrDatadirUsed):
		return fmt.Errorf("devnet: %s is in use by another process: stop that one, or use another directory: %w", config.DataDir, err)
	case is && operation.Op == "listen":
		return fmt.Errorf("devnet: cannot listen on port %d: choose another (channeld devnet --port), or 0 for any: %w", config.Port, err)
	}
	return fmt.Errorf("devnet: %w", err)
}
