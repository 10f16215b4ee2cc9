package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A thousand units of the token for a wei.
const rate = 1000

var gameToken = bindings.NewGameToken()

func (tb *table) gameToken() common.Address {
	tb.Helper()
	return tb.deploy(bindings.GameTokenMetaData.Bin, gameToken.PackConstructor(big.NewInt(rate)))
}

// pay sends a call with a value, and reports whether it succeeded.
func (tb *table) pay(from, to common.Address, value uint64, data []byte) bool {
	tb.Helper()
	v := uint256.NewInt(value)
	tb.chain.Fund(from, v)
	_, err := tb.chain.Send(minichain.Tx{From: from, To: &to, Value: *v, Data: data})
	return err == nil
}

func redeem(units uint64) []byte { return gameToken.PackRedeem(new(big.Int).SetUint64(units)) }

// What is bought can be redeemed for what it cost; the contract always holds what its tokens are
// worth.
func TestChecklist_SumsAndCows_01_TokenRoundTrip(t *testing.T) {
	tb := bareTable(t, 2)
	token := tb.gameToken()
	alice, bob := newKey("alice").address, newKey("bob").address
	backed := func(wei uint64) {
		t.Helper()
		out, err := tb.chain.Call(alice, token, gameToken.PackTotalSupply())
		tb.ok(err)
		if supply := new(uint256.Int).SetBytes(out); supply.Uint64() != wei*rate || tb.chain.Balance(token).Uint64() != wei {
			t.Fatalf("%s tokens and %s wei, want %d wei for all", supply.Dec(), tb.chain.Balance(token).Dec(), wei)
		}
	}
	if !tb.pay(alice, token, 7, gameToken.PackBuy()) || !tb.pay(bob, token, 5, nil) {
		t.Fatal("nothing can be bought")
	}
	backed(12)
	before := tb.chain.Balance(alice).Uint64()
	if tb.tell(alice, token, redeem(3*rate+rate-1)); tb.wallet(alice, token).Uint64() != 4*rate || tb.chain.Balance(alice).Uint64() != before+3 {
		t.Errorf("alice has %s tokens, %s wei", tb.wallet(alice, token).Dec(), tb.chain.Balance(alice).Dec())
	}
	backed(9)
	for name, done := range map[string]bool{
		"redeem more than held":         tb.pay(alice, token, 0, redeem(4*rate+rate)),
		"redeem less than a wei":        tb.pay(alice, token, 0, redeem(rate-1)),
		"buy for nothing":               tb.pay(alice, token, 0, gameToken.PackBuy()),
		"redeem what somebody else has": tb.pay(newKey("carol").address, token, 0, redeem(rate)),
	} {
		if done {
			t.Errorf("%s succeeds", name)
		}
	}
	tb.tell(alice, token, redeem(4*rate))
	tb.tell(bob, token, redeem(5*rate))
	backed(0)
	if _, _, err := tb.chain.Deploy(alice, append(common.FromHex(bindings.GameTokenMetaData.Bin), gameToken.PackConstructor(new(big.Int))...)); err == nil {
		t.Error("a token of rate 0 is deployed")
	}
}

// What is locked in a channel, or in the Arena's bank, can't be redeemed until it has come back.
func TestChecklist_SumsAndCows_02_NoWithdrawalFromARunningGame(t *testing.T) {
	tb := bareTable(t, 2)
	token := tb.gameToken()
	for _, s := range tb.seats {
		me := s.player.address
		if !tb.pay(me, token, 2*stake/rate, gameToken.PackBuy()) {
			t.Fatal("nothing can be bought")
		}
		tb.tell(me, token, gameToken.PackApprove(tb.arena, big.NewInt(2*stake)))
		tb.by(me, func() { tb.must(onchain.Deposit{Account: me, Asset: token, Amount: *uint256.NewInt(2 * stake)}) })
	}
	tb.setTerms(token, func(t *protocol.Terms) {
		for i := range t.Deposits {
			t.Deposits[i].SetUint64(2 * stake)
		}
	})
	tb.open()
	me := tb.seats[0].player.address
	m := tb.mastermind(2<<8, stake, stake)
	running := tb.ledger(2, []uint64{stake, stake}, m)
	stuck := func(when string) {
		t.Helper()
		if tb.pay(me, token, 0, redeem(rate)) {
			t.Fatalf("tokens are redeemed %s", when)
		}
		tb.by(me, func() {
			if _, err := tb.send(onchain.Withdraw{Asset: token, Amount: *uint256.NewInt(1), To: me}); err == nil {
				t.Fatalf("tokens are withdrawn %s", when)
			}
		})
	}
	stuck("from an open channel")
	tb.must(tb.contest(running, 0))
	stuck("from a contested one")
	tb.wait(window)
	tb.must(tb.settle(running))
	// The game still runs: what is free has come back, its stakes have not.
	if got := tb.owed(me, token).Uint64(); got != stake {
		t.Fatalf("%d is free", got)
	}
	tb.by(me, func() { tb.must(onchain.Withdraw{Asset: token, Amount: *uint256.NewInt(stake), To: me}) })
	tb.tell(me, token, redeem(stake))
	stuck("that are staked")
}

// A redemption that can't be paid burns nothing.
func TestRedemptionIsPaid(t *testing.T) {
	tb := bareTable(t, 2)
	token, wallet := tb.gameToken(), tb.wallet1271(newKey("alice"))
	does := walletABI
	if !tb.pay(tb.sender, wallet, 7, does.PackExecute(token, big.NewInt(7), gameToken.PackBuy())) {
		t.Fatal("nothing can be bought")
	}
	tb.walletBehaves(wallet, walletRevert)
	redemption := does.PackExecute(token, new(big.Int), redeem(7*rate))
	if tb.pay(tb.sender, wallet, 0, redemption) || tb.wallet(wallet, token).Uint64() != 7*rate {
		t.Errorf("a wallet that refuses its money has %s tokens left", tb.wallet(wallet, token).Dec())
	}
	tb.walletBehaves(wallet, walletFine)
	if !tb.pay(tb.sender, wallet, 0, redemption) || tb.chain.Balance(wallet).Uint64() != 7 {
		t.Errorf("the wallet has %s wei", tb.chain.Balance(wallet).Dec())
	}
}

// Purchases and redemptions are told as they were.
func TestGameTokenTells(t *testing.T) {
	tb := bareTable(t, 2)
	token, alice := tb.gameToken(), newKey("alice").address
	seven := uint256.NewInt(7)
	tb.chain.Fund(alice, seven)
	r, err := tb.chain.Send(minichain.Tx{From: alice, To: &token, Value: *seven, Data: gameToken.PackBuy()})
	tb.ok(err)
	if len(r.Logs) != 2 {
		t.Fatalf("%d logs of a purchase", len(r.Logs))
	}
	bought, err := gameToken.UnpackBoughtEvent(r.Logs[0])
	tb.ok(err)
	if bought.Account != alice || bought.Paid.Uint64() != 7 || bought.Tokens.Uint64() != 7*rate {
		t.Errorf("%+v", bought)
	}
	r, err = tb.chain.Send(minichain.Tx{From: alice, To: &token, Data: redeem(3*rate + 1)})
	tb.ok(err)
	if len(r.Logs) != 2 {
		t.Fatalf("%d logs of a redemption", len(r.Logs))
	}
	redeemed, err := gameToken.UnpackRedeemedEvent(r.Logs[1])
	tb.ok(err)
	if redeemed.Account != alice || redeemed.Paid.Uint64() != 3 || redeemed.Tokens.Uint64() != 3*rate {
		t.Errorf("%+v", redeemed)
	}
}
