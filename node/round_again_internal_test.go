package node

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// brittle is a store that commits nothing while it fails, and counts what it commits.
type brittle struct {
	store.Store
	fails   bool
	commits int
}

func (s *brittle) Commit(changes map[string][]byte) error {
	if s.fails {
		return errors.New("no room")
	}
	s.commits++
	return s.Store.Commit(changes)
}

// again is a house with one of its rounds, in which bob is registered, and which another follows
// twice.
func again(t *testing.T, table bool) (*lab, *Node, *brittle, *guest, Round) {
	t.Helper()
	l := newLab(t)
	kept := &brittle{Store: store.NewMemory()}
	n := l.node(func(c *Config) { c.Store = kept })
	bob := l.guest(n, 2)
	r := pairsBy(t, n, n.Account())
	if table {
		r = tableBy(t, n, n.Account())
		r.ID = r.Terms.ID(n.domain)
	}
	r.Signature, r.Entries = sign(t, 1, r.ID), []matchmaking.Registration{signedBets(t, n, r.ID, 2)}
	r.Again, r.Span, r.Named = 2, 30, []common.Address{bob.Address()}
	l.putRound(n, &r)
	return l, n, kept, bob, r
}

// TestRoundsThatFollow: when the time of a round is over, the next one is opened by itself, once,
// under the same terms and for as long. A store that fails in between loses and doubles nothing.
func TestRoundsThatFollow(t *testing.T) {
	t.Parallel()
	for _, table := range []bool{false, true} {
		l, n, kept, bob, r := again(t, table)
		n.head.block.Number = 99
		l.must(n.tendRounds(t.Context()))
		if list, err := n.Rounds(); err != nil || len(list) != 1 {
			t.Errorf("table %t: %d rounds while it is open, %v", table, len(list), err)
		}
		n.head.block.Number, kept.fails = 105, true
		if err := n.tendRounds(t.Context()); err == nil {
			t.Errorf("table %t: sealed in a store that fails", table)
		}
		if now, err := n.Round(r.ID); err != nil || now.sealed() || len(bob.told()) != 0 {
			t.Errorf("table %t: sealed %t, %v", table, now.sealed(), err)
		}
		kept.fails = false
		l.must(n.sealRound(r.ID))
		kept.fails = true
		if err := n.tendRounds(t.Context()); err == nil {
			t.Errorf("table %t: followed in a store that fails", table)
		}
		kept.fails, kept.commits = false, 0
		for range 2 {
			l.must(n.followRound(r.ID))
		}
		if kept.commits != 1 {
			t.Errorf("table %t: followed in %d commits", table, kept.commits)
		}
		list, err := n.Rounds()
		l.must(err)
		if len(list) != 2 || list[0].ID != r.ID || !list[0].sealed() || list[0].Again != 0 {
			t.Fatalf("table %t: the rounds are %+v", table, list)
		}
		stored, like := list[1], r.Terms
		like.Salt, like.Closes = stored.Terms.Salt, 135
		if !table {
			like.Shuffle = 145
		}
		if stored.ID != like.ID(n.domain) || stored.ID == r.ID || stored.Again != 1 || stored.Span != 30 || stored.sealed() || len(stored.Entries) != 0 ||
			!slices.Equal(stored.Named, r.Named) || stored.Signature.Verify(stored.ID, n.Account()) != nil {
			t.Errorf("table %t: what follows is %+v", table, stored)
		}
	}
}

// TestAFullTableUsesUpNoSeries: a table that is full before its time is followed at its time only,
// also when all that came of it is over by then.
func TestAFullTableUsesUpNoSeries(t *testing.T) {
	t.Parallel()
	l, n, _, _, r := again(t, true)
	r.Terms.Seats = uint8(len(r.Entries))
	l.putRound(n, &r)
	for _, c := range []struct {
		block uint64
		want  int
	}{{50, 1}, {51, 1}, {99, 1}, {100, 2}} {
		n.head.block.Number = c.block
		l.must(n.tendRounds(t.Context()))
		list, err := n.Rounds()
		l.must(err)
		if len(list) != c.want || !list[0].sealed() {
			t.Errorf("at block %d the rounds are %+v", c.block, list)
		}
		if c.block == 50 { // nothing more comes of it
			l.must(n.editRound(r.ID, func(r *Round) ([]Event, error) {
				r.Trouble = "over"
				return nil, nil
			}))
		}
	}
}

// TestPlayersAreToldWhatFollows: those who were registered hear of the next round, and it ends with
// the last.
func TestPlayersAreToldWhatFollows(t *testing.T) {
	t.Parallel()
	l, n, _, bob, r := again(t, true)
	for i, block := range []uint64{100, 130, 160, 190} {
		n.head.block.Number = block
		l.must(n.tendRounds(t.Context()))
		list, err := n.Rounds()
		l.must(err)
		opened := slices.DeleteFunc(list, func(r Round) bool { return r.sealed() })
		if (len(opened) == 1) != (i < 2) {
			t.Fatalf("after %d rounds %d are open", i+1, len(opened))
		}
		told := bob.told()
		if i == 0 {
			at := func(id common.Hash) int {
				return slices.IndexFunc(told, func(m message.Message) bool {
					notice := m.(message.RoundNotice)
					return notice.Round.ID(n.domain) == id
				})
			}
			if at(opened[0].ID) < 0 || at(r.ID) < 0 {
				t.Errorf("told %v", told)
			}
		} else if len(told) != 0 { // nobody entered
			t.Errorf("told %v", told)
		}
	}
}

// TestAHouseLeftAlone: of rounds that nobody enters a house keeps the open one.
func TestAHouseLeftAlone(t *testing.T) {
	t.Parallel()
	l, n, _, _, r := again(t, false)
	r.Entries, r.Again = nil, 1000
	l.putRound(n, &r)
	size := func() (keys, bytes int) {
		l.must(n.config.Store.Scan("", "", func(key string, value []byte) error {
			if !slices.ContainsFunc([]string{eventPrefix, alarmPrefix}, func(p string) bool { return len(key) > len(p) && key[:len(p)] == p }) {
				keys, bytes = keys+1, bytes+len(key)+len(value)
			}
			return nil
		}))
		return keys, bytes
	}
	keys, room := size()
	for i := range uint64(200) {
		n.head.block.Number = 100 + 30*i
		l.must(n.tendRounds(t.Context()))
	}
	if more, larger := size(); more > keys || larger > room+100 {
		t.Errorf("%d keys of %d bytes have become %d of %d", keys, room, more, larger)
	}
	if list, err := n.Rounds(); err != nil || len(list) != 1 || list[0].Again != 800 || list[0].Trouble != "" {
		t.Errorf("the rounds are %+v, %v", list, err)
	}
	n.head.block.Number += 365 * 7200 // it was away for a year, and nothing is made up for
	l.must(n.tendRounds(t.Context()))
	if list, err := n.Rounds(); err != nil || len(list) != 1 || list[0].Again != 799 || list[0].Terms.Closes != n.head.block.Number+30 {
		t.Errorf("after a year the rounds are %+v, %v", list, err)
	}
}

// TestStoppedRounds: when a house stops a round, none follows it; the round itself goes on.
func TestStoppedRounds(t *testing.T) {
	t.Parallel()
	l, n, _, _, r := again(t, true)
	l.must(n.StopRound(r.ID))
	n.head.block.Number = 100
	l.must(n.tendRounds(t.Context()))
	if list, err := n.Rounds(); err != nil || len(list) != 1 || !list[0].sealed() {
		t.Errorf("the rounds are %+v, %v", list, err)
	}
	if err := n.StopRound(r.ID); !errors.Is(err, ErrDeclined) {
		t.Errorf("stopped twice: %v", err)
	}
	if err := n.StopRound(common.Hash{9}); !errors.Is(err, ErrUnknownRound) {
		t.Errorf("nothing is stopped: %v", err)
	}
}
