package box9

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Three share gold: 70 % of 3,000 by three; each silver has one or two winners; what rounding
// leaves is the house's.
func TestDraw_SharedWinnersAndDust(t *testing.T) {
	p := usual
	p.Coin = 101 // a box is 1,010
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, p, 4).close(on(1, 2), on(1), on(1, 3), on(3)).all().draw(Whole, 1, 2, 3)
		const box = 1010
		pool := uint64(6 * box)
		gold, silver := pool*70/100, pool*125/1000
		b.has(pool-gold/3*3-silver-silver/2*2,
			100_000-2*box+gold/3+silver, 100_000-box+gold/3, 100_000-2*box+gold/3+silver/2, 100_000-box+silver/2)
	})
}

// What nobody wins rolls into the next gold prize, but only in a round that every seat has signed;
// after the last round it goes back by what was bet.
func TestDraw_Rollover(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		missed := func() *board {
			return named(t, r, usual, 3).close(on(1), on(1, 2, 3)).all().draw(Whole, 7, 8, 9)
		}
		b := missed()
		if s := b.Now(); !s.Rolled[1].Eq(uint256.NewInt(950)) || !s.Rolled[2].Eq(uint256.NewInt(2850)) {
			t.Fatalf("rolled %v", s.Rolled)
		}
		b.has(200, 99_000, 97_000, 100_000)
		b.play(Name(1020)).close(0, 0, on(5)).all().draw(Whole, 5, 8, 9)
		b.has(200+50, 99_000, 97_000, 99_000+700+3_800) // gold and the roll; silver rolls
		b.play(Name(1030)).close().draw(Whole, 1, 2, 3).ends("", 250, 99_000, 97_000, 99_000+700+3_800+250)

		b = missed().play(Name(1020)).close(0, 0, on(5)).note(0, 0, on(5)).draw(Counted, 5, 8, 9)
		b.has(250, 99_000, 97_000, 99_700) // the roll stays
		b.play(Name(1030)).close().draw(Whole, 1, 2, 3).ends("", 250, 99_950, 99_850, 99_950)

		// Won gold after winning nothing at all; and silver alone.
		b = missed().play(Name(1020)).close(on(8)).all().draw(Whole, 5, 8, 9)
		b.has(200+50, 98_000+125, 97_000, 100_000)
		if pot := b.rolled(); !pot.Eq(uint256.NewInt(3_800 + 825)) {
			t.Errorf("rolled %s", pot.Dec())
		}
	})
}

// A referrer gets a hundredth of what it referred, to bet with: what that wins is its own, what is
// left at the end is the house's. Nobody refers itself, and nobody who isn't there refers anybody.
func TestDraw_Referral(t *testing.T) {
	p := usual
	p.Coin = 10_000 // a box is 100,000
	p.Referrers = 1<<8 | 3<<12 | 9<<4
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, p, 3)
		b.C.Stakes[1].SetUint64(99_000)
		b.C.Stakes[2].SetUint64(600_000)
		var err error
		if b.State, err = r.Start(b.C); err != nil {
			t.Fatal(err)
		}
		b.play(Name(1010)).refuse(Close{b.bet(1, on(1))}).close(0, on(1), on(1)).all().draw(Whole, 1, 2, 3)
		if s := b.Now(); !s.Credit[1].Eq(uint256.NewInt(1_000)) || !s.Credit[3].IsZero() {
			t.Fatalf("credit %v", s.Credit)
		}
		// 99,000 of its own and 1,000 of credit are a box.
		b.play(Name(1020)).close(on(4)).all().draw(Whole, 5, 6, 4)
		s := b.Now()
		if !s.Credit[1].IsZero() || !s.Pocket[1].Eq(uint256.NewInt(12_500)) {
			t.Errorf("credit %s, pocket %s", s.Credit[1].Dec(), s.Pocket[1].Dec())
		}
		// The credit for the last bet can't be bet any more.
		b.play(Name(1030)).close(0, on(9)).all().draw(Whole, 9, 2, 3)
		o, err := r.Outcome(b.State, b.C.Stakes)
		if err != nil {
			t.Fatal(err)
		}
		if !o.Payouts[1].Eq(uint256.NewInt(12_500)) {
			t.Errorf("seat 1 is paid %s", o.Payouts[1].Dec())
		}
	})
}

// What is bet with credit alone and not won is the house's: credit never turns into money but by
// winning.
func TestDraw_CreditNeverComesBack(t *testing.T) {
	p := usual
	p.Referrers = 1 << 8
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, p, 2)
		s := b.Now()
		s.Pocket[1].Clear()
		s.Credit[1].SetUint64(100_000)
		b.State = rules{}.EncodeState(s)
		b.play(Name(1010)).close(on(1, 2, 3)).all().draw(Whole, 7, 8, 9).has(3_000, 0, 100_000)
		if pot := b.rolled(); !pot.IsZero() {
			t.Errorf("%s rolls", pot.Dec())
		}
		b.play(Name(0)).ends("house left", 100_000, 0, 100_000)
	})
}
