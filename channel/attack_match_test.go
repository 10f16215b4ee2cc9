package channel_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Turn 0 is withheld to read the other's first move: nobody moves before holding everybody's turn
// 0.
func TestAttack_WithheldStart(t *testing.T) {
	for _, n := range []int{2, 3} {
		tb := openTable(t, n)
		tb.must(n-1, tb.proposal(10))
		// Nobody ever hears the last seat's word on turn 0.
		for len(tb.queue) > 0 {
			p := tb.queue[0]
			_, countersigned := p.msg.(message.Countersign)
			if p.from == n-1 && countersigned {
				tb.queue = tb.queue[1:]
				continue
			}
			if err := tb.deliver(0); err != nil {
				t.Fatal(err)
			}
		}
		id := newest(tb.seats[0].m)
		if err := tb.move(0, id, Pass); !errors.Is(err, channel.ErrWaiting) {
			t.Fatalf("%d seats: a first move without everybody's turn 0: %v", n, err)
		}
		if v := tb.view(0, id); v.Started || v.MayMove || len(happened[channel.YourTurn](tb.seats[0])) != 0 {
			t.Fatalf("%d seats: the match counts as started", n)
		}
		tb.heal()
		if err := tb.move(0, id, Pass); err != nil {
			t.Fatalf("%d seats: %v", n, err)
		}
	}
}

// The first seat keeps its turn 0 from another, moves, and posts its move alone with what the
// others signed: it signed a later position, so that the Arena takes the match for begun. So does
// the seat that was kept in the dark, at once.
func TestAttack_WithheldStart_Posted(t *testing.T) {
	for _, n := range []int{2, 3} {
		tb := openTable(t, n)
		tb.must(n-1, tb.proposal(10))
		deliver := func() {
			for len(tb.queue) > 0 {
				p := &tb.queue[0]
				if a, approves := p.msg.(message.Approve); approves {
					a.Starts = nil // they come by themselves where they come
					p.msg = a
				} else if p.from == 0 && p.to == 1 && tb.seats[1].m.Ledger().Version > 1 {
					tb.queue = tb.queue[1:]
					continue
				}
				if err := tb.deliver(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		deliver()
		for i := range n {
			tb.must(i, channel.Idle{})
		}
		deliver()
		id := newest(tb.seats[0].m)
		tb.mustMove(0, id, Pass)
		tb.queue = nil
		if v := tb.view(1, id); v.Started || v.Turn != 0 {
			t.Fatalf("%d seats: the match counts as started", n)
		}
		e := tb.posted(0, id, 10)
		bare := *e.Support
		bare.Signatures = slices.DeleteFunc(slices.Clone(bare.Signatures), func(s protocol.SeatSignature) bool { return s.At == 0 && s.Seat == 0 })
		e.Support = &bare
		tb.must(1, channel.ChainSeen{Event: e})
		v := tb.view(1, id)
		if !v.Started || v.Turn != 1 || v.Rank.Agreed != protocol.MarkOf(0) || len(happened[channel.MatchStarted](tb.seats[1])) != 1 {
			t.Fatalf("%d seats: started %v at turn %s, agreed up to %s", n, v.Started, v.Turn, upTo(v.Rank.Agreed))
		}
		if v.MayMove != (n == 2) {
			t.Fatalf("%d seats: may move %v", n, v.MayMove)
		}
		if _, err := tb.seats[1].m.Judge(id).Replay(v.Support, v.Record, 10); err != nil {
			t.Fatalf("%d seats: what was learnt does not hold: %v", n, err)
		}
	}
}

// Two seats of three fork below what the honest one has signed: it signs turn t+1 only when all
// have signed turn t.
func TestAttack_CollusionFork(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass, 1)
	// Seat 2 keeps its countersignature of turn 1 back from seat 0; seat 1 sends its own, and its
	// move to turn 2.
	for len(tb.queue) > 0 {
		p := tb.queue[0]
		if p.from == 2 && p.to == 0 {
			tb.queue = tb.queue[1:]
			continue
		}
		if err := tb.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	tb.mustMove(1, id, Pass, 2)
	for len(tb.queue) > 0 {
		p := tb.queue[0]
		if p.from == 2 && p.to == 0 {
			tb.queue = tb.queue[1:]
			continue
		}
		if err := tb.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	v := tb.view(0, id)
	if v.Turn != 2 || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("seat 0 is at turn %s with mark %d, want turn 2 seen and turn 1 signed", v.Turn, v.Mark)
	}
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(1) {
		t.Fatal("idle signs what not all have passed")
	}
	tb.heal()
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(2) || !v.Agreed {
		t.Fatalf("when all have signed turn 1, turn 2 isn't signed: mark %d", v.Mark)
	}
}

// A draw that was offered and left lying is dead as soon as the match went on. After holding an
// agreement of all seats a seat starts no move. A seat signs two moves of one turn: the proof is
// kept, survives a restart, and holds; also when the first move was answered already.
func TestAttack_Equivocation(t *testing.T) {
	for _, answered := range []bool{false, true} {
		tb := openTable(t, 2)
		id := tb.match(0)
		tb.mustMove(0, id, Pass, 1)
		tb.deliverAll()
		state := tb.view(0, id).State
		first, second := play(t, state, Pass, 1), play(t, state, Keep, 2)
		send := func(state []byte, move ...byte) {
			if err := tb.says(1, 0, message.Move{MatchID: id, Turn: 2, Move: move, State: protocol.StateHash(state), Signature: tb.signPosition(1, id, 2, state)}); err != nil {
				t.Fatal(err)
			}
		}
		send(first, Pass, 1)
		if answered {
			tb.mustMove(0, id, Pass)
		}
		stands := tb.view(0, id)
		send(second, Keep, 2)
		send(second, Keep, 2)
		tb.restart(0)
		v := tb.view(0, id)
		if len(v.Proofs) != 1 || len(happened[channel.SeatEquivocated](tb.seats[0])) != 1 {
			t.Fatalf("answered %v: %d proofs are kept", answered, len(v.Proofs))
		}
		p := v.Proofs[0]
		if p.MatchID != id || p.Seat != 1 || p.Turn != 2 || p.States[0] == p.States[1] {
			t.Fatalf("proof %+v", p)
		}
		for i := range p.States {
			digest := protocol.Position{MatchID: id, Turn: p.Turn, State: p.States[i]}.Digest(tb.domain)
			if err := p.Signatures[i].Verify(digest, tb.terms.Signers[1]); err != nil {
				t.Fatal(err)
			}
		}
		if v.Turn != stands.Turn || !reflect.DeepEqual(v.State, stands.State) {
			t.Fatal("the first move doesn't stand")
		}
	}
}

// The second position comes with a support that starts below all that is still held: as long as the
// first line, longer, so that it takes its place, or posted with more moves than peers may send.
func TestAttack_Equivocation_OldBase(t *testing.T) {
	for seats := 2; seats <= 3; seats++ {
		for _, longer := range []int{1, 2, protocol.MaxRun + 1} {
			tb := openTable(t, seats)
			id := tb.match(0)
			state := tb.view(0, id).State
			fork := protocol.Support{Base: state}
			turn := protocol.Turn(0)
			forked := func(signers []int, move ...byte) {
				state, turn = play(t, state, move...), turn+1
				fork.Moves = append(fork.Moves, move)
				for _, seat := range signers {
					fork.Signatures = append(fork.Signatures, protocol.SeatSignature{At: uint16(turn), Seat: uint8(seat), Signature: tb.signPosition(seat, id, turn, state)})
				}
			}
			for range 2*seats + 1 { // then seat 1 is on move
				mover := int(turn) % seats
				tb.mustMove(mover, id, Pass)
				tb.deliverAll()
				for i := range seats {
					tb.must(i, channel.Idle{})
				}
				tb.deliverAll()
				forked([]int{0, 1, 2}[:seats], Pass)
			}
			shown, at := play(t, state, Pass, 1), turn+1
			if err := tb.says(1, 0, message.Move{MatchID: id, Turn: at, Move: []byte{Pass, 1}, State: protocol.StateHash(shown), Signature: tb.signPosition(1, id, at, shown)}); err != nil {
				t.Fatal(err)
			}
			for range longer {
				forked([]int{1}, Keep, 2)
			}
			if longer <= protocol.MaxRun {
				if err := tb.says(1, 0, message.SyncReply{MatchID: id, Support: &fork}); err != nil {
					t.Fatal(err)
				}
			} else {
				tb.must(0, channel.ChainSeen{Event: tb.recorded(0, id, &fork, 10), Final: true})
				tb.must(0, channel.ClockAt{Now: 10 + tb.terms.Window})
			}
			if v := tb.view(0, id); len(v.Proofs) != 1 || v.Proofs[0].Turn != at {
				t.Errorf("%d seats, a line of %d: at turn %s %d proofs are kept", seats, longer, v.Turn, len(v.Proofs))
			}
		}
	}
}

// Moves by the wrong seat, out of turn, illegal, unsigned or for another position are refused and
// change nothing.
func TestAttack_WrongMover(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	state := tb.view(0, id).State
	legal := play(t, state, Pass)
	before := tb.seats[2].m.Records()
	for name, x := range map[string]struct {
		from int
		msg  message.Move
	}{
		"wrong seat":      {1, message.Move{MatchID: id, Turn: 1, Move: []byte{Pass}, State: protocol.StateHash(legal), Signature: tb.signPosition(1, id, 1, legal)}},
		"wrong signature": {0, message.Move{MatchID: id, Turn: 1, Move: []byte{Pass}, State: protocol.StateHash(legal), Signature: tb.signPosition(1, id, 1, legal)}},
		"other state":     {0, message.Move{MatchID: id, Turn: 1, Move: []byte{Keep}, State: protocol.StateHash(legal), Signature: tb.signPosition(0, id, 1, legal)}},
		"other turn":      {0, message.Move{MatchID: id, Turn: 1, Move: []byte{Pass}, State: protocol.StateHash(legal), Signature: tb.signPosition(0, id, 2, legal)}},
		"illegal":         {0, message.Move{MatchID: id, Turn: 1, Move: []byte{99}, State: protocol.StateHash(legal), Signature: tb.signPosition(0, id, 1, legal)}},
		"other match":     {0, message.Move{MatchID: id, Turn: 1, Move: []byte{Pass}, State: protocol.StateHash(legal), Signature: tb.signPosition(0, common.Hash{1}, 1, legal)}},
	} {
		if err := tb.says(x.from, 2, x.msg); !errors.Is(err, channel.ErrPeer) {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(before, tb.seats[2].m.Records()) {
			t.Errorf("%s: something changed", name)
		}
	}
	waiting := openTable(t, 3)
	waiting.must(2, waiting.proposal(100)) // seat 2 has the match, and nobody else's turn 0
	for len(waiting.queue) > 0 {
		p := waiting.queue[0]
		if _, ok := p.msg.(message.Countersign); ok {
			waiting.queue = waiting.queue[1:]
		} else if err := waiting.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	id = newest(waiting.seats[2].m)
	state = waiting.view(2, id).State
	for name, c := range map[string]message.Countersign{
		"another's":      {MatchID: id, Seat: 1, Signature: tb.signPosition(0, id, 0, state)},
		"other position": {MatchID: id, Seat: 1, Signature: tb.signPosition(1, id, 0, legal)},
		"other turn":     {MatchID: id, Seat: 1, Signature: tb.signPosition(1, id, 1, state)},
		"no seat":        {MatchID: id, Seat: 3, Signature: tb.signPosition(1, id, 0, state)},
	} {
		c.State = protocol.StateHash(state)
		if err := waiting.says(0, 2, c); !errors.Is(err, channel.ErrPeer) {
			t.Errorf("countersignature, %s: %v", name, err)
		}
	}
}

// A turn is skipped: nothing changes, and the sender is asked for what is missing.
func TestAttack_SkippedTurn(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	legal := play(t, tb.view(0, id).State, Pass)
	before := tb.seats[2].m.Records()
	if err := tb.says(0, 2, message.Move{MatchID: id, Turn: 2, Move: []byte{Pass}, State: protocol.StateHash(legal), Signature: tb.signPosition(0, id, 2, legal)}); err != nil {
		t.Fatal(err)
	}
	if asked := only[message.Sync](tb.answers(2)); len(asked) != 1 || !reflect.DeepEqual(before, tb.seats[2].m.Records()) {
		t.Fatal("a skipped turn isn't asked for")
	}
}

// A house that moves many times in a row can't outrun what the other has signed: each of its moves
// is countersigned at once, and a fork below doesn't outrank that.
func TestAttack_LongFork(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	start := tb.view(0, id).State
	for range 5 {
		tb.mustMove(0, id, Keep)
		tb.deliverAll()
	}
	v := tb.view(1, id)
	if v.Mark != protocol.MarkOf(5) || v.Rank != (protocol.Rank{Agreed: protocol.MarkOf(5), Turn: protocol.MarkOf(5)}) {
		t.Fatalf("mark %d, rank %v", v.Mark, v.Rank)
	}
	fork := protocol.Support{Base: start}
	for seat := range 2 {
		fork.Signatures = append(fork.Signatures, protocol.SeatSignature{Seat: uint8(seat), Signature: tb.signPosition(seat, id, 0, start)})
	}
	state := start
	for i := range 20 {
		state = play(t, state, Keep, 7)
		fork.Moves = append(fork.Moves, []byte{Keep, 7})
		fork.Signatures = append(fork.Signatures, protocol.SeatSignature{At: uint16(i + 1), Signature: tb.signPosition(0, id, protocol.Turn(i+1), state)})
	}
	if err := tb.says(0, 1, message.SyncReply{MatchID: id, Support: &fork}); err != nil {
		t.Fatal(err)
	}
	if got := tb.view(1, id); got.Turn != 5 || got.Rank != v.Rank {
		t.Fatalf("a longer fork is taken: turn %s", got.Turn)
	}
}

// What a seat signed alone, many moves on end, is bounded: memory does not grow with it. Duplicates
// and reorderings change nothing: every message of a game is delivered three times, later ones
// first. A process dies at every batch of a game, before and after its write, once with and once
// without its messages gone out. Bets of the widest integers are refused where the sums wrap.
func TestAttack_WideInteger(t *testing.T) {
	tb := openTable(t, 2)
	most := new(uint256.Int).SetAllOne()
	if err := tb.step(0, channel.ProposeMatch{Rules: toyAddress, Seats: []uint8{0, 1}, Stakes: []uint256.Int{*most, *uint256.NewInt(1)}}); !errors.Is(err, protocol.ErrTerms) {
		t.Fatalf("stakes that wrap: %v", err)
	}
	if err := tb.step(0, channel.ProposeMatch{Rules: toyAddress, Seats: []uint8{0, 1}, Stakes: []uint256.Int{*most, {}}}); !errors.Is(err, protocol.ErrFunds) {
		t.Fatalf("more than there is: %v", err)
	}
	terms := tb.terms
	terms.Deposits = []uint256.Int{*most, *uint256.NewInt(1)}
	if err := terms.Check(); !errors.Is(err, protocol.ErrTerms) {
		t.Fatalf("deposits that wrap: %v", err)
	}
	l := tb.seats[0].m.Ledger().Ledger
	l.Balances = []uint256.Int{*most, *uint256.NewInt(2*deposit + 1)}
	if err := l.Check(&tb.terms); !errors.Is(err, protocol.ErrTerms) {
		t.Fatalf("balances that wrap to the right sum: %v", err)
	}
}

// The mark of a match is law: nothing is signed at or below it, even if everything else that the
// store knew is gone. What a move's commitment opens to is kept in the same batch as the move, and
// does not go with it.
