package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func (s *moneyCalls) GetBalance(ctx context.Context, r *connect.Request[antev1.GetBalanceRequest]) (*connect.Response[antev1.GetBalanceResponse], error) {
	of, err := parseAddress("asset", r.Msg.Asset, true)
	if err != nil {
		return nil, err
	}
	bank, locked, staked, err := s.inArena(ctx, of)
	if err != nil {
		return nil, err
	}
	reply := &antev1.GetBalanceResponse{Bank: bank.Dec(), Locked: locked.Dec(), Staked: staked.Dec()}
	wallet, err := s.node.TokenBalance(ctx, of)
	if err != nil {
		return nil, err
	}
	reply.Wallet = wallet.Dec()
	return connect.NewResponse(reply), nil
}

// inArena returns the player's money in the bank, in channels and in matches, as of one block:
// while a channel is paid out, money moves from one to another.
func (s *moneyCalls) inArena(ctx context.Context, asset common.Address) (bank *uint256.Int, locked, staked uint256.Int, err error) {
	const looks = 3 // where blocks come faster than the chain answers, the last one counts
	for range looks {
		before := s.node.Head()
		locked, staked = s.node.InChannels(asset)
		bank, err = s.node.BankBalance(ctx, asset)
		if err != nil || s.node.Head() == before {
			break
		}
	}
	return bank, locked, staked, err
}

func (s *moneyCalls) GetAsset(ctx context.Context, r *connect.Request[antev1.GetAssetRequest]) (*connect.Response[antev1.GetAssetResponse], error) {
	of, err := parseAddress("asset", r.Msg.Asset, true)
	if err != nil {
		return nil, err
	}
	unit, err := s.node.Unit(ctx, of)
	if err != nil {
		return nil, err
	}
	reply := &antev1.GetAssetResponse{Asset: asset(of), Symbol: unit.Symbol, Decimals: uint32(unit.Decimals)}
	if of == (common.Address{}) {
		reply.Symbol, reply.Decimals = "ETH", 18
	}
	return connect.NewResponse(reply), nil
}

func (s *moneyCalls) Deposit(ctx context.Context, r *connect.Request[antev1.DepositRequest]) (*connect.Response[antev1.DepositResponse], error) {
	of, badAsset := parseAddress("asset", r.Msg.Asset, true)
	amount, badAmount := parseAmount("amount", r.Msg.Amount)
	if err := errors.Join(badAsset, badAmount); err != nil {
		return nil, err
	}
	report, err := s.node.Deposit(ctx, of, amount)
	return connect.NewResponse(&antev1.DepositResponse{Transaction: transaction(&report)}), err
}

func (s *moneyCalls) Withdraw(ctx context.Context, r *connect.Request[antev1.WithdrawRequest]) (*connect.Response[antev1.WithdrawResponse], error) {
	of, badAsset := parseAddress("asset", r.Msg.Asset, true)
	to, badTo := parseAddress("to", cmp.Or(r.Msg.To, s.node.Account().Hex()), false)
	amount, err := parseAnyAmount("amount", r.Msg.Amount)
	if err := errors.Join(badAsset, badTo, err); err != nil {
		return nil, err
	}
	if amount == nil {
		amount, err = s.node.BankBalance(ctx, of)
	}
	if err != nil {
		return nil, err
	}
	report, err := s.node.Withdraw(ctx, of, amount, to)
	return connect.NewResponse(&antev1.WithdrawResponse{Transaction: transaction(&report)}), err
}

func (s *moneyCalls) BuyTokens(ctx context.Context, r *connect.Request[antev1.BuyTokensRequest]) (*connect.Response[antev1.BuyTokensResponse], error) {
	token, badToken := parseAddress("token", r.Msg.Token, false)
	paid, badAmount := parseAmount("paid", r.Msg.Paid)
	if err := errors.Join(badToken, badAmount); err != nil {
		return nil, err
	}
	report, err := s.node.BuyTokens(ctx, token, paid)
	return connect.NewResponse(&antev1.BuyTokensResponse{Transaction: transaction(&report)}), err
}

func (s *moneyCalls) RedeemTokens(ctx context.Context, r *connect.Request[antev1.RedeemTokensRequest]) (*connect.Response[antev1.RedeemTokensResponse], error) {
	token, badToken := parseAddress("token", r.Msg.Token, false)
	units, err := parseAnyAmount("amount", r.Msg.Amount)
	if err := errors.Join(badToken, err); err != nil {
		return nil, err
	}
	if units == nil {
		units, err = s.node.TokenBalance(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	report, err := s.node.RedeemTokens(ctx, token, units)
	return connect.NewResponse(&antev1.RedeemTokensResponse{Transaction: transaction(&report)}), err
}

func (s *moneyCalls) ListTransactions(_ context.Context, r *connect.Request[antev1.ListTransactionsRequest]) (*connect.Response[antev1.ListTransactionsResponse], error) {
	limit := cmp.Or(int(r.Msg.Limit), 100)
	reports, err := s.node.Transactions(limit)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.ListTransactionsResponse{Transactions: each(reports, transaction)}), nil
}

func transaction(r *chain.Report) *antev1.Transaction {
	t := &antev1.Transaction{Key: r.Key, Why: r.Why, Hash: id(r.Tx), Block: r.Block, GasUsed: r.GasUsed, Fee: r.Fee.Dec()}
	switch r.Progress {
	case chain.Waiting:
		t.Status = antev1.TransactionStatus_TRANSACTION_STATUS_WAITING
	case chain.Mined:
		t.Status = antev1.TransactionStatus_TRANSACTION_STATUS_MINED
	case chain.Done:
		t.Status = antev1.TransactionStatus_TRANSACTION_STATUS_FINAL
	case chain.Dropped:
		t.Status = antev1.TransactionStatus_TRANSACTION_STATUS_DROPPED
	}
	if r.Err != nil {
		t.Error = fmt.Sprint(r.Err)
	}
	return t
}
