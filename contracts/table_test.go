package contracts_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

const (
	chainID   = 1337
	minWindow = 8
	maxWindow = 100_000
	window    = 100 // of a table's channel, in blocks
	stake     = 1_000_000
)

var (
	eth common.Address

	arenaABI  = bindings.NewArena() // making one reads its whole ABI
	tokenABI  = testbindings.NewTestToken()
	walletABI = testbindings.NewTestWallet()
)

// table is a chain with an Arena and the toy rules on it, and some people who want to play: alice,
// bob and so on have seats in one channel, mallory has none. The Arena's solvency is checked after
// every transaction.
type table struct {
	*testing.T
	chain   *minichain.Chain
	auditor *audit.Auditor
	arena   common.Address
	toy     common.Address
	domain  protocol.Domain
	codec   *codec.Codec
	seats   []seat
	terms   protocol.Terms
	id      common.Hash
	sender  common.Address // of whatever is done; mallory, unless a test says otherwise

	newest  *protocol.SignedLedger             // the last ledger that all seats signed
	records map[common.Hash]*protocol.Record   // by match, as the Arena's events tell it
	posted  map[common.Hash]*onchain.Contested // by channel
}

// newTable sets a table for n seats, whose banks hold ten stakes each. Nothing is open.
func newTable(t *testing.T, n int) *table {
	t.Helper()
	tb := bareTable(t, n)
	for _, s := range tb.seats {
		tb.bank(s.player.address, eth, 10*stake)
	}
	return tb
}

// bareTable sets a table for n seats who own nothing.
func bareTable(t *testing.T, n int) *table {
	t.Helper()
	chain, err := minichain.New(chainID)
	if err != nil {
		t.Fatal(err)
	}
	tb := &table{T: t, chain: chain, sender: newKey("mallory").address,
		records: map[common.Hash]*protocol.Record{}, posted: map[common.Hash]*onchain.Contested{}}
	tb.arena = tb.deploy(bindings.ArenaMetaData.Bin, arenaABI.PackConstructor(true, minWindow, maxWindow))
	tb.toy = tb.deploy(testbindings.ToyRulesMetaData.Bin, nil)
	tb.domain = protocol.Domain{ChainID: chainID, Arena: tb.arena}
	tb.codec = codec.New(tb.domain)
	tb.audit()
	for _, name := range names[:n] {
		tb.seats = append(tb.seats, newSeat(name))
	}
	tb.setTerms(eth)
	return tb
}

// setTerms makes terms for all seats, with one stake each.
func (tb *table) setTerms(asset common.Address, change ...func(*protocol.Terms)) {
	t := protocol.Terms{Asset: asset, Window: window, OpenBy: tb.chain.Block() + 1_000, Salt: common.Hash{31: 1}}
	for _, s := range tb.seats {
		t.Players = append(t.Players, s.player.address)
		t.Signers = append(t.Signers, s.signer.address)
		t.Deposits = append(t.Deposits, *uint256.NewInt(stake))
	}
	for _, c := range change {
		c(&t)
	}
	tb.terms, tb.id = t, t.ID(tb.domain)
}

// audit starts the books.
func (tb *table) audit() {
	tb.auditor = audit.New(money{tb})
	tb.auditor.Know(tb.sender)
	tb.chain.OnTransaction = func(r *types.Receipt) {
		for _, ev := range tb.follow(r) {
			switch ev := ev.(type) {
			case onchain.Recorded:
				tb.heard(ev)
			case onchain.Contested:
				tb.posted[ev.ChannelID] = &ev
			}
		}
	}
}

// heard takes a match's record from an event. The conviction of one seat of three or more leaves
// the record as it was, and no later event repeats it.
func (tb *table) heard(ev onchain.Recorded) {
	flagged := ev.Record.Flagged
	if old := tb.records[ev.MatchID]; old != nil {
		flagged |= old.Flagged
		if ev.Record.Status == protocol.MatchUnknown {
			ev.Record = *old
		}
	}
	ev.Record.Flagged = flagged
	tb.records[ev.MatchID] = &ev.Record
}

// checkpoint returns what takes the table back to where it stands.
func (tb *table) checkpoint() (rewind func()) {
	at, kept, records, posted, newest := tb.chain.Checkpoint(), tb.auditor.Clone(), maps.Clone(tb.records), maps.Clone(tb.posted), tb.newest
	return func() {
		tb.chain.Rewind(at)
		tb.auditor, tb.records, tb.posted, tb.newest = kept.Clone(), maps.Clone(records), maps.Clone(posted), newest
	}
}

func (tb *table) deploy(code string, arguments []byte) common.Address {
	tb.Helper()
	at, _, err := tb.chain.Deploy(newKey("deployer").address, append(common.FromHex(code), arguments...))
	tb.ok(err)
	return at
}

func (tb *table) ok(err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// by has an account send what is done meanwhile.
func (tb *table) by(account common.Address, do func()) {
	tb.Helper()
	before := tb.sender
	tb.sender = account
	tb.auditor.Know(account)
	do()
	tb.sender = before
}

// send does an action.
func (tb *table) send(a onchain.Action) (*types.Receipt, error) {
	tb.Helper()
	call, err := tb.codec.Encode(a)
	if err != nil {
		return nil, err
	}
	r, err := tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Value: call.Value, Data: call.Data})
	var f *minichain.Failure
	if errors.As(err, &f) {
		err = codec.Explain(f.Data)
	} else {
		tb.ok(err)
	}
	return r, err
}

// must does an action that succeeds, and returns what the Arena said.
func (tb *table) must(a onchain.Action) []onchain.Event {
	tb.Helper()
	r, err := tb.send(a)
	if err != nil {
		tb.Fatalf("%T: %v", a, err)
	}
	return tb.read(r)
}

// refused does an action that fails with a certain error.
func (tb *table) refused(want error, a onchain.Action) {
	tb.Helper()
	if _, err := tb.send(a); !errors.Is(err, want) {
		tb.Fatalf("%T: %v, want %v", a, err, want)
	}
}

// tell sends a call to a contract that is not the Arena.
func (tb *table) tell(from, to common.Address, data []byte) {
	tb.Helper()
	_, err := tb.chain.Send(minichain.Tx{From: from, To: &to, Data: data})
	tb.ok(err)
}

// wait moves the chain on by blocks.
func (tb *table) wait(blocks uint64) { tb.chain.Mine(blocks) }

// until moves the chain to a block, counted from another.
func (tb *table) until(block uint64, offset int) {
	tb.chain.Mine(uint64(int64(block)+int64(offset)) - tb.chain.Block())
}
