package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Whatever older ledger is contested, the newest replaces it; and none replaces the newest.
func TestAttack_StaleLedger(t *testing.T) {
	tb := newTable(t, 2).open()
	ledgers := []protocol.SignedLedger{{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}}
	for v := uint64(2); v < 7; v++ {
		ledgers = append(ledgers, tb.ledger(v, []uint64{stake + v, stake - v}))
	}
	newest := ledgers[len(ledgers)-1]
	rewind := tb.checkpoint()
	for _, stale := range ledgers[:len(ledgers)-1] {
		rewind()
		tb.must(tb.contest(stale, 0))
		replace := tb.contest(newest, 1)
		replace.Signature = nil // needs none
		tb.must(replace)
		for _, older := range ledgers {
			tb.refused(codec.ErrStaleLedger, tb.contest(older, 0))
		}
		tb.refused(codec.ErrStaleLedger, onchain.Close{Terms: tb.terms, Ledger: tb.closing(5, stake, stake)})
		tb.wait(window)
		tb.refused(codec.ErrBadLedger, tb.settle(stale))
		tb.must(tb.settle(newest))
	}
}

// Of two ledgers of one version the one that was contested first stands.
func TestAttack_EqualVersion(t *testing.T) {
	tb := newTable(t, 2).open()
	one, two := tb.ledger(2, []uint64{stake + 1, stake - 1}), tb.ledger(2, []uint64{stake - 1, stake + 1})
	tb.must(tb.contest(one, 0))
	tb.refused(codec.ErrStaleLedger, tb.contest(two, 1))
	tb.wait(window)
	tb.refused(codec.ErrBadLedger, tb.settle(two))
	tb.must(tb.settle(one))
}

// A seat that signed two positions at one turn loses to the other, however the match stands and
// until it is paid.
func TestAttack_Equivocation(t *testing.T) {
	for name, prepare := range map[string]func(tb *table, m *match){
		"live":     func(tb *table, m *match) { tb.must(m.advance(m.support(0, 1, m.everyone(0)))) },
		"clocked":  func(tb *table, m *match) { tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0))) },
		"unposted": func(*table, *match) {},
	} {
		t.Run(name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1))
			prepare(tb, m)
			one, two := m.fork(1).play(toy.Pass(0, 1)), m.fork(1).play(toy.Pass(0, 2))
			same := one.equivocation(one, 1)
			tb.refused(codec.ErrBadProof, m.convict(same))
			wrong := one.equivocation(two, 1)
			wrong.Seat = 0
			tb.refused(codec.ErrBadSignature, m.convict(wrong))
			said := tb.must(m.convict(one.equivocation(two, 1)))
			if r, ok := said[len(said)-1].(onchain.Recorded); !ok || r.Guilty != 1<<1 {
				t.Fatalf("the Arena says %+v", said)
			}
			m.pays(stake, 0)
		})
	}
}

// In a match of three, a losing seat can't end the match by convicting its own second seat: the
// match goes on, and at its end the guilty seat's payout goes to the others in proportion to their
// stakes.
func TestAttack_SybilConvict(t *testing.T) {
	tb := newTable(t, 3).open()
	m := tb.match(2<<8, toy.Params(0), 100, 300, 500)
	tb.ledger(2, []uint64{stake - 100, stake - 300, stake - 500}, m)
	m.play(toy.Pass(1), toy.Pass(2))
	tb.must(m.advance(m.support(0, 2, m.everyone(0), m.everyone(2))))
	one, two := m.fork(2).play(toy.Pass(0, 1)), m.fork(2).play(toy.Pass(0, 2))
	tb.must(m.convict(one.equivocation(two, 2)))
	if r := m.record(); r.Status != protocol.MatchLive || r.Flagged != 1<<2 {
		t.Fatalf("record %+v", *r)
	}
	tb.must(m.demands(2, 0))
	if r := m.record(); r.Deadline != tb.chain.Block()+window/4 {
		t.Errorf("the convicted seat is granted %d blocks, want a quarter of %d", r.Deadline-tb.chain.Block(), window)
	}
	tb.must(one.advance(one.support(2, 3)))
	one.play(toy.Win(2)) // alice lets carol win
	tb.must(one.advance(one.support(3, 4, one.everyone(4))))
	one.pays(225, 675, 0)
}

// An id is locked, and paid, once: not twice in one ledger, nor again in a later one of the same
// channel.
func TestAttack_MatchIdReuse(t *testing.T) {
	tb, m := newMatch(t, 2)
	twice := tb.ledger(3, []uint64{0, 0}, m, m)
	tb.refused(codec.ErrBadLedger, tb.contest(twice, 0))
	m.play(toy.Win(1))
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	m.pays(0, stake)
	before := tb.banks()
	tb.must(tb.settle(*tb.newest, m)) // somebody was faster: nothing more is paid
	if after := tb.banks(); !slices.Equal(after, before) {
		t.Errorf("banks were %v, are %v", before, after)
	}
}

// A lock is worth nothing but what its match's terms say.
func TestAttack_LockMismatch(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Win(1))
	spoil := func(change func(l *protocol.Ledger)) protocol.SignedLedger {
		l := tb.ledger(3, []uint64{stake / 2, stake / 2}, m).Ledger
		change(&l)
		return tb.signLedger(l)
	}
	for name, l := range map[string]protocol.SignedLedger{
		"other stakes": spoil(func(l *protocol.Ledger) { l.Locks[0].Stakes = amounts(stake/2+1, stake/2-1) }),
		"more seats":   spoil(func(l *protocol.Ledger) { l.Locks[0].Stakes = amounts(stake/2, stake/2, 0) }),
		"unknown id":   spoil(func(l *protocol.Ledger) { l.Locks[0].MatchID = common.Hash{1} }),
	} {
		t.Run(name, func(t *testing.T) {
			defer tb.checkpoint()()
			a := m.advance(m.support(0, 1, m.everyone(0), m.everyone(1)))
			a.Ledger = &l
			tb.refused(codec.ErrNotLocked, a)
			tb.must(tb.contest(l, 0))
			tb.wait(window)
			s := tb.settle(l)
			s.Matches = []onchain.FinalMatch{{Terms: m.terms, Record: protocol.Record{}}}
			if _, err := tb.send(s); err == nil {
				t.Error("a lock was paid that its match's terms don't match")
			}
		})
	}
	descending := spoil(func(l *protocol.Ledger) {
		l.Locks = append(l.Locks, protocol.Lock{MatchID: common.Hash{}, Stakes: amounts(0, 0)})
	})
	tb.refused(codec.ErrBadLedger, tb.contest(descending, 0))
	t.Run("another channel's match", func(t *testing.T) {
		foreign := m.terms
		foreign.ChannelID = common.Hash{7}
		f := tb.matchOf(toy.Rules{}, foreign)
		l := tb.ledger(4, []uint64{stake / 2, stake / 2}, f)
		a := m.advance(m.support(0, 1, m.everyone(0), m.everyone(1)))
		a.Ledger = &l
		tb.refused(codec.ErrNotLocked, a)
	})
}

// The player's own key can contest when its session key is lost.
func TestAttack_LostSigner(t *testing.T) {
	tb := newTable(t, 2).open()
	first := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
	c := tb.contest(first, 0)
	sig := tb.seats[0].player.sign(protocol.Contest{ChannelID: tb.id, Version: 1}.Digest(tb.domain))
	c.Signature = sig[:]
	tb.must(c)
	tb.wait(window)
	tb.must(tb.settle(first))
	tb.empty(t)
}

// Each player may contest with its own key, which its seat's signer need not have signed.
func TestAttack_LostSigner_EverySeat(t *testing.T) {
	for seat := range 3 {
		tb := newTable(t, 3).open()
		c := tb.contest(protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}, seat)
		word := protocol.Contest{ChannelID: tb.id, Version: 1}.Digest(tb.domain)
		for other := range 3 {
			sig := tb.seats[other].player.sign(word)
			if c.Signature = sig[:]; other != seat {
				tb.refused(codec.ErrBadSignature, c)
			}
		}
		sig := tb.seats[seat].player.sign(word)
		c.Signature = sig[:]
		tb.must(c)
	}
}

// Version 1, which nobody signs, locks nothing: neither a match that nobody else agreed to nor a
// real one, at any stakes.
func TestAttack_LockMismatch_First(t *testing.T) {
	tb, m := newMatch(t, 2)
	unsigned := tb.match(3<<8, toy.Params(0), 0, 0)
	for name, locks := range map[string][]protocol.Lock{
		"without seats":    {{MatchID: unsigned.id}},
		"without stakes":   {{MatchID: unsigned.id, Stakes: unsigned.terms.Stakes}},
		"of a real match":  {{MatchID: m.id, Stakes: unsigned.terms.Stakes}},
		"with many seats":  {{MatchID: unsigned.id, Stakes: make([]uint256.Int, 255)}},
		"and more of them": {{MatchID: common.Hash{1}}, {MatchID: common.Hash{2}}, {MatchID: common.Hash{3}}},
	} {
		t.Run(name, func(t *testing.T) {
			l := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
			l.Locks = locks
			tb.refused(codec.ErrBadLedger, tb.contest(l, 0))
		})
	}
	tb.must(tb.contest(protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}, 0))
}

// A proof posted by somebody else pays whom it would have paid anyway.
func TestAttack_ProofTheft(t *testing.T) {
	tb, m := newMatch(t, 2)
	thief := newKey("thief").address
	tb.by(thief, func() {
		m.play(toy.Pass(1))
		tb.must(m.convict(m.fork(1).play(toy.Pass(0, 1)).equivocation(m.fork(1).play(toy.Pass(0, 2)), 1)))
		m.pays(stake, 0)
	})
	if got := tb.owed(thief, eth); !got.IsZero() || !tb.wallet(thief, eth).IsZero() {
		t.Errorf("the thief has %s", got.Dec())
	}
}

// A proof is taken once, and not after the end.
func TestAttack_DoubleProof(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	proof := m.fork(1).play(toy.Pass(0, 1)).equivocation(m.fork(1).play(toy.Pass(0, 2)), 1)
	tb.must(m.convict(proof))
	tb.refused(codec.ErrBadStatus, m.convict(proof))
	tb.refused(codec.ErrBadStatus, m.advance(m.support(0, 1, m.everyone(0))))
	m.pays(stake, 0)
	tb.refused(codec.ErrBadStatus, m.convict(proof))
	tb.refused(codec.ErrBadStatus, m.convict(m.fork(0).play(toy.Pass(0, 1)).equivocation(m.fork(0).play(toy.Pass(0, 2)), 0)))
}
