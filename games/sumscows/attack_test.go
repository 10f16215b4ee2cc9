package sumscows

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	hidden = lettered("BDF")
	miss   = lettered("ACE")
)

// A false result to any guess convicts the server when it opens its list, however the match came to
// that.
func TestAttack_FalseAnswer(t *testing.T) {
	guesses := []List{miss, lettered("BCE"), lettered("AFE"), lettered("BFD"), lettered("DEF")}
	engines(t, func(t *testing.T, r games.Rules) {
		for lied := range guesses {
			for end, finish := range map[string]func(*board, int){
				"last guess": func(*board, int) {},
				"end":        func(b *board, n int) { ifLeft(b, n, EndClaim) },
				"claim":      func(b *board, n int) { ifLeft(b, n, Misbehaviour) },
				"silence": func(b *board, n int) {
					if n < len(guesses) {
						b.expire()
					}
				},
			} {
				n := len(guesses)
				if end != "last guess" {
					n = lied + 1
				}
				b := hiding(t, r, usual, hidden.secret())
				for i, g := range guesses[:n] {
					if i == lied {
						b.guess(hidden, g, otherThan(usual, Truth(hidden, g)))
					} else {
						b.guess(hidden, g)
					}
				}
				finish(b, n)
				b.open(hidden).ends(0b10, "false result", pot, 0)
			}
		}
	})
}

func ifLeft(b *board, n int, m Move) {
	if n < int(b.P.Guesses) {
		b.play(m)
	}
}

// Hiding that the list is found convicts, and so does pretending that it was: the player then has
// the prize anyway.
func TestAttack_FalseAnswer_HiddenWin(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret()).guess(hidden, hidden, usual.full())
		b.play(Misbehaviour).open(hidden).ends(0b10, "false result", pot, 0)

		b = hiding(t, r, usual, hidden.secret()).guess(hidden, lettered("FDB"), usual.full()|found)
		b.open(hidden).ends(0b10, "false result", pot, 0)
	})
}

// A repeated guess, or one of the same letters, gets the same result or none; and a list that was
// not the hidden one does not become it.
func TestAttack_FalseAnswer_Inconsistent(t *testing.T) {
	full := usual.full()
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret()).guess(hidden, lettered("BCE")).guess(hidden, miss)
		for _, again := range []string{"BCE", "BEC", "CEB"} {
			b := *b
			b.play(Guess(lettered(again)))
			for a := range found {
				if a.Possible(usual) && a != NewAnswer(1, 0) {
					b.refuse(Reply(a))
				}
			}
			b.refuse(Reply(full | found)).play(Reply(NewAnswer(1, 0)))
		}
		b = hiding(t, r, usual, hidden.secret()).guess(hidden, lettered("FDB"))
		b.play(Guess(lettered("FDB"))).refuse(Reply(full | found)).play(Reply(full))
		b.play(Guess(hidden)).refuse(Reply(NewAnswer(2, 3))).play(Reply(full | found))
		if b.Now().Phase != Opening {
			t.Errorf("%+v", b.Now())
		}
	})
}

// What is no list of d distinct letters convicts the server when it is opened, at any end; nothing
// else is needed.
func TestAttack_IllegalSecret(t *testing.T) {
	stray := hidden.secret()
	stray[31] = 1
	next := hidden.secret()
	next[3] = 2
	engines(t, func(t *testing.T, r games.Rules) {
		for name, rubbish := range map[string]common.Hash{
			"letter too high": lettered("BDG").secret(), "letter twice": lettered("BDB").secret(), "too long": next, "stray byte": stray,
			"none": {}, "all bits": common.MaxHash,
		} {
			for end, finish := range map[string]func(*board) *board{
				"end":     func(b *board) *board { return b.play(EndClaim) },
				"claim":   func(b *board) *board { return b.play(Misbehaviour) },
				"silence": func(b *board) *board { return b.expire() },
				"last": func(b *board) *board {
					return b.guess("", miss, 0).guess("", miss, 0).guess("", miss, 0).guess("", miss, 0)
				},
				"found":    func(b *board) *board { return b.guess("", lettered("FDB"), usual.full()|found) },
				"no guess": nil,
			} {
				b := hiding(t, r, usual, rubbish)
				if finish == nil {
					b.play(EndClaim)
				} else {
					finish(b.guess("", miss, 0))
				}
				if b.play(Reveal{rubbish, salt}); b.Now().Ending != IllegalList {
					t.Errorf("%s, %s: %+v", name, end, b.Now())
				}
				b.ends(0b10, "illegal list", pot, 0)
			}
		}
	})
}

// An opening that does not fit the commitment is no move; then silence loses, and the fees go back
// too.
func TestAttack_JunkSecret(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret()).guess(hidden, miss).play(Misbehaviour)
		b.refuse(Reveal{miss.secret(), salt}).refuse(Reveal{hidden.secret(), common.Hash{}}).refuse(Reveal{})
		b.expire().ends(0, "silence", pot, 0)

		junk := newBoard(t, r, usual).play(Commit{}).guess("", miss, 0).play(EndClaim)
		junk.refuse(Reveal{}).refuse(Reveal{hidden.secret(), salt}).expire().ends(0, "silence", pot, 0)
	})
}

// A commitment opens only for its own match, seat, round and kind.
func TestAttack_CopiedCommitment(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		opens := func(scope commit.Scope) bool {
			b := newBoard(t, r, usual).play(Commit(scope.Hash(hidden.secret(), salt))).play(EndClaim)
			_, err := r.Play(b.C, b.State, Reveal{hidden.secret(), salt}.encode())
			return err == nil
		}
		own := commit.Scope{Tag: ListTag, MatchID: common.HexToHash("0xa1"), Seat: Server}
		if !opens(own) {
			t.Fatal("the server's own commitment does not open")
		}
		for name, change := range map[string]func(*commit.Scope){
			"seat":  func(s *commit.Scope) { s.Seat = Player },
			"round": func(s *commit.Scope) { s.Round = 1 },
			"match": func(s *commit.Scope) { s.MatchID[0]++ },
			"tag":   func(s *commit.Scope) { s.Tag = commit.NewTag("ante.mastermind.code") },
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
		b := hiding(t, r, usual, hidden.secret()).play(EndClaim)
		whole := Reveal{hidden.secret(), salt}.encode()
		for _, move := range [][]byte{whole[:63], whole[:36], append(bytes.Clone(whole), 0)} {
			if _, err := r.Play(b.C, b.State, move); err == nil {
				t.Errorf("an opening of %d bytes", len(move))
			}
		}
		b.play(Reveal{hidden.secret(), salt})
	})
}

// The server's silence loses it everything at every step; the player's has the server open its
// list.
func TestAttack_Withhold(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		newBoard(t, r, usual).expire().ends(0, "silence", pot, 0)
		b := hiding(t, r, usual, hidden.secret())
		for n := range uint64(5) {
			gone := *b
			gone.expire().refuse(Guess(miss)).refuse(EndClaim)
			withheld := gone
			withheld.expire().ends(0, "silence", pot, 0)
			gone.open(hidden).ends(0, "silence", playerStake-10-7*n, serverStake+10+7*n)

			unanswered := *b
			unanswered.play(Guess(miss)).expire().ends(0, "silence", pot, 0)
			b.guess(hidden, miss)
		}
		unopened := *b
		unopened.expire().ends(0, "silence", pot, 0)
		b.open(hidden).ends(0, "", playerStake-10-35, serverStake+10+35)
	})
}

// A match that is over stays as it is.
func TestAttack_DoubleProof(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := hiding(t, r, usual, hidden.secret()).guess(hidden, miss, NewAnswer(1, 1)).play(Misbehaviour).open(hidden)
		for _, m := range []Move{Commit{}, Guess(miss), EndClaim, Misbehaviour, Reply(0), Reveal{hidden.secret(), salt}} {
			b.refuse(m)
		}
		if _, err := r.Expire(b.C, b.State); err == nil {
			t.Error("a match that is over expires")
		}
		b.ends(0b10, "false result", pot, 0)
	})
}

// Stakes that don't cover what may have to be paid, or overflow, start no match; the widest amounts
// don't wrap.
func TestAttack_Overflow(t *testing.T) {
	var most, amount uint256.Int
	most.SetAllOne()
	amount.Rsh(&most, 128)
	engines(t, func(t *testing.T, r games.Rules) {
		p := Params{6, 3, MaxGuesses, amount, amount, amount}
		fees := p.fees(MaxGuesses)
		less := new(uint256.Int).SubUint64(&fees, 1)
		for _, stakes := range [][]uint256.Int{
			{*less, amount}, {fees, *new(uint256.Int).SubUint64(&amount, 1)}, {most, amount}, {fees, most}, {fees}, {fees, amount, fees}, {},
		} {
			c := &games.Context{Params: p.Bytes(), Stakes: stakes, Signers: make([]common.Address, len(stakes))}
			if _, err := r.Start(c); err == nil {
				t.Errorf("a match starts with stakes %v", stakes)
			}
		}
		b := startBoard(t, r, p, &fees, &amount)
		b.play(b.commitment(hidden.secret()))
		for range MaxGuesses {
			b.guess(hidden, miss)
		}
		o, err := r.Outcome(b.open(hidden).State, b.C.Stakes)
		if err != nil || !o.Payouts[Player].IsZero() || !o.Payouts[Server].Eq(fees.Add(&fees, &amount)) {
			t.Errorf("%v, %v", o, err)
		}
		for _, stakes := range [][]uint256.Int{{amount, amount}, {most, amount}, {amount}} {
			if o, err := r.Outcome(b.State, stakes); err == nil {
				t.Errorf("stakes %v pay %v", stakes, o.Payouts)
			}
		}
	})
}

// The longest transcript of long lists is judged entirely: a lie in the first answer or the last is
// found. The state of the longest lists of all still fits.
func TestAttack_GasBomb(t *testing.T) {
	p := small(26, 24, MaxGuesses, 1, 1, 1)
	hidden := example(p)
	guesses := make([]List, 0, MaxGuesses) // all letters but two
	for one := range 26 {
		for two := range one {
			if all := []byte(example(Params{D: 26})); len(guesses) < MaxGuesses {
				guesses = append(guesses, List(slices.Delete(slices.Delete(all, one, one+1), two, two+1)))
			}
		}
	}
	engines(t, func(t *testing.T, r games.Rules) {
		for _, lied := range []int{-1, 0, 50, MaxGuesses - 1} {
			b := hiding(t, r, p, hidden.secret())
			for i, g := range guesses {
				if i == lied {
					b.guess(hidden, g, otherThan(p, Truth(hidden, g)))
				} else {
					b.guess(hidden, g)
				}
			}
			b.open(hidden)
			if s := b.Now(); (s.Ending == FalseResult) != (lied >= 0) {
				t.Errorf("lie in answer %d: %+v", lied, s)
			}
		}
	})
	longest := State{Phase: Answering, D: MaxLetters, Transcript: slices.Repeat([]Entry{{example(Params{D: 26}), 0}}, MaxGuesses-1)}
	longest.Guess = longest.Transcript[0].Guess
	if b := (rules{}).EncodeState(longest); len(b) > games.MaxState {
		t.Errorf("a state of %d bytes", len(b))
	}
}

// full is the answer to a guess of the right letters.
func (p Params) full() Answer { d := int(p.D); return NewAnswer(d, d*(d-1)/2) }
