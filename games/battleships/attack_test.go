package battleships

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

// A false answer has no proof: not for any cell, nor with another cell's proof, nor with one that
// is changed in any byte.
func TestAttack_FalseAnswer(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for c := range Cell(boardCells) {
			b := started(t, r, proving, 0, fleets).play(Shot(c))
			truth := uint8(fleets[1] >> c & 1)
			b.refuse(b.reply(1 - truth)).refuse(b.reply(truth + 2)).refuse(Answer{Ship: truth})
			b.refuse(Answer{truth, b.trees[1].proof(c ^ 1)}).refuse(Answer{truth, b.trees[0].proof(c)})
			for i := range proofSize / 32 {
				bent := *b.trees[1].proof(c)
				bent[32*i+int(c)%32] ^= 1
				b.refuse(Answer{truth, &bent})
			}
			b.play(b.reply(truth))
		}
	})
}

// Where answers are trusted, a false one about any cell convicts its author when it opens its
// board, first or second.
func TestAttack_FalseAnswer_Trusting(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for c := range Cell(boardCells) {
			b := started(t, r, trusting, 0, fleets).play(Shot(c))
			truth := uint8(fleets[1] >> c & 1)
			b.refuse(Answer{truth, b.trees[1].proof(c)}).refuse(Answer{Ship: 2})
			b.play(Answer{Ship: 1 - truth})
			first := *b
			if truth == 1 { // a miss: the liar is to shoot, and may open first
				first.play(first.open(1, fleets[1])).ends(1, true, "false answer")
			}
			if b.Mover() == 0 {
				b.play(b.open(0, fleets[0])).play(b.open(1, fleets[1])).ends(1, true, "false answer")
			}
		}
	})
}

// A fleet that is none convicts whenever it is opened, though every answer was true and all of the
// other's ships were hit.
func TestAttack_IllegalSecret(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for name, rubbish := range map[string]Cells{
			"none": 0, "all": ^Cells(0), "a cell less": fleets[0] & (fleets[0] - 1), "a cell more": fleets[0] | Cell(63).set(),
			"touching": fleets[0]&^mustShip("e5-e6") | mustShip("e4-e5"), "wrapping": fleets[0]&^mustShip("g1-g2") | Cell(7).set() | Cell(8).set(),
		} {
			if rubbish.Legal() {
				t.Fatalf("%s is legal", name)
			}
			b := started(t, r, proving, 0, [2]Cells{rubbish, fleets[1]}).shoot(fleets[1])
			b.play(b.open(0, rubbish)).ends(0, true, "bad fleet")
			b = started(t, r, proving, 1, [2]Cells{rubbish, fleets[1]})
			b.play(b.open(1, fleets[1])).play(b.open(0, rubbish)).ends(0, true, "bad fleet")
		}
	})
}

func mustShip(text string) Cells {
	s, err := parseShip(text)
	if err != nil {
		panic(err)
	}
	return s
}

// A root that can't be opened, wholly or in one cell, leaves its author nothing but silence.
func TestAttack_JunkSecret(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, proving).hide(fleets)
		b.trees[1].nodes[1] = common.Hash{1}
		b.play(b.toss(0)).play(Call{1, b.trees[1].root()}).play(Show{0, salt})
		b.play(Shot(9)).refuse(b.reply(0)).refuse(b.reply(1)).refuse(b.open(1, fleets[1]))
		b.expire().ends(1, false, "silence")

		// Salts that come from no one secret: answers can be proved, the board can't be opened.
		b = newBoard(t, r, proving).hide(fleets)
		own := b.trees[1]
		own.nodes[boardCells] = leaf(b.C.MatchID, 1, 0, uint8(fleets[1]&1), common.Hash{2})
		for i := boardCells / 2; i > 0; i /= 2 {
			own.nodes[i] = join(own.nodes[2*i], own.nodes[2*i+1])
		}
		b.play(b.toss(0)).play(Call{0, own.root()}).play(Show{0, salt})
		b.refuse(b.open(1, fleets[1]))
		b.play(Shot(5)).answer(fleets[0]).play(Shot(1)).answer(fleets[1]).play(b.open(0, fleets[0]))
		b.refuse(b.open(1, fleets[1])).expire().ends(1, false, "silence")
	})
}

// A root opens only for its own seat and match: a copy of the other's answers nothing, though the
// copier learns the other's proofs.
func TestAttack_CopiedCommitment(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, proving).hide(fleets)
		b.trees[1] = b.trees[0]
		b.play(b.toss(1)).play(Call{0, b.trees[1].root()}).play(Show{1, salt}) // seat 0 shoots
		c := fleets[0].first()
		b.play(Shot(c)).refuse(b.reply(1)).refuse(b.reply(0)).refuse(Reveal{fleets[0], secrets[0]})
		b.expire().ends(1, false, "silence")

		// The same of another match.
		b = newBoard(t, r, proving).hide(fleets)
		b.C.MatchID[0]++
		b.play(b.toss(1)).play(Call{0, b.trees[1].root()}).play(Show{1, salt})
		b.play(Shot(c)).refuse(b.reply(1)).refuse(b.reply(0)).refuse(b.open(1, fleets[1]))
	})
}

// Salts and secrets are 32 bytes, no less and no more.
func TestAttack_ShortSalt(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, proving, 0, fleets)
		whole := b.open(0, fleets[0]).encode()
		if _, err := r.Play(b.C, b.State, whole); err != nil {
			t.Fatal(err)
		}
		shown := started(t, r, proving, 0, fleets).play(Shot(3))
		proof := shown.reply(uint8(fleets[1] >> 3 & 1)).encode()
		if _, err := r.Play(shown.C, shown.State, proof); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 8, 16, 39} {
			if _, err := r.Play(b.C, b.State, whole[:n]); err == nil && n != 1 {
				t.Errorf("an opening of %d bytes opens", n)
			}
			if _, err := r.Play(shown.C, shown.State, proof[:n]); err == nil {
				t.Errorf("an answer of %d bytes is proved", n)
			}
		}
		if _, err := r.Play(b.C, b.State, append(bytes.Clone(whole), 0)); err == nil {
			t.Error("a longer opening opens")
		}
		if _, err := r.Play(shown.C, shown.State, append(bytes.Clone(proof), 0)); err == nil {
			t.Error("a longer proof proves")
		}
	})
}

// Who sees the coin first, and does not like it, can only forfeit; neither side can steer it.
func TestAttack_CoinAbort(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for tossed := range uint8(2) {
			for call := range uint8(2) {
				b := newBoard(t, r, proving).hide(fleets)
				b.play(b.toss(tossed)).refuse(Call{2, b.trees[1].root()}).play(Call{call, b.trees[1].root()})
				b.refuse(Show{1 - tossed, salt}).refuse(Show{tossed, common.Hash{}})
				aborted := *b
				aborted.expire().ends(0, false, "silence")
				want := uint8(0)
				if tossed == call {
					want = 1
				}
				if got := b.play(Show{tossed, salt}).Mover(); got != want {
					t.Errorf("side %d, call %d: seat %d shoots first, want %d", tossed, call, got, want)
				}
			}
		}
	})
}

// Silence at any step loses to the other seat.
func TestAttack_Withhold(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for first := range uint8(2) {
			b := newBoard(t, r, proving).hide(fleets)
			moves := []Move{b.toss(1), Call{first, b.trees[1].root()}, Show{1, salt}}
			seen := make(map[string]bool)
			for len(moves) > 0 {
				silent := *b
				loser := b.Mover()
				silent.expire().ends(loser, false, "silence")
				if got := silent.Now().Boards; got != b.Now().Boards {
					t.Errorf("silence changed the boards: %+v", got)
				}
				seen[fmt.Sprint(b.Now().Phase, loser)] = true
				b.play(moves[0])
				if moves = moves[1:]; len(moves) == 0 {
					moves = b.next()
				}
			}
			if want := 3 + 2 + 2 + 1; len(seen) != want {
				t.Errorf("phases and seats seen: %v, want %d", seen, want)
			}
		}
	})
}

// next makes both seats miss once, then opens both boards.
func (b *board) next() []Move {
	s := b.Now()
	shots := s.Boards[0].Shots.Count() + s.Boards[1].Shots.Count()
	switch {
	case s.Phase == Over:
		return nil
	case s.Phase == Answering:
		return []Move{b.reply(uint8(fleets[1-s.Seat] >> s.Cell & 1))}
	case s.Phase == Shooting && shots < 2:
		return []Move{Shot((^fleets[1-s.Seat]).first())}
	default:
		return []Move{b.open(s.Seat, fleets[s.Seat])}
	}
}

// A match that is over stays as it is.
func TestAttack_DoubleProof(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, proving, 0, fleets).shoot(fleets[1])
		b.play(b.open(0, fleets[0]))
		for _, m := range []Move{b.open(0, fleets[0]), b.open(1, fleets[1]), Commit{}, Call{}, Show{}, Shot(0), Answer{}, Answer{Proof: &Proof{}}} {
			b.refuse(m)
		}
		if _, err := r.Expire(b.C, b.State); err == nil {
			t.Error("a match that is over expires")
		}
		b.ends(1, false, "")
	})
}

// Stakes that overflow are refused and never wrap.
func TestAttack_Overflow(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, proving)
		var most uint256.Int
		most.SetAllOne()
		b.C.Stakes = []uint256.Int{most, *uint256.NewInt(1)}
		if _, err := r.Start(b.C); err == nil {
			t.Error("a match starts with stakes that overflow")
		}
		if _, err := r.Outcome(rules{}.EncodeState(State{Phase: Over}), b.C.Stakes); err == nil {
			t.Error("stakes that overflow are paid out")
		}
	})
}

// The number of moves is part of the state: one that doesn't fit the shots is no state, so that
// none comes twice.
func TestAttack_Rollback_TurnCounter(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, proving, 0, fleets)
		for i := range 40 {
			s := b.Now()
			if int(s.Turn) != 3+i {
				t.Fatalf("move %d is counted as %d", 3+i, s.Turn)
			}
			for _, wrong := range []uint16{s.Turn - 1, s.Turn + 1, 0, 65535} {
				forged := s
				forged.Turn = wrong
				if _, err := r.Mover(rules{}.EncodeState(forged)); err == nil {
					t.Fatalf("%d moves in place of %d are accepted", wrong, s.Turn)
				}
			}
			if s.Phase == Answering {
				b.answer(fleets[1-s.Seat])
			} else {
				b.play(Shot((^s.Boards[1-s.Seat].Shots).first()))
			}
		}
	})
}

// A commitment is worth nothing as one of another kind, cell or seat.
func TestAttack_CrossType_Cells(t *testing.T) {
	id := common.HexToHash("0xa1")
	own := commit.Scope{Tag: CellTag, MatchID: id, Seat: 1, Round: 7}
	seen := []common.Hash{own.Hash(common.Hash{31: 1}, salt)}
	for _, change := range []func(*commit.Scope){
		func(s *commit.Scope) { s.Seat = 0 },
		func(s *commit.Scope) { s.Round = 6 },
		func(s *commit.Scope) { s.MatchID[0]++ },
		func(s *commit.Scope) { s.Tag = CoinTag },
	} {
		other := own
		change(&other)
		h := other.Hash(common.Hash{31: 1}, salt)
		if slices.Contains(seen, h) {
			t.Errorf("%+v has the commitment of another", other)
		}
		seen = append(seen, h)
	}
}
