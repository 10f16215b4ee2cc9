package disputes_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// counting counts the moves that are replayed.
type counting struct {
	games.Rules
	n *int
}

func (c counting) Play(ctx *games.Context, state, move []byte) ([]byte, error) {
	*c.n++
	return c.Rules.Play(ctx, state, move)
}

// TestWatcherReplaysOnce: a watcher replays a support again when the record of its match changed,
// and when it was not asked about it for two looks, and not else. It takes no other support for it,
// and plans as if it remembered nothing.
func TestWatcherReplaysOnce(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	m := b.match(2<<8, []uint8{0, 1}, toy.Params(0), 20, 20).play(toy.Pass(1), toy.Pass(0), toy.Pass(1))
	n := 0
	w := disputes.NewWatcher(disputes.Case{
		Domain: b.domain, Terms: b.terms, Policy: disputes.Policy{Margin: 10},
		Rules: func(at common.Address) (games.Rules, error) {
			r, err := b.find(at)
			return counting{r, &n}, err
		},
	}, protocoltest.Key("signer 0"), &mailbox{})
	w.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	ledger, support := b.ledger(2, false, []uint64{80, 80}, m), m.support(0, 3, m.all(0))
	said := func(block uint64, s *protocol.Support, r protocol.Record) {
		w.Happened(block, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Support: s, Record: r})
	}
	posted := m.support(0, 1, m.all(0))
	live := protocol.Record{
		Status: protocol.MatchLive, Turn: 2, State: protocol.StateHash(m.line[1].state), Mover: 1,
		Marks: []protocol.Mark{2, 1}, Spent: make([]uint64, 2), Since: 40,
	}
	agreed := protocol.Record{Status: protocol.MatchAgreed, Marks: make([]protocol.Mark, 2), Payouts: amounts(20, 20), Since: 40, Deadline: 1000}
	now, bad := uint64(50), 0
	for _, c := range []struct {
		what   string
		change func()
		moves  int
		bad    int
	}{
		{what: "the first look", moves: 3},
		{what: "another look"},
		{what: "a record", change: func() { said(2, posted, live) }, moves: 1 + 3 + 2}, // what is posted, all, the rest
		{what: "another look at it"},
		{what: "another signature", change: func() {
			support = m.support(0, 3, m.all(0))
			support.Signatures[0].Signature[3]++
		}, bad: 1},
		{what: "it again", bad: 1},
		{what: "what was held before", change: func() { support = m.support(0, 3, m.all(0)) }, moves: 3 + 2},
		{what: "an agreement of turn 0 in place of the record", change: func() {
			w.Unhappened(2)
			said(2, nil, agreed)
		}, moves: 3 + 3 + 1}, // all, and all and the last to shorten it
		{what: "neither", change: func() { w.Unhappened(2) }, moves: 3},
		{what: "nothing is held", change: func() { support = nil }},
		{what: "it again"},
		{what: "it is held again", change: func() { support = m.support(0, 3, m.all(0)) }, moves: 3},
	} {
		if c.change != nil {
			c.change()
		}
		n, now, bad = 0, now+1, 0
		e := disputes.Evidence{Ledger: ledger, Matches: map[common.Hash]disputes.Match{m.id: {Terms: m.terms, Ledger: ledger}}}
		if support != nil {
			fresh := *support // as a machine makes it anew each time
			fresh.Signatures = slices.Clone(fresh.Signatures)
			e.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: ledger, Support: &fresh}
		}
		for _, a := range w.Step(t.Context(), now, e, disputes.Wishes{}).Alarms {
			if a.Kind == "bad evidence" {
				bad++
			}
		}
		if n != c.moves || bad != c.bad {
			t.Errorf("%s: %d moves replayed, want %d; %d alarms of bad evidence, want %d", c.what, n, c.moves, bad, c.bad)
		}
	}
}
