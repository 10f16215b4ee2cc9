package contracts_test

import (
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// bank gives an account money and puts it into the Arena's bank.
func (tb *table) bank(account, asset common.Address, amount uint64) {
	tb.Helper()
	a := *uint256.NewInt(amount)
	if asset == eth {
		tb.chain.Fund(account, &a)
	} else {
		tb.mint(asset, account, amount)
		tb.tell(account, asset, tokenABI.PackApprove(tb.arena, a.ToBig()))
	}
	tb.by(account, func() { tb.must(onchain.Deposit{Account: account, Asset: asset, Amount: a}) })
}

func (tb *table) mint(token, to common.Address, amount uint64) {
	tb.Helper()
	tb.tell(to, token, tokenABI.PackMint(to, uint256.NewInt(amount).ToBig()))
}

// owed returns a bank balance.
func (tb *table) owed(account, asset common.Address) *uint256.Int {
	tb.Helper()
	out, err := tb.chain.Call(account, tb.arena, arenaABI.PackBalanceOf(asset, account))
	tb.ok(err)
	return new(uint256.Int).SetBytes(out)
}

// held returns what the Arena owns of an asset.
func (tb *table) held(asset common.Address) *uint256.Int { return tb.wallet(tb.arena, asset) }

// wallet returns what an account owns of an asset outside the Arena.
func (tb *table) wallet(account, asset common.Address) *uint256.Int {
	tb.Helper()
	if asset == eth {
		return tb.chain.Balance(account)
	}
	out, err := tb.chain.Call(account, asset, tokenABI.PackBalanceOf(account))
	tb.ok(err)
	return new(uint256.Int).SetBytes(out)
}

// banks returns the seats' bank balances of the channel's asset.
func (tb *table) banks() []uint64 {
	list := make([]uint64, len(tb.seats))
	for i, s := range tb.seats {
		list[i] = tb.owed(s.player.address, tb.terms.Asset).Uint64()
	}
	return list
}
