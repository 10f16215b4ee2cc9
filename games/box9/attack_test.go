package box9

import (
	"crypto/rand"
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A round whose bets were closed late, or can't be shown not to have been, doesn't count: bets go
// back. A draw never depends on a signature's lacking, as who gave it may leave it out; only when
// the chain's clock ran out does what lacks count as not given. What was noted goes before all
// that: it depends on no signature at all, nor on what the Arena recorded.
func TestAttack_LateBet(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		for name, c := range map[string]struct {
			signed         uint16
			noted          bool
			drawn, expired Counts
		}{
			"signed by every seat":                    {0b1111, false, Whole, Whole},
			"signed by the house and who bets":        {0b0111, false, Void, Counted},
			"a bettor's signature lacks":              {0b1011, false, Void, Void},
			"the house's signature lacks":             {0b1110, false, Void, Void},
			"signed by nobody":                        {0, false, Void, Void},
			"signed by seats that there are not":      {0b11111000, false, Void, Void},
			"noted":                                   {0b0001, true, Counted, Counted},
			"noted, signed by nobody":                 {0, true, Counted, Counted},
			"noted, signed by the house and who bets": {0b0111, true, Counted, Counted},
			"noted, signed by every seat":             {0b1111, true, Counted, Counted},
		} {
			for _, recorded := range []uint64{0, 1, 1009, 1010, 1011} {
				b := named(t, r, usual, 3).close(on(1), on(2)).signed(c.signed, recorded)
				if c.noted {
					b.note(on(1), on(2))
				}
				hash := b.mine(1, 2, 3)
				for counts := Void; counts <= Whole+1; counts++ {
					if _, err := r.Play(b.C, b.State, Reveal{counts, hash, b.Now().Bets}.encode()); (err == nil) != (counts == c.drawn && counts != Void) {
						t.Errorf("%s, recorded in %d: a draw as %d: %v", name, recorded, counts, err)
					}
				}
				b.expire()
				if c.expired == Void {
					b.has(0, 100_000, 100_000, 100_000)
				} else {
					b.has(100, 99_000+1_400, 99_000+250, 100_000)
				}
			}
		}
	})
}

// A bet counts only under its own seat's signature for its own match, round and boxes, on this
// Arena.
func TestAttack_ForeignMove(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 3)
		other := *b.C
		other.MatchID[0]++
		elsewhere := *b.C
		elsewhere.Domain[0]++
		for name, bet := range map[string]Bet{
			"another seat's":    func() Bet { x := b.bet(2, on(1)); x.Seat = 1; return x }(),
			"other boxes":       func() Bet { x := b.bet(1, on(1)); x.Mask = on(2); return x }(),
			"another match":     b.betOf(1, on(1), BetDigest(&other, 0, on(1))),
			"another Arena":     b.betOf(1, on(1), BetDigest(&elsewhere, 0, on(1))),
			"another round":     b.betOf(1, on(1), BetDigest(b.C, 1, on(1))),
			"the house's":       b.bet(House, on(1)),
			"a stranger's seat": func() Bet { x := b.bet(1, on(1)); x.Seat = 4; return x }(),
			"no signature":      {Seat: 1, Mask: on(1)},
		} {
			if _, err := r.Play(b.C, b.State, Close{bet}.encode()); !errors.Is(err, games.ErrIllegal) {
				t.Errorf("%s: %v", name, err)
			}
		}
		b.play(Close{b.bet(1, on(1))})
	})
}

// The twin of a signature with a high s is no signature in either engine.
func TestAttack_HighS(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 1)
		bet := b.bet(1, on(1))
		order := uint256.MustFromHex("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
		s := new(uint256.Int).SetBytes(bet.Signature[32:64])
		high := s.Sub(order, s).Bytes32()
		twin := bet
		copy(twin.Signature[32:], high[:])
		twin.Signature[64] ^= 27 ^ 28
		b.refuse(Close{twin}).play(Close{bet})
	})
}

// Each seat bets once a round, in order, and only what it has.
func TestAttack_Equivocation(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 2)
		b.refuse(Close{b.bet(1, on(1)), b.bet(1, on(2))}).refuse(Close{b.bet(2, on(1)), b.bet(1, on(2))})
		poor := *b
		poor.C.Stakes[1].SetUint64(5_999)
		var err error
		if poor.State, err = r.Start(poor.C); err != nil {
			t.Fatal(err)
		}
		poor.play(Name(1010)).refuse(Close{poor.bet(1, on(1, 2, 3, 4, 5, 6))}).play(Close{poor.bet(1, on(1, 2, 3, 4, 5))})
	})
}

// Whoever sees that it lost can't hold back the draw: anybody makes it, and the clock running out
// makes it too.
func TestAttack_FreeRoll(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 2).close(on(1), on(2)).all()
		if seat, err := r.Mover(b.State); seat != games.Chance || err != nil {
			t.Fatalf("mover %d, %v", seat, err)
		}
		b.mine(1, 3, 4)
		drawn, expired := *b, *b
		drawn.play(Reveal{Whole, b.chain.hashes[1010], b.Now().Bets}).has(100, 99_000+1_400, 99_000)
		if expired.expire(); string(drawn.State) != string(expired.State) {
			t.Errorf("expired to %+v, drawn to %+v", expired.Now(), drawn.Now())
		}
	})
}

// Only the hash of the round's own block, from the chain, draws; before it is known nothing does.
func TestAttack_LyingRPC(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 1).close(on(1)).all()
		h, bets := hashFor(10, 1, 2, 3), b.Now().Bets
		b.refuse(Reveal{Whole, h, bets}).refuse(Reveal{Whole, common.Hash{}, bets})
		b.mine(4, 5, 6)
		b.chain.hashes[1000] = h
		b.refuse(Reveal{Whole, h, bets}).refuse(Reveal{Whole, common.Hash{}, bets})
		b.C.Facts = nil
		b.refuse(Reveal{Whole, b.chain.hashes[1010], bets})
	})
}

// A hash that nobody recorded in time voids its round, and no other.
func TestAttack_Withhold_Hash(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 2).close(on(1), on(2)).all().expire().has(0, 100_000, 100_000)
		if s := b.Now(); s.Phase != Naming || s.Round != 1 {
			t.Fatalf("%+v", s)
		}
		b.play(Name(1020)).close(on(1)).all().draw(Whole, 1, 2, 3)
	})
}

// The house's silence before closing voids the round, unless bets of it are noted, and all later
// ones; what is rolled goes back.
func TestAttack_Withhold(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		newBoard(t, r, usual, 2).expire().ends("silence", 0, 100_000, 100_000)
		named(t, r, usual, 2).expire().ends("silence", 0, 100_000, 100_000)
		// nobody wins anything
		b := named(t, r, usual, 2).close(on(1), on(2)).all().draw(Whole, 7, 8, 9)
		b.has(100, 99_000, 99_000).play(Name(1020)).expire().ends("silence", 100, 99_950, 99_950)
	})
}

// The house can't name a block twice, nor one that is past for the table, nor one between the tens.
func TestAttack_ReplayChannel_Block(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, usual, 1)
		b.refuse(Name(1011)).refuse(Name(5)).play(Name(1010)).close().draw(Whole, 1, 2, 3)
		b.refuse(Name(1010)).refuse(Name(1000)).play(Name(1020))
	})
}

// Amounts that would overflow are refused, and never wrap.
func TestAttack_Overflow(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, usual, 2)
		most := *new(uint256.Int).SetAllOne()
		b.C.Stakes = []uint256.Int{most, *uint256.NewInt(1), {}}
		if _, err := r.Start(b.C); err == nil {
			t.Error("a match starts with stakes that overflow")
		}
		s := State{Phase: Over, Pocket: b.C.Stakes}
		if _, err := r.Outcome(rules{}.EncodeState(s), b.C.Stakes); err == nil {
			t.Error("stakes that overflow are paid out")
		}
	})
}

// A state in which the seats have more or less than they staked is nobody's.
func TestAttack_PoisonedState(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 2)
		good := b.Now()
		for name, spoil := range map[string]func(s *State){
			"a pocket too full":  func(s *State) { s.Pocket[1].AddUint64(&s.Pocket[1], 1) },
			"credit from nobody": func(s *State) { s.Credit[2].SetUint64(1) },
			"too little":         func(s *State) { s.Pocket[1].SubUint64(&s.Pocket[1], 1) },
			"a seat too many": func(s *State) {
				s.Pocket, s.Credit, s.Rolled = make([]uint256.Int, 4), make([]uint256.Int, 4), make([]uint256.Int, 4)
			},
			"a round too many": func(s *State) { s.Round = 3 },
		} {
			s := good
			s.Pocket, s.Credit, s.Rolled = append([]uint256.Int(nil), s.Pocket...), append([]uint256.Int(nil), s.Credit...), append([]uint256.Int(nil), s.Rolled...)
			spoil(&s)
			if _, err := r.Play(b.C, rules{}.EncodeState(s), Close{}.encode()); !errors.Is(err, games.ErrIllegal) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A player bets on a block that every seat signed, and on no other: with a seat that withholds its
// signature the house could make a line that all agreed to further than the recorded one, and take
// the round back after its draw.
func TestAttack_Unplay_UnsignedBlock(t *testing.T) {
	b := named(t, Game().Rules, usual, 2)
	signs := func(common.Hash) ([]byte, error) { sig := b.bet(1, on(1)).Signature; return sig[:], nil }
	for signed := range uint16(8) {
		c := *b.C
		c.Signed = signed
		table := games.Table{Context: &c, State: b.State, Seat: 1, Random: rand.Reader, Sign: signs}
		asked, err := Game().Player.Ask(table)
		if err != nil || (asked != "") != (signed == 0b111) {
			t.Errorf("signed by %03b: asked %q, %v", signed, asked, err)
		}
		talker, _ := games.As[games.Talker](Game().Player)
		note, err := talker.Chat(table)
		if err != nil || (note != nil) != (signed == 0b111) {
			t.Errorf("signed by %03b: the bot says %v, %v", signed, note, err)
		}
		if note, err = talker.Say(table, "1 2"); (note != nil) != (signed == 0b111) || (err == nil) != (signed == 0b111) {
			t.Errorf("signed by %03b: a person says %v, %v", signed, note, err)
		}
	}
}

// With a margin so short that a player has not three blocks to have the closed bets noted in, no
// match starts: there who withholds its signature would see the draw first.
func TestAttack_FreeRoll_Margin(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, usual, 2)
		for margin := range 256 {
			p := usual
			p.Margin = uint8(margin)
			c := *b.C
			c.Params = p.Bytes()
			if _, err := r.Start(&c); (err == nil) != (margin >= 6 && margin <= 100) {
				t.Errorf("a margin of %d: %v", margin, err)
			}
		}
	})
}
