package box9

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// What is noted is drawn in each line, whatever the house closed: only a draw that names these bets
// is legal, however many signed another closing.
func TestAttack_Unplay_Noted(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		noted := Masks{1: on(1), 3: on(1, 2)}
		for name, closed := range map[string][]Mask{"these": {on(1), 0, on(1, 2)}, "others": {0, on(1), on(9)}, "none": nil} {
			for _, signed := range []uint16{0, 0b0111, 0b1111} {
				b := named(t, r, usual, 3).close(closed...).signed(signed, 0).note(noted[1:]...)
				hash := b.mine(1, 2, 3)
				for _, bets := range []Masks{b.Now().Bets, {1: on(1)}, {}} {
					for counts := Void; counts <= Whole; counts++ {
						if bets != noted || counts != Counted {
							b.refuse(Reveal{counts, hash, bets})
						}
					}
				}
				drawn, expired := *b, *b
				drawn.play(Reveal{Counted, hash, noted}).has(150, 99_000+1_050, 100_000, 98_000+1_050+375)
				if expired.expire(); string(drawn.State) != string(expired.State) {
					t.Errorf("%s, signed by %04b: expired to %+v, drawn to %+v", name, signed, expired.Now(), drawn.Now())
				}
			}
		}
	})
}

// A noted bet that its seat can't pay, with its credit, is a pass, whatever the house closed.
func TestAttack_ForeignMove_Unaffordable(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, c := range []struct {
			pocket, credit uint64
			plays          bool
		}{{6_000, 0, true}, {5_999, 0, false}, {5_000, 1_000, true}, {5_000, 999, false}, {0, 6_000, true}, {0, 0, false}} {
			b := named(t, r, usual, 2)
			s := b.Now()
			s.Pocket[House].SetUint64(100_000 - c.pocket - c.credit)
			s.Pocket[1].SetUint64(c.pocket)
			s.Credit[1].SetUint64(c.credit)
			b.Put(s)
			b.close().note(on(1, 2, 3, 4, 5, 6), on(1))
			hash := b.mine(1, 8, 9)
			bets := Masks{1: on(1, 2, 3, 4, 5, 6), 2: on(1)}
			if !c.plays {
				b.refuse(Reveal{Counted, hash, bets})
				bets[1] = 0
			}
			b.play(Reveal{Counted, hash, bets})
		}
	})
}

// Where bets are noted nothing that rolled is played for, though all have signed the closing:
// otherwise the last to sign chooses that after the draw.
func TestAttack_FreeRoll_Rolled(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for _, noted := range []bool{false, true} {
			b := named(t, r, usual, 2).close(on(1)).all().draw(Whole, 7, 8, 9)
			b.play(Name(1020)).close(0, on(1)).all()
			want := uint64(950)
			if noted {
				b.note(0, on(1))
				want = 0
			}
			b.mine(1, 8, 9)
			b.expire().has(50+50, 99_000, 99_000+700+want)
		}
	})
}

// The house that never closes bets that are noted doesn't take back the round by its silence; it is
// drawn before the match ends. Before the hash is known, or where nothing is noted, nothing is.
func TestAttack_Withhold_Noted(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		closing := named(t, r, usual, 2).note(on(1), on(2))
		closing.expire().ends("silence", 0, 100_000, 100_000)
		b := named(t, r, usual, 2).note(on(1), on(2))
		b.mine(1, 2, 9)
		b.expire().ends("silence", 100, 99_000+1_400+125, 99_000+250+125)
		b = named(t, r, usual, 2)
		b.mine(1, 2, 9)
		b.expire().ends("silence", 0, 100_000, 100_000)
	})
}

// A closing without bets awaits the block as others do, as bets may be noted; but needs no
// signatures, since nothing depends on them.
func TestClose_WithoutBets(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 2).close()
		if seat, err := r.Mover(b.State); seat != games.Chance || err != nil {
			t.Fatalf("mover %d, %v", seat, err)
		}
		hash := hashFor(10, 1, 2, 3)
		b.refuse(Reveal{Whole, hash, Masks{}})
		b.draw(Whole, 1, 2, 3).has(0, 100_000, 100_000)
		if s := b.Now(); s.Phase != Naming || s.Round != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// While it isn't known whether something is noted there is no draw: what is known to be so must
// stay so.
func TestDraw_NotedUnknown(t *testing.T) {
	b := named(t, Game().Rules, usual, 2).close(on(1), on(2)).all()
	hash := b.mine(1, 2, 3)
	b.chain.unread = true
	b.refuse(Reveal{Whole, hash, b.Now().Bets})
	if m, known, err := (player{}).Chance(b.at(1)); known || !errors.Is(err, games.ErrNotYet) {
		t.Errorf("%v, %v, %v", m, known, err)
	}
	void, silent := *b, named(t, Game().Rules, usual, 2).note(on(1))
	void.expire().has(0, 100_000, 100_000)
	silent.mine(1, 2, 3)
	silent.chain.unread = true
	silent.expire().ends("silence", 0, 100_000, 100_000)
	b.chain.unread = false
	b.play(Reveal{Whole, hash, b.Now().Bets})
}

// A key depends on all that it is for.
func TestNoteKey(t *testing.T) {
	b := named(t, Game().Rules, usual, 2)
	keys := map[common.Hash]string{}
	for name, change := range map[string]func(c *games.Context, s *State){
		"none":         func(*games.Context, *State) {},
		"Arena":        func(c *games.Context, _ *State) { c.Domain[0]++ },
		"match":        func(c *games.Context, _ *State) { c.MatchID[0]++ },
		"signer":       func(c *games.Context, _ *State) { c.Signers = append([]common.Address{{1}}, c.Signers[1:]...) },
		"fewer signed": func(c *games.Context, _ *State) { c.Signers = c.Signers[:2] },
		"round":        func(_ *games.Context, s *State) { s.Round++ },
		"block":        func(_ *games.Context, s *State) { s.Block += 10 },
	} {
		c, s := *b.C, b.Now()
		change(&c, &s)
		key := s.noteKey(&c)
		if other, taken := keys[key]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[key] = name
	}
}
