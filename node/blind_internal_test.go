package node

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestClocksThatRun: those of the channel and of its matches that no decision has stopped, until
// their deadlines.
func TestClocksThatRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status protocol.MatchStatus // of a record, whose deadline is 25
		closes bool                 // by 30
		now    uint64
		want   int
	}{
		"none": {0, false, 10, 0}, "a match's": {protocol.MatchLive, false, 24, 1}, "a match's, that has run out": {protocol.MatchLive, false, 25, 0},
		"of a match that is decided": {protocol.MatchFinal, false, 24, 0},
		"the channel's":              {0, true, 29, 1}, "the channel's, that has run out": {0, true, 30, 0}, "both": {protocol.MatchLive, true, 24, 2},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		match := l.match(alice, id, 1, 0, 1)
		s := l.session(alice, id)
		if c.status != 0 {
			r := recorded(id, match, 0)
			r.Record.Status = c.status
			l.says(alice, id, r)
		}
		if c.closes {
			l.says(alice, id, onchain.Contested{ChannelID: id, Ledger: s.machine.Ledger(), Deadline: 30})
		}
		if alice.head.clock = c.now; s.clocks() != c.want {
			t.Errorf("%s: %d clocks run", name, s.clocks())
		}
	}
}

// TestNotAnsweredBlindly: an offer waits that comes while the chain is not seen for certain.
func TestNotAnsweredBlindly(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	asked := 0
	n := l.node(func(c *Config) { c.Policy.Accept = func(Offer) bool { asked++; return false } })
	o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, nil)
	for _, n.whole = range []bool{false, true} {
		want := 0
		if n.whole {
			want = 1
		}
		if l.must(n.consider(t.Context(), o)); asked != want {
			t.Errorf("sees it all %t: asked %d times", n.whole, asked)
		}
	}
}

// TestNewsOfOthers: what the chain says of channels of others, or of one that is paid out and let
// go, is passed over.
func TestNewsOfOthers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	over := common.Hash{7}
	l.put(n, endedPrefix+over.Hex(), Channel{ID: over})
	others := protocol.Terms{Players: []common.Address{{1}, {2}}, Signers: []common.Address{{3}, {4}}, Deposits: stakes(1, 1)}
	for _, e := range []onchain.Event{
		onchain.Opened{ChannelID: others.ID(n.domain), Terms: others}, onchain.Settled{ChannelID: common.Hash{8}}, onchain.Settled{ChannelID: over},
	} {
		if err := n.happened(&chain.Event{Event: e, Stage: chain.Seen, Log: types.Log{Topics: []common.Hash{}}}); err != nil {
			t.Errorf("%T: %v", e, err)
		}
	}
	if list := n.allSessions(); len(list) != 0 {
		t.Errorf("%d channels are followed", len(list))
	}
}

// TestWhatItCost: the user is told what a transaction has cost, once that is known.
func TestWhatItCost(t *testing.T) {
	t.Parallel()
	for gas, want := range map[uint64]string{0: "move: " + chain.Mined.String(), 1: "move: " + chain.Mined.String() + ", 1 gas"} {
		l := newLab(t)
		n := l.node(nil)
		n.report(t.Context(), &chain.Report{Why: "move", Progress: chain.Mined, GasUsed: gas})
		if got := l.events(n, Transaction); len(got) != 1 || got[0] != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
