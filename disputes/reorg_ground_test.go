package disputes_test

import (
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// ground is an Arena on go-ethereum's own chain, which is reorganised, and what a node has of it: a
// sender, a follower, and what they tell, folded.
type ground struct {
	*testing.T
	*board
	net    *devnet.Chain
	eth    *ethclient.Client
	client *chain.Client
	arena  *chain.Arena
	codec  *codec.Codec
	alarms []chain.Alarm

	sender   *chain.Sender
	follower *chain.Follower
	cursor   []byte
	told     []chain.Event     // that stand, in the order in which they were seen
	final    int               // so many of them are final
	watcher  *disputes.Watcher // of alice's seat, whose view is what the node knows
}

// What the accounts of the chain are for: the first seats are players, the first of all is who
// sends.
const (
	alice = iota
	bob
	stranger
)

func newGround(t *testing.T) *ground {
	t.Helper()
	net, err := devnet.Start(devnet.Config{Manual: true})
	g := &ground{T: t, net: net}
	g.ok(err)
	t.Cleanup(func() {
		if err := net.Close(); err != nil {
			t.Error(err)
		}
	})
	g.eth = net.Client()
	t.Cleanup(g.eth.Close)
	g.client, err = chain.Dial(t.Context(), chain.Config{URL: net.URL(), Alarm: func(a chain.Alarm) { g.alarms = append(g.alarms, a) }})
	g.ok(err)
	t.Cleanup(g.client.Close)
	receipt, err := net.DeployArena(t.Context(), true, 8, 100_000)
	g.ok(err)
	g.arena, err = chain.OpenArena(t.Context(), g.client, receipt.ContractAddress)
	g.ok(err)
	g.codec = codec.New(g.arena.Domain())
	rules, err := net.Deploy(t.Context(), common.FromHex(testbindings.ToyRulesMetaData.Bin))
	g.ok(err)
	g.board = newBoard(g.arena.Domain(), rules.ContractAddress, 2, window, deposit)
	g.terms.Players = []common.Address{net.Address(alice), net.Address(bob)}
	g.id = g.terms.ID(g.domain)
	g.follower, err = chain.NewFollower(g.client, chain.FollowConfig{Arena: g.arena.Address(), From: g.net.Head(), Decode: g.codec.Decode})
	g.ok(err)
	g.watcher = g.fold()
	return g
}

func (g *ground) ok(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *ground) mine(n int) {
	g.Helper()
	g.ok(g.net.Mine(n))
}

// do has strangers do actions, each in a block of its own.
func (g *ground) do(list ...onchain.Action) {
	g.Helper()
	for _, a := range list {
		tx := g.post(stranger, a, 1)
		g.mine(1)
		receipt, err := g.eth.TransactionReceipt(g.Context(), tx.Hash())
		g.ok(err)
		if receipt.Status != types.ReceiptStatusSuccessful {
			g.Fatalf("%T fails in block %d", a, receipt.BlockNumber)
		}
	}
}

// post puts an account's action into the pool. Miners put those first that pay them more.
func (g *ground) post(account int, a onchain.Action, tip int64) *types.Transaction {
	g.Helper()
	call, err := g.codec.Encode(a)
	g.ok(err)
	to := g.arena.Address()
	tx, err := g.net.Send(g.Context(), g.net.Key(account), types.DynamicFeeTx{
		To: &to, Value: call.Value.ToBig(), Data: call.Data, GasTipCap: big.NewInt(tip * params.GWei),
	})
	g.ok(err)
	return tx
}

// place is where a ground can be taken back to.
type place struct {
	block  uint64
	cursor []byte
	told   []chain.Event
	final  int
}

func (g *ground) here() place {
	g.Helper()
	g.listen()
	return place{g.net.Head(), g.cursor, slices.Clone(g.told), g.final}
}

// back takes chain and reader back to a place, with a new sender that has sent nothing.
func (g *ground) back(to place) {
	g.Helper()
	g.ok(g.net.Rewind(int(g.net.Head() - to.block)))
	g.cursor, g.told, g.final, g.alarms = to.cursor, slices.Clone(to.told), to.final, nil
	g.watcher = g.fold()
	var err error
	g.sender, err = chain.NewSender(g.client, chain.SenderConfig{
		Signer: chain.KeySigner(g.net.Key(alice)), Store: store.NewMemory(), Now: g.arena.Now, Explain: codec.Explain,
	})
	g.ok(err)
}

// fold tells a new watcher what stands.
func (g *ground) fold() *disputes.Watcher {
	w := watch(g.board, alice, office{g})
	for i := range g.told {
		if id, about := onchain.Of(g.told[i].Event); about && id == g.id {
			w.Happened(g.told[i].Block.Number, g.told[i].Event)
		}
	}
	return w
}

// says returns all that a view knows.
func (g *ground) says(v *disputes.View) []any {
	ledger, deadline := v.Ledger()
	m := g.played().id
	return []any{v.Status(), ledger, deadline, v.Record(m), v.Posted(m), v.Paid(m)}
}

// submit asks the sender for an action, always under the same name.
func (g *ground) submit(a onchain.Action) error {
	call, err := g.codec.Encode(a)
	g.ok(err)
	_, err = g.sender.Submit(g.Context(), chain.Request{Key: "ours", To: g.arena.Address(), Data: call.Data, Value: call.Value})
	return err
}

// listen reads what the chain says, and compares all that is known with the contract.
func (g *ground) listen() {
	g.Helper()
	for behind := true; behind; {
		batch, err := g.follower.Next(g.Context(), g.cursor)
		g.ok(err)
		for _, e := range batch.Events {
			g.heard(e)
		}
		g.cursor, behind = batch.Cursor, batch.Behind
	}
	if now, fresh := g.says(g.watcher.View()), g.says(g.fold().View()); !reflect.DeepEqual(now, fresh) {
		g.Fatalf("after what was undone the view says %+v, without it %+v", now, fresh)
	}
	g.compare()
}

// heard folds one event. Undone is what was seen last; final is what was seen first.
func (g *ground) heard(e chain.Event) {
	g.Helper()
	same := func(o *chain.Event) bool { return o.Log.BlockHash == e.Log.BlockHash && o.Log.Index == e.Log.Index }
	id, about := onchain.Of(e.Event)
	ours := about && id == g.id
	switch last := len(g.told) - 1; e.Stage {
	case chain.Seen:
		if slices.ContainsFunc(g.told, func(o chain.Event) bool { return same(&o) }) {
			g.Fatalf("seen twice: %+v", e)
		}
		g.told = append(g.told, e)
		if ours {
			g.watcher.Happened(e.Block.Number, e.Event)
		}
	case chain.Undone:
		if last < 0 || !same(&g.told[last]) {
			g.Fatalf("undone, though it is not what was seen last: %+v", e)
		}
		g.told = g.told[:last]
		g.final = min(g.final, last)
		if ours {
			g.watcher.Unhappened(e.Block.Number)
		}
	case chain.Final:
		if g.final > last || !same(&g.told[g.final]) {
			g.Fatalf("final, though it is not the first that wasn't: %+v", e)
		}
		g.final++
	}
}

// compare fails when the contract says other things than the events that stand.
func (g *ground) compare() {
	g.Helper()
	b := audit.New(g)
	for i := range g.told {
		g.ok(b.Post(g.told[i].Event))
	}
	g.ok(b.Check())
	raw, err := g.client.Call(g.Context(), g.arena.Address(), arenaABI.PackChannelOf(g.id))
	g.ok(err)
	on, err := arenaABI.UnpackChannelOf(raw)
	g.ok(err)
	view := g.watcher.View()
	ledger, deadline := view.Ledger()
	status := view.Status()
	switch { // the contract numbers them as disputes does
	case on.Status != uint8(status):
		g.Fatalf("the contract has the channel at status %d, the view at %d", on.Status, status)
	case status == disputes.Contested && (on.Version != ledger.Version || on.Deadline.Uint64() != deadline):
		g.Fatalf("the contract has ledger %d until %d, the view %d until %d", on.Version, on.Deadline, ledger.Version, deadline)
	}
	g.compareMatch(g.played())
}

func (g *ground) compareMatch(m *match) {
	g.Helper()
	raw, err := g.client.Call(g.Context(), g.arena.Address(), arenaABI.PackMatchOf(m.id))
	g.ok(err)
	on, err := arenaABI.UnpackMatchOf(raw)
	g.ok(err)
	r := g.watcher.View().Record(m.id)
	want := r.Status
	if g.watcher.View().Paid(m.id) {
		want = protocol.MatchPaid
	}
	if on.Status != uint8(want) {
		g.Fatalf("the contract has the match at status %d, the view at %d", on.Status, want)
	}
	if r.Status == protocol.MatchUnknown || want == protocol.MatchPaid {
		return
	}
	// What the contract keeps is a fingerprint of the record that the next call supplies.
	call, err := g.codec.Encode(onchain.DemandMove{Terms: g.terms, Match: m.terms, Record: r})
	g.ok(err)
	arguments, err := arenaABI.GetABI().Methods["demand"].Inputs.Unpack(call.Data[4:])
	g.ok(err)
	if print := crypto.Keccak256(arguments[0].([]byte))[9:]; !slices.Equal(print, on.Fingerprint.FillBytes(make([]byte, 23))) {
		g.Fatalf("the contract keeps another record of the match than %+v", r)
	}
}

// Held implements audit.Source.
func (g *ground) Held(common.Address) (*uint256.Int, error) {
	return g.client.Balance(g.Context(), g.arena.Address())
}

// Bank implements audit.Source.
func (g *ground) Bank(account, asset common.Address) (*uint256.Int, error) {
	return g.arena.Bank(g.Context(), asset, account)
}

// rounds lets so many blocks pass, some at a time, with the sender and the reader looking on.
func (g *ground) rounds(n, blocks int) {
	g.Helper()
	for range n {
		g.mine(blocks)
		_, err := g.sender.Step(g.Context())
		g.ok(err)
		g.listen()
	}
}

func (g *ground) status() chain.Report {
	g.Helper()
	r, err := g.sender.Status("ours")
	g.ok(err)
	return r
}

// mined returns how many transactions of an account are in the chain.
func (g *ground) mined(account int) uint64 {
	g.Helper()
	n, err := g.eth.NonceAt(g.Context(), g.net.Address(account), nil)
	g.ok(err)
	return n
}
