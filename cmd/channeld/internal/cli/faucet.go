package cli

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
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

// fund sends play money from a dev chain's faucet and waits until it is there.
func (a *app) fund(ctx context.Context, dir, to, amount string) error {
	account, err := parseAddress("account", to)
	if err != nil {
		return err
	}
	value, err := wei.Unit{}.ParseTyped(amount)
	if err != nil {
		return err
	}
	receipt, err := send(ctx, dir, func(chain *ethclient.Client, opts *bind.TransactOpts) (*types.Transaction, error) {
		opts.Value, opts.GasLimit = value.ToBig(), params.TxGas
		return bind.NewBoundContract(account, abi.ABI{}, chain, chain, chain).RawTransact(opts, nil)
	})
	if err != nil {
		return err
	}
	return a.report(map[string]string{"hash": receipt.TxHash.Hex(), "to": to, "amount": value.Dec()}, "%s has %s more\n", to, wei.Format(value))
}

// deploy puts a contract on a dev chain, from its faucet's account.
func (a *app) deploy(ctx context.Context, dir, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the contract: %w", err)
	}
	code, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil || len(code) == 0 {
		return fmt.Errorf("%s: want a contract's init code in hexadecimal, as the compiler writes it", file)
	}
	receipt, err := send(ctx, dir, func(chain *ethclient.Client, opts *bind.TransactOpts) (*types.Transaction, error) {
		_, tx, err := bind.DeployContract(opts, code, chain, nil)
		return tx, err
	})
	if err != nil {
		return fmt.Errorf("deploy %s: %w", file, err)
	}
	at := receipt.ContractAddress.Hex()
	return a.report(map[string]any{"address": at, "gas": receipt.GasUsed}, "deployed at %s\n", at)
}

// send sends a transaction of a dev chain's faucet and waits until it is in a block.
func send(ctx context.Context, dir string, make func(*ethclient.Client, *bind.TransactOpts) (*types.Transaction, error)) (*types.Receipt, error) {
	network, err := config.Load(filepath.Join(dir, networkFile), nil, nil)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, faucetFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("there is no dev chain here: run channeld devnet, or say where its files are with --out: %w", err)
	}
	key, err := crypto.HexToECDSA(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil {
		return nil, fmt.Errorf("%s holds no key: start the dev chain again", file)
	}
	chain, err := ethclient.DialContext(ctx, network.Chain.URL)
	if err != nil {
		return nil, fmt.Errorf("reach the dev chain: %w", err)
	}
	defer chain.Close()
	opts := bind.NewKeyedTransactor(key, new(big.Int).SetUint64(network.Chain.ID))
	opts.Context, opts.GasTipCap, opts.GasFeeCap = ctx, big.NewInt(1), big.NewInt(100*params.GWei)
	tx, err := make(chain, opts)
	if err != nil {
		return nil, fmt.Errorf("the dev chain of %s does not answer, or is another one by now: run channeld devnet: %w", dir, err)
	}
	receipt, err := bind.WaitMined(ctx, chain, tx.Hash())
	if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
		err = errors.New("the transaction failed on the dev chain")
	}
	return receipt, err
}

// parseAddress reads a typed address. For error messages, what names it.
func parseAddress(what, typed string) (common.Address, error) {
	if !common.IsHexAddress(typed) {
		return common.Address{}, fmt.Errorf("%q is no %s: want 0x and 40 hexadecimal digits", typed, what)
	}
	return common.HexToAddress(typed), nil
}
