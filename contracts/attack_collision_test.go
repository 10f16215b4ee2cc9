package contracts_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Whoever holds every seat of a channel and has the power to find two ledgers, or two records of a
// match, with one fingerprint can have the one judged and the other paid. It must gain them nothing
// of others' money: what is in the bank, or locked in other channels. The power is simulated by
// writing the fingerprint of the other into storage.
func TestAttack_FingerprintCollision(t *testing.T) {
	wraps := new(uint256.Int).Lsh(uint256.NewInt(1), 255)
	setup := func(t *testing.T) (*table, *match) {
		tb, m := wonMatch(t)
		tb.bank(newKey("carol").address, eth, 1000*stake) // who has nothing to do with it
		tb.must(tb.contest(*tb.newest, 0))
		tb.wait(window)
		return tb, m
	}
	for name, change := range map[string]func(l *protocol.Ledger){
		"a balance above the deposits": func(l *protocol.Ledger) { l.Balances[0].SetUint64(500 * stake) },
		"a wei":                        func(l *protocol.Ledger) { l.Balances[1].AddUint64(&l.Balances[1], 1) },
		"stakes above the deposits":    func(l *protocol.Ledger) { l.Locks[0].Stakes = amounts(300*stake, 300*stake) },
		"one more lock": func(l *protocol.Ledger) {
			l.Locks = append(l.Locks, protocol.Lock{MatchID: common.MaxHash, Stakes: amounts(stake, stake)})
		},
		"one lock twice":            func(l *protocol.Ledger) { l.Locks = append(l.Locks, l.Locks[0]) },
		"the lock's stakes as well": func(l *protocol.Ledger) { l.Balances = amounts(stake, stake) },
		"balances that wrap": func(l *protocol.Ledger) {
			for i := range l.Balances {
				l.Balances[i].Add(&l.Balances[i], wraps)
			}
		},
		"stakes that wrap": func(l *protocol.Ledger) {
			l.Locks[0].Stakes = slices.Clone(l.Locks[0].Stakes)
			for i := range l.Locks[0].Stakes {
				l.Locks[0].Stakes[i].Add(&l.Locks[0].Stakes[i], wraps)
			}
		},
		"a seat too many": func(l *protocol.Ledger) { l.Balances = append(l.Balances, uint256.Int{}) },
		"a seat too few":  func(l *protocol.Ledger) { l.Balances = amounts(stake) },
	} {
		t.Run("ledger/"+name, func(t *testing.T) {
			tb, m := setup(t)
			other := *tb.newest
			other.Balances, other.Locks = slices.Clone(other.Balances), slices.Clone(other.Locks)
			change(&other.Ledger)
			tb.collide(other)
			tb.refused(codec.ErrBadLedger, tb.settle(other))
			tb.refused(codec.ErrBadLedger, tb.settle(other, m))
		})
	}
	t.Run("as it was", func(t *testing.T) { // shows that the fingerprints below are right
		tb, m := setup(t)
		tb.collide(*tb.newest)
		tb.collideRecord(m)
		tb.must(tb.settle(*tb.newest, m))
		tb.collide(*tb.newest)
		tb.must(tb.settle(*tb.newest, m))
	})
	t.Run("part by part", func(t *testing.T) {
		tb, m := wonMatch(t)
		locks := *tb.newest
		all := tb.ledger(3, []uint64{stake, stake})
		tb.must(tb.contest(all, 0))
		tb.wait(window)
		tb.must(tb.settle(all))
		tb.collide(locks)
		// its balances would not be paid again, but its lock would be
		tb.refused(codec.ErrBadLedger, tb.settle(locks, m))
	})
	t.Run("another channel's terms", func(t *testing.T) {
		tb, _ := setup(t)
		head, _ := tb.posting(*tb.newest)
		for what, at := range map[string]int{"asset": 1, "window": 28, "deposits": 29 + 80 + 31, "last byte": 69 + 2*72 - 1} {
			changed := slices.Clone(head)
			changed[at] ^= 1
			if err := tb.raw("settle", cut{bytes: changed}); !errors.Is(err, codec.ErrBadLedger) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
	for name, payouts := range map[string][]uint256.Int{
		"above the stakes": amounts(0, 600*stake),
		"a wei":            amounts(1, stake),
		"below the stakes": amounts(0, stake-1), // for nobody could ever have the rest
		"that wrap":        {*wraps, *new(uint256.Int).AddUint64(wraps, stake)},
	} {
		t.Run("payouts/"+name, func(t *testing.T) {
			tb, m := setup(t)
			record := *m.record()
			record.Payouts = payouts
			tb.records[m.id] = &record
			tb.collideRecord(m)
			tb.refused(codec.ErrNotRecorded, tb.settle(*tb.newest, m))
		})
	}
}

// collide makes a ledger's fingerprint that of the channel's posted one.
func (tb *table) collide(l protocol.SignedLedger) {
	tb.Helper()
	head, _ := tb.posting(l)
	print := crypto.Keccak256(head[69+72*len(tb.seats):])
	slot := crypto.Keccak256Hash(tb.id[:], common.Hash{31: 1}.Bytes())
	word := tb.chain.Storage(tb.arena, slot)
	switch word[31] {
	case 2: // contested
		copy(word[:20], print[12:])
	case 3: // settled: as many bits as before
		copy(word[11:31], print[12:])
	default:
		tb.Fatalf("the channel's status is %d", word[31])
	}
	tb.chain.SetStorage(tb.arena, slot, word)
}

// collideRecord makes the fingerprint of a match's record that of the recorded one.
func (tb *table) collideRecord(m *match) {
	tb.Helper()
	known := tb.strings(m.demands(0, 0), "demand")[0]
	slot := crypto.Keccak256Hash(m.id[:], common.Hash{31: 2}.Bytes())
	word := tb.chain.Storage(tb.arena, slot)
	if word[31] != uint8(protocol.MatchFinal) {
		tb.Fatalf("the match's status is %d", word[31])
	}
	copy(word[:23], crypto.Keccak256(known)[9:])
	tb.chain.SetStorage(tb.arena, slot, word)
}
