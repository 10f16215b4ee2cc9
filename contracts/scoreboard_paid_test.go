package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// boardMatch is a score board whose table's newest ledger locks a match of all seats.
func boardMatch(t *testing.T, n int) (*board, *match) {
	t.Helper()
	b := newScoreboard(t, n)
	stakes, rest := make([]uint64, n), make([]uint64, n)
	for i := range stakes {
		stakes[i], rest[i] = stake/2, stake/2
	}
	m := b.match(2<<8, toy.Params(0), stakes...)
	b.ledger(2, rest, m)
	return b, m
}

// recordPaid shows the score board the match's record, changed.
func (b *board) recordPaid(m *match, change func(*protocol.MatchTerms, *protocol.Record)) (*types.Receipt, error) {
	b.Helper()
	terms, record := m.terms, *m.record()
	if change != nil {
		change(&terms, &record)
	}
	data, err := codec.RecordPaid(&b.terms, &terms, &record)
	b.ok(err)
	return b.chain.Send(minichain.Tx{From: b.sender, To: &b.at, Data: data})
}

// refusesPaid fails unless the score board refuses the record with this error.
func (b *board) refusesPaid(m *match, name string, change func(*protocol.MatchTerms, *protocol.Record)) {
	b.Helper()
	_, err := b.recordPaid(m, change)
	b.wantRefused(name, err)
}

// paid leaves the channel by its newest ledger and settles the match.
func (b *board) paid(m *match) {
	b.Helper()
	b.must(b.contest(*b.newest, 0))
	b.wait(window)
	b.must(b.settle(*b.newest, m))
}

// A match that the Arena paid counts without its loser, however it ended there, once.
func TestAttack_WithheldResult(t *testing.T) {
	won, lost, drew := [3]uint64{1, 0, 0}, [3]uint64{0, 1, 0}, [3]uint64{0, 0, 1}
	for name, c := range map[string]struct {
		seats int
		end   func(b *board, m *match)
		want  [][3]uint64
	}{
		"silence": {2, func(b *board, m *match) {
			m.play(toy.Pass(1))
			b.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
			b.wait(window)
			b.must(m.expire(1))
		}, [][3]uint64{won, lost}},
		"a lie": {2, func(b *board, m *match) {
			m.play(toy.Pass(1), toy.Pass(0))
			other := m.fork(1)
			other.play(toy.Pass(1))
			b.must(m.convict(m.equivocation(other, 1)))
		}, [][3]uint64{won, lost}},
		"the rules, signed by all": {2, func(b *board, m *match) {
			m.play(toy.Win(1))
			b.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
		}, [][3]uint64{lost, won}},
		"the rules, after a window": {2, func(b *board, m *match) {
			m.play(toy.Win(1))
			b.must(m.advance(m.support(0, 1, m.everyone(0))))
		}, [][3]uint64{lost, won}},
		"an agreement": {3, func(b *board, m *match) {
			b.must(m.advance(m.support(0, 0, m.everyone(0))))
			b.must(m.agree(m.agreement(0, stake, 0, stake/2)))
		}, [][3]uint64{won, lost, drew}},
		"a convicted seat's payout goes to the others": {3, func(b *board, m *match) {
			m.play(toy.Pass(1), toy.Pass(0))
			other := m.fork(1)
			other.play(toy.Pass(2))
			b.must(m.convict(m.equivocation(other, 1)))
			m.play(toy.Win(1))
			b.must(m.advance(m.support(0, 3, m.everyone(0), m.everyone(3))))
		}, [][3]uint64{won, lost, won}},
	} {
		t.Run(name, func(t *testing.T) {
			b, m := boardMatch(t, c.seats)
			c.end(b, m)
			b.refusesPaid(m, "NotPaid", nil)
			b.paid(m)
			for range 2 {
				_, err := b.recordPaid(m, nil)
				b.ok(err)
				b.scoresAt(b.toy, c.want...)
			}
			// What all signed counts no second time.
			r := protocol.Result{ChannelID: b.id, Nonce: m.terms.Nonce, Rules: m.terms.Rules, Drawn: 3}
			_, err := b.record(b.signedBy(r, func(s seat) key { return s.signer }))
			b.ok(err)
			b.scoresAt(b.toy, c.want...)
		})
	}
}

// The seats of a match need not be the first of the channel: who plays is counted, not who else has
// a seat.
func TestScoreboard_PaidSeats(t *testing.T) {
	b := newScoreboard(t, 3)
	m := b.matchOf(toy.Rules{}, protocol.MatchTerms{ChannelID: b.id, Nonce: 2 << 8, Rules: b.toy,
		Seats: []uint8{0, 2}, Stakes: amounts(stake/2, stake), Params: toy.Params(0)})
	b.ledger(2, []uint64{stake / 2, stake, 0}, m)
	m.play(toy.Win(1))
	b.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	b.paid(m)
	_, err := b.recordPaid(m, nil)
	b.ok(err)
	b.scoresAt(b.toy, [3]uint64{0, 1, 0}, [3]uint64{}, [3]uint64{1, 0, 0})
}

// A signed result that counts is not counted again by the record.
func TestAttack_Replay_PaidScore(t *testing.T) {
	b, m := boardMatch(t, 2)
	m.play(toy.Win(1))
	b.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	b.paid(m)
	r := protocol.Result{ChannelID: b.id, Nonce: m.terms.Nonce, Rules: m.terms.Rules, Winners: 2, Losers: 1}
	_, err := b.record(b.signedBy(r, func(s seat) key { return s.signer }))
	b.ok(err)
	_, err = b.recordPaid(m, nil)
	b.ok(err)
	b.scoresAt(b.toy, [3]uint64{0, 1, 0}, [3]uint64{1, 0, 0})
}

// A match that was booked into a later ledger is worth nothing to its players any more, so that
// nobody defends it. Who lost it decides it in the Arena by the other's silence, and puts no win on
// the board by that.
func TestAttack_StaleScore(t *testing.T) {
	for name, leave := range map[string]func(*board){
		"running": func(*board) {},
		"closed":  func(b *board) { b.must(onchain.Close{Terms: b.terms, Ledger: b.closing(3, 3*stake/2, stake/2)}) },
		"settled": func(b *board) {
			booked := b.ledger(3, []uint64{3 * stake / 2, stake / 2})
			b.must(b.contest(booked, 0))
			b.wait(window)
			b.must(b.settle(booked))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, m := boardMatch(t, 2)
			locked := *b.newest
			leave(b)
			m.play(toy.Pass(1), toy.Pass(0))
			a := m.advance(m.support(0, 2, m.everyone(0), m.everyone(1)), m.demand(2, 1))
			a.Ledger = &locked
			b.must(a)
			b.wait(window)
			b.must(m.expire(2))
			if m.record().Status != protocol.MatchFinal {
				t.Fatalf("recorded %+v", m.record())
			}
			b.refusesPaid(m, "NotPaid", nil)
			b.scoresAt(b.toy, [3]uint64{}, [3]uint64{})
		})
	}
}

// The record must be the one that was paid, of the match that was paid.
func TestAttack_ForgedScore_Record(t *testing.T) {
	b, m := boardMatch(t, 2)
	m.play(toy.Pass(1))
	b.must(m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0)))
	b.wait(window)
	b.must(m.expire(1))
	b.paid(m)
	for name, c := range map[string]struct {
		want  string
		forge func(*protocol.MatchTerms, *protocol.Record)
	}{
		"the other way": {"NotRecorded", func(_ *protocol.MatchTerms, r *protocol.Record) {
			r.Payouts = slices.Clone(r.Payouts)
			slices.Reverse(r.Payouts)
		}},
		"another turn": {"NotRecorded", func(_ *protocol.MatchTerms, r *protocol.Record) { r.Turn++ }},
		"one payout more": {"NotRecorded", func(_ *protocol.MatchTerms, r *protocol.Record) {
			r.Payouts = append(slices.Clone(r.Payouts), *uint256.NewInt(1))
		}},
		"many payouts":  {"NotRecorded", func(_ *protocol.MatchTerms, r *protocol.Record) { r.Payouts = make([]uint256.Int, 40) }},
		"nothing":       {"NotRecorded", func(_ *protocol.MatchTerms, r *protocol.Record) { *r = protocol.Record{} }},
		"another match": {"NotPaid", func(m *protocol.MatchTerms, _ *protocol.Record) { m.Nonce++ }},
		"other stakes":  {"NotPaid", func(m *protocol.MatchTerms, _ *protocol.Record) { m.Stakes = amounts(0, stake) }},
		"another game":  {"NotPaid", func(m *protocol.MatchTerms, _ *protocol.Record) { m.Rules = common.Address{1} }},
	} {
		t.Log(name)
		b.refusesPaid(m, c.want, c.forge)
	}
	b.scoresAt(b.toy, [3]uint64{}, [3]uint64{})
}

// Where every seat gets its stake back the record doesn't tell a draw from a match that became
// void.
func TestScoreboard_NobodyWon(t *testing.T) {
	for name, end := range map[string]func(b *board, m *match){
		"a draw": func(b *board, m *match) {
			b.must(m.advance(m.support(0, 0, m.everyone(0))))
			b.must(m.agree(m.agreement(0, stake/2, stake/2)))
		},
		"void": func(b *board, m *match) {
			b.must(m.advance(m.support(0, 0, []signed{{0, 0}}), m.demand(0, 0)))
			b.wait(window)
			b.must(m.expire(0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, m := boardMatch(t, 2)
			end(b, m)
			b.paid(m)
			b.refusesPaid(m, "NobodyWon", nil)
		})
	}
}
