package node_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Tokens are bought, put into the bank, taken out again and redeemed; while they are in the bank there is nothing to redeem.
func TestGameToken(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	deployed, err := world.Chain.Deploy(ctx, append(common.FromHex(bindings.GameTokenMetaData.Bin), bindings.NewGameToken().PackConstructor(big.NewInt(1000))...))
	must(t, err)
	token := deployed.ContractAddress
	p := join(t, nil)
	mined := func(key string, err error) {
		t.Helper()
		must(t, err)
		_, err = p.Mined(ctx, key)
		must(t, err)
	}
	holds := func(want uint64) {
		t.Helper()
		if got, err := p.TokenBalance(ctx, token); err != nil || got.Uint64() != want {
			t.Fatalf("the wallet holds %v, %v, want %d", got, err, want)
		}
	}
	r, err := p.BuyTokens(ctx, token, uint256.NewInt(5))
	mined(r.Key, err)
	holds(5000)
	r, err = p.Deposit(ctx, token, uint256.NewInt(4000))
	mined(r.Key, err)
	_, tooMany := p.RedeemTokens(ctx, token, uint256.NewInt(5000))
	_, dust := p.RedeemTokens(ctx, token, uint256.NewInt(999))
	_, noToken := p.BuyTokens(ctx, common.Address{5}, uint256.NewInt(5))
	_, tooPoor := p.BuyTokens(ctx, token, new(uint256.Int).Lsh(ether, 60))
	_, nothing := p.BuyTokens(ctx, token, new(uint256.Int))
	for name, err := range map[string]error{"too many": tooMany, "dust": dust, "no token": noToken, "too poor": tooPoor, "nothing": nothing} {
		if !errors.Is(err, node.ErrFunds) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err = p.Withdraw(ctx, token, uint256.NewInt(4000), p.Account())
	mined(r.Key, err)
	r, err = p.RedeemTokens(ctx, token, uint256.NewInt(5000))
	mined(r.Key, err)
	holds(0)
}
