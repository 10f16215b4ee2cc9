package box9

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/games"
)

// The house closes the bets a margin before the block from which on nobody signs any more, so that
// all can sign that; later than that it closes without bets.
func TestPlayer_ClosesInTime(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2)
	last := signBefore(usual, b.Now())
	late := b.bet(1, on(1))
	for head, want := range map[uint64]int{last - 7: -1, last - 6: 1, last - 1: 1, last: 0} {
		b.chain.head = head
		m, decided, err := player{}.Auto(b.at(House, games.Note{From: 1, Text: late.encode()}))
		if err != nil || decided != (want >= 0) {
			t.Fatalf("at block %d, of %d: %v, %v (%v)", head, last, m, decided, err)
		}
		if decided && len(m.(Close)) != want {
			t.Errorf("at block %d, of %d: closed with %d bets, want %d", head, last, len(m.(Close)), want)
		}
	}
}

// The house's bot moves as Auto does, and says that it is too early where that waits.
func TestPlayer_BotOfTheHouse(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 1)
	if m, err := (player{}).Bot(b.at(House)); !errors.Is(err, games.ErrNotYet) {
		t.Errorf("while there is time to bet: %v, %v", m, err)
	}
	b.chain.head = 1004
	if m, err := (player{}).Bot(b.at(House)); m == nil || err != nil {
		t.Errorf("when time is up: %v, %v", m, err)
	}
}

// By hand the house's operator closes the bets at once, or ends the match between rounds, and does
// nothing else.
func TestPlayer_ChooseByHand(t *testing.T) {
	b := newBoard(t, games.Bytes(rules{}), usual, 1)
	choose := func(text string, want Move) {
		t.Helper()
		m, err := player{}.Choose(b.at(House), text)
		if want == nil {
			if m != nil || !errors.Is(err, games.ErrText) {
				t.Errorf("%q in phase %d: %v, %v", text, b.Now().Phase, m, err)
			}
		} else if err != nil || !bytes.Equal(m.encode(), want.encode()) {
			t.Errorf("%q in phase %d: %v, %v, want %v", text, b.Now().Phase, m, err, want)
		}
	}
	choose(" end ", Name(0))
	choose("close", nil)
	choose("", nil)
	b.play(Name(1010))
	choose(" close ", Close{})
	choose("end", nil)
	choose("1010", nil)
}

// The first round is opened at once, on a young chain too: there is no draw before it that anybody
// could have signed.
func TestPlayer_OpensTheFirstRound(t *testing.T) {
	b := newBoard(t, games.Bytes(rules{}), usual, 2).signed(unsigned, 0)
	b.chain.head = 5
	if m, decided, err := (player{}).Auto(b.at(House)); m != Name(30) || !decided || err != nil {
		t.Errorf("%v, %v, %v, want block 30", m, decided, err)
	}
}

// After a draw that somebody hasn't signed the house goes on once the hash of its block is kept for
// good, and not before.
func TestPlayer_GoesOnWithoutSignature(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2).close(on(1), on(2)).all().draw(Whole, 1, 2, 3)
	for _, c := range []struct {
		signed uint16
		head   uint64
		next   Name // 0: the house waits
	}{{0b111, 1011, 1030}, {unsigned, 1011, 0}, {unsigned, 1010 + 159, 0}, {unsigned, 1010 + 160, 1190}} {
		b.signed(c.signed, 0).chain.head = c.head
		m, decided, err := player{}.Auto(b.at(House))
		if decided != (c.next != 0) || decided && m != c.next || err != nil {
			t.Errorf("signed by %b, at block %d: %v, %v, %v, want %d", c.signed, c.head, m, decided, err, c.next)
		}
	}
}

// The house includes what is a good bet of the seat that said it, by seat, whatever else it is
// told; and it waits for those who have said nothing and have what a box costs.
func TestBets_OfGoodNotes(t *testing.T) {
	b := newBoard(t, games.Bytes(rules{}), usual, 3)
	s := b.Now()
	// so that nothing but its being the house speaks against its bet
	s.Pocket[House].SetUint64(100_000)
	s.Pocket[1].SetUint64(999)
	s.Phase, s.Block = Betting, 1010
	b.Put(s)
	bet := func(seat uint8, boxes ...uint8) []byte {
		good := b.bet(seat, on(boxes...))
		return good.encode()
	}
	spoilt := bet(2, 5)
	spoilt[2]++ // other boxes than those signed
	for name, c := range map[string]struct {
		notes []games.Note
		seats []uint8 // whose bets are included
		all   bool
	}{
		"nothing said":            {nil, nil, false},
		"one to wait for":         {[]games.Note{{From: 3, Text: bet(3, 1)}}, []uint8{3}, false},
		"all":                     {[]games.Note{{From: 3, Text: bet(3, 1)}, {From: 2, Text: bet(2, 1, 9)}}, []uint8{2, 3}, true},
		"a pass":                  {[]games.Note{{From: 3, Text: bet(3, 1)}, {From: 2}}, []uint8{3}, true},
		"rubbish":                 {[]games.Note{{From: 3, Text: bet(3, 1)}, {From: 2, Text: []byte("17")}}, []uint8{3}, true},
		"another seat's bet":      {[]games.Note{{From: 2, Text: bet(3, 1)}}, nil, false},
		"not what was signed":     {[]games.Note{{From: 2, Text: spoilt}}, nil, false},
		"more than it has":        {[]games.Note{{From: 1, Text: bet(1, 1)}}, nil, false},
		"the house's own":         {[]games.Note{{From: House, Text: bet(House, 1)}}, nil, false},
		"a seat that there isn't": {[]games.Note{{From: 4, Text: bet(3, 1)}}, nil, false},
	} {
		list, all := bets(b.at(House, c.notes...))
		var seats []uint8
		for i := range list {
			seats = append(seats, list[i].Seat)
		}
		if !slices.Equal(seats, c.seats) || all != c.all {
			t.Errorf("%s: bets of %v, all %v, want %v, %v", name, seats, all, c.seats, c.all)
		}
	}
}
