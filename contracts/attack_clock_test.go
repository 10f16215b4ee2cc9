package contracts_test

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
)

// boundaries are the blocks around a deadline: before it an answer counts, from it on only its end.
var boundaries = []struct {
	name   string
	offset int
}{{"T-1", -1}, {"T", 0}, {"T+1", 1}}

func TestAttack_LastMinute(t *testing.T) {
	for _, b := range boundaries {
		t.Run("clock "+b.name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1), toy.Pass(0))
			tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
			tb.until(m.record().Deadline, b.offset)
			answer, expire := m.advance(m.support(1, 2)), m.expire(1)
			if b.offset < 0 {
				tb.refused(codec.ErrTooEarly, expire)
				tb.must(answer)
				return
			}
			tb.refused(codec.ErrTooLate, answer)
			tb.must(expire)
			m.pays(stake, 0)
		})
		t.Run("contest "+b.name, func(t *testing.T) {
			tb := newTable(t, 2).open()
			low, high := tb.ledger(2, []uint64{stake + 1, stake - 1}), tb.ledger(3, []uint64{stake - 1, stake + 1})
			tb.must(tb.contest(low, 0))
			tb.until(tb.posted[tb.id].Deadline, b.offset)
			if b.offset < 0 {
				tb.refused(codec.ErrTooEarly, tb.settle(low))
				tb.must(tb.contest(high, 1))
				return
			}
			tb.refused(codec.ErrTooLate, tb.contest(high, 1))
			tb.must(tb.settle(low))
		})
		t.Run("agreement "+b.name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1), toy.Pass(0))
			tb.must(m.advance(m.support(0, 1, m.everyone(0))))
			tb.must(m.agree(m.agreement(1, stake/2, stake/2)))
			tb.until(m.record().Deadline, b.offset)
			higher := m.advance(m.support(1, 2))
			if b.offset < 0 {
				tb.must(higher)
				return
			}
			tb.refused(codec.ErrTooLate, higher)
			m.pays(stake/2, stake/2)
		})
		t.Run("over "+b.name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1))
			fork := m.fork(1).play(toy.Pass(0), toy.Pass(1), toy.Pass(0))
			m.play(toy.Win(1))
			tb.must(m.advance(m.support(0, 2, m.everyone(0))))
			tb.until(m.record().Deadline, b.offset)
			answer := m.advance(fork.support(0, 4, m.everyone(0)))
			if b.offset < 0 {
				tb.must(answer)
				return
			}
			tb.refused(codec.ErrTooLate, answer)
			m.pays(0, stake)
		})
		t.Run("lock "+b.name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			tb.must(tb.contest(*tb.newest, 0))
			tb.wait(window)
			m.play(toy.Win(1))
			tb.must(m.advance(m.support(0, 1, m.everyone(0)))) // alice has not signed that bob wins
			tb.until(m.record().Deadline, b.offset)
			if b.offset < 0 {
				tb.refused(codec.ErrTooEarly, tb.settle(*tb.newest, m))
				return
			}
			tb.must(tb.settle(*tb.newest, m))
			tb.empty(t)
		})
	}
}

// A player who has no more than a Demand's window gets all of it, and a quarter when its budget of
// three is spent.
func TestAttack_SlowDeath(t *testing.T) {
	tb, m := newMatch(t, 2)
	tb.must(m.advance(m.support(0, 0, m.everyone(0))))
	var spent uint64
	for turn := 0; turn < 24; turn++ {
		m.play(toy.Pass(uint8(1 - turn%2)))
		tb.must(m.demands(turn, uint8(1-turn%2)))
		granted := m.record().Deadline - tb.chain.Block()
		if turn%2 == 0 { // alice answers in the last block, bob at once
			left := uint64(0)
			if spent < 3*window {
				left = 3*window - spent
			}
			if want := max(window/4, min(window, left)); granted != want {
				t.Fatalf("turn %d: alice is granted %d blocks, want %d", turn, granted, want)
			}
			tb.wait(granted - 1)
			spent += granted - 1
		} else if granted != window {
			t.Fatalf("turn %d: bob, who spent nothing, is granted %d blocks", turn, granted)
		}
		tb.must(m.advance(m.support(turn, turn+1)))
		if got := m.record().Spent[0]; got != spent {
			t.Fatalf("turn %d: alice is charged %d blocks, want %d", turn, got, spent)
		}
	}
	if got := m.record().Spent[1]; got != 0 {
		t.Errorf("bob is charged %d blocks for answers in the block of the Demand", got)
	}
}

// Re-posting what is recorded neither stops the clock nor starts it again.
func TestAttack_ClockReset(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	before := *m.record()
	tb.wait(window / 2)
	tb.refused(codec.ErrNotHigher, m.advance(m.support(0, 1, m.everyone(0))))
	tb.refused(codec.ErrNotHigher, m.advance(m.support(1, 1)))
	tb.refused(codec.ErrNotHigher, m.advance(m.support(0, 0, m.everyone(0))))
	tb.refused(codec.ErrBadDemand, m.demands(1, 0))
	tb.refused(codec.ErrNotHigher, m.advance(m.support(1, 1), m.demand(1, 0)))
	if m.record().Deadline != before.Deadline || m.record().Clock != before.Clock {
		t.Errorf("clock was %+v, is %+v", before, *m.record())
	}
}

// A higher version replaces a contested one without moving the deadline.
func TestAttack_ClockExtend(t *testing.T) {
	tb := newTable(t, 2).open()
	tb.must(tb.contest(tb.ledger(2, []uint64{stake, stake}), 0))
	first := tb.posted[tb.id].Deadline
	for v := uint64(3); v < 6; v++ {
		tb.wait(window / 4)
		tb.must(tb.contest(tb.ledger(v, []uint64{stake, stake}), 1))
		if got := tb.posted[tb.id].Deadline; got != first {
			t.Fatalf("version %d moved the deadline from %d to %d", v, first, got)
		}
	}
}

// Signatures that are added to the recorded position, or that take the record back, have a higher
// rank: the mover's clock starts again at once, charged to the same budget, without a new Demand.
// For one answer the mover has one clock, and one more for each turn up to the recorded one that
// the record does not show as signed by both, whether it keeps back its own signatures of its
// peer's moves or its peer's of its own.
func TestAttack_RankStall(t *testing.T) {
	const mover, peer = 1, 0
	for name, how := range map[string]struct {
		runs uint8 // whose moves not both have signed
		back bool
	}{"own signatures": {runs: peer}, "taken back": {runs: peer, back: true}, "the peer's signatures": {runs: mover}} {
		for _, run := range []int{1, 2, 32} {
			t.Run(fmt.Sprintf("%s, %d", name, run), func(t *testing.T) {
				tb, m := newMatch(t, 2)
				for answer := range 3 { // the budget is spent before the third
					first := m.last()
					if how.runs == mover {
						m.play(toy.Pass(mover))
					}
					agreed := m.last()
					for range run - 1 {
						m.play(toy.Pass(how.runs))
					}
					last := m.play(toy.Pass(mover)).last()
					tb.must(m.advance(m.support(first, last, m.everyone(first)), m.demand(last, peer)))
					took := uint64(0)
					for turn := agreed + 1; ; turn++ {
						r := m.record()
						left := 3*window - min(3*window, r.Spent[mover])
						if want := max(window/4, min(window, left)); r.Clock != tb.chain.Block() || r.Deadline-r.Clock != want {
							t.Fatalf("answer %d, turn %d: at block %d %+v, want a clock of %d", answer, turn, tb.chain.Block(), *r, want)
						}
						tb.until(r.Deadline, -1)
						took += r.Deadline - 1 - r.Clock
						if turn > last {
							break
						}
						higher := m.advance(m.support(turn, last, []signed{{turn, 1 - how.runs}}))
						if how.back && turn < last {
							tb.must(m.advance(m.support(turn-1, turn, []signed{{turn, mover}})))
							tb.must(m.advance(m.support(turn, last), m.demand(last, peer)))
						} else {
							tb.must(higher)
						}
						higher.Record = m.record()
						tb.refused(codec.ErrNotHigher, higher)
					}
					if quarters := took / (window/4 - 1); answer == 2 && quarters != uint64(run+1) {
						t.Errorf("%d turns that not both have signed give the mover %d quarters", run, quarters)
					}
					tb.refused(codec.ErrNotHigher, m.advance(m.support(last, last, m.everyone(last))))
					if answer == 2 {
						tb.wait(1)
						tb.must(m.expire(last))
						m.pays(stake, 0)
						return
					}
					m.play(toy.Pass(peer))
					tb.must(m.advance(m.support(last, last+1)))
				}
			})
		}
	}
}

// An answer that leaves the same seat to move starts that seat's clock again.
func TestAnswerBySameSeatRestartsClock(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	tb.wait(10)
	tb.must(m.advance(m.support(1, 2)))
	if r := m.record(); r.Clock != tb.chain.Block() || r.Deadline != tb.chain.Block()+window || r.Spent[1] != 10 {
		t.Errorf("record %+v at block %d", *r, tb.chain.Block())
	}
}

// The mover cannot use up the one Demand of its turn by a bare post or by a Demand of its own.
func TestAttack_DemandFront(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	honest := m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.refused(codec.ErrBadDemand, m.demands(1, 1)) // bob is the mover
	if m.record().Clock != 0 {
		t.Fatal("a clock runs that nobody asked for")
	}
	tb.refused(codec.ErrBadStatus, honest)
	tb.must(m.demands(1, 0))
	if r := m.record(); r.Clock != tb.chain.Block() || r.Deadline != tb.chain.Block()+window {
		t.Fatalf("the Demand alone: record %+v", *r)
	}
}

// Nobody's clock starts because a position was posted.
func TestAttack_ClockAfterAnswer(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.wait(10 * window)
	tb.refused(codec.ErrTooEarly, m.expire(1))
}

// A third party starts no clock and no close, whatever evidence it holds.
func TestAttack_StrangerContest(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	mallory := newKey("mallory")
	d := protocol.Demand{MatchID: m.id, Turn: 1}.Digest(tb.domain)
	strange := mallory.sign(d)
	tb.refused(codec.ErrBadDemand, m.advance(m.support(0, 1, m.everyone(0)), &strange))
	contest := tb.contest(*tb.newest, 0)
	sig := mallory.sign(protocol.Contest{ChannelID: tb.id, Version: 2}.Digest(tb.domain))
	contest.Signature = sig[:]
	tb.refused(codec.ErrBadSignature, contest)
	other := tb.contest(*tb.newest, 0)
	old := protocol.Contest{ChannelID: tb.id, Version: 1}.Digest(tb.domain)
	sig = tb.seats[0].signer.sign(old) // alice's own, for another version
	other.Signature = sig[:]
	tb.refused(codec.ErrBadSignature, other)
	tb.must(tb.contest(*tb.newest, 1))
}

// A match that a player has lost by the clock is not lost when everybody signed a draw.
func TestAttack_ClockBeatsAgreement(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	tb.wait(window - 1)
	tb.must(m.agree(m.agreement(1, stake/2, stake/2)))
	tb.wait(1)
	tb.refused(codec.ErrBadStatus, m.expire(1))
	tb.until(m.record().Deadline, 0)
	m.pays(stake/2, stake/2)
}

// A seat that offered to split, got no answer and then won by its move is not held to the offer:
// who completes it afterwards and posts it gains nothing, because the move goes beyond it. The same
// holds for one who conceded and moved instead.
func TestAttack_StaleOffer(t *testing.T) {
	for name, payouts := range map[string][]uint64{"split": {stake / 2, stake / 2}, "conceded": {stake, 0}} {
		t.Run(name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1), toy.Win(1))
			tb.must(m.advance(m.support(0, 1, m.everyone(0))))
			tb.must(m.agree(m.agreement(1, payouts...)))
			tb.wait(window - 1)
			tb.must(m.advance(m.support(1, 2)))
			tb.until(m.record().Deadline, 0)
			m.pays(0, stake)
		})
	}
}

// With three seats or more a position that not all have signed stands for a window before its
// mover's clock starts, but not where the mover made it itself: who moves several times in a row,
// each time at the last moment, has its budget of three windows and a quarter of one for each move,
// as with two seats, and others have as long to show better.
func TestAttack_SlowDeath_Standing(t *testing.T) {
	const moves = 24
	took := map[int]uint64{}
	for _, seats := range []int{2, 3} {
		tb, m := newMatch(t, seats)
		m.play(toy.Pass(1)) // alice, then bob for ever; carol signs nothing
		tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1)), m.demand(1, 0)))
		begin, spent := tb.chain.Block(), uint64(0)
		for i := range moves {
			r := m.record()
			left := 3*window - min(3*window, spent)
			if want := max(window/4, min(window, left)); r.Deadline-tb.chain.Block() != want || r.Clock != tb.chain.Block() || r.Spent[1] != spent {
				t.Fatalf("%d seats, move %d: at block %d, %+v, want %d blocks and %d charged", seats, i, tb.chain.Block(), *r, want, spent)
			}
			tb.until(r.Deadline, -1)
			spent += r.Deadline - r.Clock - 1
			m.play(toy.Pass(1, byte(i)))
			tb.must(m.advance(m.support(1+i, 2+i)))
		}
		took[seats] = tb.chain.Block() - begin
	}
	if took[3] != took[2] {
		t.Errorf("three seats take %d blocks, two %d", took[3], took[2])
	}

	// What another seat made stands first.
	tb, m := newMatch(t, 3)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	if r := m.record(); r.Clock != tb.chain.Block()+window {
		t.Errorf("at block %d: %+v", tb.chain.Block(), *r)
	}
	// Another seat's late signature makes one more position of the run stand, once.
	m.play(toy.Pass(1), toy.Pass(1))
	tb.wait(window - 1)
	tb.must(m.advance(m.support(1, 2)))
	tb.must(m.advance(m.support(2, 2, []signed{{2, 2}})))
	if r := m.record(); r.Clock != tb.chain.Block()+window || r.Spent[1] != 0 {
		t.Errorf("at block %d: %+v", tb.chain.Block(), *r)
	}
	tb.must(m.advance(m.support(2, 3)))
	tb.refused(codec.ErrNotHigher, m.advance(m.support(3, 3, []signed{{3, 2}})))
	// So does one that came without the move that made it.
	tb, m = newMatch(t, 3)
	m.play(toy.Pass(1), toy.Pass(1))
	tb.must(m.advance(m.support(1, 2, m.everyone(1))))
	tb.must(m.demands(2, 0))
	if r := m.record(); r.Clock != tb.chain.Block()+window {
		t.Errorf("at block %d: %+v", tb.chain.Block(), *r)
	}
}
