package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
)

// audit reads from the chain itself what was sent to the Arena, what that cost, and what the Arena
// still holds. It fails when the Arena did not hold what it owed at any moment.
func (s *stage) audit() error {
	if err := s.world.Audit(); err != nil {
		return err
	}
	if err := s.transactions(); err != nil {
		return err
	}
	held, err := s.alice.Balance(s.ctx, s.world.Arena)
	if err != nil {
		return err
	}
	for i := range s.world.Chain.Accounts() {
		free, err := s.alice.Bank(s.ctx, common.Address{}, s.world.Chain.Address(i))
		if err != nil {
			return err
		}
		held.Sub(held, free)
	}
	s.result.Locked = held.Dec()
	if err := s.count(); err != nil {
		return err
	}
	if !held.Eq(new(uint256.Int)) {
		return fmt.Errorf("the Arena still holds %s wei beyond free balances", held.Dec())
	}
	return nil
}

// count says how many moves alice's node told of, and how fast they followed each other.
func (s *stage) count() error {
	events, err := s.alice.Past(0)
	if err != nil {
		return err
	}
	s.result.Moves = 0
	for i := range events {
		if isMove(&events[i]) {
			s.result.Moves++
		}
	}
	s.result.MoveP50 = s.clock.median()
	return nil
}

// isMove reports whether an event tells of a move: after an expiry on-chain a match goes on with
// move 0 of a new epoch.
func isMove(e *node.Event) bool { return e.Kind == node.MatchMoved && uint32(e.Turn) > 0 }

// transactions lists the calls of the Arena in the order in which they were mined.
func (s *stage) transactions() error {
	client, err := ethclient.DialContext(s.ctx, s.world.URL)
	if err != nil {
		return err
	}
	defer client.Close()
	parsed, err := bindings.ArenaMetaData.ParseABI()
	if err != nil {
		return err
	}
	last, err := client.BlockNumber(s.ctx)
	if err != nil {
		return err
	}
	s.result.Transactions = s.result.Transactions[:0]
	for n := s.world.From + 1; n <= last; n++ {
		block, err := client.BlockByNumber(s.ctx, new(big.Int).SetUint64(n))
		if err != nil {
			return err
		}
		for _, tx := range block.Transactions() {
			if tx.To() == nil || *tx.To() != s.world.Arena {
				continue
			}
			receipt, err := client.TransactionReceipt(s.ctx, tx.Hash())
			if err != nil {
				return err
			}
			name := callName(parsed, tx.Data())
			if receipt.Status != types.ReceiptStatusSuccessful {
				name += " (reverted)"
			}
			s.result.Transactions = append(s.result.Transactions, transaction{name, receipt.GasUsed})
		}
	}
	return nil
}

// callName says what calldata calls, and, for a batch, what is in it.
func callName(parsed *abi.ABI, data []byte) string {
	if len(data) < 4 {
		return "nothing"
	}
	method, err := parsed.MethodById(data[:4])
	if err != nil {
		return fmt.Sprintf("%x", data[:4])
	}
	if method.Name != "batch" {
		return method.Name
	}
	arguments, err := method.Inputs.Unpack(data[4:])
	if err != nil || len(arguments) != 1 {
		return method.Name
	}
	calls, _ := arguments[0].([][]byte)
	parts := make([]string, len(calls))
	for i, c := range calls {
		parts[i] = callName(parsed, c)
	}
	return "batch(" + strings.Join(parts, "+") + ")"
}

// only checks that nothing else was sent to the Arena.
func (s *stage) only(calls ...string) error {
	if err := s.transactions(); err != nil {
		return err
	}
	var got []string
	for _, t := range s.result.Transactions {
		got = append(got, t.Name)
	}
	if !slices.Equal(got, calls) {
		return fmt.Errorf("transactions %v, want %v", got, calls)
	}
	return nil
}
