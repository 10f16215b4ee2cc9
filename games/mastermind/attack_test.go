package mastermind

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	code = digits(0, 1, 2, 3)
	miss = digits(5, 5, 5, 5)
)

// A lie in any round, the last included, about any guess, convicts the maker at the reveal.
func TestAttack_FalseAnswer(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for round := range defaults.Rounds {
			for lied := range int(defaults.Guesses) {
				b := started(t, r, defaults, 0)
				for range round {
					b.round(code, []Code{code}, nil).play(Reveal{code, salt})
				}
				maker := b.Now().Maker
				guesses := slices.Repeat([]Code{digits(1, 1, 4, 4)}, int(defaults.Guesses))
				b.round(code, guesses, map[int]Feedback{lied: NewFeedback(0, 2)}).play(Reveal{code, salt})
				payouts := []uint64{101, 101}
				payouts[maker] = 0
				b.Pays(1<<maker, "false feedback", payouts...)
			}
		}
	})
}

// Hiding that the code was found earns nothing either.
func TestAttack_FalseAnswer_HiddenWin(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 1)
		b.round(code, slices.Repeat([]Code{code}, 12), map[int]Feedback{
			0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 0, 10: 0, 11: 0,
		}).play(Reveal{code, salt}).Pays(0b10, "false feedback", 101, 0)
	})
}

// With disputes, a lie in any round stands unless the breaker names it; naming only true answers
// costs the accuser.
func TestAttack_FalseAnswer_Disputed(t *testing.T) {
	p := Params{4, 6, 4, 12, 6, 1}
	engines(t, func(t *testing.T, r games.Rules) {
		for round := range p.Rounds {
			lying := func() *board {
				b := started(t, r, p, 0)
				for range round {
					b.round(code, []Code{code}, nil).play(Reveal{code, salt}).play(Dispute(0))
				}
				return b.round(code, slices.Repeat([]Code{miss}, 12), map[int]Feedback{3: NewFeedback(1, 0)}).play(Reveal{code, salt})
			}
			b := lying()
			maker := b.Now().Maker
			won := []uint64{101, 101}
			won[maker] = 0
			b.play(Dispute(1<<3|1<<4)).Pays(1<<maker, "false feedback", won...)
			won[0], won[1] = won[1], won[0]
			lying().play(Dispute(1<<4)).Pays(1<<(1-maker), "false accusation", won...)
			lying().refuse(Dispute(1 << 12))
			for _, pass := range []*board{lying().play(Dispute(0)), lying().expire()} {
				s := pass.Now()
				if round+1 == p.Rounds {
					pass.Pays(0, "")
				} else if s.Phase != Making || s.Maker != 1-maker || s.Points[maker] < 18 {
					t.Errorf("after a pass in round %d: %+v", round, s)
				}
			}
		}
	})
}

// A code of a colour or a peg too many convicts when it is opened, and is not needed for guesses to
// be answered.
func TestAttack_IllegalSecret(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, dispute := range []uint8{0, 1} {
			p := defaults
			p.Dispute = dispute
			for _, rubbish := range []Code{6, 7, 7 << 9, 1 << 12, 1 << 15, 0xffff} {
				b := started(t, r, p, 0).hide(rubbish)
				for range p.Guesses {
					b.play(Guess(miss)).play(Reply(0))
				}
				b.play(Reveal{rubbish, salt}).Pays(0b01, "illegal code", 0, 101)
			}
		}
	})
}

// A reveal that does not open the commitment is no move; then silence forfeits.
func TestAttack_JunkSecret(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 0).round(code, []Code{code}, nil)
		b.refuse(Reveal{code, common.Hash{}}).refuse(Reveal{miss, salt}).refuse(Reveal{code | 1<<15, salt})
		b.expire().Pays(0, "silence", 0, 101)

		junk := started(t, r, defaults, 0).play(Commit{}).play(Guess(code)).play(Reply(4))
		junk.refuse(Reveal{}).refuse(Reveal{code, salt}).expire().Pays(0, "silence", 0, 101)
	})
}

// A commitment opens only for its own seat, round, match and kind: a copy is worth nothing.
func TestAttack_CopiedCommitment(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		opens := func(scope commit.Scope) bool {
			b := started(t, r, defaults, 0).round(code, []Code{code}, nil).play(Reveal{code, salt})
			b.play(Commit(scope.Hash(code.secret(), salt))).play(Guess(code)).play(Reply(4))
			_, err := r.Play(b.C, b.State, Reveal{code, salt}.encode())
			return err == nil
		}
		own := commit.Scope{Tag: CodeTag, MatchID: common.HexToHash("0xa1"), Seat: 1, Round: 1}
		if !opens(own) {
			t.Fatal("the maker's own commitment does not open")
		}
		for name, change := range map[string]func(*commit.Scope){
			"seat":  func(s *commit.Scope) { s.Seat = 0 },
			"round": func(s *commit.Scope) { s.Round = 0 },
			"match": func(s *commit.Scope) { s.MatchID[0]++ },
			"tag":   func(s *commit.Scope) { s.Tag = CoinTag },
		} {
			copied := own
			change(&copied)
			if opens(copied) {
				t.Errorf("a commitment of another %s opens", name)
			}
		}
	})
}

// Salts are 32 bytes, no less and no more.
func TestAttack_ShortSalt(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 0).round(code, []Code{code}, nil)
		whole := Reveal{code, salt}.encode()
		if _, err := r.Play(b.C, b.State, whole); err != nil {
			t.Fatal(err)
		}
		for _, move := range [][]byte{whole[:33], whole[:6], append(bytes.Clone(whole), 0)} {
			if _, err := r.Play(b.C, b.State, move); err == nil {
				t.Errorf("a reveal of %d bytes opens", len(move))
			}
		}
	})
}

// Who sees the coin first, and does not like it, can only forfeit; neither side can steer it.
func TestAttack_CoinAbort(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for side := range uint8(2) {
			for call := range uint8(2) {
				b := newBoard(t, r, defaults)
				b.play(b.commitment(CoinTag, 0, 0, common.Hash{31: side})).refuse(Call(2)).play(Call(call))
				b.refuse(Show{1 - side, salt}).refuse(Show{side, common.Hash{}})
				aborted := *b
				aborted.expire().Pays(0, "silence", 0, 101)
				want := uint8(0)
				if side == call {
					want = 1
				}
				if s := b.play(Show{side, salt}).Now(); s.Maker != want {
					t.Errorf("side %d, call %d: seat %d makes the first code, want %d", side, call, s.Maker, want)
				}
			}
		}
		b := newBoard(t, r, defaults)
		b.play(b.commitment(CoinTag, 0, 0, common.Hash{31: 2})).play(Call(0)).refuse(Show{2, salt})
	})
}

// Silence at any step loses to the other seat; only a breaker who is asked whether it disputes
// passes.
func TestAttack_Withhold(t *testing.T) {
	p := Params{4, 6, 2, 2, 6, 1}
	engines(t, func(t *testing.T, r games.Rules) {
		for first := range uint8(2) {
			b := newBoard(t, r, p)
			seen := make(map[string]bool)
			for _, m := range wholeMatch(b, first) {
				silent, s := b.Mover(), b.Now()
				copied := *b
				copied.expire()
				if s.Phase == Disputing {
					if copied.Now().Phase != Making && copied.Now().Ending != ByPoints {
						t.Errorf("silence on a dispute: %+v", copied.Now())
					}
				} else {
					payouts := []uint64{101, 101}
					payouts[silent] = 0
					copied.Pays(0, "silence", payouts...)
				}
				seen[fmt.Sprint(s.Phase, silent)] = true
				b.play(m)
			}
			if len(seen) != 3+5*2 { // the coin's three, the other phases by both seats
				t.Errorf("phases and seats seen: %v", seen)
			}
		}
	})
}

// wholeMatch returns the moves of a match of two rounds, of two guesses each.
func wholeMatch(b *board, first uint8) []Move {
	moves := []Move{b.commitment(CoinTag, 0, 0, common.Hash{}), Call(1 - first), Show{0, salt}}
	for round := range uint8(2) {
		maker := first ^ round
		moves = append(moves, b.commitment(CodeTag, maker, uint32(round), code.secret()),
			Guess(miss), Reply(0), Guess(miss), Reply(0), Reveal{code, salt}, Dispute(0))
	}
	return moves
}

// A match that is over stays as it is.
func TestAttack_DoubleProof(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, defaults, 0).hide(code)
		b.play(Guess(code)).play(Reply(0))
		for range 11 {
			b.play(Guess(miss)).play(Reply(0))
		}
		b.play(Reveal{code, salt})
		for _, m := range []Move{Reveal{code, salt}, Commit{}, Call(0), Show{}, Guess(0), Reply(0), Dispute(1)} {
			b.refuse(m)
		}
		if _, err := r.Expire(b.C, b.State); err == nil {
			t.Error("a match that is over expires")
		}
		b.Pays(0b01, "false feedback", 0, 101)
	})
}

// Stakes that overflow, or points that would, are refused and never wrap.
func TestAttack_Overflow(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, defaults)
		var most uint256.Int
		most.SetAllOne()
		b.C.Stakes = []uint256.Int{most, *uint256.NewInt(1)}
		if _, err := r.Start(b.C); err == nil {
			t.Error("a match starts with stakes that overflow")
		}
		if _, err := r.Outcome(rules{}.EncodeState(State{Phase: Over}), b.C.Stakes); err == nil {
			t.Error("stakes that overflow are paid out")
		}
		s := State{Phase: Disputing, Points: [2]uint16{65520, 0}, Code: code, Transcript: slices.Repeat([]Entry{{miss, 0}}, 12)}
		b.P.Dispute = 1
		b.C.Params = b.P.Bytes()
		b.at(s).refuse(Dispute(0))
		s.Points[0] = 65517
		b.at(s).play(Dispute(0))
		if got := b.Now().Points; got != [2]uint16{65535, 0} {
			t.Errorf("points %v", got)
		}
	})
}
