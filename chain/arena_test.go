package chain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func (w *world) arena(client *chain.Client, inBlocks bool) *chain.Arena {
	w.t.Helper()
	receipt, err := w.chain.DeployArena(context.Background(), inBlocks, 4, 100_000)
	if err != nil {
		w.t.Fatal(err)
	}
	arena, err := chain.OpenArena(context.Background(), client, receipt.ContractAddress)
	if err != nil {
		w.t.Fatal(err)
	}
	return arena
}

func TestTheArenasClock(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client := w.dial(chain.Config{})
	ctx := context.Background()
	for _, clock := range []chain.Clock{chain.Blocks, chain.Seconds} {
		arena := w.arena(client, clock == chain.Blocks)
		if err := w.chain.AdvanceTime(time.Hour); err != nil {
			t.Fatal(err)
		}
		head, err := client.Head(ctx)
		if err != nil {
			t.Fatal(err)
		}
		want := map[chain.Clock]uint64{chain.Blocks: head.Number, chain.Seconds: head.Time}[clock]
		if now, err := arena.Now(ctx); err != nil || now != want || arena.Clock() != clock {
			t.Errorf("clock in %v: %d, %v, want %d in %v", arena.Clock(), now, err, want, clock)
		}
		if time := arena.TimeOf(head); time != want {
			t.Errorf("the time of the newest block in %v: %d, want %d", clock, time, want)
		}
		if least, most := arena.Windows(); least != 4 || most != 100_000 {
			t.Errorf("windows %d to %d", least, most)
		}
		if domain := arena.Domain(); domain != (protocol.Domain{ChainID: devnet.DefaultChainID, Arena: arena.Address()}) {
			t.Errorf("domain %+v", domain)
		}
	}
	notArena := func(what string, address common.Address) {
		t.Helper()
		if _, err := chain.OpenArena(ctx, client, address); !errors.Is(err, chain.ErrNoArena) {
			t.Errorf("%s: %v", what, err)
		}
	}
	notArena("an account", w.chain.Address(0))
	notArena("another contract", w.once)
	w.send(0, &w.once, bindings.NewArena().PackCLOCKMODE()) // which it takes once
	w.mine(1)
	notArena("a contract that reverts", w.once)
}

// A deposit goes the whole way: action, calldata, transaction, log, event; and back with a
// reorganisation.
func TestADepositIsSentSeenUndoneAndSentAgain(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	ctx := context.Background()
	client := w.dial(chain.Config{})
	arena := w.arena(client, true)
	words := codec.New(arena.Domain())
	sender, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(w.chain.Key(1)), Store: &kept{values: make(map[string][]byte)},
		Confirmations: 4, Now: arena.Now, Explain: codec.Explain,
	})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := chain.NewFollower(client, chain.FollowConfig{Arena: arena.Address(), From: 1, Decode: words.Decode, Confirmations: 4})
	if err != nil {
		t.Fatal(err)
	}
	var cursor []byte
	want := func(want string, bank uint64) {
		t.Helper()
		batch, err := follower.Next(ctx, cursor)
		if err != nil {
			t.Fatal(err)
		}
		cursor = batch.Cursor
		told := ""
		for _, event := range batch.Events {
			banked := event.Event.(onchain.Banked)
			told += fmt.Sprintf("%v +%v ", event.Stage, banked.Amount.Dec())
		}
		if told != want {
			t.Fatalf("told %q, want %q", told, want)
		}
		if balance, err := arena.Bank(ctx, common.Address{}, w.chain.Address(1)); err != nil || !balance.Eq(uint256.NewInt(bank)) {
			t.Fatalf("bank %v, %v, want %d", balance, err, bank)
		}
	}
	submit := func(key string, action onchain.Action) error {
		call, err := words.Encode(action)
		if err != nil {
			t.Fatal(err)
		}
		_, err = sender.Submit(ctx, chain.Request{Key: key, To: arena.Address(), Data: call.Data, Value: call.Value})
		return err
	}
	step := func() {
		t.Helper()
		w.mine(1)
		if _, err := sender.Step(ctx); err != nil {
			t.Fatal(err)
		}
	}

	five := onchain.Deposit{Account: w.chain.Address(1), Amount: *uint256.NewInt(5)}
	if err := submit("deposit", five); err != nil {
		t.Fatal(err)
	}
	step()
	want("seen +5 ", 5)
	if err := w.chain.Reorg(1); err != nil {
		t.Fatal(err)
	}
	want("undone +5 ", 0)
	step() // notices, and sends it again
	step()
	want("seen +5 ", 5)
	for range 3 {
		step()
	}
	want("final +5 ", 5)
	if report, err := sender.Status("deposit"); err != nil || report.Progress != chain.Done {
		t.Fatalf("%+v, %v", report, err)
	}

	err = submit("withdraw", onchain.Withdraw{Amount: *uint256.NewInt(6), To: w.chain.Address(1)})
	var refused *chain.Reverted
	if !errors.As(err, &refused) || !errors.Is(err, codec.ErrNotEnough) {
		t.Fatalf("withdrawing too much: %v", err)
	}
}
