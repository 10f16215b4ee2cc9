package channel_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

var forksFlag = flag.Int("forks.seeds", 100, "play against forked copies of the other seats so often")

// TestForks_Seeds: each other seat of an honest one runs several copies of itself, which went on
// from different records, and says and posts whatever any of them knows, with whatever else its key
// can sign. Processes restart, and the Arena's chain is reorganised. The honest seat
//
//   - signs one content for each turn and each version (the auditor listens);
//   - signs no position of a match while a ledger above that it signed does not lock the match;
//   - is not taken for an old copy, and not accused;
//   - takes in every event of the chain, every tick and every message, or says whose fault it is;
//   - has in its store what it knows;
//   - knows the matches of every ledger that can be paid out, and what it signed in them;
//   - holds or outranks what is recorded of a match for good, and can move when its clock runs.
func TestForks_Seeds(t *testing.T) {
	seeds := *forksFlag
	if testing.Short() {
		seeds = min(seeds, 20)
	}
	arenas := []*arena{newArena(t, 2), newArena(t, 3)}
	for seed := range uint64(seeds) { //nolint:gosec // a flag
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newForks(t, arenas[min(seed%3, 1)].fresh(), seed)
			for n := 0; n < 300 && f.me().Phase() != channel.Ended; n++ {
				f.any()
			}
		})
	}
}

// forks is an honest seat among forked ones. What they say is on its way in the table's queue.
type forks struct {
	*table
	*rand.Rand
	*arena
	honest int
	calm   bool                 // messages come in order, and copies seldom part
	copies [][]*channel.Machine // by seat
	kept   [][][]channel.Entry  // what copies may start from, by seat

	supports map[common.Hash][]protocol.Support // that copies had, by match
	known    map[common.Hash]protocol.Ledger    // by digest
	top      uint64                             // the highest version among them
	fulls    []protocol.SignedLedger
	ledgers  []protocol.Ledger             // signed by the honest seat, by ascending version
	marks    map[common.Hash]protocol.Mark // the highest position that it signed, by match
}

const mostCopies = 4 // of a seat

func newForks(t *testing.T, a *arena, seed uint64) *forks {
	n := a.players
	f := &forks{table: newTableAt(t, a.at, n), Rand: rand.New(rand.NewPCG(seed, 1)), arena: a, calm: seed%5 < 3,
		copies: make([][]*channel.Machine, n), kept: make([][][]channel.Entry, n), supports: map[common.Hash][]protocol.Support{},
		known: map[common.Hash]protocol.Ledger{}, marks: map[common.Hash]protocol.Mark{}}
	f.honest = f.IntN(n)
	for i, s := range f.seats {
		s.cfg.Policy.Approve = func(*protocol.MatchTerms) bool { return true }
		f.withRules(i, toy.Rules{})
		f.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: f.id, Terms: f.terms}, Final: true})
		f.kept[i] = append(f.kept[i], s.m.Records())
	}
	f.deliverAll()
	f.locked(f.IntN(n), f.wish())
	for i, s := range f.seats {
		if i != f.honest {
			f.copies[i], f.kept[i] = []*channel.Machine{s.m}, append(f.kept[i], s.m.Records())
		}
	}
	if seed%4 == 0 {
		f.seats[f.honest].cfg.Policy.Approve = nil
		f.restart(f.honest)
	}
	return f
}

// me is the honest seat's machine.
func (f *forks) me() *channel.Machine { return f.seats[f.honest].m }

func (f *forks) any() {
	switch x := f.IntN(100); {
	case x < 28:
		i := f.other()
		m := f.copy(i)
		f.acts(i, m, f.choice(m))
	case x < 38:
		_ = f.does(f.choice(f.me()))
	case x < 77:
		f.network()
	case x < 87:
		f.ledgersFork()
	case x < 90:
		if v, ok := f.anyMatch(f.me()); ok {
			f.hears(f.other(), message.SyncReply{MatchID: v.ID, Support: f.evidence(&v)})
		}
	default:
		f.onChain()
	}
	f.passes(f.Uint64N(3))
}

// other is a dishonest seat.
func (f *forks) other() int { return (f.honest + 1 + f.IntN(len(f.seats)-1)) % len(f.seats) }

// early is an index into a list of n, more often a low one.
func (f *forks) early(n int) int { return f.IntN(1 + f.IntN(n)) }

// late is the same, more often a high one.
func (f *forks) late(n int) int { return n - 1 - f.early(n) }

// anyMatch is a match that a seat plays in.
func (f *forks) anyMatch(m *channel.Machine) (channel.MatchView, bool) {
	list := slices.DeleteFunc(m.Matches(), func(v channel.MatchView) bool { return v.Support == nil })
	if len(list) == 0 {
		return channel.MatchView{}, false
	}
	return list[f.IntN(len(list))], true
}
