package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// Every position below the recorded one is refused, with any signatures.
func TestAttack_StalePosition(t *testing.T) {
	tb, m := newMatch(t, 2)
	for i := range 8 {
		m.play(toy.Pass(uint8(1 - i%2)))
	}
	tb.must(m.advance(m.support(6, 8, m.everyone(6))))
	for old := range 8 {
		tb.refused(codec.ErrNotHigher, m.advance(m.support(old, old, m.everyone(old))))
		tb.refused(codec.ErrNotHigher, m.advance(m.support(0, old, m.everyone(0))))
	}
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(8, 9)))
}

// What all agreed to beats a longer fork: a seat that moves twice in a row can't outrun the others
// with moves that nobody else signed.
func TestAttack_LongFork(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(1)) // alice, then bob, who moves again
	fork := m.fork(2).play(toy.Pass(1, 1), toy.Pass(1, 2), toy.Pass(1, 3), toy.Win(1))
	m.play(toy.Pass(0, 9), toy.Pass(1)) // bob hands over, alice moves: both signed turn 3
	tb.must(fork.advance(fork.support(0, 6, m.everyone(0))))
	tb.must(m.advance(m.support(2, 4, m.everyone(2))))
	if got := m.record().Turn.Turn(); got != 4 {
		t.Fatalf("turn %s is recorded", got)
	}
	tb.refused(codec.ErrNotHigher, fork.advance(fork.support(0, 6, m.everyone(0))))
}

// Forced moves raise what all agreed to exactly, so that old public moves can't roll the match
// back.
func TestAttack_Rollback(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(0), toy.Pass(1), toy.Pass(0))
	tb.must(m.advance(m.support(0, 0, m.everyone(0))))
	for i := 1; i <= 4; i++ { // each move is played on-chain
		tb.must(m.advance(m.support(i-1, i)))
		if want, got := protocol.MarkOf(protocol.Turn(i-1)), m.record().Rank().Agreed; got != want {
			t.Fatalf("after move %d all agreed to mark %d, want %d", i, got, want)
		}
	}
	for last := 4; last > 0; last-- {
		// the mover of turn `last` plays it again otherwise
		other := m.fork(last - 1).play(toy.Pass(m.at(last).mover, 7))
		tb.refused(codec.ErrNotHigher, other.advance(other.support(0, last, m.everyone(0))))
		// What the record says that the others signed says nothing of another position: one of
		// nobody's is no base.
		next := m.at(last).mover
		other.play(toy.Win(next))
		tb.refused(codec.ErrBadSupport, other.advance(other.support(last, last+1)))
	}
}

// Two colluding seats of three can't replace what the third has signed by a fork below it.
func TestAttack_CollusionFork(t *testing.T) {
	tb, m := newMatch(t, 3)
	// alice, bob, carol: honest line, all signed turn 3
	m.play(toy.Pass(1), toy.Pass(2), toy.Pass(0))
	fork := m.fork(1).play(toy.Pass(1, 1), toy.Pass(1, 2), toy.Pass(1, 3), toy.Win(1))
	tb.must(fork.advance(fork.support(0, 5, m.everyone(0), []signed{{5, 2}})))
	tb.must(m.advance(m.support(3, 3, m.everyone(3))))
	tb.refused(codec.ErrNotHigher, fork.advance(fork.support(0, 5, m.everyone(0), []signed{{5, 2}})))
}

// Each replayed position carries its mover's signature, and nobody else's instead.
func TestAttack_WrongMover(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(0))
	s := m.support(0, 2, m.everyone(0))
	for i := range s.Signatures {
		if s.Signatures[i].At == 2 { // bob's move, signed by alice
			s.Signatures[i].Seat, s.Signatures[i].Signature = 0, m.sign(2, 0)
		}
	}
	tb.refused(codec.ErrBadSupport, m.advance(s))
	s = m.support(0, 2, m.everyone(0))
	s.Signatures[3].Signature = m.sign(2, 0) // alice's signature in bob's name
	tb.refused(codec.ErrBadSignature, m.advance(s))
}

// A move that is left out, or moved to another turn, breaks the support.
func TestAttack_SkippedTurn(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(0), toy.Pass(1))
	s := m.support(0, 3, m.everyone(0))
	gap := s
	gap.Moves = append([][]byte{s.Moves[0]}, s.Moves[2])
	gap.Signatures = s.Signatures[:4]
	tb.refused(codec.ErrBadSignature, m.advance(gap))
	shifted := s
	shifted.Turn = 1
	tb.refused(codec.ErrBadSignature, m.advance(shifted))
	tb.must(m.advance(s))
}

// A seat is bound by its own moves only: a support in which it signed nothing proves nothing
// against it.
func TestAttack_ForeignMove(t *testing.T) {
	tb, m := newMatch(t, 3)
	m.play(toy.Pass(0), toy.Pass(0), toy.Win(0)) // alice alone
	tb.refused(codec.ErrBadSupport, m.advance(m.support(0, 3)))
	tb.refused(codec.ErrBadSupport, m.advance(m.support(0, 3, []signed{{0, 1}})))
	tb.refused(codec.ErrBadSupport, m.advance(m.support(0, 3, []signed{{0, 1}, {0, 1}})))
	tb.must(m.advance(m.support(0, 3, []signed{{0, 1}, {0, 2}})))
}

// A match that no fully signed ledger locks can't be run out.
func TestAttack_UnlockedMatch(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	locked := *tb.newest
	a := m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0))
	for name, spoil := range map[string]func(l *protocol.SignedLedger){
		"only proposed":   func(l *protocol.SignedLedger) { l.Signatures = []protocol.Signature{l.Signatures[0], l.Signatures[0]} },
		"unsigned":        func(l *protocol.SignedLedger) { l.Signatures = nil },
		"another balance": func(l *protocol.SignedLedger) { l.Balances = amounts(stake/2+1, stake/2-1) },
	} {
		t.Run(name, func(t *testing.T) {
			l := locked
			spoil(&l)
			bad := a
			bad.Ledger = &l
			tb.refused(codec.ErrBadSignature, bad)
		})
	}
	without := tb.ledger(2, []uint64{stake, stake})
	bad := a
	bad.Ledger = &without
	tb.refused(codec.ErrNotLocked, bad)
	tb.must(a)
}

// A lock completed late voids: without all signatures of turn 0 there is no match, and whoever
// waits for the others' can take it to the chain by a Demand.
func TestAttack_WithheldStart(t *testing.T) {
	tb, m := newMatch(t, 2)
	only := []signed{{0, 0}}
	tb.refused(codec.ErrBadSupport, m.advance(m.support(0, 0, only))) // no Demand
	// alice is the mover, and demands
	tb.must(m.advance(m.support(0, 0, only), m.demand(0, 0)))
	r := m.record()
	if r.Status != protocol.MatchUnsigned || r.Clock == 0 {
		t.Fatalf("record %+v", *r)
	}
	t.Run("no answer voids it", func(t *testing.T) {
		defer tb.checkpoint()()
		tb.until(r.Deadline, 0)
		tb.must(m.expire(0))
		if got := m.record(); got.Status != protocol.MatchFinal {
			t.Fatalf("record %+v", *got)
		}
		m.pays(stake/2, stake/2)
	})
	t.Run("the missing signature starts it", func(t *testing.T) {
		tb.must(m.advance(m.support(0, 0, m.everyone(0))))
		if got := m.record(); got.Status != protocol.MatchLive {
			t.Fatalf("record %+v", *got)
		}
	})
}

// A position posted with a Demand can be answered from what the event says alone.
func TestAttack_HiddenPosition(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	hidden := m.fork(1).play(toy.Pass(0, 42)) // bob never showed it to alice
	var said onchain.Recorded
	for _, ev := range tb.must(hidden.advance(hidden.support(0, 2, m.everyone(0)), hidden.demand(2, 1))) {
		if r, ok := ev.(onchain.Recorded); ok {
			said = r
		}
	}
	learnt := m.fork(0)
	if said.Support == nil || said.Support.Turn != 0 || string(said.Support.Base) != string(m.at(0).state) {
		t.Fatalf("the event tells %+v", said.Support)
	}
	learnt.play(said.Support.Moves...).play(toy.Pass(1, 1))
	answer := learnt.advance(learnt.support(2, 3))
	answer.Record = &said.Record
	tb.must(answer)
	if len(said.Support.Signatures) != 4 {
		t.Errorf("the event tells %d signatures of 4", len(said.Support.Signatures))
	}
}

// An expiry starts a new epoch: nothing signed before it counts any more, and its position stands
// without signatures.
func TestAttack_ExpiredBranch(t *testing.T) {
	tb, m := newMatch(t, 2, 0, toy.Fine, toy.Skip)
	m.play(toy.Pass(1))
	branch := m.fork(1).play(toy.Pass(0), toy.Pass(1), toy.Pass(0), toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	tb.until(m.record().Deadline, 0)
	tb.must(m.expire(1))
	m.expired()
	if r := m.record(); r.Turn.Turn() != protocol.Turn(1)<<32 || r.Rank().Agreed != r.Turn {
		t.Fatalf("record %+v", *r)
	}
	for last := 1; last <= branch.last(); last++ {
		tb.refused(codec.ErrBadSupport, branch.advance(branch.support(0, last, branch.everyone(0), branch.everyone(last))))
	}
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(2, 3)))
}

// What is signed after an expiry never has the turn of what was signed before it.
func TestAttack_ExpiryCollision(t *testing.T) {
	tb, m := newMatch(t, 2, 0, toy.Fine, toy.Again)
	m.play(toy.Pass(1))
	before := m.fork(1).play(toy.Pass(0, 1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	tb.until(m.record().Deadline, 0)
	tb.must(m.expire(1))
	m.expired().play(toy.Pass(0, 2)) // bob's move after the expiry is another one than before it
	tb.must(m.advance(m.support(2, 3)))
	if m.at(3).turn == before.at(2).turn {
		t.Fatal("the same turn twice")
	}
	e := m.equivocation(m, 1)
	e.States[1], e.Signatures[1] = hash(before.at(2).state), before.sign(2, 1)
	tb.refused(codec.ErrBadSignature, m.convict(e))
}

// A match that was ended by a fork of the loser's can be taken up again, or its forger convicted,
// for one window.
func TestAttack_EarlyTerminal(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	fork := m.fork(1).play(toy.Win(1))
	m.play(toy.Pass(0), toy.Pass(1))
	tb.must(fork.advance(fork.support(0, 2, m.everyone(0))))
	if r := m.record(); r.Status != protocol.MatchOver || r.Deadline != tb.chain.Block()+window {
		t.Fatalf("record %+v", *r)
	}
	tb.wait(window - 1)
	rewind := tb.checkpoint()
	tb.must(m.advance(m.support(2, 3, m.everyone(2))))
	rewind()
	tb.must(fork.convict(fork.equivocation(m.fork(2), 1)))
	m.pays(stake, 0)
}

// An over position that every seat signed is final at once.
func TestOverAndAgreedIsFinalAtOnce(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Win(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	if r := m.record(); r.Status != protocol.MatchFinal {
		t.Fatalf("record %+v", *r)
	}
	m.pays(0, stake)
}

// Anybody may bring a chance move, and needs no signature, so nobody can hold it back.
func TestAttack_FreeRoll(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(games.Chance), toy.Win(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.must(m.advance(m.support(1, 2)))
	if r := m.record(); r.Status != protocol.MatchOver {
		t.Fatalf("record %+v", *r)
	}
}
