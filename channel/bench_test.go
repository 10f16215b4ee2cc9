package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// pair is two machines in the middle of a match, without the checks of a table.
func pair(b *testing.B) (m [2]*channel.Machine, id common.Hash) {
	tb := openTable(b, 2)
	id = tb.match(0)
	return [2]*channel.Machine{tb.seats[0].m, tb.seats[1].m}, id
}

// BenchmarkMove is one move, both sides: the mover applies, signs and encodes its records; the
// receiver applies, verifies and encodes its own. Compare with BenchmarkSignVerify, which is the
// least that a move can cost.
func BenchmarkMove(b *testing.B) {
	m, id := pair(b)
	turn := protocol.Turn(0)
	b.ReportAllocs()
	for range b.N {
		if turn == toyLimit-2 {
			b.StopTimer()
			m, id = pair(b)
			turn = 0
			b.StartTimer()
		}
		from := int(turn) % 2
		fx, err := m[from].Step(channel.MakeMove{MatchID: id, Turn: turn, Move: []byte{Pass, byte(turn)}})
		if err != nil || len(fx.Messages) != 1 {
			b.Fatal(len(fx.Messages), err)
		}
		if _, err := m[1-from].Step(channel.Received{From: from, Message: fx.Messages[0].Message}); err != nil {
			b.Fatal(err)
		}
		turn++
	}
}

func BenchmarkSignVerify(b *testing.B) {
	key := protocoltest.Key("bench")
	p := protocol.Position{Turn: 3, State: common.Hash{5}}
	d := protocol.Domain{ChainID: 1}
	b.ReportAllocs()
	for range b.N {
		sig, err := key.Sign(p.Digest(d))
		if err != nil {
			b.Fatal(err)
		}
		if err := sig.Verify(p.Digest(d), key.Address()); err != nil {
			b.Fatal(err)
		}
	}
}
