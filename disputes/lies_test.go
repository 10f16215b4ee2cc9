package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"
)

// An endpoint can say anything, and a store can hold anything: a plan comes out of it, never a
// panic, and never a transaction that hands the seat's own evidence out of turn: it accuses nobody
// and closes nothing.
func TestAttack_LyingRPC(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	m := b.match(2<<8, []uint8{0, 1}, toy.Params(0), stake, stake).play(toy.Pass(1), toy.Pass(0))
	l := b.ledger(2, false, []uint64{80, 80}, m)
	rapid.Check(t, func(t *rapid.T) {
		c := disputes.Case{
			Domain: b.domain, Terms: b.terms, Rules: b.find, Now: rapid.Uint64().Draw(t, "now"), Chain: &disputes.View{},
			Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{
				m.id: {Terms: m.terms, Ledger: l, Support: m.newest()},
			}},
			Wishes: disputes.Wishes{Exit: rapid.Bool().Draw(t, "exit"), Demand: map[common.Hash]bool{m.id: rapid.Bool().Draw(t, "demand")}},
			Policy: disputes.Policy{Margin: rapid.Uint64().Draw(t, "margin")},
		}
		c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
		if rapid.Bool().Draw(t, "contested") {
			c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: drawLedger(t, l), Deadline: rapid.Uint64().Draw(t, "deadline")})
		}
		if rapid.Bool().Draw(t, "settled") {
			c.Chain.Happened(2, onchain.Settled{ChannelID: b.id})
		}
		for range rapid.IntRange(0, 3).Draw(t, "records") {
			c.Chain.Happened(3, drawRecorded(t, m))
		}
		for _, o := range c.Plan().Orders {
			for _, s := range o.Steps {
				switch s.Action.(type) {
				case onchain.Convict, onchain.Close:
					t.Errorf("%T out of nothing", s.Action)
				}
			}
		}
	})
}

// An endpoint that hides a contest, and shows the payout by it, is not believed: an alarm says so.
func TestAttack_LyingRPC_Hidden(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	c := disputes.Case{Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{}}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	c.Chain.Happened(2, onchain.Settled{ChannelID: b.id, Version: 2})
	plan := c.Plan()
	if len(plan.Orders) != 0 || len(plan.Alarms) != 1 || plan.Alarms[0].Level != disputes.Critical {
		t.Errorf("a payout by a ledger that nobody posted: %+v", plan)
	}
}

func drawLedger(t *rapid.T, l *protocol.SignedLedger) protocol.SignedLedger {
	lie := *l
	lie.Version = rapid.Uint64().Draw(t, "version")
	lie.Balances = l.Balances[:rapid.IntRange(0, 2).Draw(t, "balances")]
	lie.Locks = append([]protocol.Lock(nil), l.Locks[:rapid.IntRange(0, 1).Draw(t, "locks")]...)
	for i := range lie.Locks {
		lie.Locks[i].Stakes = l.Locks[i].Stakes[:rapid.IntRange(0, 2).Draw(t, "stakes")]
	}
	return lie
}

func drawRecorded(t *rapid.T, m *match) onchain.Recorded {
	ev := onchain.Recorded{MatchID: m.id, Record: protocol.Record{
		Status:   protocol.MatchStatus(rapid.IntRange(0, 8).Draw(t, "status")),
		Turn:     protocol.Mark(rapid.OneOf(rapid.Uint64Range(0, 4), rapid.Uint64()).Draw(t, "turn")),
		Mover:    rapid.Uint8().Draw(t, "mover"),
		Flagged:  rapid.Uint16().Draw(t, "flagged"),
		Since:    rapid.Uint64().Draw(t, "since"),
		Clock:    rapid.Uint64().Draw(t, "clock"),
		Deadline: rapid.Uint64().Draw(t, "until"),
	}}
	for range rapid.IntRange(0, 3).Draw(t, "marks") {
		ev.Record.Marks = append(ev.Record.Marks, protocol.Mark(rapid.Uint64Range(0, 4).Draw(t, "mark")))
	}
	for range rapid.IntRange(0, 3).Draw(t, "payouts") {
		ev.Record.Payouts = append(ev.Record.Payouts, amounts(rapid.Uint64().Draw(t, "payout"))...)
	}
	at := rapid.IntRange(0, len(m.line)-1).Draw(t, "position")
	ev.Record.State = protocol.StateHash(m.line[at].state)
	if rapid.Bool().Draw(t, "posted") {
		s := m.support(0, at, m.all(0))
		s.Turn = protocol.Turn(rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64()).Draw(t, "base"))
		for i := range s.Signatures {
			if rapid.Bool().Draw(t, "spoil") {
				s.Signatures[i].At, s.Signatures[i].Seat = rapid.Uint16().Draw(t, "at"), rapid.Uint8().Draw(t, "by")
			}
		}
		ev.Support = s
	}
	if rapid.Bool().Draw(t, "expired") {
		ev.State = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "state")
	}
	return ev
}
