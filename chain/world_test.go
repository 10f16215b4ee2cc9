package chain_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
)

// onceCode is a contract that takes a 32-byte word once: it logs the calldata under the word as
// topic, and reverts with the word when it had it before. In that it is like the Arena: what was
// done can't be done twice.
//
//	calldataload(0) dup1 sload jumpi(revert); sstore(word, 1); log1(calldata, word); stop
var onceCode = common.FromHex("602380600b6000396000f3" +
	"6000358054601757600181553660006000373660" + "00a1005b60003560005260206000fd")

// world is a chain with the contract, and somebody who uses it.
type world struct {
	t      *testing.T
	chain  *devnet.Chain
	eth    *ethclient.Client
	once   common.Address
	alarms *alarms
}

// skipLarge leaves out under -short what takes long for its size alone.
func skipLarge(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("large")
	}
}

// few is a quarter of a number under -short.
func few(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

func newWorld(t *testing.T, config devnet.Config) *world {
	t.Helper()
	config.Manual = true
	net, err := devnet.Start(config)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, chain: net, alarms: new(alarms)}
	t.Cleanup(func() {
		if err := net.Close(); err != nil {
			t.Error(err)
		}
	})
	if w.eth, err = ethclient.Dial(net.URL()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.eth.Close)
	w.once = crypto.CreateAddress(net.Address(9), 0)
	w.send(9, nil, onceCode)
	w.mine(1)
	return w
}

// dial connects a client, through a URL other than the chain's own if one is given.
func (w *world) dial(config chain.Config) *chain.Client {
	w.t.Helper()
	if config.URL == "" {
		config.URL = w.chain.URL()
	}
	config.Alarm = w.alarms.add
	client, err := chain.Dial(context.Background(), config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(client.Close)
	return client
}

func (w *world) mine(n int) {
	w.t.Helper()
	if err := w.chain.Mine(n); err != nil {
		w.t.Fatal(err)
	}
}

// send puts a transaction of a funded account into the pool.
func (w *world) send(account int, to *common.Address, data []byte) common.Hash {
	w.t.Helper()
	tx, err := w.chain.Send(context.Background(), w.chain.Key(account), types.DynamicFeeTx{To: to, Data: data, Gas: 200_000})
	if err != nil {
		w.t.Fatal(err)
	}
	return tx.Hash()
}

// say makes the contract log a word, in the next block.
func (w *world) say(word string) { w.send(0, &w.once, wordOf(word).Bytes()) }

func wordOf(text string) common.Hash { return common.BytesToHash([]byte(text)) }

// decode makes the contract's log an event.
func decode(log types.Log) (onchain.Event, error) {
	switch word := string(common.TrimLeftZeroes(log.Topics[0][:])); word {
	case "foreign":
		return nil, nil
	case "broken":
		return nil, fmt.Errorf("broken log")
	default:
		return onchain.Closed{ChannelID: log.Topics[0]}, nil
	}
}

// show writes an event as "seen word".
func show(event chain.Event) string {
	id := event.Event.(onchain.Closed).ChannelID
	return event.Stage.String() + " " + string(common.TrimLeftZeroes(id[:]))
}

// alarms collects what was told.
type alarms struct {
	mu   sync.Mutex
	list []chain.Alarm
}

func (a *alarms) add(alarm chain.Alarm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, alarm)
}

// take returns the alarms told since the last take.
func (a *alarms) take() []chain.Alarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.list
	a.list = nil
	return list
}

// wantAlarm checks that exactly one alarm with a fault of type T was told since the last look.
func wantAlarm[T error](w *world, over bool) T {
	w.t.Helper()
	var found []T
	list := w.alarms.take()
	for _, alarm := range list {
		var fault T
		if errors.As(alarm.Fault, &fault) && alarm.Over == over {
			found = append(found, fault)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d alarms of type %T, over %v, want 1; all: %v", len(found), *new(T), over, list)
	}
	return found[0]
}

func (w *world) wantNoAlarm() {
	w.t.Helper()
	if list := w.alarms.take(); len(list) > 0 {
		w.t.Fatalf("alarms: %v", list)
	}
}
