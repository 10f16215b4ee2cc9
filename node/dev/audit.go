package dev

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
)

// auditor keeps the books of a world's Arena, block by block: what it holds must be what it owes at
// every moment.
type auditor struct {
	chain  *devnet.Chain
	client *ethclient.Client
	arena  common.Address
	codec  *codec.Codec
	calls  *bindings.Arena
	tokens *bindings.GameToken // and, as far as it is one, any ERC-20

	mu      sync.Mutex
	auditor *audit.Auditor
	view    *devnet.View // after the newest block
	last    *types.Header
	first   error // the first that was wrong
}

func (w *World) watch() {
	w.auditor = &auditor{
		chain: w.Chain, client: w.Chain.Client(), arena: w.Arena, calls: bindings.NewArena(), tokens: bindings.NewGameToken(),
		codec: codec.New(protocol.Domain{ChainID: w.Chain.ChainID(), Arena: w.Arena}),
	}
	w.auditor.auditor = audit.New(w.auditor)
	w.Chain.Watch(w.auditor.sealed)
}

// Audit fails (audit.ErrInsolvent) when the Arena, after any block since the world began, did not
// hold exactly what it owed in ETH and in every token that was deposited.
func (w *World) Audit() error {
	w.auditor.mu.Lock()
	defer w.auditor.mu.Unlock()
	return w.auditor.first
}

// sealed takes a new block into account.
func (a *auditor) sealed(b *types.Block) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.first == nil {
		if err := a.take(context.Background(), b); err != nil {
			a.first = fmt.Errorf("after block %d: %w", b.NumberU64(), err)
		}
	}
	a.last = b.Header()
}

func (a *auditor) take(ctx context.Context, b *types.Block) error {
	query := ethereum.FilterQuery{Addresses: []common.Address{a.arena}, FromBlock: b.Number(), ToBlock: b.Number()}
	if a.last != nil && a.last.Hash() != b.ParentHash() { // blocks were taken back: begin anew
		a.auditor, query.FromBlock = audit.New(a), nil
	}
	logs, err := a.client.FilterLogs(ctx, query)
	if err != nil {
		return err
	}
	for _, l := range logs {
		e, err := a.codec.Decode(l)
		if errors.Is(err, codec.ErrLog) {
			continue // it moves no money, or the check finds that it did
		}
		if err != nil {
			return err
		}
		if err := a.auditor.Post(e); err != nil {
			return err
		}
	}
	if len(b.Transactions()) == 0 && query.FromBlock != nil {
		return nil
	}
	if a.view, err = a.chain.View(b); err != nil {
		return err
	}
	return a.auditor.Check()
}

func (a *auditor) Held(asset common.Address) (*uint256.Int, error) {
	if asset == (common.Address{}) {
		return a.view.Balance(a.arena), nil
	}
	return a.call(asset, a.tokens.PackBalanceOf(a.arena))
}

func (a *auditor) Bank(account, asset common.Address) (*uint256.Int, error) {
	return a.call(a.arena, a.calls.PackBalanceOf(asset, account))
}

func (a *auditor) call(to common.Address, data []byte) (*uint256.Int, error) {
	result, err := a.view.Call(to, data)
	if err != nil {
		return nil, err
	}
	if len(result) != 32 {
		return nil, errors.New("a balance of other than 32 bytes")
	}
	return new(uint256.Int).SetBytes(result), nil
}
