package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
)

// takerCode is a contract that stores 1 in the slot that a call names, unless it is shut. A call
// without data shuts it, or opens it again.
//
//	jumpi(toggle, iszero(calldatasize)); jumpi(refuse, sload(0)); sstore(calldataload(0), 1); stop
//	toggle: sstore(0, iszero(sload(0))); stop
//	refuse: revert(0, 0)
var takerCode = common.FromHex("602180600b6000396000f3" +
	"361560135760005460" + "1c576001600035550000" + "5b600054156000" + "5500" + "5b600080fd")

// upkeep is a driver as far as Upkeep needs one, of two endpoints, the second of which may lie.
type upkeep struct {
	*Driver
	t     *testing.T
	chain *devnet.Chain
	eth   *ethclient.Client
	taker common.Address
	lies  atomic.Bool // that the contract refuses everything, and has what it does not have
	store store.Store
}

func newUpkeep(t *testing.T) *upkeep {
	t.Helper()
	net, err := devnet.Start(devnet.Config{Manual: true})
	u := &upkeep{t: t, chain: net, store: store.NewMemory()}
	u.must(err)
	t.Cleanup(func() { u.must(net.Close()) })
	u.eth, err = ethclient.Dial(net.URL())
	u.must(err)
	t.Cleanup(u.eth.Close)
	deployed := u.send(9, nil, takerCode)
	u.must(net.Mine(1))
	receipt, err := u.eth.TransactionReceipt(t.Context(), deployed)
	u.must(err)
	u.taker = receipt.ContractAddress
	second := httptest.NewServer(http.HandlerFunc(u.serve))
	t.Cleanup(second.Close)
	client, err := chain.Dial(t.Context(), chain.Config{URL: second.URL, Second: net.URL()})
	u.must(err)
	t.Cleanup(client.Close)
	u.Driver = &Driver{Client: client}
	u.start()
	return u
}

// beside has the sender ask another endpoint, too: first, or second.
func (u *upkeep) beside(config chain.Config, first bool) {
	u.t.Helper()
	config.Second = u.chain.URL()
	if !first {
		config.URL, config.Second = config.Second, config.URL
	}
	client, err := chain.Dial(u.t.Context(), config)
	u.must(err)
	u.t.Cleanup(client.Close)
	u.Client = client
	u.start()
}

// start makes the sender, again after a restart.
func (u *upkeep) start() {
	u.t.Helper()
	now := func(ctx context.Context) (uint64, error) {
		head, err := u.Client.Head(ctx)
		return head.Number, err
	}
	var err error
	u.Sender, err = chain.NewSender(u.Client, chain.SenderConfig{
		Signer: chain.KeySigner(u.chain.Key(1)), Store: u.store, Confirmations: 3, Now: now, Explain: func([]byte) error { return errors.New("it is shut") },
	})
	u.must(err)
}

func (u *upkeep) must(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatal(err)
	}
}

// serve passes requests on, and lies.
func (u *upkeep) serve(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	if err == nil && u.lies.Load() && json.Unmarshal(body, &asked) == nil {
		out.Header().Set("Content-Type", "application/json")
		switch asked.Method {
		case "eth_estimateGas":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":3,"message":"execution reverted"}}`, asked.ID)
			return
		case "eth_getStorageAt":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":"%v"}`, asked.ID, common.Hash{31: 1})
			return
		}
	}
	answer, err := http.Post(u.chain.URL(), "application/json", bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	out.Header().Set("Content-Type", "application/json")
	if _, err := io.Copy(out, answer.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// send has another account send a transaction.
func (u *upkeep) send(account int, to *common.Address, data []byte) common.Hash {
	u.t.Helper()
	fields := types.DynamicFeeTx{To: to, Data: data}
	if to != nil { // it is to be mined before ours, whose tip is that of the blocks before
		fields.GasTipCap = big.NewInt(90 * params.GWei)
	}
	tx, err := u.chain.Send(u.t.Context(), u.chain.Key(account), fields)
	u.must(err)
	return tx.Hash()
}

func taking(slot byte) *games.Call {
	word := common.Hash{31: slot}
	return &games.Call{Data: word[:], Why: fmt.Sprintf("take %d", slot), Slot: word, Gas: 60_000}
}

// asks asks for a call, fails unless that fails or not, and mines a block.
func (u *upkeep) asks(c *games.Call, refused bool) {
	u.t.Helper()
	if err := u.Upkeep(u.t.Context(), u.taker, c, 0); (err != nil) != refused || refused && !errors.As(err, new(*chain.Reverted)) {
		u.t.Errorf("%s: %v", c.Why, err)
	}
	u.must(u.chain.Mine(1))
	_, err := u.Sender.Step(u.t.Context())
	u.must(err)
}

// sent fails unless our account has sent so many transactions.
func (u *upkeep) sent(want uint64) {
	u.t.Helper()
	if nonce, err := u.eth.PendingNonceAt(u.t.Context(), u.chain.Address(1)); err != nil || nonce != want {
		u.t.Errorf("%d transactions were sent, want %d: %v", nonce, want, err)
	}
}

// TestUpkeep: a call is made once, also where it is asked for again before it is final, after that,
// and after a restart; what another account's brought about it is not made for.
func TestUpkeep(t *testing.T) {
	u := newUpkeep(t)
	silent := taking(1)
	silent.Slot = common.Hash{} // it doesn't say what comes of it
	for range 5 {
		u.asks(silent, false)
		u.start()
	}
	u.sent(1)
	u.send(2, &u.taker, taking(2).Data)
	u.must(u.chain.Mine(1))
	u.asks(taking(2), false)
	u.sent(1)
	u.asks(taking(3), false)
	u.sent(2)
}

// TestUpkeep_Fails: a call that failed in its block is made again at once, and not while the
// contract refuses it.
func TestUpkeep_Fails(t *testing.T) {
	u := newUpkeep(t)
	u.must(u.Upkeep(t.Context(), u.taker, taking(1), 0))
	u.send(2, &u.taker, nil) // shuts it before ours is mined
	u.must(u.chain.Mine(1))
	_, err := u.Sender.Step(t.Context())
	u.must(err)
	u.sent(1)
	u.asks(taking(1), true)
	u.sent(1)
	u.send(2, &u.taker, nil)
	u.must(u.chain.Mine(1))
	for range 5 {
		u.asks(taking(1), false)
	}
	u.sent(2)
	if word, err := u.Client.Stored(t.Context(), u.taker, common.Hash{31: 1}); err != nil || word != (common.Hash{31: 1}) {
		t.Errorf("the contract has %v, %v", word, err)
	}
}

// TestLostUpkeep: a call that failed for good is lost unless the contract has what comes of it by
// another account's, also after the next attempt. One that says nothing of that is lost.
func TestLostUpkeep(t *testing.T) {
	for name, does := range map[string]int{"nobody else's": -1, "another's": 0, "another's later": 1} {
		t.Run(name, func(t *testing.T) {
			u := newUpkeep(t)
			silent := taking(2)
			silent.Slot = common.Hash{}
			for attempt := range 2 {
				u.must(u.Upkeep(t.Context(), u.taker, taking(1), 0))
				u.must(u.Upkeep(t.Context(), u.taker, silent, 0))
				if attempt == does {
					u.send(2, &u.taker, taking(1).Data)
				}
				u.send(2, &u.taker, nil) // shuts it before ours are mined
				for range 3 {
					u.must(u.chain.Mine(1))
				}
				reports, err := u.Sender.Step(t.Context())
				u.must(err)
				for _, r := range reports {
					want := r.Why != taking(1).Why || attempt != does
					if r.Progress != chain.Done || r.Err == nil || u.LostUpkeep(t.Context(), &r) != want {
						t.Errorf("%+v: lost %v", r, !want)
					}
					r.Err = nil
					if u.LostUpkeep(t.Context(), &r) {
						t.Errorf("%s was done", r.Key)
					}
				}
				if len(reports) == 0 {
					t.Fatal("nothing was heard of the calls")
				}
				u.send(2, &u.taker, nil)
				u.must(u.chain.Mine(1))
			}
		})
	}
}

// TestAttack_LyingRPC_Upkeep: one endpoint of two that says that the contract refuses a call, and
// that it has what comes of it, doesn't keep it from being made.
func TestAttack_LyingRPC_Upkeep(t *testing.T) {
	u := newUpkeep(t)
	u.lies.Store(true)
	u.asks(taking(1), false)
	u.lies.Store(false)
	u.sent(1)
	if word, err := u.Client.Stored(t.Context(), u.taker, common.Hash{31: 1}); err != nil || word != (common.Hash{31: 1}) {
		t.Errorf("the contract has %v, %v", word, err)
	}
}

// TestLeastReserve: whatever was configured, the reserve pays for the limit of an answer, which is
// above what it uses, since the Arena calls rules only where that much is there.
func TestLeastReserve(t *testing.T) {
	u := newUpkeep(t)
	for _, c := range []struct{ configured, want uint64 }{{0, 3_000_000}, {300_000, 1_500_000}, {2_000_000, 2_000_000}} {
		u.config.Store, u.config.Fees.Reserve = u.store, c.configured
		s, err := u.NewSender(chain.KeySigner(u.chain.Key(1)))
		u.must(err)
		r, err := s.Reserve(t.Context(), 0)
		u.must(err)
		if r.Gas != c.want {
			t.Errorf("%d are configured, and %d kept, want %d", c.configured, r.Gas, c.want)
		}
	}
}
