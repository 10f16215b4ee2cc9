package contracts_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/holiman/uint256"
)

// The Arena reads what callers supply where it lies in calldata. These tests put more behind a byte
// string than its length says, which no ABI encoder does.

// strings returns the byte strings that an action's call carries.
func (tb *table) strings(a onchain.Action, method string) (list [][]byte) {
	tb.Helper()
	call, err := tb.codec.Encode(a)
	tb.ok(err)
	values, err := arenaABI.GetABI().Methods[method].Inputs.Unpack(call.Data[4:])
	tb.ok(err)
	for _, v := range values {
		list = append(list, v.([]byte))
	}
	return list
}

// cut is a byte string in calldata and how much of it lies behind what its length says.
type cut struct {
	bytes  []byte
	behind int
}

// raw calls a method with byte strings that lie just as told, and returns why it fails.
func (tb *table) raw(method string, list ...cut) error {
	tb.Helper()
	word := func(n int) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), uint64(n)) }
	var head, tail []byte
	for _, c := range list {
		head = append(head, word(32*len(list)+len(tail))...)
		tail = slices.Concat(tail, word(len(c.bytes)-c.behind), c.bytes)
	}
	data := slices.Concat(arenaABI.GetABI().Methods[method].ID, head, tail)
	_, err := tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: data, Gas: 3_000_000})
	var f *minichain.Failure
	if errors.As(err, &f) {
		return codec.Explain(f.Data)
	}
	tb.ok(err)
	return nil
}

// wonMatch is a match that its second seat has won, which the newest ledger locks.
func wonMatch(t *testing.T) (*table, *match) {
	t.Helper()
	tb, m := newMatch(t, 2)
	m.play(toy.Win(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	return tb, m
}

// posting returns what a settlement's call carries: the terms and the ledger, and behind them the
// matches to pay.
func (tb *table) posting(l protocol.SignedLedger, matches ...*match) (head, finals []byte) {
	tb.Helper()
	head = tb.strings(tb.settle(l), "settle")[0]
	return head, tb.strings(tb.settle(l, matches...), "settle")[0][len(head):]
}

// A lock that the posted ledger doesn't have is paid to nobody: it would be with the money of
// others.
func TestAttack_LockBehindPosting(t *testing.T) {
	tb, m := wonMatch(t)
	locking, finals := tb.posting(*tb.newest, m)
	lock := locking[len(locking)-(32+1+64):]
	released := tb.ledger(3, []uint64{stake, stake})
	tb.must(tb.contest(released, 0))
	tb.wait(window)
	head, _ := tb.posting(released)
	locks := slices.Concat(head, lock)
	locks[len(head)-1] = 1 // of them
	for name, tc := range map[string]struct {
		carried cut
		want    error
	}{
		"none":               {cut{bytes: slices.Concat(head, finals)}, codec.ErrNotLocked},
		"taken for a match":  {cut{bytes: slices.Concat(head, lock, finals)}, codec.ErrNotLocked},
		"in another ledger":  {cut{bytes: slices.Concat(locks, finals)}, codec.ErrBadLedger},
		"behind the posting": {cut{locks, len(lock)}, codec.ErrBadLedger},
	} {
		if err := tb.raw("settle", tc.carried); !errors.Is(err, tc.want) {
			t.Errorf("a lock that nobody posted, %s: %v, want %v", name, err, tc.want)
		}
	}
	tb.must(tb.settle(released))
	tb.empty(t)
}

// A posting that is cut short is none, even if the rest lies behind it.
func TestPostingWhole(t *testing.T) {
	tb := newTable(t, 2).open()
	l := tb.ledger(2, []uint64{stake, stake})
	tb.must(tb.contest(l, 0))
	tb.wait(window)
	head, _ := tb.posting(l)
	ledger := 9 + 1 + 64 + 1
	for behind := 1; behind <= len(head); behind++ {
		want := codec.ErrBadLedger
		if behind > ledger {
			want = codec.ErrBadTerms
		}
		if err := tb.raw("settle", cut{head, behind}); !errors.Is(err, want) {
			t.Fatalf("all but %d bytes: %v, want %v", behind, err, want)
		}
	}
	tb.must(tb.settle(l))
	tb.empty(t)
}

// A seat that the channel doesn't have gets nothing, whatever lies where its signer would: it would
// be lost to the seat that won it.
func TestAttack_SeatBehindPosting(t *testing.T) {
	tb, m := wonMatch(t)
	tb.must(tb.contest(*tb.newest, 0))
	tb.wait(window)
	head, finals := tb.posting(*tb.newest, m)
	for _, seat := range []byte{2, 3, 20, 200, 255} {
		changed := slices.Clone(finals)
		changed[22] = seat // of the match's second seat, after index, rules and the first
		if err := tb.raw("settle", cut{bytes: slices.Concat(head, changed)}); !errors.Is(err, codec.ErrNotRecorded) {
			t.Errorf("paid to seat %d of 2: %v", seat, err)
		}
	}
	tb.must(tb.settle(*tb.newest, m))
	tb.empty(t)
}

// Behind the signers lie the deposits, which may be as large as an address is: of a token that
// somebody makes for it.
func TestAttack_SeatBehindPosting_Deposit(t *testing.T) {
	tb := bareTable(t, 2)
	token, alice, bob := tb.coin(), tb.seats[0].player.address, tb.seats[1]
	tb.bank(bob.player.address, token, stake)
	huge := *new(uint256.Int).SetBytes(bob.signer.address[:])
	tb.tell(alice, token, tokenABI.PackMint(alice, huge.ToBig()))
	tb.tell(alice, token, tokenABI.PackApprove(tb.arena, huge.ToBig()))
	tb.by(alice, func() { tb.must(onchain.Deposit{Account: alice, Asset: token, Amount: huge}) })
	tb.setTerms(token, func(t *protocol.Terms) { t.Deposits[0] = huge })
	tb.open()
	m := tb.match(2<<8, toy.Params(0), stake/2, stake/2)
	l := protocol.Ledger{ChannelID: tb.id, Version: 2, Locks: []protocol.Lock{{MatchID: m.id, Stakes: m.terms.Stakes}}}
	for _, deposit := range tb.terms.Deposits {
		l.Balances = append(l.Balances, *new(uint256.Int).SubUint64(&deposit, stake/2))
	}
	locked := tb.signLedger(l)
	m.play(toy.Win(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	tb.must(tb.contest(locked, 0))
	tb.wait(window)
	head, finals := tb.posting(locked, m)
	// bob's seat in the match: two signers, the deposits' number, and the first deposit
	finals[22] = 3
	if err := tb.raw("settle", cut{bytes: slices.Concat(head, finals)}); !errors.Is(err, codec.ErrNotRecorded) {
		t.Errorf("paid to seat 3 of 2: %v", err)
	}
	tb.must(tb.settle(locked, m))
	tb.empty(t)
}

// Finals come in the order of their locks, whole, and one that comes twice is paid once.
func TestFinalsInOrder(t *testing.T) {
	tb := newTable(t, 2).open()
	matches := []*match{tb.match(2<<8, toy.Params(0), 1000, 2000), tb.match(2<<8|1, toy.Params(0), 3000, 4000)}
	l := tb.ledger(2, []uint64{stake - 4000, stake - 6000}, matches...)
	slices.SortFunc(matches, func(a, b *match) int { return a.id.Cmp(b.id) })
	for _, m := range matches {
		m.play(toy.Win(1))
		tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	}
	tb.must(tb.contest(l, 0))
	tb.wait(window)
	head, one := tb.posting(l, matches[0])
	_, two := tb.posting(l, matches[1])
	if err := tb.raw("settle", cut{bytes: slices.Concat(head, two, one)}); !errors.Is(err, codec.ErrNotLocked) {
		t.Errorf("against the order: %v", err)
	}
	rewind := tb.checkpoint()
	for behind := 1; behind < len(one); behind++ {
		rewind()
		if err := tb.raw("settle", cut{slices.Concat(head, one), behind}); !errors.Is(err, codec.ErrNotRecorded) {
			t.Fatalf("the last %d bytes lie behind the end: %v", behind, err)
		}
	}
	rewind()
	before := tb.banks()
	tb.ok(tb.raw("settle", cut{bytes: slices.Concat(head, one, one, two, two)}))
	for i, want := range []uint64{stake - 4000, stake - 6000 + 10_000} {
		if got := tb.banks()[i] - before[i]; got != want {
			t.Errorf("%s gets %d, want %d", tb.seats[i].name, got, want)
		}
	}
	tb.empty(t)
}

// A claim, or what is known, that is cut short is not what was recorded, even if the rest lies
// behind it.
func TestSuppliedWhole(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	known := tb.strings(m.advance(m.support(0, 1)), "advance")
	for _, behind := range []int{1, 2, len(known[0]) - 93, len(known[0]) - 20, len(known[0]) - 1} {
		err := tb.raw("advance", cut{known[0], behind}, cut{bytes: known[1]}, cut{})
		if !errors.Is(err, codec.ErrNotRecorded) && !errors.Is(err, codec.ErrBadStatus) {
			t.Errorf("all known but %d bytes: %v", behind, err)
		}
	}
	for _, behind := range []int{1, 2, 68, 69, len(known[1]) - 9} {
		if err := tb.raw("advance", cut{bytes: known[0]}, cut{known[1], behind}, cut{}); !errors.Is(err, codec.ErrBadSupport) {
			t.Errorf("all support but %d bytes: %v", behind, err)
		}
	}
	tb.until(m.record().Deadline, 0)
	claim := tb.strings(m.expire(0), "expire")[0]
	state := len(m.at(0).state)
	for _, behind := range []int{1, state, state + 1, len(claim) - 93, len(claim) - 64} {
		if err := tb.raw("expire", cut{claim, behind}); !errors.Is(err, codec.ErrNotRecorded) {
			t.Errorf("a claim but for %d bytes: %v", behind, err)
		}
	}
	tb.must(m.expire(0))
	m.pays(0, stake)
}

// One ledger has one encoding: whether it is closing is 0 or 1. The refusal comes before any
// signature is looked at.
func TestLedgerHasOneEncoding(t *testing.T) {
	tb := newTable(t, 2).open()
	call, err := tb.codec.Encode(tb.contest(tb.ledger(2, []uint64{stake, stake}), 0))
	tb.ok(err)
	// version, closing, number of balances
	at := bytes.Index(call.Data, []byte{0, 0, 0, 0, 0, 0, 0, 2, 0, 2})
	call.Data[at+8] = 2
	_, err = tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data, Gas: 3_000_000})
	var f *minichain.Failure
	if !errors.As(err, &f) || !errors.Is(codec.Explain(f.Data), codec.ErrBadLedger) {
		t.Errorf("closing 2: %v", err)
	}
}
