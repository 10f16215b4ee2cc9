package channel_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// dated are toy rules under which nobody may sign the chain's positions from block 50 on, until a
// fact is known with which signing late is harmless.
type dated struct {
	toyRules
	harmless *bool
}

func (d dated) SignBefore(_ *games.Context, state []byte) (uint64, error) {
	mover, err := d.Mover(state)
	if mover == games.Chance && !*d.harmless {
		return 50, err
	}
	return 0, err
}

type datedResolver struct{ harmless bool }

func (r *datedResolver) Rules(common.Address) (games.Rules, error) {
	return dated{harmless: &r.harmless}, nil
}

// datedTable is a match under dated rules; every seat was told that the newest block is this one.
func datedTable(t *testing.T, seats int, block uint64) (*table, common.Hash) {
	t.Helper()
	return tableDated(t, seats, block, &datedResolver{})
}

func tableDated(t *testing.T, seats int, block uint64, rules *datedResolver) (*table, common.Hash) {
	t.Helper()
	tb := openTable(t, seats)
	for i := range tb.seats {
		tb.seats[i].cfg.Rules = rules
		tb.restart(i)
		if block != 0 {
			tb.must(i, channel.ClockAt{Block: block})
		}
	}
	return tb, tb.match(0)
}

// A position that is worth something only if it is signed in time is signed by nobody later, as
// mover or countersigner, nor by a machine that wasn't told what time it is.
func TestAttack_LateBet_NotSigned(t *testing.T) {
	for block, signed := range map[uint64]bool{0: false, 1: true, 49: true, 50: false, 1 << 40: false} {
		tb, id := datedTable(t, 3, 49)
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		for i := range tb.seats {
			tb.restart(i)
			if block != 0 {
				tb.must(i, channel.ClockAt{Block: block})
			}
		}
		err := tb.move(1, id, Fate)
		if signed != (err == nil) || !signed && !errors.Is(err, channel.ErrLate) {
			t.Fatalf("block %d: %v", block, err)
		}
		tb.deliverAll()
		if v := tb.view(0, id); signed && v.Signed != 0b111 {
			t.Errorf("block %d: signed by %b", block, v.Signed)
		}
	}
}

// A seat that learns of a dated position too late doesn't countersign it, whatever else it is told.
func TestAttack_LateBet_NotCountersigned(t *testing.T) {
	for _, seats := range []int{2, 3} {
		tb, id := datedTable(t, seats, 49)
		tb.must(0, channel.ClockAt{Block: 50})
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		tb.mustMove(1, id, Fate)
		tb.deliverAll()
		tb.must(0, channel.Idle{})
		tb.heal()
		if v := tb.view(1, id); v.Signed&1 != 0 {
			t.Errorf("%d seats: seat 0 signed at block 50: %b", seats, v.Signed)
		}
	}
}

// Seats that learn of a dated position too late sign it at the next block after signing it late has
// become harmless, though nobody asks them to or can move before they have, and after a restart.
func TestLateSignaturesGoOn(t *testing.T) {
	rules := &datedResolver{}
	tb, id := tableDated(t, 3, 49, rules)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.ClockAt{Block: 50})
	tb.must(2, channel.ClockAt{Block: 50})
	tb.mustMove(1, id, Fate)
	tb.deliverAll()
	tb.restart(0)
	for i := range tb.seats {
		tb.must(i, channel.ClockAt{Now: 1 << 40, Block: 51})
	}
	tb.deliverAll()
	if v := tb.view(1, id); v.Signed != 0b010 || v.MayMove {
		t.Fatalf("signed late by %b", v.Signed)
	}
	rules.harmless = true
	for i := range tb.seats {
		tb.must(i, channel.ClockAt{Now: 1<<40 + 1, Block: 52})
	}
	tb.deliverAll()
	for i := range tb.seats {
		if v := tb.view(i, id); v.Signed != 0b111 || !v.MayMove {
			t.Errorf("seat %d: signed by %b, may move %v", i, v.Signed, v.MayMove)
		}
	}
}

// What a seat says reaches the seat that it is for, once for each time that it changes; it is said
// again until the match moves on, and is gone then.
func TestNotes(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	turn := tb.view(2, id).Turn
	say := func(text string) {
		tb.must(2, channel.SayNote{MatchID: id, Turn: turn, To: 0, Text: []byte(text)})
	}
	say("one")
	tb.queue = nil // lost
	tb.must(2, channel.Tick{})
	tb.deliverAll()
	tb.must(2, channel.Tick{})
	tb.deliverAll()
	say("two")
	tb.deliverAll()
	if n := tb.view(0, id).Notes; len(n) != 1 || n[0].From != 2 || n[0].To != 0 || string(n[0].Text) != "two" {
		t.Errorf("heard %+v", n)
	}
	if n := tb.view(1, id).Notes; n != nil {
		t.Errorf("another seat heard %+v", n)
	}
	if heard := happened[channel.NoteHeard](tb.seats[0]); len(heard) != 2 {
		t.Errorf("%d notes were news", len(heard))
	}
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	if tb.view(0, id).Notes != nil || tb.view(2, id).Notes != nil {
		t.Error("notes outlive their turn")
	}
	if err := tb.step(2, channel.SayNote{MatchID: id, Turn: turn, To: 0}); !errors.Is(err, channel.ErrStale) {
		t.Errorf("a note about a past turn: %v", err)
	}
	for _, bad := range []channel.SayNote{{To: 2}, {To: 3}, {Text: make([]byte, games.MaxNote+1)}} {
		bad.MatchID, bad.Turn = id, turn+1
		if err := tb.step(2, bad); !errors.Is(err, games.ErrIllegal) {
			t.Errorf("a note of %d bytes to seat %d: %v", len(bad.Text), bad.To, err)
		}
	}
	env := message.Envelope(tb.id, message.Note{MatchID: id, Text: bytes.Repeat([]byte{1}, games.MaxNote+1)})
	if _, _, err := message.FromEnvelope(env); !errors.Is(err, encoding.ErrMessage) {
		t.Errorf("too long a note on the wire: %v", err)
	}
}

// Every seat of a match can say something, the first one too; who doesn't play in it can't.
func TestNotesBySeat(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(100, 0, 1))
	turn := tb.view(1, id).Turn
	for from, want := range map[int]error{0: nil, 2: channel.ErrPeer} {
		if err := tb.says(from, 1, message.Note{MatchID: id, Turn: turn, Text: []byte("hello")}); !errors.Is(err, want) {
			t.Errorf("a note by seat %d: %v, want %v", from, err, want)
		}
	}
	if n := tb.view(1, id).Notes; len(n) != 1 || n[0].From != 0 || n[0].To != 1 {
		t.Errorf("heard %+v", n)
	}
}

// A countersignature that got lost is missed by its receiver alone: the others have moved on and
// hold the same newest position as it. Its signer is gone; another seat passes the signature on.
func TestAttack_Loss_CountersignBelowTheNewest(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	for len(tb.queue) > 0 {
		p := tb.queue[0]
		if _, lost := p.msg.(message.Countersign); lost && p.from == 2 && p.to == 0 {
			tb.queue = tb.queue[1:]
			continue
		}
		if err := tb.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	without2 := func() {
		tb.queue = slices.DeleteFunc(tb.queue, func(p packet) bool { return p.from == 2 || p.to == 2 })
	}
	tb.mustMove(1, id, Pass)
	for range 3 {
		for without2(); len(tb.queue) > 0; without2() {
			if err := tb.deliver(0); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 2 {
			tb.must(i, channel.Tick{})
		}
	}
	if v := tb.view(0, id); v.Turn != 2 || v.Mark != protocol.MarkOf(2) {
		t.Errorf("seat 0 is at turn %s and has signed up to %s", v.Turn, upTo(v.Mark))
	}
	for i := range tb.seats {
		tb.must(i, channel.Tick{})
		tb.deliverAll()
	}
	for i := range tb.seats {
		if v := tb.view(i, id); v.Turn != 2 || !v.Agreed {
			t.Errorf("seat %d: turn %s, signed by %b", i, v.Turn, v.Signed)
		}
	}
}
