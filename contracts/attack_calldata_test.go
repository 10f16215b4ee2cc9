package contracts_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
)

// The Arena reads what callers supply where it lies in calldata. These tests put more behind a byte string than its length
// says, which no ABI encoder does.

// strings returns the byte strings that an action's call carries.
func (tb *table) strings(a channel.Action, method string) (list [][]byte) {
	tb.Helper()
	call, err := tb.codec.Encode(a)
	tb.ok(err)
	values, err := bindings.NewArena().GetABI().Methods[method].Inputs.Unpack(call.Data[4:])
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
	data := slices.Concat(bindings.NewArena().GetABI().Methods[method].ID, head, tail)
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

// A lock that lies behind the posting, where the posted ledger has none, is paid to nobody: it would be with the money of
// others.
func TestAttack_LockBehindPosting(t *testing.T) {
	tb, m := wonMatch(t)
	before := tb.strings(tb.settle(*tb.newest, m), "settle")
	lock := before[0][len(before[0])-(32+1+64):]
	released := tb.ledger(3, []uint64{stake, stake})
	tb.must(tb.contest(released, 0))
	tb.wait(window)
	posting := tb.strings(tb.settle(released), "settle")[0]
	err := tb.raw("settle", cut{slices.Concat(posting, lock), len(lock)}, cut{bytes: before[1]})
	if !errors.Is(err, codec.ErrNotLocked) {
		t.Errorf("a lock that nobody posted: %v", err)
	}
	tb.must(tb.settle(released))
	tb.empty(t)
}

// A seat that the channel doesn't have, whose signer lies behind the posting, gets nothing: it would be lost to the seat
// that won it.
func TestAttack_SeatBehindPosting(t *testing.T) {
	tb, m := wonMatch(t)
	tb.must(tb.contest(*tb.newest, 0))
	tb.wait(window)
	parts := tb.strings(tb.settle(*tb.newest, m), "settle")
	for _, seat := range []byte{2, 3, 20, 200, 255} {
		end := 61 + 20*2 + 20*(int(seat)+1) // of that signer
		posting := append(slices.Clone(parts[0]), make([]byte, max(0, end-len(parts[0])))...)
		if end-20 >= len(parts[0]) {
			copy(posting[end-20:], tb.seats[1].signer.address[:])
		}
		finals := slices.Clone(parts[1])
		finals[22] = seat // of the match's second seat, after index, rules and the first
		err := tb.raw("settle", cut{posting, len(posting) - len(parts[0])}, cut{bytes: finals})
		if !errors.Is(err, codec.ErrNotRecorded) {
			t.Errorf("paid to seat %d of 2: %v", seat, err)
		}
	}
	tb.must(tb.settle(*tb.newest, m))
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
	one, two := tb.strings(tb.settle(l, matches[0]), "settle"), tb.strings(tb.settle(l, matches[1]), "settle")
	posting, rewind := cut{bytes: one[0]}, tb.checkpoint()
	if err := tb.raw("settle", posting, cut{bytes: slices.Concat(two[1], one[1])}); !errors.Is(err, codec.ErrNotLocked) {
		t.Errorf("against the order: %v", err)
	}
	for behind := 1; behind <= len(one[1]); behind++ {
		rewind()
		err := tb.raw("settle", posting, cut{slices.Concat(two[1], one[1])[len(two[1]):], behind})
		if behind < len(one[1]) && !errors.Is(err, codec.ErrNotRecorded) {
			t.Fatalf("the last %d bytes lie behind the end: %v", behind, err)
		}
	}
	rewind()
	before := tb.banks()
	tb.ok(tb.raw("settle", posting, cut{bytes: slices.Concat(one[1], one[1], two[1], two[1])}))
	for i, want := range []uint64{stake - 4000, stake - 6000 + 10_000} {
		if got := tb.banks()[i] - before[i]; got != want {
			t.Errorf("%s gets %d, want %d", tb.seats[i].name, got, want)
		}
	}
	tb.empty(t)
}

// A claim, or what is known, that is cut short is not what was recorded, even if the rest lies behind it.
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

// One ledger has one encoding: whether it is closing is 0 or 1. The refusal comes before any signature is looked at.
func TestLedgerHasOneEncoding(t *testing.T) {
	tb := newTable(t, 2).open()
	call, err := tb.codec.Encode(tb.contest(tb.ledger(2, []uint64{stake, stake}), 0))
	tb.ok(err)
	at := bytes.Index(call.Data, []byte{0, 0, 0, 0, 0, 0, 0, 2, 0, 2}) // version, closing, number of balances
	call.Data[at+8] = 2
	_, err = tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data, Gas: 3_000_000})
	var f *minichain.Failure
	if !errors.As(err, &f) || !errors.Is(codec.Explain(f.Data), codec.ErrBadLedger) {
		t.Errorf("closing 2: %v", err)
	}
}
