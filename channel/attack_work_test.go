package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// A seat repeats the most laborious support there is at full rate: valid to the last signature, and
// of no use. From one tick to the next it gets so much work done and no more; meanwhile the match
// goes on, and after the tick it is heard again.
func TestAttack_StreamFlood_SyncReply(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	base := *tb.view(0, id).Support
	state, turn := tb.view(0, id).State, tb.view(0, id).Turn
	word := message.Countersign{MatchID: id, Turn: turn, Seat: 1, State: protocol.StateHash(state), Signature: tb.signPosition(1, id, turn, state)}
	for len(base.Moves) < protocol.MaxRun {
		by, err := toyRules{}.Mover(state)
		if err != nil {
			t.Fatal(err)
		}
		state, turn = play(t, state, Keep, 7), turn+1
		base.Moves = append(base.Moves, []byte{Keep, 7})
		base.Signatures = append(base.Signatures, protocol.SeatSignature{
			At: uint16(len(base.Moves)), Seat: by, Signature: tb.signPosition(int(by), id, turn, state)})
	}
	flood := func() (done int) {
		for range 10_000 {
			switch err := tb.says(1, 0, message.SyncReply{MatchID: id, Support: &base}); {
			case errors.Is(err, channel.ErrFlood):
			case err != nil:
				t.Fatal(err)
			default:
				done++
			}
		}
		return done
	}
	for range 3 {
		if n := flood(); n == 0 || n > 20 {
			t.Fatalf("%d of 10,000 messages are looked at", n)
		}
		if err := tb.says(1, 0, message.Sync{}); !errors.Is(err, channel.ErrFlood) {
			t.Fatalf("is told how far this seat is: %v", err)
		}
		if err := tb.says(1, 0, word); err != nil {
			t.Fatalf("a message of one signature is refused: %v", err)
		}
		tb.must(0, channel.Tick{})
	}
	if err := tb.says(1, 0, message.Sync{}); err != nil {
		t.Fatal(err)
	}
}

// A seat says over and over that it knows nothing, of a match with moves as long as they may be.
// What it is shown counts for as much as it is long.
func TestAttack_StreamFlood_Sync(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for i := range 15 {
		tb.mustMove(0, id, append([]byte{Keep, byte(i)}, make([]byte, games.MaxMove-2)...)...)
	}
	m, shown := tb.seats[0].m, 0
	for range 10_000 {
		fx, err := m.Step(channel.Received{From: 1, Message: message.Sync{}})
		if err != nil && !errors.Is(err, channel.ErrFlood) {
			t.Fatal(err)
		}
		for _, out := range fx.Messages {
			shown += proto.Size(message.Envelope(m.ID(), out.Message))
		}
	}
	if shown < 1<<20 || shown > 16<<20 {
		t.Errorf("10,000 messages are answered with %d bytes", shown)
	}
}

// Two seats that know different matches don't answer each other's answers: a reply about a match
// that is forgotten here, with the agreements on it, asks for nothing.
func TestAttack_StreamFlood_ForgottenMatch(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	stakes := tb.view(0, id).Terms.Stakes
	tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: stakes})
	tb.must(1, channel.Received{From: 0, Message: tb.answers(0)[0]})
	tb.must(1, channel.AcceptAgreement{MatchID: id, Payouts: stakes})
	v := tb.view(1, id)
	reply := message.SyncReply{MatchID: id, Support: v.Support}
	a := v.Agreement
	for seat, sig := range a.Signatures {
		reply.Agreements = append(reply.Agreements, message.AgreementSignature{Agreement: a.Agreement, Seat: uint8(seat), Signature: sig})
	}
	tb.deliverAll() // the match is booked
	if _, known := tb.seats[0].m.Match(id); known {
		t.Fatal("the match is not forgotten")
	}
	if err := tb.says(1, 0, reply); err != nil {
		t.Fatal(err)
	}
	if said := tb.answers(0); len(said) > 0 {
		t.Errorf("answered %v", said)
	}
}

// A seat says over and over that it does not sign a proposal, or that it has signed a ledger above
// the one before. Each costs it next to nothing, and what it changes is written to the disk.
func TestAttack_StreamFlood_Written(t *testing.T) {
	for name, c := range map[string]struct {
		say  func(tb *table, p message.Propose, n uint64) message.Message
		most int
	}{
		"the same refusal": {func(tb *table, p message.Propose, _ uint64) message.Message {
			return message.Reject{Version: p.Ledger.Version, Digest: p.Ledger.Digest(tb.domain), Code: message.Superseded}
		}, 1},
		"refusals under higher ledgers": {func(tb *table, p message.Propose, n uint64) message.Message {
			return message.Reject{Version: p.Ledger.Version, Digest: p.Ledger.Digest(tb.domain), Code: message.Superseded, Signed: p.Ledger.Version + n}
		}, 2048},
		"approvals of higher ledgers": {func(tb *table, p message.Propose, n uint64) message.Message {
			digest := common.Hash{byte(n), byte(n >> 8)}
			return message.Approve{Version: p.Ledger.Version + n, Digest: digest, Signature: tb.sign(1, digest)}
		}, 2048},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			tb.must(0, tb.proposal(10))
			p := only[message.Propose](tb.answers(0))[0]
			m, written := tb.seats[0].m, 0
			for n := range uint64(10_000) {
				fx, err := m.Step(channel.Received{From: 1, Message: c.say(tb, p, n+1)})
				if err != nil && !errors.Is(err, channel.ErrFlood) {
					t.Fatal(err)
				}
				if len(fx.Entries) > 0 {
					written++
				}
			}
			if written == 0 || written > c.most {
				t.Errorf("10,000 messages are written down %d times, at most %d do", written, c.most)
			}
			if _, err := m.Step(channel.Tick{}); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Step(channel.Received{From: 1, Message: c.say(tb, p, 10_001)}); err != nil {
				t.Errorf("after the tick: %v", err)
			}
		})
	}
}
