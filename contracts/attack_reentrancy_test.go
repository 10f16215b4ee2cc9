package contracts_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A token or a receiver that calls back in the middle of a payment is stopped at every entry point.
// The payment is made, and the books are right.
func TestAttack_Reentrancy(t *testing.T) {
	inner := map[string]func(tb *table, m *match, thief common.Address) onchain.Action{
		"withdraw": func(_ *table, _ *match, thief common.Address) onchain.Action {
			return onchain.Withdraw{Amount: *uint256.NewInt(1), To: thief}
		},
		"deposit": func(_ *table, _ *match, thief common.Address) onchain.Action { return onchain.Deposit{Account: thief} },
		"open": func(tb *table, _ *match, _ common.Address) onchain.Action {
			before := tb.terms
			tb.setTerms(eth, func(t *protocol.Terms) { t.Salt[0] = 3 })
			o := tb.opening()
			tb.terms, tb.id = before, before.ID(tb.domain)
			return o
		},
		"close": func(tb *table, _ *match, _ common.Address) onchain.Action {
			return onchain.Close{Terms: tb.terms, Ledger: tb.closing(9, stake, stake)}
		},
		"settle": func(tb *table, _ *match, _ common.Address) onchain.Action {
			tb.must(tb.contest(*tb.newest, 0))
			tb.wait(window)
			return tb.settle(*tb.newest)
		},
		"contest": func(tb *table, _ *match, _ common.Address) onchain.Action { return tb.contest(*tb.newest, 0) },
		"advance": func(_ *table, m *match, _ common.Address) onchain.Action {
			return m.advance(m.support(0, 0, m.everyone(0)))
		},
		"advance again": func(tb *table, m *match, _ common.Address) onchain.Action {
			tb.must(m.advance(m.support(0, 0, m.everyone(0))))
			m.play(toy.Pass(1))
			return m.advance(m.support(0, 1))
		},
		"demand": func(tb *table, m *match, _ common.Address) onchain.Action {
			tb.must(m.advance(m.support(0, 0, m.everyone(0))))
			return m.demands(0, 1)
		},
		"expire": func(tb *table, m *match, _ common.Address) onchain.Action {
			tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
			tb.wait(window)
			return m.expire(0)
		},
		"agree": func(_ *table, m *match, _ common.Address) onchain.Action { return m.agree(m.agreement(0, stake, 0)) },
		"convict": func(_ *table, m *match, _ common.Address) onchain.Action {
			return m.convict(m.fork(0).play(toy.Pass(0, 1)).equivocation(m.fork(0).play(toy.Pass(0, 2)), 0))
		},
		"batch": func(_ *table, _ *match, thief common.Address) onchain.Action {
			return onchain.Batch{onchain.Withdraw{Amount: *uint256.NewInt(1), To: thief}}
		},
	}
	wallets, tokens := walletABI, tokenABI
	for name, act := range inner {
		t.Run("wallet "+name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			thief := tb.wallet1271(newKey("mallory"))
			tb.chain.Fund(tb.sender, uint256.NewInt(stake))
			tb.must(onchain.Deposit{Account: thief, Amount: *uint256.NewInt(stake)})
			call, err := tb.codec.Encode(act(tb, m, thief))
			tb.ok(err)
			outer, err := tb.codec.Encode(onchain.Withdraw{Amount: *uint256.NewInt(10), To: thief})
			tb.ok(err)
			tb.tell(tb.sender, thief, wallets.PackReenter(tb.arena, call.Data))
			tb.tell(tb.sender, thief, wallets.PackExecute(tb.arena, new(uint256.Int).ToBig(), outer.Data))
			if got := tb.wallet(thief, eth); got.Uint64() != 10 {
				t.Errorf("paid %s, want 10", got.Dec())
			}
			tb.wantStopped(thief, wallets.PackReentered(), wallets.PackAnswer())
		})
		t.Run("token "+name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			token, me := tb.coin(), newKey("rich").address
			tb.auditor.Know(token)
			tb.chain.Fund(tb.sender, uint256.NewInt(stake))
			tb.must(onchain.Deposit{Account: token, Amount: *uint256.NewInt(stake)})
			tb.bank(me, token, stake)
			call, err := tb.codec.Encode(act(tb, m, token))
			tb.ok(err)
			tb.tell(me, token, tokens.PackReenter(tb.arena, call.Data))
			tb.by(me, func() { tb.must(onchain.Withdraw{Asset: token, Amount: *uint256.NewInt(stake), To: me}) })
			tb.wantStopped(token, tokens.PackReentered(), tokens.PackAnswer())
		})
	}
}

// wantStopped checks that a call back was made, and stopped by the guard.
func (tb *table) wantStopped(by common.Address, succeeded, answer []byte) {
	tb.Helper()
	out, err := tb.chain.Call(by, by, succeeded)
	tb.ok(err)
	if !new(uint256.Int).SetBytes(out).IsZero() {
		tb.Fatal("the call back succeeded")
	}
	out, err = tb.chain.Call(by, by, answer)
	tb.ok(err)
	said, err := walletABI.UnpackAnswer(out)
	tb.ok(err)
	if err := codec.Explain(said); !errors.Is(err, codec.ErrReentered) {
		tb.Errorf("the call back failed with %v, want the guard's error", err)
	}
}
