package faucet

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// Fund sends play money to accounts and waits until they have it. It returns the hash of the last
// transaction.
func Fund(ctx context.Context, dir string, wei *uint256.Int, accounts ...common.Address) (common.Hash, error) {
	receipt, err := send(ctx, dir, func(chain *ethclient.Client, opts *bind.TransactOpts) (tx *types.Transaction, err error) {
		opts.Value, opts.GasLimit = wei.ToBig(), params.TxGas
		nonce, err := chain.PendingNonceAt(ctx, opts.From)
		for i := 0; i < len(accounts) && err == nil; i++ {
			opts.Nonce = new(big.Int).SetUint64(nonce + uint64(i))
			tx, err = bind.NewBoundContract(accounts[i], abi.ABI{}, chain, chain, chain).RawTransact(opts, nil)
		}
		return tx, err
	})
	if err != nil {
		return common.Hash{}, err
	}
	return receipt.TxHash, nil
}

// Deploy puts a contract on the chain: its init code, in a file, in hexadecimal.
func Deploy(ctx context.Context, dir, file string) (*types.Receipt, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	code, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil || len(code) == 0 {
		return nil, fmt.Errorf("%s: want a contract's init code in hexadecimal, as the compiler writes it", file)
	}
	receipt, err := send(ctx, dir, func(chain *ethclient.Client, opts *bind.TransactOpts) (*types.Transaction, error) {
		_, tx, err := bind.DeployContract(opts, code, chain, nil)
		return tx, err
	})
	if err != nil {
		return nil, fmt.Errorf("deploy %s: %w", file, err)
	}
	return receipt, nil
}

// Answers fails when the chain whose files are there does not answer.
func Answers(ctx context.Context, dir string) error {
	chain, _, err := open(ctx, dir)
	if err == nil {
		chain.Close()
	}
	return err
}

// send sends a transaction of the faucet and waits until it is in a block.
func send(ctx context.Context, dir string, make func(*ethclient.Client, *bind.TransactOpts) (*types.Transaction, error)) (*types.Receipt, error) {
	chain, opts, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer chain.Close()
	tx, err := make(chain, opts)
	if err != nil {
		return nil, err
	}
	receipt, err := bind.WaitMined(ctx, chain, tx.Hash())
	if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
		err = errors.New("the transaction failed on the dev chain")
	}
	return receipt, err
}

// open connects to the chain, for transactions of the faucet.
func open(ctx context.Context, dir string) (*ethclient.Client, *bind.TransactOpts, error) {
	network, err := config.Load(filepath.Join(dir, Network), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, keyFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("there is no dev chain here: run channeld devnet, or say where its files are with --out: %w", err)
	}
	key, err := crypto.HexToECDSA(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil {
		return nil, nil, fmt.Errorf("%s holds no key: start the dev chain again", file)
	}
	opts := bind.NewKeyedTransactor(key, new(big.Int).SetUint64(network.Chain.ID))
	opts.Context, opts.GasTipCap, opts.GasFeeCap = ctx, big.NewInt(1), big.NewInt(100*params.GWei)
	client, err := rpc.DialOptions(ctx, network.Chain.URL, rpc.WithHeader("Accept-Encoding", "identity")) // it is on this machine
	if err != nil {
		return nil, nil, fmt.Errorf("reach the dev chain: %w", err)
	}
	chain := ethclient.NewClient(client)
	code, err := chain.CodeAt(ctx, network.Chain.Arena, nil)
	if err == nil && len(code) == 0 {
		err = errors.New("its Arena is not there")
	}
	if err != nil {
		chain.Close()
		return nil, nil, fmt.Errorf("the dev chain of %s does not answer, or is another one by now: run channeld devnet: %w", dir, err)
	}
	return chain, opts, nil
}
