package cli

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

// fund sends play money from a dev chain's faucet and waits until it is there.
func (a *app) fund(ctx context.Context, dir, to, amount string) error {
	if !common.IsHexAddress(to) {
		return fmt.Errorf("%q is no account: want 0x and 40 hexadecimal digits", to)
	}
	value, err := wei.Unit{}.ParseTyped(amount)
	if err != nil {
		return err
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
	tx, err := transfer(ctx, client, key, common.HexToAddress(to), value.ToBig())
	if err != nil {
		return fmt.Errorf("the dev chain of %s does not answer, or is another one by now: run channeld devnet: %w", dir, err)
	}
	if a.json {
		return json.NewEncoder(a.Out).Encode(map[string]string{"hash": tx.Hex(), "to": to, "amount": value.Dec()})
	}
	a.printf("%s has %s more\n", to, wei.Format(value))
	return nil
}

func faucet(file string) (*ecdsa.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("there is no dev chain here: run channeld devnet, or say where its files are with --out: %w", err)
	}
	key, err := crypto.HexToECDSA(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil {
		return nil, fmt.Errorf("%s holds no key: start the dev chain again", file)
	}
	return key, nil
}

func transfer(ctx context.Context, client *ethclient.Client, key *ecdsa.PrivateKey, to common.Address, value *big.Int) (common.Hash, error) {
	id, err := client.ChainID(ctx)
	if err != nil {
		return common.Hash{}, err
	}
	nonce, err := client.PendingNonceAt(ctx, crypto.PubkeyToAddress(key.PublicKey))
	if err != nil {
		return common.Hash{}, err
	}
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: &to, Value: value, Gas: params.TxGas, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(100 * params.GWei),
	})
	if err != nil {
		return common.Hash{}, err
	}
	if err := client.SendTransaction(ctx, tx); err != nil {
		return common.Hash{}, err
	}
	_, err = bind.WaitMined(ctx, client, tx.Hash())
	return tx.Hash(), err
}
