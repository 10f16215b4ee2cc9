package contracts_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// refusedTelling does an action that fails with a certain error and what it tells, its arguments'
// words.
func (tb *table) refusedTelling(a onchain.Action, name string, arguments ...any) {
	tb.Helper()
	call, err := tb.codec.Encode(a)
	tb.ok(err)
	kind := arenaABI.GetABI().Errors[name]
	told, err := kind.Inputs.Pack(arguments...)
	tb.ok(err)
	_, err = tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data})
	var f *minichain.Failure
	if !errors.As(err, &f) || !bytes.Equal(f.Data, append(kind.ID.Bytes()[:4], told...)) {
		tb.Errorf("%T: %v, want %s%v", a, err, name, arguments)
	}
}

// What a refusal tells is what it went by: a client decides by it when to try again, and with what.
func TestRefusalsTell(t *testing.T) {
	tb := newTable(t, 2)
	rich, poor := tb.seats[0].player.address, newKey("poor").address
	tb.by(rich, func() {
		most, more := uint256.NewInt(10*stake), uint256.NewInt(10*stake+1)
		tb.refusedTelling(onchain.Withdraw{Amount: *more, To: rich}, "NotEnough", rich, most.ToBig(), more.ToBig())
	})
	tb.by(poor, func() {
		one := uint256.NewInt(1)
		tb.refusedTelling(onchain.Withdraw{Amount: *one, To: rich}, "NotEnough", poor, new(uint256.Int).ToBig(), one.ToBig())
	})
	number := func(n uint64) any { return uint256.NewInt(n).ToBig() }

	tb.until(tb.terms.OpenBy, 1)
	tb.refusedTelling(tb.opening(), "TooLate", number(tb.terms.OpenBy))

	tb = newTable(t, 2).open()
	older, l, newer := tb.ledger(4, []uint64{stake, stake}), tb.ledger(5, []uint64{stake, stake}), tb.ledger(6, []uint64{stake, stake})
	tb.must(tb.contest(l, 0))
	deadline := tb.posted[tb.id].Deadline
	tb.refusedTelling(tb.settle(l), "TooEarly", number(deadline))
	tb.refusedTelling(tb.contest(older, 0), "StaleLedger", uint64(5))
	tb.refusedTelling(onchain.Close{Terms: tb.terms, Ledger: tb.closing(4, stake, stake)}, "StaleLedger", uint64(5))
	tb.until(deadline, 0)
	tb.refusedTelling(tb.contest(newer, 0), "TooLate", number(deadline))

	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	fork := m.fork(1).play(toy.Win(1))
	m.play(toy.Pass(0), toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	tb.refusedTelling(m.expire(1), "TooEarly", number(m.record().Deadline))
	tb.must(fork.advance(fork.support(1, 2)))
	deadline = m.record().Deadline
	tb.must(tb.contest(*tb.newest, 0))
	tb.until(deadline, -1)
	tb.wait(1)
	tb.refusedTelling(fork.convict(fork.equivocation(m.fork(2), 1)), "TooLate", number(deadline))
	tb.refusedTelling(m.advance(m.support(2, 3, m.everyone(2))), "TooLate", number(deadline))
	tb.refusedTelling(m.agree(m.agreement(4, stake, 0)), "TooLate", number(deadline))
}

// A lock's match may end later than the channel's window: the refusal to pay it tells when.
func TestLockIsPaidLater(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Win(1))
	tb.must(tb.contest(*tb.newest, 0))
	tb.wait(window - 1)
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.wait(1)
	tb.refusedTelling(tb.settle(*tb.newest, m), "TooEarly", uint256.NewInt(m.record().Deadline).ToBig())
}

// What the Arena says of a channel, through all that can become of it.
func TestChannelIsTold(t *testing.T) {
	tb := newTable(t, 2)
	says := func(status uint8, deadline, version uint64, fingerprint ...byte) {
		t.Helper()
		out, err := tb.chain.Call(tb.sender, tb.arena, arenaABI.PackChannelOf(tb.id))
		tb.ok(err)
		got, err := arenaABI.UnpackChannelOf(out)
		tb.ok(err)
		if got.Status != status || got.Deadline.Uint64() != deadline || got.Version != version ||
			!bytes.Equal(got.Fingerprint.Bytes(), common.TrimLeftZeroes(fingerprint)) {
			t.Errorf("%+v, want status %d, deadline %d, version %d, fingerprint %x", got, status, deadline, version, fingerprint)
		}
	}
	says(0, 0, 0)
	tb.open()
	says(1, 0, 0)
	rewind := tb.checkpoint()
	tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake, stake)})
	says(4, 0, 0)
	rewind()
	l := tb.ledger(1<<40-2, []uint64{stake + 1, stake - 1})
	tb.must(tb.contest(l, 1))
	posting, _ := tb.posting(l)
	hash := crypto.Keccak256(posting[len(posting)-(9+1+64+1):])
	deadline := tb.chain.Block() + window
	says(2, deadline, l.Version, hash[12:]...)
	rewind = tb.checkpoint()
	// at the version that is contested
	tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(l.Version, stake, stake)})
	says(4, deadline, l.Version, hash[12:]...)
	rewind()
	tb.wait(window)
	tb.must(tb.settle(l))
	says(3, 0, 0, hash[1:]...)
}

// A single wei is somebody's as well: what a settlement pays, and what an opener sent too much.
func TestSingleWei(t *testing.T) {
	tb := newTable(t, 2)
	rich := newKey("rich").address
	tb.chain.Fund(rich, uint256.NewInt(1))
	tb.auditor.Know(rich)
	open := tb.opening()
	open.Value.SetOne()
	tb.by(rich, func() { tb.must(open) })
	if got := tb.owed(rich, eth); !got.IsUint64() || got.Uint64() != 1 {
		t.Errorf("the sender's bank holds %s, want what it sent", got.Dec())
	}
	l := tb.ledger(2, []uint64{2*stake - 1, 1})
	tb.must(tb.contest(l, 0))
	tb.wait(window)
	tb.must(tb.settle(l))
	if got := tb.banks(); got[1] != 9*stake+1 {
		t.Errorf("banks %v", got)
	}
}

// picky is a wallet's code: it says that every signature is its own, and takes money only if that
// comes without data, and with nearly all the gas that a push gives.
const picky = "60278060095f395ff3" +
	"6004361160185736601457" + // more than 4 bytes: a question; fewer: refused
	"5a616d601160145700" + // less than 28,000 gas: refused
	"5b5f5ffd" + "5b631626ba7e60e01b5f5260205ff3"

// A sender who gives too little gas can't make a wallet refuse what is pushed to it: whatever the
// gas, the call fails or the wallet is paid.
func TestAttack_GasStarve_Push(t *testing.T) {
	tb := newTable(t, 2)
	wallet := tb.deploy(picky, nil)
	tb.auditor.Know(wallet)
	tb.chain.Fund(tb.sender, uint256.NewInt(2*stake))
	tb.must(onchain.Deposit{Account: wallet, Amount: *uint256.NewInt(2 * stake)})
	tb.setTerms(eth, func(t *protocol.Terms) { t.Players[1] = wallet })
	tb.seats[1].contract = wallet
	tb.open()
	push := onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake, stake), Push: true}
	call, err := tb.codec.Encode(push)
	tb.ok(err)
	rewind := tb.checkpoint()
	done, starved := 0, 0
	for gas := uint64(40_000); gas < 250_000; gas += 499 {
		rewind()
		_, err := tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data, Gas: gas})
		var f *minichain.Failure
		switch {
		case errors.As(err, &f):
			starved++
		case err != nil:
			t.Fatal(err)
		default:
			done++
			if got := tb.wallet(wallet, eth); got.Uint64() != stake {
				t.Fatalf("with %d gas the wallet is paid %s", gas, got.Dec())
			}
		}
	}
	if done == 0 || starved == 0 {
		t.Errorf("%d calls were done and %d starved", done, starved)
	}
}

// A proof is just so long, and of a turn that can be.
func TestProofsAreExact(t *testing.T) {
	tb, m := newMatch(t, 3)
	m.play(toy.Pass(1))
	one, two := m.fork(1).play(toy.Pass(0, 1)), m.fork(1).play(toy.Pass(0, 2))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	carried := tb.strings(m.convict(one.equivocation(two, 1)), "convict")
	if err := tb.raw("convict", cut{bytes: carried[0]}, cut{bytes: carried[1]}, cut{bytes: append(carried[2], 0)}); !errors.Is(err, codec.ErrBadProof) {
		t.Errorf("a byte too many: %v", err)
	}
	for _, side := range []*match{one, two} {
		side.line[2].turn = 1<<64 - 1
	}
	tb.refused(codec.ErrBadProof, m.convict(one.equivocation(two, 1)))
}
