// Package deploy puts contracts on a chain, at addresses that follow from their code alone: they
// are the same on every chain, whoever deploys, and what is there is what this program would have
// put there. Look says what is missing and what that takes; Send does it, and may be repeated.
package deploy

import (
	"bytes"
	"context"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// salt is the one of every contract.
var salt = crypto.Keccak256Hash([]byte("ante"))

// Contract is what to deploy: its init code, the arguments of its constructor included.
type Contract struct {
	Name string
	Init []byte
}

// Address returns where a contract is on every chain.
func (c Contract) Address() common.Address {
	return crypto.CreateAddress2(Factory, salt, crypto.Keccak256(c.Init))
}

// Arena returns the Arena whose clock counts blocks, or else seconds, with the bounds for the
// windows of channels, in that clock.
func Arena(inBlocks bool, least, most uint64) Contract {
	return Contract{Name: "the Arena", Init: append(common.FromHex(bindings.ArenaMetaData.Bin),
		bindings.NewArena().PackConstructor(inBlocks, least, most)...)}
}

// Scoreboard returns the score board of an Arena.
func Scoreboard(arena common.Address) Contract {
	return Contract{Name: "the score board", Init: append(common.FromHex(bindings.ScoreboardMetaData.Bin), bindings.NewScoreboard().PackConstructor(arena)...)}
}

// CodeAt returns the code that a contract has at an address of a chain, whoever deployed it there.
func (c Contract) CodeAt(chainID uint64, at common.Address) ([]byte, error) {
	world, rules, err := empty(chainID)
	if err != nil {
		return nil, err
	}
	world.SetCode(at, c.Init, 0) // which returns the code when it is run
	code, _, err := runtime.Call(at, nil, &runtime.Config{ChainConfig: rules, GasLimit: params.MaxTxGas, State: world})
	if err != nil {
		return nil, fmt.Errorf("%s: its constructor fails: %w", c.Name, err)
	}
	return code, nil
}

// call returns what the factory is called with.
func (c Contract) call() []byte { return append(salt.Bytes(), c.Init...) }

// Step is a contract in a plan.
type Step struct {
	Contract
	Code  []byte // that the address has once it is deployed
	Gas   uint64 // of deploying it, on a chain that charges as Ethereum does
	There bool   // it is deployed
}

// Plan is what a chain has and lacks.
type Plan struct {
	Steps   []Step
	Factory bool // it has the factory
}

// Differs says that a chain has other code at an address than this program would put there.
type Differs struct {
	Name    string
	Address common.Address
}

func (e *Differs) Error() string {
	return fmt.Sprintf("%s: the code at %v is not what this program deploys there: this chain runs contracts in another way than Ethereum, or its endpoint lies: deploy elsewhere, or name another endpoint", e.Name, e.Address)
}

// Look compares a chain with the contracts, each of which may need those before it.
func Look(ctx context.Context, client *chain.Client, contracts []Contract) (*Plan, error) {
	steps, err := rehearse(client.ChainID(), contracts)
	if err != nil {
		return nil, err
	}
	p := &Plan{Steps: steps}
	return p, p.look(ctx, client)
}

// look sees what is there.
func (p *Plan) look(ctx context.Context, client *chain.Client) (err error) {
	if p.Factory, err = has(ctx, client, "the deployment factory", Factory, params.DeterministicFactoryCode); err != nil {
		return err
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.There, err = has(ctx, client, s.Name, s.Address(), s.Code); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether an account has the code that it should have; it may have none.
func has(ctx context.Context, client *chain.Client, name string, at common.Address, want []byte) (bool, error) {
	code, _, err := client.Code(ctx, at)
	if err != nil || len(code) == 0 {
		return false, err
	}
	if !bytes.Equal(code, want) {
		return false, &Differs{name, at}
	}
	return true, nil
}

// rehearse deploys contracts on a chain of its own, with an id.
func rehearse(chainID uint64, contracts []Contract) ([]Step, error) {
	world, rules, err := empty(chainID)
	if err != nil {
		return nil, err
	}
	world.SetCode(Factory, params.DeterministicFactoryCode, 0)
	steps := make([]Step, len(contracts))
	for i, c := range contracts {
		call := c.call()
		_, left, err := runtime.Call(Factory, call, &runtime.Config{ChainConfig: rules, GasLimit: params.MaxTxGas, State: world})
		code := world.GetCode(c.Address())
		if err != nil || len(code) == 0 {
			return nil, fmt.Errorf("%s can't be deployed: its constructor fails, or its code is too long", c.Name)
		}
		sent, err := core.IntrinsicGas(call, nil, nil, maker, &Factory, new(uint256.Int), rules.Rules(new(big.Int), true, 0))
		if err != nil {
			return nil, err
		}
		steps[i] = Step{Contract: c, Code: code, Gas: sent + params.MaxTxGas - left}
	}
	return steps, nil
}

// empty returns a chain of its own without anything on it, with an id, and its rules.
func empty(chainID uint64) (*state.StateDB, *params.ChainConfig, error) {
	world, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	rules := *params.MergedTestChainConfig
	rules.ChainID = new(big.Int).SetUint64(chainID)
	return world, &rules, err
}

// Missing returns what is still to be deployed.
func (p *Plan) Missing() (list []Step) {
	for _, s := range p.Steps {
		if !s.There {
			list = append(list, s)
		}
	}
	return list
}

// Cost returns the gas of what is missing, about, and what that comes to in wei, with what the
// chain charges for data.
func (p *Plan) Cost(market money.Market) (gas uint64, wei *uint256.Int) {
	wei = new(uint256.Int)
	for _, s := range p.Missing() {
		gas += s.Gas
		data := market.Bytes(s.call())
		wei.Add(wei, &data)
	}
	if gas != 0 && !p.Factory {
		gas += params.TxGas
		wei.Add(wei, endowment)
	}
	return gas, wei.Add(wei, new(uint256.Int).Mul(uint256.NewInt(gas), uint256.NewInt(market.Price())))
}
