package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

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
	network, err := config.Load(filepath.Join(dir, networkFile), nil, nil)
	if err != nil {
		return err
	}
	key, err := faucet(filepath.Join(dir, faucetFile))
	if err != nil {
		return err
	}
	client, err := ethclient.DialContext(ctx, network.Chain.URL)
	if err != nil {
		return fmt.Errorf("reach the dev chain: %w", err)
	}
	defer client.Close()
	from := crypto.PubkeyToAddress(key.PublicKey)
	gas, err := client.EstimateGas(ctx, ethereum.CallMsg{From: from, Data: code})
	if err != nil {
		return fmt.Errorf("deploy %s: %w", file, err)
	}
	id, err := client.ChainID(ctx)
	if err != nil {
		return err
	}
	nonce, err := client.PendingNonceAt(ctx, from)
	if err != nil {
		return err
	}
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, Data: code, Gas: gas, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(100 * params.GWei),
	})
	if err != nil {
		return err
	}
	if err := client.SendTransaction(ctx, tx); err != nil {
		return err
	}
	receipt, err := bind.WaitMined(ctx, client, tx.Hash())
	if err != nil {
		return err
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return errors.New("the contract's constructor failed")
	}
	if a.json {
		return json.NewEncoder(a.Out).Encode(map[string]any{"address": receipt.ContractAddress.Hex(), "gas": receipt.GasUsed})
	}
	a.printf("deployed at %s\n", receipt.ContractAddress.Hex())
	return nil
}
