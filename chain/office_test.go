package chain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// kept is a store in memory that can refuse to write.
type kept struct {
	values  map[string][]byte
	broken  error
	commits int
}

func (k *kept) Get(key string) ([]byte, error) { return k.values[key], nil }

func (k *kept) Scan(prefix, from string, visit func(key string, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(k.values)) {
		if strings.HasPrefix(key, prefix) && key >= from {
			if err := visit(key, k.values[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *kept) Commit(changes map[string][]byte) error {
	if k.broken != nil {
		return k.broken
	}
	k.commits++
	for key, value := range changes {
		if k.values[key] = value; len(value) == 0 {
			delete(k.values, key)
		}
	}
	return nil
}

// office is a sender and what it stands on.
type office struct {
	*world
	*chain.Sender
	client *chain.Client
	store  *kept
	proxy  *proxy
	config chain.SenderConfig
}

// newOffice returns a sender for account 1, with three confirmations, behind a proxy.
func newOffice(t *testing.T, change func(*chain.SenderConfig)) *office {
	w := newWorld(t, devnet.Config{})
	o := &office{world: w, store: &kept{values: make(map[string][]byte)}, proxy: newProxy(t, w.chain.URL())}
	o.client = w.dial(chain.Config{URL: o.proxy.URL})
	o.config = chain.SenderConfig{
		Signer: chain.KeySigner(w.chain.Key(1)), Store: o.store, Confirmations: 3,
		Now: func(ctx context.Context) (uint64, error) {
			head, err := o.client.Head(ctx)
			return head.Number, err
		},
		Explain: func(data []byte) error { return fmt.Errorf("had %s", common.TrimLeftZeroes(data)) },
	}
	if change != nil {
		change(&o.config)
	}
	o.restart()
	return o
}

// restart makes a new sender of what the store holds.
func (o *office) restart() {
	o.t.Helper()
	var err error
	if o.Sender, err = chain.NewSender(o.client, o.config); err != nil {
		o.t.Fatal(err)
	}
}

// submit asks for a word, under itself as key.
func (o *office) submit(word string, deadline uint64) chain.Report {
	o.t.Helper()
	report, err := o.Submit(context.Background(), o.request(word, deadline))
	if err != nil {
		o.t.Fatal(err)
	}
	return report
}

func (o *office) request(word string, deadline uint64) chain.Request {
	return chain.Request{Key: word, Why: "say " + word, To: o.once, Data: wordOf(word).Bytes(), Deadline: deadline}
}

// answer is a request for a dispute.
func (o *office) answer(word string, deadline uint64) chain.Request {
	r := o.request(word, deadline)
	r.Defence = true
	return r
}

// defend submits an answer.
func (o *office) defend(word string, deadline uint64) {
	o.t.Helper()
	if _, err := o.Submit(context.Background(), o.answer(word, deadline)); err != nil {
		o.t.Fatal(err)
	}
}

// step mines blocks one by one, with a Step after each, and returns what was reported.
func (o *office) step(blocks int) (told []string) {
	o.t.Helper()
	for range blocks {
		o.mine(1)
		told = append(told, o.look()...)
	}
	return told
}

func (o *office) look() (told []string) {
	o.t.Helper()
	reports, err := o.Step(context.Background())
	if err != nil {
		o.t.Fatal(err)
	}
	for _, report := range reports {
		told = append(told, report.Progress.String()+" "+report.Key)
	}
	return told
}

func (o *office) want(told []string, want ...string) {
	o.t.Helper()
	if strings.Join(told, ", ") != strings.Join(want, ", ") {
		o.t.Fatalf("told %q, want %q", told, want)
	}
}

// sent returns how many transactions of account 1 are in the chain.
func (o *office) sent() uint64 {
	o.t.Helper()
	nonce, err := o.eth.NonceAt(context.Background(), o.chain.Address(1), nil)
	if err != nil {
		o.t.Fatal(err)
	}
	return nonce
}

func (o *office) status(key string) chain.Report {
	o.t.Helper()
	report, err := o.Status(key)
	if err != nil {
		o.t.Fatal(err)
	}
	return report
}

// dearer makes the endpoint say that the customary tip is so many gwei, and lose the transactions
// that it takes; 0: neither.
func (o *office) dearer(gwei int) {
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_maxPriorityFeePerGas" {
				return fmt.Sprintf("0x%x", gwei*1_000_000_000), gwei != 0
			}
			return common.Hash{1}, gwei != 0 && method == "eth_sendRawTransaction"
		}
	})
}

// swallow makes the endpoint say that it took transactions, and lose them.
func (o *office) swallow(on bool) {
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return common.Hash{1}, on && method == "eth_sendRawTransaction"
		}
	})
}

// sentTx returns a transaction that an endpoint is sent, by the call's first parameter.
func sentTx(t *testing.T, raw json.RawMessage) *types.Transaction {
	return decodeTx(t, strings.Trim(string(raw), `"`))
}

// hashOf returns the hash of a raw transaction as JSON-RPC has it.
func hashOf(t *testing.T, raw json.RawMessage) common.Hash { return sentTx(t, raw).Hash() }

// priceOf returns the cap of a raw transaction.
func priceOf(t *testing.T, raw string) uint64 { return decodeTx(t, raw).GasFeeCap().Uint64() }

func decodeTx(t *testing.T, raw string) *types.Transaction {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(common.FromHex(raw)); err != nil {
		t.Error(err)
	}
	return tx
}

// beside has the sender ask two endpoints from now on, the one that lies first or second.
func (o *office) beside(liar, honest string, first bool) {
	config := chain.Config{URL: liar, Second: honest}
	if !first {
		config.URL, config.Second = config.Second, config.URL
	}
	o.client = o.dial(config)
	o.restart()
}
