package splitsteal

import (
	"bytes"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Row 6: a commitment opens only for its own seat, match and kind; a copy is refused, and would be
// worth nothing.
func TestChecklist_SplitOrSteal_06_CopiedCommitment(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		own := commit.Scope{Tag: Tag, MatchID: common.HexToHash("0xa1"), Seat: 1}
		opens := func(scope commit.Scope) bool {
			b := newBoard(t, r, defaults, wei(100), wei(60)).play(b0).play(Commit(scope.Hash(odd, salt))).expire()
			_, err := r.Play(b.C, b.State, Open{odd, salt}.encode())
			return err == nil
		}
		if !opens(own) {
			t.Fatal("Y's own commitment does not open")
		}
		for name, change := range map[string]func(*commit.Scope){
			"seat":  func(s *commit.Scope) { s.Seat = 0 },
			"round": func(s *commit.Scope) { s.Round = 1 },
			"match": func(s *commit.Scope) { s.MatchID[0]++ },
			"tag":   func(s *commit.Scope) { s.Tag[0]++ },
		} {
			copied := own
			if change(&copied); opens(copied) {
				t.Errorf("a commitment of another %s opens", name)
			}
		}
		b := newBoard(t, r, defaults, wei(100), wei(60))
		b.play(b.commitment(X, odd)).refuse(b.commitment(X, odd)).play(b.commitment(Y, odd))
	})
}

var b0 = Commit{1} // somebody's commitment

// TestAttack_CopiedCommitment: nobody gains by copying, in the open or not; see the checklist's
// row.
func TestAttack_CopiedCommitment(t *testing.T) { TestChecklist_SplitOrSteal_06_CopiedCommitment(t) }

// Salts are 32 bytes, no less and no more.
func TestAttack_ShortSalt(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, defaults, wei(100), wei(60)).commits(odd, odd)
		whole := Open{odd, salt}.encode()
		if _, err := r.Play(b.C, b.State, whole); err != nil {
			t.Fatal(err)
		}
		for _, move := range [][]byte{whole[:63], whole[:32], nil, append(bytes.Clone(whole), 0)} {
			if _, err := r.Play(b.C, b.State, move); err == nil {
				t.Errorf("an opening of %d bytes opens", len(move))
			}
		}
	})
}

// Row 9: a reveal that does not open the commitment is no move at all; what remains is to be
// disqualified by the clock.
func TestChecklist_SplitOrSteal_09_BadReveal(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, defaults, wei(100), wei(60)).commits(odd, even)
		b.refuse(Open{even, salt}).refuse(Open{odd, common.Hash{}}).refuse(Commit(odd))
		b.fork().expire().play(Open{even, salt}).ends("silence", 0, 160, 40)
		b.play(Open{odd, salt}).refuse(Open{odd, salt}).expire().ends("silence", 160, 0, 40)

		junk := newBoard(t, r, defaults, wei(100), wei(60)).play(Commit{}).play(b.commitment(Y, even))
		junk.refuse(Open{}).expire().play(Open{even, salt}).ends("silence", 0, 160, 40)
	})
}

func TestAttack_JunkSecret(t *testing.T) { TestChecklist_SplitOrSteal_09_BadReveal(t) }

// Row 10: one side silent, at its commitment or its reveal, whatever the other chose: the other
// takes both bets, and the house has its subsidy back.
func TestChecklist_SplitOrSteal_10_OneSilent(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, number := range []common.Hash{odd, even} {
			b := newBoard(t, r, defaults, wei(100), wei(60))
			b.fork().expire().play(b.commitment(Y, number)).ends("silence", 0, 160, 40)
			b.play(b.commitment(X, number))
			b.fork().expire().play(Open{number, salt}).ends("silence", 160, 0, 40)
			b.play(b.commitment(Y, number))
			b.fork().expire().play(Open{number, salt}).ends("silence", 0, 160, 40)
			b.play(Open{number, salt}).expire().ends("silence", 160, 0, 40)

			b = newBoard(t, r, closed, wei(100), wei(60)).commits(number, number)
			b.fork().expire().play(Open{number, salt}).ends("silence", 0, 160, 0)
			b.play(Open{number, salt}).expire().ends("silence", 160, 0, 0)
		}
	})
}

// Row 11: both silent: all to the house, or, where there is none, the bets back.
func TestChecklist_SplitOrSteal_11_BothSilent(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for p, want := range map[Params][3]uint64{defaults: {0, 0, 200}, closed: {100, 60, 0}} {
			b := newBoard(t, r, p, wei(100), wei(60))
			b.fork().expire().expire().ends("silence of both", want[0], want[1], want[2])
			b.fork().play(b.commitment(X, odd)).expire().expire().ends("silence of both", want[0], want[1], want[2])
			b.commits(odd, odd).expire().expire().ends("silence of both", want[0], want[1], want[2])
		}
	})
}

// Silence at any step never earns the silent seat more than playing on: whatever both chose, and at
// every step.
func TestAttack_Withhold(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, p := range []Params{defaults, closed, {35, 104, 139, 90, 0}, {1, 99, 100, 99, 1}} {
			for i := range 4 {
				x, y := []common.Hash{odd, even}[i&1], []common.Hash{odd, even}[i>>1]
				honest := newBoard(t, r, p, wei(100), wei(60)).whole(x, y).shares("")
				b := newBoard(t, r, p, wei(100), wei(60))
				moves := []Move{b.commitment(X, x), b.commitment(Y, y), Open{x, salt}, Open{y, salt}}
				for step, m := range moves {
					silent := b.fork().expire()
					for next := step + 1; silent.Now().Phase != Over; next++ {
						silent.play(moves[next])
					}
					got := silent.shares("silence")
					if role := Role(step & 1); role == X && got.X.Gt(&honest.X) || role == Y && got.Y.Gt(&honest.Y) {
						t.Errorf("%+v: %s gains by silence at step %d", p, role, step)
					}
					b.play(m)
				}
			}
		}
	})
}

// Row 7: the openings may be asked for in one order only, as one seat moves at a time, but the
// order decides nothing: whoever opens second is bound already, and to have opened is never worse
// for it than silence. So either order gives the same.
func TestChecklist_SplitOrSteal_07_EitherOrder(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for i := range 4 {
			x, y := []common.Hash{odd, even}[i&1], []common.Hash{odd, even}[i>>1]
			first := newBoard(t, r, defaults, wei(100), wei(60)).whole(x, y).shares("")
			// the same two with their seats swapped
			second := newBoard(t, r, defaults, wei(60), wei(100)).whole(y, x).shares("")
			if first.X != second.Y || first.Y != second.X || first.House != second.House {
				t.Errorf("%s, %s: %+v in one order, %+v in the other", ChoiceOf(x), ChoiceOf(y), first, second)
			}
			b := newBoard(t, r, defaults, wei(100), wei(60)).commits(x, y).play(Open{x, salt})
			for _, other := range []common.Hash{{31: y[31] ^ 1}, {30: 1, 31: y[31]}} {
				b.refuse(Open{other, salt})
			}
		}
	})
}

// Row 8: 0 is steal, and so is every even number.
func TestChecklist_SplitOrSteal_08_ZeroIsSteal(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		most := common.MaxHash
		newBoard(t, r, defaults, wei(100), wei(60)).whole(common.Hash{}, odd).ends("", 145, 15, 40)
		newBoard(t, r, defaults, wei(100), wei(60)).whole(odd, common.Hash{}).ends("", 25, 135, 40)
		newBoard(t, r, defaults, wei(100), wei(60)).whole(common.Hash{0: 0x80}, common.Hash{}).ends("", 50, 30, 120)
		newBoard(t, r, defaults, wei(100), wei(60)).whole(most, odd).ends("", 115, 85, 0)
	})
}

// Row 12: the house stakes the subsidy up front, to the wei; without it no match starts. The closed
// variant needs none.
func TestChecklist_SplitOrSteal_12_Subsidy(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, p := range []Params{{1, 3, 4, 2, 0}, {1, 3, 4, 2, 1}, {1, 3, 4, 2, 2}, {35, 104, 139, 90, 2}} {
			for _, bets := range [][2]uint64{{100, 60}, {7, 5}, {1, 1}, {0, 9}, {1e18, 3}} {
				x, y := wei(bets[0]), wei(bets[1])
				b := newBoard(t, r, p, x, y)
				got := b.whole(odd, odd).shares("")
				if !got.House.IsZero() {
					t.Errorf("%+v, %v: %s are left of the subsidy", p, bets, got.House.Dec())
				}
				house := &b.C.Stakes[p.House]
				if house.IsZero() {
					continue
				}
				house.SubUint64(house, 1)
				if _, err := r.Start(b.C); err == nil {
					t.Errorf("%+v, %v: a match starts with one wei less than the subsidy", p, bets)
				}
				if _, err := r.Outcome(b.State, b.C.Stakes); err == nil {
					t.Errorf("%+v, %v: an outcome of stakes that no match has", p, bets)
				}
			}
		}
		newBoard(t, r, closed, wei(100), wei(60)).whole(odd, odd).ends("", 100, 60, 0)
		newBoard(t, r, closed, wei(100), wei(60)).whole(even, even).ends("", 100, 60, 0)
		newBoard(t, r, closed, wei(7), wei(5)).whole(even, odd).ends("", 11, 1, 0)
		newBoard(t, r, closed, wei(7), wei(5)).whole(odd, even).ends("", 1, 11, 0)
	})
}

// Row 13: every share is rounded down once, after the multiplication; at most two wei are lost to
// rounding, to the house, and never out of more than was staked.
func TestChecklist_SplitOrSteal_13_Dust(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		// 7 + 15/4, 5/4: one wei of dust, and 2 of subsidy
		newBoard(t, r, defaults, wei(7), wei(5)).whole(even, odd).ends("", 10, 1, 3)
		// 7 + 5/4, 5 + 7/4: the subsidy is rounded just so
		newBoard(t, r, defaults, wei(7), wei(5)).whole(odd, odd).ends("", 8, 6, 0)
		newBoard(t, r, defaults, wei(7), wei(5)).whole(even, even).ends("", 3, 2, 9) // 7/2, 5/2
		// nothing but dust
		newBoard(t, r, defaults, wei(1), wei(1)).whole(even, even).ends("", 0, 0, 2)
		// a free match
		newBoard(t, r, defaults, wei(0), wei(0)).whole(odd, even).ends("", 0, 0, 0)
		// one side bets nothing
		newBoard(t, r, defaults, wei(100), wei(0)).whole(odd, odd).ends("", 100, 25, 0)
	})
}

// Row 14: the house gets what two stealers leave, the dust, and both bets when both are
// disqualified.
func TestChecklist_SplitOrSteal_14_HouseShare(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for house := range uint8(3) {
			p := defaults
			p.House = house
			for _, c := range []struct {
				x, y common.Hash
				won  int64
			}{{even, even, 80}, {odd, even, 0}, {even, odd, 0}, {odd, odd, -40}} {
				b := newBoard(t, r, p, wei(100), wei(60)).whole(c.x, c.y)
				if won := b.houseWon(b.shares("")); won.Int64() != c.won {
					t.Errorf("house in seat %d, %s and %s: it wins %s, want %d", house, ChoiceOf(c.x), ChoiceOf(c.y), won, c.won)
				}
			}
			b := newBoard(t, r, p, wei(100), wei(60)).commits(odd, odd).expire().expire()
			if won := b.houseWon(b.shares("silence of both")); won.Int64() != 160 {
				t.Errorf("house in seat %d, both silent: it wins %s", house, won)
			}
		}
	})
}

// Bets that could wrap in the matrix, and stakes that do in their sum, are refused at the start.
func TestAttack_Overflow(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		var most, less uint256.Int
		most.Lsh(wei(1), maxBet)
		less.SubUint64(&most, 1)
		wide := Params{1<<31 - 1, 1 << 31, 1<<32 - 1, 1, 2}
		b := newBoard(t, r, wide, &less, &less) // the largest bets under the largest fractions
		b.fork().whole(odd, odd).shares("")
		b.fork().whole(odd, even).shares("")
		start := func(s Stakes) error {
			c := *b.C
			c.Stakes = s.bySeat(wide)
			_, err := r.Start(&c)
			return err
		}
		var all uint256.Int
		all.SetAllOne()
		for name, s := range map[string]Stakes{
			"X bets 2^224":      {X: most, House: all},
			"Y bets 2^224":      {Y: most, House: less},
			"everything":        {X: less, Y: less, House: all},
			"one wei too much":  {X: *wei(1), House: all},
			"nearly everything": {X: all, Y: all},
		} {
			if start(s) == nil {
				t.Errorf("%s: a match starts", name)
			}
		}
		if err := start(Stakes{House: all}); err != nil {
			t.Error(err)
		}
	})
}

// A match that is over stays as it is.
func TestAttack_DoubleProof(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, defaults, wei(100), wei(60)).whole(odd, even)
		b.refuse(Open{even, salt}).refuse(Commit{}).refuse(Open{odd, salt})
		if _, err := r.Expire(b.C, b.State); err == nil {
			t.Error("a match that is over expires")
		}
	})
}
