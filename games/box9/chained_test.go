package box9

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// watched is a round of block 1010 with two players in some phase, signed by some, as it is seen
// when the chain has got to a block.
type watched struct {
	phase  Phase
	signed uint16
	noted  bool
	head   uint64
	seat   uint8
	idle   bool // it bets nothing
	rolled bool // it has something in the prizes that nobody won
	unmade bool // it is not known how the position came about
	sure   uint64
}

// unsigned are all of three seats but the last.
const unsigned = 0b011

func (w watched) look(t *testing.T) seat {
	t.Helper()
	b := named(t, games.Bytes(rules{}), usual, 2).close(on(1), on(2)).signed(w.signed, 0)
	if w.noted {
		b.note(on(1), on(2))
	}
	b.chain.head = w.head
	b.chain.hashes[1010] = common.Hash{1}
	b.chain.sure = w.sure
	s := b.at(w.seat)
	s.State.Phase = w.phase
	if w.idle {
		s.State.Bets[w.seat] = 0
	}
	if w.rolled {
		s.State.Rolled[w.seat].SetOne()
	}
	if !w.unmade {
		s.Made = &games.Made{Turn: 2, Move: []byte("bets"), Signature: []byte("signed")}
	}
	return s
}

// Closed bets that somebody doesn't sign are to be noted before their block: by the house from the
// block on from which nobody signs any more, by players who have something in the round two blocks
// later, and not when it is too late. At the least margin, this one, a player has three blocks to
// be mined in.
func TestUpkeep_Notes(t *testing.T) {
	for name, c := range map[string]struct {
		watched
		due bool
	}{
		"the house waits for signatures":    {watched{phase: Drawing, signed: unsigned, head: 1003}, false},
		"the house notes":                   {watched{phase: Drawing, signed: unsigned, head: 1004}, true},
		"the house, which bets nothing":     {watched{phase: Drawing, signed: unsigned, head: 1004, idle: true}, true},
		"a player leaves it to the house":   {watched{phase: Drawing, signed: unsigned, head: 1005, seat: 2}, false},
		"a player notes":                    {watched{phase: Drawing, signed: unsigned, head: 1006, seat: 2}, true},
		"a player who bet nothing":          {watched{phase: Drawing, signed: unsigned, head: 1006, seat: 2, idle: true}, false},
		"a player whose money rolls":        {watched{phase: Drawing, signed: unsigned, head: 1006, seat: 2, idle: true, rolled: true}, true},
		"the next block is in time":         {watched{phase: Drawing, signed: unsigned, head: 1008}, true},
		"so it is for a player":             {watched{phase: Drawing, signed: unsigned, head: 1008, seat: 2}, true},
		"the next block is too late":        {watched{phase: Drawing, signed: unsigned, head: 1009}, false},
		"an endpoint says so":               {watched{phase: Drawing, signed: unsigned, head: 1100, sure: 1008}, true},
		"and so do both":                    {watched{phase: Drawing, signed: unsigned, head: 1100, sure: 1009}, false},
		"all have signed":                   {watched{phase: Drawing, signed: 0b111, head: 1006}, false},
		"nothing shows what the house did":  {watched{phase: Drawing, signed: unsigned, head: 1006, unmade: true}, false},
		"nothing is closed yet":             {watched{phase: Betting, signed: unsigned, head: 1006}, false},
		"it is drawn, and a new round open": {watched{phase: Naming, signed: unsigned, head: 1006}, false},
	} {
		s := c.look(t)
		call := player{}.Upkeep(s)
		if (call != nil) != c.due {
			t.Errorf("%s: %+v, want one %v", name, call, c.due)
		}
		if call == nil {
			continue
		}
		worth := uint256.NewInt(2_000) // a box of each player, but for whom the table has idle
		if c.idle && c.seat != House {
			worth.SetUint64(1_001)
		}
		data := bindings.NewBox9().PackNote(s.Context.Domain, s.Context.MatchID, s.Context.Signers, 2, rules{}.EncodeState(s.State), []byte("bets"), []byte("signed"))
		if !bytes.Equal(call.Data, data) || call.Before != 1010 || call.Gas != noteGas(3) || call.Worth == nil || !call.Worth.Eq(worth) || call.Slot != s.State.noteKey(s.Context) {
			t.Errorf("%s: %+v", name, call)
		}
	}
	passed := watched{phase: Drawing, signed: unsigned, head: 1006}.look(t)
	passed.State.Bets = Masks{}
	if call := (player{}).Upkeep(passed); call != nil {
		t.Errorf("no bets are closed: %+v", call)
	}
}

// Closed bets may be signed until the margin before their block, and again once it is known that
// some are noted: not while that is unknown, nor where nothing is. Other states have no limit.
func TestSignBefore(t *testing.T) {
	r := games.Bytes(rules{})
	limit := func(b *board) uint64 {
		before, err := games.SignBefore(r, b.C, b.State)
		if err != nil {
			t.Fatal(err)
		}
		return before
	}
	for name, noted := range map[string][]Mask{"": nil, "the same": {on(1), on(2)}, "others": {on(9)}} {
		b := named(t, r, usual, 2).close(on(1), on(2)).note(noted...)
		if got := limit(b); got != 1004 {
			t.Errorf("noted %s: before the block, to be signed before %d", name, got)
		}
		b.mine(1, 2, 3)
		b.chain.unread = true
		if got := limit(b); got != 1004 {
			t.Errorf("noted %s, which isn't known: to be signed before %d", name, got)
		}
		b.chain.unread = false
		want := uint64(0)
		if noted == nil {
			want = 1004
		}
		if got := limit(b); got != want {
			t.Errorf("noted %s: to be signed before %d, want %d", name, got, want)
		}
	}
	for name, b := range map[string]*board{"betting": named(t, r, usual, 2), "no bets": named(t, r, usual, 2).close()} {
		if got := limit(b); got != 0 {
			t.Errorf("%s: to be signed before %d", name, got)
		}
	}
}

// Nobody takes the house for silent before the block at which it closes the bets, or at which a
// draw that not all signed can be proved, unless that is further away than the house had to put it.
func TestUntil(t *testing.T) {
	for name, c := range map[string]struct {
		watched
		until uint64
	}{
		"bets are taken":                       {watched{phase: Betting, signed: 0b111, head: 997, seat: 1}, 998},
		"so the house sees it":                 {watched{phase: Betting, signed: 0b111, head: 997}, 998},
		"bets are to be closed":                {watched{phase: Betting, signed: 0b111, head: 998, seat: 1}, 0},
		"as far away as may be":                {watched{phase: Betting, signed: 0b111, head: 982, seat: 1}, 998},
		"further away":                         {watched{phase: Betting, signed: 0b111, head: 981, seat: 1}, 0},
		"bets are closed":                      {watched{phase: Drawing, signed: 0b111, head: 1001, seat: 1}, 0},
		"the draw is signed by all":            {watched{phase: Naming, signed: 0b111, head: 1011, seat: 1}, 0},
		"the draw is not signed by all":        {watched{phase: Naming, signed: unsigned, head: 1011, seat: 1}, 1010 + 160},
		"but can be proved for ever":           {watched{phase: Naming, signed: unsigned, head: 1010 + 160, seat: 1}, 0},
		"nothing is to be waited for any more": {watched{phase: Over, signed: unsigned, head: 1011, seat: 1}, 0},
	} {
		if got := (player{}).Until(c.look(t)); got != c.until {
			t.Errorf("%s: until block %d, want %d", name, got, c.until)
		}
	}
}

// The hash of a round's block is recorded on the chain while not all have signed what follows from
// it: late enough that this is rarely needed, and before the chain forgets it.
func TestUpkeep(t *testing.T) {
	const never = 1
	for name, c := range map[string]struct {
		watched
		before uint64 // never: no call; 0: no hurry
	}{
		"it may still be signed":            {watched{phase: Drawing, signed: unsigned, head: 1010 + 127}, never},
		"not drawn":                         {watched{phase: Drawing, signed: unsigned, head: 1010 + 128}, 1010 + 256},
		"not drawn, though the bets signed": {watched{phase: Drawing, signed: 0b111, head: 1010 + 128}, 1010 + 256},
		"the draw not signed by all":        {watched{phase: Naming, signed: unsigned, head: 1010 + 128}, 1010 + 256},
		"the draw signed by all":            {watched{phase: Naming, signed: 0b111, head: 1010 + 128}, never},
		"the last draw not signed by all":   {watched{phase: Over, signed: unsigned, head: 1010 + 128}, 1010 + 256},
		"the house doesn't close the bets":  {watched{phase: Betting, signed: 0b111, head: 1010 + 128}, never},
		"nor those that are noted":          {watched{phase: Betting, signed: 0b111, noted: true, head: 1010 + 128}, 1010 + 256},
		"these may still be drawn":          {watched{phase: Betting, signed: 0b111, noted: true, head: 1010 + 127}, never},
		"the last in which any chain knows": {watched{phase: Drawing, signed: unsigned, head: 1010 + 255}, 1010 + 256},
		"only some chains know":             {watched{phase: Drawing, signed: unsigned, head: 1010 + 256}, 0},
		"some know in the next block":       {watched{phase: Drawing, signed: unsigned, head: 1010 + 8190}, 0},
		"none knows in the next block":      {watched{phase: Drawing, signed: unsigned, head: 1010 + 8191}, never},
		"as an endpoint says":               {watched{phase: Drawing, signed: 0b111, head: 9_999, sure: 1010 + 255}, 1010 + 256},
		"a seat leaves it to those before":  {watched{phase: Drawing, signed: unsigned, head: 1010 + 131, seat: 2}, never},
		"which have not":                    {watched{phase: Drawing, signed: unsigned, head: 1010 + 132, seat: 2}, 1010 + 256},
	} {
		call := player{}.Upkeep(c.look(t))
		if (call != nil) != (c.before != never) || call != nil && call.Before != c.before {
			t.Errorf("%s: %+v, want one before %d", name, call, c.before)
		}
		if want := bindings.NewBox9().PackRecord(big.NewInt(1010)); call != nil && (!bytes.Equal(call.Data, want) || call.Gas != contracts.Gas["box9_record"]) {
			t.Errorf("%s: calls %x with %d gas, want %x", name, call.Data, call.Gas, want)
		}
	}
	first := newBoard(t, games.Bytes(rules{}), usual, 2).signed(unsigned, 0).at(House)
	if call := (player{}).Upkeep(first); call != nil {
		t.Errorf("before any block is named: %+v", call)
	}
}

// The draw is made as soon as the hash is known, as long as the chain remembers it and it can be
// shown how the round counts.
func TestChance(t *testing.T) {
	bets := Masks{1: on(1), 2: on(2)}
	for name, c := range map[string]struct {
		watched
		want Move
	}{
		"signed by all":            {watched{phase: Drawing, signed: 0b111, head: 1011}, Reveal{Whole, common.Hash{1}, bets}},
		"noted":                    {watched{phase: Drawing, signed: unsigned, noted: true, head: 1011}, Reveal{Counted, common.Hash{1}, bets}},
		"noted, signed by all":     {watched{phase: Drawing, signed: 0b111, noted: true, head: 1011}, Reveal{Counted, common.Hash{1}, bets}},
		"neither noted nor signed": {watched{phase: Drawing, signed: unsigned, head: 1011}, nil},
		"remembered":               {watched{phase: Drawing, signed: 0b111, head: 1010 + 8190}, Reveal{Whole, common.Hash{1}, bets}},
		"forgotten":                {watched{phase: Drawing, signed: 0b111, head: 1010 + 8191}, nil},
	} {
		if m, known, err := (player{}).Chance(c.look(t)); m != c.want || known != (c.want != nil) || err != nil {
			t.Errorf("%s: %v, %v, %v, want %v", name, m, known, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		head uint64
		want error
	}{
		"as far away as may be":     {1010 - 28, games.ErrNotYet},
		"further away":              {1010 - 29, nil},
		"next":                      {1009, games.ErrNotYet},
		"unread":                    {1010 + 8190, games.ErrNotYet},
		"unread, and now forgotten": {1010 + 8191, nil},
	} {
		s := watched{phase: Drawing, signed: 0b111, head: c.head}.look(t)
		s.Context.Facts.(*ledger).unread = true
		if m, known, err := (player{}).Chance(s); known || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, %v, want %v", name, m, known, err, c.want)
		}
	}
	early := watched{phase: Drawing, signed: 0b111, head: 1010}
	if m, known, err := (player{}).Chance(early.look(t)); known || !errors.Is(err, games.ErrNotYet) {
		t.Errorf("before the hash is known: %v, %v, %v", m, known, err)
	}
}

// A side that is told nothing of the chain does nothing that depends on it.
func TestPlayer_WithoutFacts(t *testing.T) {
	for phase := Naming; phase <= Over; phase++ {
		s := watched{phase: phase, signed: unsigned}.look(t)
		s.Context.Facts = nil
		if m, decided, err := (player{}).Auto(s); decided || err != nil {
			t.Errorf("phase %d: moves %v, %v", phase, m, err)
		}
		if c := (player{}).Upkeep(s); c != nil {
			t.Errorf("phase %d: calls %+v", phase, c)
		}
	}
}
