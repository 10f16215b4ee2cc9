package node

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_CollusionFork_Unread: what the chain recorded counts as signed by all when it stood
// for a window, not while blocks are unread in which something else may have taken its place.
func TestAttack_CollusionFork_Unread(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	bob.drive.Arena = Join(t, nil).drive.Arena
	in := l.channel(common.Address{}, []uint64{9, 9, 9}, alice, bob, carol)
	id := l.match(alice, in, 5, 0, 1, 2)
	for _, n := range []*Node{alice, bob} {
		l.net.Partition(n.Account(), carol.Account())
	}
	l.must(l.session(alice, in).step(channel.MakeMove{MatchID: id, Move: toy.Pass(1)}))
	l.settle()
	s := l.session(bob, in)
	m, _ := s.machine.Match(id)
	r, err := s.machine.Judge(id).Replay(m.Support, nil, 10)
	l.must(err)
	l.says(bob, in, onchain.Recorded{ChannelID: in, MatchID: id, Support: m.Support, Record: protocol.Record{
		Status: protocol.MatchLive, Turn: protocol.MarkOf(r.Turn), State: r.Hash, Mover: r.Mover, Marks: r.Marks, Spent: make([]uint64, 3), Since: 10, Block: 10,
	}})
	for _, whole := range []bool{false, true} {
		head := chain.Block{Number: 100}
		bob.see(&chain.Reach{Head: head, Shared: head, Whole: whole})
		l.must(s.look(t.Context(), bob.now()))
		if m, _ := s.machine.Match(id); m.MayMove != whole {
			t.Errorf("read to the end %t: it goes on from what was recorded %t", whole, m.MayMove)
		}
	}
}
