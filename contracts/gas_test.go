package contracts_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var update = flag.Bool("update", false, "write gas.json anew")

// A bit more than an ETH, and half of it: amounts whose bytes are not zeros.
const (
	deposit = 1_234_567_890_123_456_789
	half    = deposit / 2
)

// TestGas holds gas.json exact. Run with -update to write it anew.
func TestGas(t *testing.T) {
	used := measureGas(t)
	const file = "gas.json"
	if *update {
		text, err := json.MarshalIndent(used, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]uint64
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if used[name] != want[name] {
			t.Errorf("%s uses %d gas, gas.json says %d: run with -update and look at the difference", name, used[name], want[name])
		}
	}
	if len(want) != len(used) {
		t.Errorf("gas.json has %d names, %d are measured", len(want), len(used))
	}
}

// measureGas returns what every step uses.
func measureGas(t *testing.T) map[string]uint64 {
	t.Helper()
	used := map[string]uint64{}
	for _, measure := range []func(*testing.T, map[string]uint64){
		gasOfDeployment, gasOfBank, gasOfOpening, gasOfClosing, gasOfResize, gasOfExit, gasOfMatch, gasOfDispute, gasOfSplitOrSteal, gasOfBattleships, gasOfSumsAndCows, gasOfBox9, gasOfScores,
	} {
		measure(t, used)
	}
	used["happy_warm"] = used["open_2"] + used["close_2_bank"]
	return used
}

// gas does an action that succeeds and returns what it used.
func (tb *table) gas(a onchain.Action) uint64 {
	tb.Helper()
	r, err := tb.send(a)
	tb.ok(err)
	return r.GasUsed
}

// bigTable sets a table whose channel holds a big deposit of each seat. The banks hold two each, if
// they are used at all.
func bigTable(t *testing.T, n int, banked bool) *table {
	t.Helper()
	tb := bareTable(t, n)
	for _, s := range tb.seats {
		tb.chain.Fund(s.player.address, uint256.NewInt(deposit)) // wallets exist
		if banked {
			tb.bank(s.player.address, eth, 2*deposit)
		}
	}
	tb.setTerms(eth, func(t *protocol.Terms) {
		t.Salt = hash([]byte("gas"))
		for i := range t.Deposits {
			t.Deposits[i].SetUint64(deposit)
		}
	})
	tb.sender = tb.seats[0].player.address
	return tb
}

// own is the opening as the first seat sends it: the transaction stands for its signature.
func (tb *table) own() onchain.Open {
	o := tb.opening()
	o.Signatures[0] = nil
	return o
}

func gasOfDeployment(t *testing.T, used map[string]uint64) {
	tb := bareTable(t, 2)
	for name, code := range map[string][]byte{
		"deploy_arena": append(common.FromHex(bindings.ArenaMetaData.Bin),
			arenaABI.PackConstructor(true, minWindow, maxWindow)...),
		"deploy_mastermind": common.FromHex(bindings.MastermindMetaData.Bin),
	} {
		_, r, err := tb.chain.Deploy(tb.sender, code)
		tb.ok(err)
		used[name] = r.GasUsed
	}
}

func gasOfBank(t *testing.T, used map[string]uint64) {
	tb := bigTable(t, 2, false)
	me := tb.sender
	used["deposit_eth_first"] = tb.gas(onchain.Deposit{Account: me, Amount: *uint256.NewInt(deposit)})
	used["withdraw_eth"] = tb.gas(onchain.Withdraw{Amount: *uint256.NewInt(half), To: me})
}

func gasOfOpening(t *testing.T, used map[string]uint64) {
	two := bigTable(t, 2, true)
	used["open_2"] = two.gas(two.own())
	four := bigTable(t, 4, true)
	used["open_4"] = four.gas(four.own())

	tb := bigTable(t, 2, false)
	bob := tb.seats[1].player.address
	var cold uint64
	tb.by(bob, func() { cold = tb.gas(onchain.Deposit{Account: bob, Amount: *uint256.NewInt(deposit)}) })
	open := tb.own()
	open.Value.SetUint64(deposit)
	used["open_2_value"] = tb.gas(open)
	used["close_2_push"] = tb.gas(onchain.Close{Terms: tb.terms, Ledger: tb.closing(17, deposit+half, deposit-half), Push: true})
	used["happy_cold"] = cold + used["open_2_value"] + used["close_2_push"]
}

func gasOfClosing(t *testing.T, used map[string]uint64) {
	two := bigTable(t, 2, true).open()
	used["close_2_bank"] = two.gas(onchain.Close{Terms: two.terms, Ledger: two.closing(17, deposit+half, deposit-half)})
	four := bigTable(t, 4, true).open()
	used["close_4_bank"] = four.gas(onchain.Close{Terms: four.terms, Ledger: four.closing(17, deposit+half, deposit-half, deposit, deposit)})
}

// gasOfExit is a one-sided close, without a lock and with one.
func gasOfExit(t *testing.T, used map[string]uint64) {
	tb := bigTable(t, 2, true).open()
	l := tb.ledger(17, []uint64{deposit + half, deposit - half})
	contest := tb.gas(tb.contest(l, 0))
	tb.wait(window)
	used["exit_onesided"] = contest + tb.gas(tb.settle(l))

	tb, m := gasMatch(t)
	m.coin().makeCode(0)
	tb.must(m.advance(m.support(3, 4, m.everyone(4))))
	tb.must(m.agree(m.agreement(4, half+half/3, half-half/3)))
	used["contest"] = tb.gas(tb.contest(*tb.newest, 0))
	tb.wait(window)
	used["settle"] = tb.gas(tb.settle(*tb.newest, m))
}

// gasMatch opens a channel of two whose newest ledger locks a match of Mastermind.
func gasMatch(t *testing.T) (*table, *match) {
	t.Helper()
	tb := bigTable(t, 2, true).open()
	m := tb.mastermind(17<<8, half, half)
	tb.ledger(17, []uint64{deposit - half, deposit - half}, m)
	return tb, m
}

// gasOfMatch takes a match through every step on the chain: the usual support is one move on a
// position that the other seat signed.
func gasOfMatch(t *testing.T, used map[string]uint64) {
	tb, m := gasMatch(t)
	m.coin().rounds(3).makeCode(3).guess(guesses)
	// the position before a guess of the last round
	at := func(guess int) int { return m.last() - 2*guesses + 2*guess }
	other := func(at int) []signed { return []signed{{at, m.line[at].by}} }

	used["advance_start"] = tb.gas(m.advance(m.support(at(3), at(3)+1, other(at(3))), m.demand(at(3)+1, m.line[at(3)+1].by)))
	used["advance_refute"] = tb.gas(m.advance(m.support(at(6), at(6)+1, other(at(6)))))
	used["advance_forced"] = tb.gas(m.advance(m.support(at(6)+1, at(7))))

	here := tb.checkpoint()
	end := m.fork(m.last()).reveal(3)
	tb.must(m.advance(m.support(at(12)-1, at(12), other(at(12)-1))))
	used["advance_over"] = tb.gas(end.advance(end.support(at(12), end.last())))
	here()
	used["agree"] = tb.gas(m.agree(m.agreement(m.at(at(7)).turn, half+half/3, half-half/3)))
	here()
	used["demand"] = tb.gas(m.demands(at(7), m.line[at(7)].by))
	tb.wait(window)
	used["expire"] = tb.gas(m.expire(at(7)))
	here()
	one, two := m.fork(at(8)), m.fork(at(8))
	one.play([]byte{0, 1})
	two.play([]byte{0, 2})
	used["convict"] = tb.gas(m.convict(one.equivocation(two, one.at(-1).by)))

	fresh, unrecorded := gasMatch(t)
	unrecorded.coin().makeCode(0)
	one, two = unrecorded.fork(4).play([]byte{0, 1}), unrecorded.fork(4).play([]byte{0, 2})
	used["convict_unrecorded"] = fresh.gas(unrecorded.convict(one.equivocation(two, one.at(-1).by)))
}

// gasOfDispute is all that it takes when the other seat goes silent in the middle of a match: two
// transactions.
func gasOfDispute(t *testing.T, used map[string]uint64) {
	tb, m := gasMatch(t)
	m.coin().makeCode(0).guess(4)
	last := m.last()
	start := m.advance(m.support(last-1, last, []signed{{last - 1, m.line[last-1].by}}), m.demand(last, m.line[last].by))
	contest := tb.contest(*tb.newest, 0)
	unsigned := *tb.newest
	unsigned.Signatures = nil // the contest before it has shown them
	start.Ledger = &unsigned
	used["dispute_full"] = tb.gas(onchain.Batch{contest, start})
	tb.wait(window)
	expire := m.expire(last)
	rewind := tb.checkpoint()
	tb.must(expire) // to learn what the record will be
	over := m.record()
	rewind()
	used["dispute_full"] += tb.gas(onchain.Batch{expire, onchain.Settle{
		Terms: tb.terms, Ledger: tb.newest.Ledger, Matches: []onchain.FinalMatch{{Terms: m.terms, Record: *over}},
	}})
	if r := m.record(); r.Status != protocol.MatchFinal {
		t.Errorf("record %+v", *r)
	}
	tb.empty(t)
}
