package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// How a TestToken behaves.
const (
	tokenFine = iota
	tokenFee
	tokenNoBool
	tokenFalse
	tokenLie
	tokenReenter
	tokenBonus
	tokenStuck
	tokenLoop
)

// How a TestWallet behaves.
const (
	walletFine = iota
	walletRevert
	walletLoop
	walletBomb
	walletReenter
	walletShort
	walletDeny
)

// coin puts a token on the chain.
func (tb *table) coin() common.Address {
	tb.Helper()
	return tb.deploy(testbindings.TestTokenMetaData.Bin, nil)
}

func (tb *table) tokenBehaves(token common.Address, how uint8) {
	tb.Helper()
	tb.tell(tb.sender, token, tokenABI.PackBehave(how))
}

// wallet1271 puts a contract wallet on the chain, owned by a key.
func (tb *table) wallet1271(owner key) common.Address {
	tb.Helper()
	at := tb.deploy(testbindings.TestWalletMetaData.Bin, walletABI.PackConstructor(owner.address))
	tb.auditor.Know(at)
	return at
}

func (tb *table) walletBehaves(wallet common.Address, how uint8) {
	tb.Helper()
	tb.tell(tb.sender, wallet, walletABI.PackBehave(how))
}

// tokenTable opens a channel in a token.
func tokenTable(t *testing.T) (*table, common.Address) {
	t.Helper()
	tb := bareTable(t, 2)
	token := tb.coin()
	for _, s := range tb.seats {
		tb.bank(s.player.address, token, 10*stake)
	}
	tb.setTerms(token)
	return tb.open(), token
}

// A deposit is credited by what arrives, whatever the token says.
func TestAttack_BadToken(t *testing.T) {
	deposits := map[string]struct {
		how  uint8
		want uint64
		err  error
	}{
		"fine": {tokenFine, 1000, nil}, "fee": {tokenFee, 900, nil}, "bonus": {tokenBonus, 1100, nil},
		"no bool": {tokenNoBool, 1000, nil}, "lie": {tokenLie, 0, nil},
		"false": {tokenFalse, 0, codec.ErrToken}, "stuck": {tokenStuck, 0, codec.ErrUnexplained},
	}
	for name, tc := range deposits {
		t.Run("deposit "+name, func(t *testing.T) {
			tb := bareTable(t, 2)
			token, me := tb.coin(), newKey("rich").address
			tb.mint(token, me, 2000)
			tb.tell(me, token, tokenABI.PackApprove(tb.arena, uint256.NewInt(2000).ToBig()))
			tb.tokenBehaves(token, tc.how)
			d := onchain.Deposit{Account: me, Asset: token, Amount: *uint256.NewInt(1000)}
			tb.by(me, func() {
				if tc.err != nil {
					tb.refused(tc.err, d)
				} else {
					tb.must(d)
				}
			})
			if got := tb.owed(me, token); got.Uint64() != tc.want {
				t.Errorf("credited %s, want %d", got.Dec(), tc.want)
			}
		})
	}
	for name, how := range map[string]uint8{"stuck": tokenStuck, "false": tokenFalse} {
		t.Run("pushed "+name, func(t *testing.T) {
			tb, token := tokenTable(t)
			tb.tokenBehaves(token, how)
			tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake+1, stake-1), Push: true})
			if got := tb.banks(); got[0] != 10*stake+1 || got[1] != 10*stake-1 {
				t.Errorf("banks %v", got)
			}
		})
	}
	t.Run("eats all gas", func(t *testing.T) {
		tb, token := tokenTable(t)
		tb.tokenBehaves(token, tokenLoop)
		l := tb.closing(2, stake, stake)
		if _, err := tb.send(onchain.Close{Terms: tb.terms, Ledger: l, Push: true}); err == nil {
			t.Fatal("pushed through a token that eats all gas")
		}
		tb.must(onchain.Close{Terms: tb.terms, Ledger: l})
		tb.empty(t)
	})
	t.Run("lies when it pays", func(t *testing.T) {
		tb, token := tokenTable(t)
		tb.tokenBehaves(token, tokenLie)
		// stays with the Arena: what the token kept back
		tb.auditor.Given(token, uint256.NewInt(stake))
		me := tb.seats[0].player.address
		tb.by(me, func() { tb.must(onchain.Withdraw{Asset: token, Amount: *uint256.NewInt(stake), To: me}) })
	})
	t.Run("shrinks", func(t *testing.T) {
		tb, token := tokenTable(t)
		me, other := tb.seats[0].player.address, tb.seats[1].player.address
		tb.bank(me, eth, stake)
		tb.auditor.Ignore(token) // it owes more of it than it holds from here on, and can't help it
		tb.tell(me, token, tokenABI.PackBurn(tb.arena, uint256.NewInt(15*stake).ToBig()))
		all := onchain.Withdraw{Asset: token, Amount: *uint256.NewInt(9 * stake), To: other}
		// the token's own subtraction fails
		tb.by(other, func() { tb.refused(codec.ErrOverflow, all) })
		tb.by(me, func() { tb.must(onchain.Withdraw{Amount: *uint256.NewInt(stake), To: other}) })
	})
}

// Whoever refuses money, eats gas or returns megabytes finds it in the bank; the others are paid.
func TestAttack_BadReceiver(t *testing.T) {
	for name, how := range map[string]uint8{"revert": walletRevert, "loop": walletLoop, "bomb": walletBomb} {
		t.Run(name, func(t *testing.T) {
			tb, wallet := walletTable(t)
			tb.open()
			tb.walletBehaves(wallet, how)
			bob := tb.seats[1].player.address
			tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake+7, stake-7), Push: true})
			if got := tb.owed(wallet, eth); got.Uint64() != 9*stake+stake+7 {
				t.Errorf("the wallet's bank holds %s", got.Dec())
			}
			if got := tb.wallet(bob, eth); got.Uint64() != stake-7 {
				t.Errorf("bob was paid %s", got.Dec())
			}
			withdraw := onchain.Withdraw{Amount: *uint256.NewInt(5), To: wallet}
			tb.by(bob, func() {
				// nobody copies the bomb
				if _, err := tb.send(withdraw); err == nil && how != walletBomb {
					t.Error("withdrew to a wallet that refuses")
				}
				withdraw.To = bob
				tb.must(withdraw)
			})
		})
	}
}

// walletTable sets a table whose first player is a contract wallet of alice's.
func walletTable(t *testing.T) (*table, common.Address) {
	t.Helper()
	tb := newTable(t, 2)
	wallet := tb.wallet1271(tb.seats[0].player)
	tb.chain.Fund(tb.sender, uint256.NewInt(10*stake))
	tb.must(onchain.Deposit{Account: wallet, Amount: *uint256.NewInt(10 * stake)})
	tb.setTerms(eth, func(t *protocol.Terms) { t.Players[0] = wallet })
	tb.seats[0].contract = wallet
	return tb, wallet
}

// A contract wallet plays as anybody: it opens, and contests by its own signature when the session
// key is lost.
func TestContractWalletPlays(t *testing.T) {
	tb, _ := walletTable(t)
	tb.open()
	first := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
	c := tb.contest(first, 0)
	c.Signature = tb.seats[0].open(protocol.Contest{ChannelID: tb.id, Version: 1}.Digest(tb.domain))
	tb.must(c)
	tb.wait(window)
	tb.must(tb.settle(first))
	tb.empty(t)
}

// A contract wallet that refuses, fails, loops or answers rubbish has not signed; its owner's plain
// signature is not its.
func TestContractWalletRefuses(t *testing.T) {
	for name, how := range map[string]uint8{
		"revert": walletRevert, "loop": walletLoop, "bomb": walletBomb, "short": walletShort, "deny": walletDeny,
	} {
		t.Run(name, func(t *testing.T) {
			tb, wallet := walletTable(t)
			tb.walletBehaves(wallet, how)
			tb.refused(codec.ErrBadSignature, tb.opening())
			tb.walletBehaves(wallet, walletFine)
			tb.open()
		})
	}
	tb, _ := walletTable(t)
	o := tb.opening()
	o.Signatures[0] = o.Signatures[0][:65]
	tb.refused(codec.ErrBadSignature, o)
}
