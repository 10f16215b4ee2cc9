package contracts_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

const alice, carol = 1, 2 // of a table of three; carol belongs to the house, where that matters

// foresee is what nobody can do: it says which box a block to come makes gold.
func (b *boxes) foresee(block uint64) box9.Mask {
	b.Helper()
	here := b.checkpoint()
	b.until(block, 1)
	gold := box9.Draw(b.chain.BlockHash(block), b.p.Coins).Gold
	here()
	return 1 << (gold - 1)
}

// fate ends the match on the chain in each way that whoever holds every key can choose when the
// draw is known, in a round whose block all signed and whose closing is one of these, the last
// positions of lines. It returns what the ways pay, by what was done.
func (b *boxes) fate(block uint64, closings map[string]*match) map[string][]uint256.Int {
	b.Helper()
	start, paid := b.checkpoint(), map[string][]uint256.Int{}
	try := func(name string, way func()) {
		way()
		if b.record().Status == protocol.MatchLive {
			b.Fatalf("%s: the match goes on", name)
		}
		paid[name] = b.record().Payouts
		start()
	}
	for name, m := range closings {
		at := m.last()
		for shown, evidence := range map[string][]signed{"as it was signed": nil, "signed by all": m.everyone(at)} {
			var by uint16
			if evidence != nil {
				by = b.all()
			}
			if d := b.drawn(m, by); d != nil {
				try(name+" "+shown+", the chain draws", func() {
					b.must(d.advance(d.support(at-1, at+1, m.everyone(at-1), evidence)))
				})
			}
			try(name+" "+shown+", the clock draws", func() {
				b.must(m.advance(m.support(at-1, at, m.everyone(at-1), evidence), m.demand(at, alice)))
				b.keep(block)
				b.until(b.record().Deadline, 0)
				b.must(m.expire(at))
			})
		}
	}
	try("the house is silent", func() {
		at := b.last() - 1
		if b.record() == nil {
			b.must(b.advance(b.support(at, at, b.everyone(at))))
		}
		b.must(b.demands(at, alice))
		b.keep(block)
		b.until(b.record().Deadline, 0)
		b.must(b.expire(at))
	})
	return paid
}

// same reports whether all ways pay the same.
func (b *boxes) same(paid map[string][]uint256.Int) bool {
	first := slices.Sorted(maps.Keys(paid))[0]
	for name := range paid {
		if !slices.Equal(paid[name], paid[first]) {
			b.Logf("%s: %v; %s: %v", first, paid[first], name, paid[name])
			return false
		}
	}
	return true
}

// pass is the line in which the house closes the round without bets instead.
func (b *boxes) pass() *match {
	return b.fork(b.last() - 1).play(box9.Codec().EncodeMove(box9.Close{}))
}

// other is the line in which the house closes the round with these bets instead.
func (b *boxes) other(masks map[uint8]box9.Mask) *match {
	here := b.line
	b.line = slices.Clone(here[:len(here)-1])
	m := b.closed(masks).fork(b.last())
	b.line = here
	return m
}

// second takes a table of two rounds to the second, in which every seat has signed the block, and
// returns that.
func (b *boxes) second(masks map[uint8]box9.Mask) (block uint64) {
	b.Helper()
	block = b.name()
	b.closed(masks)
	b.until(block, 1)
	b.line = b.whole(block).line
	return b.name()
}

// Carol withholds her signature of the closed bets, to see first what is drawn. She changes the
// Arena's record in each block, so that no recording of them lands, and the house does nothing.
// Alice's node has three blocks for its note, and the last will do. Then, whatever anybody posts,
// the match pays the same.
func TestAttack_FreeRoll_SignatureWithheld(t *testing.T) {
	const shown = 0b011
	b := boxTable(t, 2, 2)
	block := b.second(map[uint8]box9.Mask{alice: 0b11})
	gold := b.foresee(block)
	b.closed(map[uint8]box9.Mask{alice: gold, carol: 0b111 &^ gold})
	at := b.last()
	var call *games.Call
	b.until(block, -5)
	for turn := range 5 { // the last in the block before the round's
		mine := b.advance(b.support(turn, turn, b.everyone(turn)))
		recording := b.advance(b.support(at-1, at, b.everyone(at-1), []signed{{at, alice}}))
		b.must(mine)
		if turn > 0 {
			b.refused(codec.ErrNotRecorded, recording)
		}
		if call = b.upkeep(alice, shown); (call != nil) != (turn >= 2) {
			t.Errorf("%d blocks before block %d alice's node calls %+v", 5-turn, block, call)
		}
		if turn < 4 {
			b.wait(1)
		}
	}
	here := b.checkpoint()
	var void []uint256.Int
	for _, noted := range []bool{false, true} {
		here()
		if noted {
			b.tell(b.seats[alice].player.address, b.match.terms.Rules, call.Data)
		}
		b.until(block, 1)
		b.keep(block)
		if !noted {
			out, err := b.rules.Outcome(b.fork(at).expired().at(-1).state, b.match.terms.Stakes)
			b.ok(err)
			void = out.Payouts
		}
		paid := b.fate(block, map[string]*match{"the closing": b.match, "a pass": b.pass()})
		if got := paid["the closing as it was signed, the clock draws"]; b.same(paid) != noted || slices.Equal(got, void) == noted {
			t.Errorf("noted %v: pays %v, and %v when the round is void", noted, got, void)
		}
	}
}

// A house with a second seat gives alice one closing, and has two more with which it would go on
// once the draw is known: one without her bets, and none. Whichever of the three is noted first, no
// other is, and all that can be posted pays by it. So it is, too, where all have signed alice's
// closing.
func TestAttack_Unplay(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	gold := b.foresee(block)
	b.closed(map[uint8]box9.Mask{alice: gold, carol: 0b111 &^ gold})
	closings := map[string]*match{"the closing": b.match, "another": b.other(map[uint8]box9.Mask{carol: gold}), "a pass": b.pass()}
	start := b.checkpoint()
	for _, first := range []string{"the closing", "another"} {
		start()
		b.until(block, -1)
		b.note(closings[first])
		for name, m := range closings {
			want := map[bool]string{true: "OthersNoted", false: "BadNote"}[name != "a pass"]
			if name != first {
				b.refusedNote(name, want, b.noting(m))
			}
		}
		b.until(block, 1)
		paid := b.fate(block, closings)
		got := paid["a pass as it was signed, the clock draws"]
		if !b.same(paid) || (got[alice].Uint64() > b.stakes[alice]) != (first == "the closing") {
			t.Errorf("%s is noted: pays %v", first, got)
		}
		for name, m := range closings {
			draw := m.fork(m.last()).illegal(b.reveal(m, box9.Whole, block), b.drawn(m, b.all()).at(-1).state, games.Nobody)
			b.refused(codec.ErrRulesFailed, draw.advance(draw.support(1, 3, b.everyone(1), m.everyone(2))))
			if name == first {
				continue
			}
			draw = m.fork(m.last()).illegal(b.reveal(m, box9.Counted, block), b.drawn(m, 0).at(-1).state, games.Nobody)
			b.refused(codec.ErrRulesFailed, draw.advance(draw.support(1, 3, b.everyone(1))))
		}
	}
}

// Nor does a house take back a noted round by a line in which it named another block, though it has
// that recorded first: alice bet only when all had signed the block, which is further agreed to.
func TestAttack_Unplay_AnotherBlock(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	b.closed(map[uint8]box9.Mask{alice: b.foresee(block)})
	b.note(b.match)
	fork := b.fork(0).play(box9.Codec().EncodeMove(box9.Name(block+10)), box9.Codec().EncodeMove(box9.Close{}))
	b.must(fork.advance(fork.support(0, 2, b.everyone(0))))
	b.until(block, 11)
	gone := b.drawn(fork, 0)
	b.must(gone.advance(gone.support(2, 3)))
	drawn := b.drawn(b.match, 0)
	b.must(drawn.advance(drawn.support(1, 3, b.everyone(1))))
	b.refused(codec.ErrNotHigher, gone.advance(gone.support(0, 3, b.everyone(0))))
	if b.record().State != hash(drawn.at(-1).state) || slices.Equal(drawn.at(-1).state, gone.at(-1).state) {
		t.Errorf("recorded %+v", *b.record())
	}
}

// What nobody won in the first round is alice's money. In the second she bets nothing; carol, who
// belongs to the house, bets on everything and withholds her signature, which would let her play
// for it only when she has won. Alice's node notes that round too. Where a round is noted nothing
// that rolled is played for, whoever signs later.
func TestAttack_FreeRoll_Rolled(t *testing.T) {
	b := boxTable(t, 2, 2)
	gold := b.foresee(box9.NextRound(b.chain.Block() + 10))
	block := b.second(map[uint8]box9.Mask{alice: 0b111111111 &^ gold &^ 0b111, carol: 0})
	if s, err := box9.Codec().DecodeState(b.at(-1).state); err != nil || s.Rolled[alice].IsZero() {
		t.Fatalf("nothing rolls: %+v, %v", s, err)
	}
	b.closed(map[uint8]box9.Mask{carol: b.foresee(block)})
	start := b.checkpoint()
	for _, noted := range []bool{false, true} {
		start()
		b.until(block, -1)
		if noted {
			b.tell(b.sender, b.match.terms.Rules, b.upkeep(alice, 0b011).Data)
		}
		b.until(block, 1)
		b.keep(block)
		if paid := b.fate(block, map[string]*match{"the closing": b.match}); b.same(paid) != noted {
			t.Errorf("noted %v: pays %v", noted, paid)
		}
	}
}

// The house's silence before it closes the bets doesn't spare it those that are noted: once the
// hash is known they are drawn before the match ends. Nobody draws before the block.
func TestAttack_Withhold_Noted(t *testing.T) {
	b := boxTable(t, 2, 3)
	block := box9.NextRound(b.chain.Block() + 2*window)
	b.play(box9.Codec().EncodeMove(box9.Name(block)))
	b.closed(map[uint8]box9.Mask{alice: b.foresee(block)})
	b.note(b.match)
	b.must(b.advance(b.support(1, 1, b.everyone(1)), b.demand(1, alice)))
	b.until(b.record().Deadline, 0)
	start := b.checkpoint()
	for offset, drawn := range map[int]bool{-1: false, 0: false, 1: true} {
		start()
		b.until(block, offset)
		b.must(b.expire(1))
		got := b.record().Payouts
		if (got[alice].Uint64() != b.stakes[alice]) != drawn || got[box9.House].IsZero() == drawn {
			t.Errorf("%d after the block: pays %v", offset, got)
		}
	}
}

// refusedNote wants a call of the rules refused with one of their errors.
func (b *boxes) refusedNote(what, want string, data []byte) {
	b.Helper()
	_, err := b.chain.Send(minichain.Tx{From: b.sender, To: &b.match.terms.Rules, Data: data})
	var f *minichain.Failure
	if id := bindings.NewBox9().GetABI().Errors[want].ID; !errors.As(err, &f) || !slices.Equal(f.Data, id[:4]) {
		b.Errorf("%s: %v, want %s", what, err, want)
	}
}
