package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestHold: a held machine takes over what others show and signs nothing, whatever it is asked.
// When it goes on, it signs what fell due meanwhile, and what it was asked is asked again.
func TestHold(t *testing.T) {
	for _, seats := range []int{2, 3} {
		tb := openTable(t, seats)
		id := tb.match(0)
		tb.must(0, channel.Hold{On: true})
		mark := tb.view(0, id).Mark
		if err := tb.move(0, id, Pass); !errors.Is(err, channel.ErrHeld) {
			t.Fatalf("a move: %v", err)
		}
		for _, in := range []channel.Input{tb.proposal(1), channel.Concede{MatchID: id}, channel.ApproveProposal{}} {
			if err := tb.step(0, in); err == nil {
				t.Fatalf("%T is not refused", in)
			}
		}
		tb.must(1, tb.proposal(50))
		tb.deliverAll()
		for _, in := range []channel.Input{channel.Idle{}, channel.Tick{}, channel.Connected{Seat: 1}} {
			tb.must(0, in)
		}
		tb.deliverAll()
		if v, _ := tb.seats[0].m.Signed(); v > tb.seats[0].m.Ledger().Version || tb.view(0, id).Mark != mark {
			t.Fatalf("signed while held: ledger %d, match %d after %d", v, tb.view(0, id).Mark, mark)
		}
		tb.must(0, channel.Hold{})
		tb.deliverAll()
		tb.heal()
		if n := len(tb.seats[0].m.Matches()); n != 2 {
			t.Fatalf("%d seats: %d matches after the hold", seats, n)
		}
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		tb.must(0, channel.Hold{On: true})
		tb.mustMove(1, id, Pass)
		tb.deliverAll()
		if v := tb.view(0, id); v.Turn != 2 || seats > 2 && v.Mark != protocol.MarkOf(1) {
			t.Fatalf("held at turn %s, mark %d", v.Turn, v.Mark)
		}
		tb.must(0, channel.Hold{})
		if v := tb.view(0, id); seats > 2 && v.Mark != protocol.MarkOf(2) {
			t.Fatalf("what fell due is not signed: mark %d", v.Mark)
		}
	}
}

// Nothing is done or said when a hold begins, is repeated, or ends before the channel is open.
func TestHoldIsQuiet(t *testing.T) {
	opening, tb := newTable(t, 2), openTable(t, 2)
	tb.match(0)
	for name, tb := range map[string]*table{"before the opening": opening, "open": tb} {
		for _, on := range []bool{false, true, true} {
			tb.unchanged(name, 0, channel.Hold{On: on}, nil)
		}
	}
	opening.unchanged("ended before the opening", 0, channel.Hold{}, nil)
}

// When a hold ends, what fell due in every match is signed and the others are asked what they have
// said meanwhile; without a signer it does not end.
func TestHoldEnds(t *testing.T) {
	tb := openTable(t, 2)
	matches := []common.Hash{tb.match(0), tb.match(0)}
	for _, id := range matches {
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
	}
	tb.loseSigner(0, 0)
	tb.must(0, channel.Hold{On: true})
	for _, id := range matches {
		tb.mustMove(1, id, Keep) // nothing of seat 0's follows: it countersigns
		tb.deliverAll()
	}
	tb.quiet("no signer to countersign with", 0, channel.Hold{}, errNoSigner)
	tb.quiet("still held", 0, channel.Hold{On: true}, nil)

	tb.must(0, channel.Hold{})
	for _, id := range matches {
		if v := tb.view(0, id); v.Mark != protocol.MarkOf(2) {
			t.Errorf("mark %d of turn %s", v.Mark, v.Turn)
		}
	}
	if asked := only[message.Sync](tb.answers(0)); len(asked) != 1 {
		t.Errorf("seat 1 is asked %d times", len(asked))
	}

	late, full := unheardLedger(t)
	late.loseSigner(1, 0)
	late.must(1, channel.Hold{On: true})
	late.must(1, channel.Received{From: 0, Message: message.SyncReply{Ledger: &full}})
	late.quiet("no signer to start a match with", 1, channel.Hold{}, errNoSigner)

	refused := openTable(t, 2)
	refused.must(0, refused.proposal(10))
	p := only[message.Propose](refused.answers(0))[0]
	refused.must(0, channel.WithdrawMatches{})
	refused.loseSigner(0, 0)
	refused.must(0, channel.Hold{On: true})
	refused.must(0, channel.Received{From: 1, Message: refused.completed(p)})
	refused.quiet("no signer to give a match back with", 0, channel.Hold{}, errNoSigner)
}

// A turn 0 that the chain shows unsigned while a seat is held is answered for the chain when the
// hold ends, and not before: the Arena says it once, and a window later the match would be void.
func TestAttack_WithheldStart_Held(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(100)) // seat 0 moves first: its turn 0 waits for its first move
	tb.deliverAll()
	id := newest(tb.seats[0].m)
	tb.must(0, channel.Hold{On: true})
	v := tb.view(0, id)
	unsigned := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: v.Support, Record: protocol.Record{Status: protocol.MatchUnsigned,
		Turn: 1, State: protocol.StateHash(v.State), Mover: 0, Marks: []protocol.Mark{0, 1}, Clock: 10, Since: 10, Deadline: 110}}
	for _, final := range []bool{false, true} {
		tb.must(0, channel.ChainSeen{Event: unsigned, Final: final})
	}
	if v = tb.view(0, id); v.Mark != 0 {
		t.Fatalf("signed while held: up to %s", upTo(v.Mark))
	}
	tb.queue = nil
	tb.must(0, channel.Hold{})
	if only[message.Countersign](tb.answers(0)) != nil {
		t.Error("turn 0 is sent while the clock runs")
	}
	v = tb.view(0, id)
	r, err := tb.seats[0].m.Judge(id).Replay(v.Support, &unsigned.Record, 20)
	if err != nil || r.Rank().Agreed != 1 {
		t.Errorf("the answer to an unsigned turn 0: rank %v, %v", r.Rank(), err)
	}
}
