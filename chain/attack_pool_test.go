package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// pool has a proxy keep what bids less than a tip, as pools do: one version for each nonce, and no
// more than the account can pay. What bids as much goes on to the chain.
type pool struct {
	*office
	tip   uint64 // that it names
	least uint64 // that lands
	waits map[uint64]*types.Transaction
}

func (p *pool) lie(method string, params []json.RawMessage) (any, bool) {
	switch method {
	case "eth_maxPriorityFeePerGas":
		return fmt.Sprintf("0x%x", p.tip), true
	case "eth_sendRawTransaction":
		return p.take(sentTx(p.t, params[0]))
	}
	return nil, false
}

func (p *pool) take(tx *types.Transaction) (any, bool) {
	ctx := p.t.Context()
	if tx.Nonce() < must(p.eth.NonceAt(ctx, p.Address(), nil)) {
		return errors.New("nonce too low"), true
	}
	if old := p.waits[tx.Nonce()]; old != nil {
		if old.Hash() == tx.Hash() {
			return errors.New("already known"), true
		}
		if old.GasFeeCapCmp(tx) >= 0 {
			return errors.New("replacement transaction underpriced"), true
		}
	}
	need := tx.Cost()
	for nonce, other := range p.waits {
		if nonce != tx.Nonce() && nonce >= must(p.eth.NonceAt(ctx, p.Address(), nil)) {
			need.Add(need, other.Cost())
		}
	}
	if need.Cmp(must(p.eth.BalanceAt(ctx, p.Address(), nil))) > 0 {
		return errors.New("insufficient funds for gas * price + value"), true
	}
	p.waits[tx.Nonce()] = tx
	return tx.Hash(), tx.GasTipCap().Uint64() < p.least
}

// newPool has an office ask two endpoints, of which one lies, and takes all that it is sent unless
// it lies about that. Gas is the limit of an answer, and price what a unit costs at a tip.
func newPool(t *testing.T, first bool, lie func(method string, params []json.RawMessage) (any, bool)) (p *pool, price func(tip uint64) uint64, gas uint64) {
	o := newPoorOffice(t, 1)
	p = &pool{office: o, tip: 20 * gwei, least: 21 * gwei, waits: map[uint64]*types.Transaction{}}
	liar, honest := o.proxy, newProxy(t, o.chain.URL())
	honest.set(func(h *proxy) { h.lie = p.lie })
	liar.set(func(l *proxy) {
		l.lie = func(method string, params []json.RawMessage) (any, bool) {
			if result, lies := lie(method, params); lies {
				return result, true
			}
			switch method {
			case "eth_maxPriorityFeePerGas":
				return p.lie(method, params)
			case "eth_sendRawTransaction":
				return common.Hash{1}, true
			}
			return nil, false
		}
	})
	o.beside(liar.URL, honest.URL, first)
	market := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
	gas = must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("big").Bytes()}))
	return p, func(tip uint64) uint64 { return money.Market{BaseFee: market.BaseFee, Tip: tip}.Price() }, gas + gas/4
}

// ask submits an answer on which so much depends.
func (p *pool) ask(word string, stake uint64) error {
	r := p.answer(word, p.chain.Head()+40)
	r.Stake.SetUint64(stake)
	_, err := p.Submit(p.t.Context(), r)
	return err
}

// did reports whether an answer had its effect.
func (o *office) did(word string) bool {
	o.t.Helper()
	return common.BytesToHash(must(o.eth.StorageAt(o.t.Context(), o.once, wordOf(word), nil))) != (common.Hash{})
}

// invention is an endpoint that says that the answers of a word landed, once it has a receipt to
// show, of another transaction.
type invention struct {
	t       *testing.T
	word    string
	mined   common.Hash
	receipt string
	answers map[string]bool
	refuses bool // what it is sent
}

func (i *invention) tell(method string, params []json.RawMessage) (any, bool) {
	switch method {
	case "eth_sendRawTransaction":
		if tx := sentTx(i.t, params[0]); bytes.Equal(tx.Data(), wordOf(i.word).Bytes()) {
			i.answers[fmt.Sprintf("%q", tx.Hash().Hex())] = true
		}
		return errors.New("no"), i.refuses
	case "eth_getTransactionReceipt":
		return json.RawMessage(asked(i.receipt, i.mined, params)), i.receipt != "" && i.answers[string(params[0])]
	case "eth_getTransactionCount":
		return "0xff", i.receipt != ""
	}
	return nil, false
}

// TestAttack_EmptyWallet_InventedLanding: one endpoint of two says that the answer on which most
// depends has landed, and it has not. Gas gets so dear that the account can't pay for it besides a
// lighter one, whose bid a pool counts. That makes way all the same.
func TestAttack_EmptyWallet_InventedLanding(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, order := range []string{"small big", "big small", "big small, refused"} {
			lie := &invention{t: t, word: "big", answers: map[string]bool{}}
			order, lie.refuses = strings.CutSuffix(order, ", refused")
			p, price, gas := newPool(t, first, lie.tell)
			p.fund(p.Address(), int64(gas*price(30*gwei)+gas*price(20*gwei)*6/7))
			lie.mined = p.send(9, nil, onceCode)
			p.mine(1)
			for _, word := range strings.Fields(order) {
				if err := p.ask(word, uint64(strings.Index("small big", word))); err != nil {
					t.Fatal(err)
				}
			}
			lie.receipt = p.receipt(lie.mined)
			p.tip, p.least = 30*gwei, 30*gwei
			if p.step(30); !p.did("big") {
				t.Errorf("the first lies %t, and refuses %t, %s: the big one did not land: %+v, small %+v", first, lie.refuses, order, p.status("big"), p.status("small"))
			}
		}
	}
}

// TestAttack_LyingRPC_Denied_Both: two answers landed, and one endpoint of two goes on to say that
// they have not, and that the account can't pay for them. It need not be able to do so again for
// another to be sent, on which less depends.
func TestAttack_LyingRPC_Denied_Both(t *testing.T) {
	for _, first := range []bool{true, false} {
		p, price, gas := newPool(t, first, func(method string, params []json.RawMessage) (any, bool) {
			if method == "eth_sendRawTransaction" {
				return errors.New("insufficient funds for gas * price + value"), true
			}
			return deny(method, params)
		})
		p.least = 0
		p.fund(p.Address(), int64(gas*price(20*gwei)*5/2))
		p.mine(1)
		for i, word := range []string{"a", "b", "c"} {
			if err := p.ask(word, uint64(9-i)); err != nil {
				t.Errorf("the first lies %t, %s: %v", first, word, err)
			}
			if p.step(3); !p.did(word) {
				t.Errorf("the first lies %t: %s did not land: %+v", first, word, p.status(word))
			}
			p.fund(p.Address(), int64(gas*price(20*gwei)/3))
			p.mine(1)
		}
	}
}

// TestAttack_LyingRPC_Denied_Cancel: an answer landed, and one endpoint of two goes on to say that
// it has not. What makes way for another bids what that takes all the same.
func TestAttack_LyingRPC_Denied_Cancel(t *testing.T) {
	for _, first := range []bool{true, false} {
		p, price, gas := newPool(t, first, deny)
		p.least = 0
		have := gas*price(30*gwei) + gas*price(20*gwei)*6/7
		p.fund(p.Address(), int64(have))
		p.mine(1)
		if err := p.ask("a", 9); err != nil {
			t.Fatal(err)
		}
		p.step(3)
		p.fund(p.Address(), int64(have-must(p.eth.BalanceAt(t.Context(), p.Address(), nil)).Uint64()))
		p.mine(1)
		p.least = 21 * gwei
		for i, word := range []string{"small", "big"} {
			if err := p.ask(word, uint64(i)); err != nil {
				t.Fatal(err)
			}
		}
		p.tip, p.least = 30*gwei, 30*gwei
		if p.step(30); !p.did("big") {
			t.Errorf("the first lies %t: the big one did not land: %+v, small %+v", first, p.status("big"), p.status("small"))
		}
	}
}

// TestAttack_LyingRPC_InventedFailure: an answer waits, and one endpoint of two says that it failed
// in its block, and so of each that is sent in its place. The account pays for a few of them.
func TestAttack_LyingRPC_InventedFailure(t *testing.T) {
	for _, first := range []bool{true, false} {
		lie := &invention{t: t, word: "a", answers: map[string]bool{}}
		p, _, _ := newPool(t, first, lie.tell)
		p.fund(p.Address(), 1e18)
		lie.mined = p.send(9, nil, onceCode)
		p.mine(1)
		lie.receipt = strings.Replace(p.receipt(lie.mined), `"status":"0x1"`, `"status":"0x0"`, 1)
		r := p.answer("a", 1000)
		for i := range 20 { // as a watcher does, to which failures are told
			_, _ = p.Submit(t.Context(), r)
			if p.step(1); p.status(r.Key).Err != nil {
				r.Key, r.Failed = fmt.Sprint("a", i), true
			}
		}
		p.least = 0
		if p.step(5); !p.did("a") {
			t.Errorf("the first lies %t: it did not land", first)
		}
		if n := must(p.eth.NonceAt(t.Context(), p.Address(), nil)); n < 2 || n > 8 {
			t.Errorf("the first lies %t: %d are paid for", first, n)
		}
	}
}
