package tower

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_LoudArena: the seats of one channel contest it with ever newer ledgers, each as long
// as the contract takes, one a block, until the Arena has said more in the blocks that are
// remembered than a store takes at once. The tower goes on.
func TestAttack_LoudArena(t *testing.T) {
	s := besiege(t, nil)
	const locks, seats = 200, 16
	said := 0
	// in hexadecimal that is twice as long
	for version := uint64(2); said <= store.MaxCommit/2; version++ {
		l := s.signed(version)
		l.Ledger.Locks[0].MatchID = common.Hash{1} // locks ascend
		for i := range locks {
			l.Ledger.Locks = append(l.Ledger.Locks, protocol.Lock{MatchID: common.Hash{2, byte(i)}, Stakes: make([]uint256.Int, seats)})
		}
		d := l.Digest(s.domain)
		l.Signatures = []protocol.Signature{s.sign(s.seats[0], d), s.sign(s.seats[1], d)}
		s.contest(l)
		said += locks * (1 + seats) * 32
	}
	s.must(s.Wait(s.Context(), func() (bool, error) { return s.Head().Block >= s.world.Chain.Head(), s.Err() }))
}

// TestAttack_LoudArena_Closed: the seats of a channel have had the Arena say so much of it that the
// keys alone are more than a store deletes at once. The tower goes on when the channel is closed,
// and keeps nothing of it.
func TestAttack_LoudArena_Closed(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.contest(s.signed(3))
	s.mine(1)
	var said string
	var value []byte
	for key, v := range s.all() {
		if strings.HasPrefix(key, logsOf(s.id)) && key > said {
			said, value = key, []byte(v)
		}
	}
	changes := map[string][]byte{}
	for i := range store.MaxCommit/len(said) + 1 {
		changes[fmt.Sprintf("%s%x", said, i)] = value
		if len(changes) == 1000 {
			s.must(s.config.Store.Commit(changes))
			changes = map[string][]byte{}
		}
	}
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 4, true)})
	s.must(s.world.Chain.Mine(int(s.terms.Window) + 3))
	s.must(s.follows())
	if left := s.all(); len(left) != 0 {
		t.Errorf("%d things are left", len(left))
	}
}

// TestAttack_UnreadableLog_Tower: a stranger invents a channel, and has the Arena repeat a
// signature that is none; and opens one that may be opened for ever. The tower logs nothing.
func TestAttack_UnreadableLog_Tower(t *testing.T) {
	s := besiege(t, nil)
	s.mine(1)
	loud, err := chaintest.Unreadable(s.domain)
	s.must(err)
	forever, err := chaintest.OpenForever(s.domain, s.terms.Window)
	s.must(err)
	before := s.log.size()
	s.act(0, loud)
	s.act(0, forever)
	s.mine(1)
	if n := s.log.size() - before; n != 0 {
		t.Errorf("%d bytes are logged", n)
	}
	s.entrust()
	if !s.knows(s.id) || s.knows(loud.Match.ChannelID) {
		t.Error("the tower knows other channels than those that it holds evidence for")
	}
}

// TestAttack_LyingRPC_TooLong: an endpoint tells more of a channel than a store takes. The tower
// passes it over, whatever becomes of it: else it would be told so again and again, and nothing
// else.
func TestAttack_LyingRPC_TooLong(t *testing.T) {
	s := besiege(t, nil)
	before := s.all()
	lie := s.events(chain.Seen)[0]
	lie.Event, lie.Log.Data, lie.Log.Index = onchain.LockPaid{ChannelID: s.id}, make([]byte, store.MaxCommit), 1000
	for _, lie.Stage = range []chain.Stage{chain.Seen, chain.Final, chain.Undone} {
		s.must(s.happened(&lie))
	}
	if !maps.Equal(s.all(), before) {
		t.Error("something is stored")
	}
}
