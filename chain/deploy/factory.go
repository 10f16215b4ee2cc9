package deploy

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Factory is the contract that creates others by CREATE2, at one address on every chain: anybody
// can put it there, with a transaction that has no key and so no other use.
var Factory = params.DeterministicFactoryAddress

// ErrNoFactory says that the factory could not be put on the chain.
var ErrNoFactory = errors.New("the chain does not have the deployment factory " + Factory.Hex() + ", and an endpoint refuses the transaction that makes it")

// maker is the account which that transaction is of, and endowment what it spends.
var (
	maker     = common.HexToAddress("0x3fAB184622Dc19b6109349B94811493BF2a45362")
	endowment = uint256.NewInt(params.Ether / 100)
)

// factoryTx is the transaction that makes the factory. Its signature is made up: whom it is of
// follows from that.
func factoryTx() *types.Transaction {
	twos := new(big.Int).SetBytes(common.FromHex("0x2222222222222222222222222222222222222222222222222222222222222222"))
	return types.NewTx(&types.LegacyTx{
		GasPrice: big.NewInt(100 * params.GWei), Gas: 100_000, Value: new(big.Int),
		Data: append(common.FromHex("0x604580600e600039806000f350fe"), params.DeterministicFactoryCode...),
		V:    big.NewInt(27), R: twos, S: twos,
	})
}

// makeFactory pays for the factory and puts it on the chain.
func (s Sending) makeFactory(ctx context.Context) error {
	// An endpoint that takes none without a chain id says so before it looks who pays: what is paid
	// for the factory, nobody gets back.
	if err := s.Client.Broadcast(ctx, factoryTx()); err != nil && strings.Contains(strings.ToLower(err.Error()), "replay") {
		return noFactory(err)
	}
	have, err := s.Client.Balance(ctx, maker)
	if err != nil {
		return err
	}
	if have.Lt(endowment) {
		value := *new(uint256.Int).Sub(endowment, have)
		if err := s.mine(ctx, chain.Request{Key: "the factory's gas", Why: "pay for the deployment factory", To: maker, Value: value}); err != nil {
			return err
		}
	}
	// Where one endpoint is many machines, what paid for it is not known to all of them at once.
	err = s.Client.Broadcast(ctx, factoryTx())
	for range patience {
		if err == nil || !strings.Contains(err.Error(), "insufficient funds") {
			break
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
		err = s.Client.Broadcast(ctx, factoryTx())
	}
	if err != nil {
		return noFactory(err)
	}
	return s.appears(ctx, "the deployment factory", Factory, params.DeterministicFactoryCode)
}

func noFactory(why error) error {
	return fmt.Errorf("%w: %w: name an endpoint that takes transactions without a chain id (geth: --rpc.allow-unprotected-txs)", ErrNoFactory, why)
}
