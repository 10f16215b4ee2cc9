package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// A peer shows that a seat has signed two positions of one turn. That is kept as a proof against
// another seat, and never against ourselves, whose key may have been used elsewhere: the match
// would be booked by nobody any more.
func TestAttack_Equivocation_Ours(t *testing.T) {
	for signer, proofs := range map[int]int{0: 0, 1: 1} {
		tb := openTable(t, 2)
		id := tb.match(0)
		start := tb.view(0, id)
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		tb.must(1, channel.Idle{})
		tb.deliverAll()
		other := play(t, start.State, Keep)
		fork := protocol.Support{Base: start.State, Moves: [][]byte{{Keep}}, Signatures: []protocol.SeatSignature{
			{At: 1, Seat: uint8(signer), Signature: tb.signPosition(signer, id, 1, other)}}}
		tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: &fork}})
		if v := tb.view(0, id); len(v.Proofs) != proofs || len(happened[channel.SeatEquivocated](tb.seats[0])) != proofs {
			t.Errorf("signed twice by seat %d: proofs %+v", signer, v.Proofs)
		}
	}
}

// A proof holds for its match, a seat of it and two positions, signed both by that seat.
func TestEquivocationsAreVerified(t *testing.T) {
	tb := openTable(t, 2)
	id := common.Hash{7}
	signers := tb.terms.Signers
	proof := func(signer int, states ...common.Hash) protocol.Equivocation {
		e := protocol.Equivocation{MatchID: id, Turn: 3, States: [2]common.Hash(states)}
		for i, state := range states {
			e.Signatures[i] = tb.sign(signer, protocol.Position{MatchID: id, Turn: 3, State: state}.Digest(tb.domain))
		}
		return e
	}
	valid := proof(0, common.Hash{1}, common.Hash{2})
	stranger, renamed := valid, valid
	if err := valid.Verify(tb.domain, id, signers); err != nil {
		t.Fatal(err)
	}
	stranger.Seat, renamed.MatchID = 2, common.Hash{8}
	for name, e := range map[string]protocol.Equivocation{
		"one position": proof(0, common.Hash{1}, common.Hash{1}), "another's": proof(1, common.Hash{1}, common.Hash{2}), "a stranger's": stranger,
		"of this match, called another": renamed,
	} {
		if err := e.Verify(tb.domain, id, signers); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := valid.Verify(tb.domain, common.Hash{8}, signers); !errors.Is(err, protocol.ErrSignature) {
		t.Errorf("of another match: %v", err)
	}
}
