package contracts_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// faults are all ways in which rules can fail.
var faults = map[string]uint8{
	"revert": toy.Revert, "loop": toy.Loop, "bomb": toy.Bomb, "garbage": toy.Garbage, "too long": toy.Big, "stranger": toy.Stranger,
}

// spoilt are the ways in which what rules pay out can be wrong.
var spoilt = map[string]uint8{
	"revert": toy.Revert, "loop": toy.Loop, "bomb": toy.Bomb, "too much": toy.TooMuch, "too many": toy.TooMany, "overflow": toy.Overflow,
}

// The loser can't void the match with a move that is illegal, or that its rules fail on in any way:
// it changes nothing, and the clock goes on.
func TestAttack_VoidByMove(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
			before := *m.record()
			bad := m.fork(0).illegal(toy.BreakPlay(fault), make([]byte, toy.StateSize), 0)
			tb.refused(codec.ErrRulesFailed, bad.advance(bad.support(0, 1)))
			if m.record().Deadline != before.Deadline {
				t.Errorf("record %+v", *m.record())
			}
			tb.until(before.Deadline, 0)
			tb.must(m.expire(0))
			m.pays(0, stake)
		})
	}
}

// Nor with a legal move to a state whose outcome can't be told.
func TestAttack_PoisonedState(t *testing.T) {
	for name, fault := range spoilt {
		t.Run(name, func(t *testing.T) {
			tb, m := newMatch(t, 2)
			tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
			bad := m.fork(0).play(toy.Poison(fault))
			tb.refused(codec.ErrRulesFailed, bad.advance(bad.support(0, 1)))
			tb.refused(codec.ErrRulesFailed, bad.advance(bad.support(0, 1, bad.everyone(1))))
			tb.until(m.record().Deadline, 0)
			tb.must(m.expire(0))
			m.pays(0, stake)
		})
	}
}

// Where the rules fail on what no caller chooses, the stakes go back, and no channel is frozen.
func TestAttack_BadRules(t *testing.T) {
	for name, fault := range faults {
		t.Run("start "+name, func(t *testing.T) {
			tb, m := newMatch(t, 2, 0, fault)
			if len(m.line) != 0 {
				t.Fatal("the rules start in Go")
			}
			m.line = []position{{state: []byte("whatever")}}
			tb.must(m.advance(m.support(0, 0), m.demand(0, 1)))
			m.pays(stake/2, stake/2)
		})
		t.Run("expire "+name, func(t *testing.T) {
			tb, m := newMatch(t, 2, 0, toy.Fine, fault)
			tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
			tb.until(m.record().Deadline, 0)
			tb.must(m.expire(0))
			m.pays(stake/2, stake/2)
		})
	}
	for name, fault := range spoilt {
		t.Run("outcome after expire "+name, func(t *testing.T) {
			tb, m := newMatch(t, 2, 0, toy.Fine, toy.Fine, fault)
			tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
			tb.until(m.record().Deadline, 0)
			tb.must(m.expire(0))
			m.pays(stake/2, stake/2)
		})
	}
	t.Run("no code", func(t *testing.T) {
		tb := newTable(t, 2).open()
		terms := protocol.MatchTerms{
			ChannelID: tb.id, Nonce: 2 << 8, Rules: common.Address{1, 2, 3}, Seats: []uint8{0, 1}, Stakes: amounts(stake/2, stake/2),
		}
		m := tb.matchOf(toy.Rules{}, terms)
		m.line = []position{{state: []byte("whatever")}}
		tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
		tb.must(m.advance(m.support(0, 0), m.demand(0, 1)))
		m.pays(stake/2, stake/2)
	})
}

// Rules that loop cost what they may at most, and what they return beyond the cap is not copied.
func TestAttack_LoopingRules(t *testing.T) { boundedGas(t, toy.Loop, 1_300_000) }

func TestAttack_ReturnBomb(t *testing.T) { boundedGas(t, toy.Bomb, 1_300_000) }

func boundedGas(t *testing.T, fault uint8, most uint64) {
	t.Helper()
	tb, m := newMatch(t, 2, 0, toy.Fine, fault)
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	tb.until(m.record().Deadline, 0)
	if used := tb.gas(m.expire(0)); used > most {
		t.Errorf("an expiry that the rules fail on uses %d gas, at most %d is stated", used, most)
	}
}

// A sender who gives too little gas can't make the rules fail and so void the match: whatever the
// gas, the call reverts or does what it does with plenty.
func TestAttack_GasStarve(t *testing.T) {
	tb, m := newMatch(t, 2)
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	tb.until(m.record().Deadline, 0)
	sweep(t, tb, m, m.expire(0))

	tb, m = newMatch(t, 2)
	sweep(t, tb, m, m.advance(m.support(0, 0, []signed{{0, 1}}), m.demand(0, 1)))
}

// Rules that need nearly all that they are promised get it, or the call reverts: EIP-150 keeps a
// 64th of the gas that is there.
func TestAttack_GasStarve_HungryRules(t *testing.T) {
	tb := newTable(t, 2).open()
	m := tb.matchOf(toy.Rules{}, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 2 << 8, Rules: tb.deploy(testbindings.HungryRulesMetaData.Bin, nil), Seats: []uint8{0, 1},
		Stakes: amounts(stake/2, stake/2),
	})
	m.line = []position{{state: []byte{0}}}
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	tb.until(m.record().Deadline, 0)
	sweep(t, tb, m, m.expire(0))
	if got := m.record().Payouts; got[0].Uint64() != stake {
		t.Errorf("pays %v", got)
	}
}

// sweep sends an action with every amount of gas in steps, and wants its effect to be none or the
// same.
func sweep(t *testing.T, tb *table, m *match, a onchain.Action) {
	t.Helper()
	call, err := tb.codec.Encode(a)
	tb.ok(err)
	rewind := tb.checkpoint()
	tb.must(a)
	want := m.record()
	done, starved := 0, 0
	for gas := uint64(60_000); gas < 2_500_000; gas += 1_117 {
		rewind()
		before := m.record()
		_, err := tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data, Gas: gas})
		var f *minichain.Failure
		switch {
		case err == nil:
			done++
			if got := m.record(); got.Status != want.Status || got.State != want.State || !slices.Equal(got.Payouts, want.Payouts) {
				t.Fatalf("with %d gas the record is %+v, with plenty %+v", gas, *got, *want)
			}
		case errors.As(err, &f):
			starved++
			if m.record() != before {
				t.Fatal("a failed call changed the record")
			}
		default:
			t.Fatal(err)
		}
	}
	if done < 100 || starved < 100 {
		t.Errorf("%d calls were done and %d starved", done, starved)
	}
}

// Whatever is too long to judge is refused by its length, at any place.
func TestAttack_GasBomb(t *testing.T) {
	tb, m := newMatch(t, 2)
	long := m.fork(0).illegal(append(toy.Pass(1), make([]byte, games.MaxMove)...), m.at(0).state, 1)
	tb.refused(codec.ErrBadSupport, long.advance(long.support(0, 1, m.everyone(0))))
	wide := m.fork(0)
	wide.line[0].state = make([]byte, games.MaxState+1)
	tb.refused(codec.ErrBadSupport, wide.advance(wide.support(0, 0, wide.everyone(0))))
	terms := m.terms
	terms.Params = make([]byte, protocol.MaxParams+1)
	big := tb.matchOf(toy.Rules{}, terms)
	big.line = m.line
	tb.ledger(2, []uint64{stake / 2, stake / 2}, big)
	tb.refused(codec.ErrBadTerms, big.advance(big.support(0, 0, big.everyone(0))))
}

// What the rules are told of the chain and of who signed is what is recorded.
func TestContextOfRules(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.playIn(m.context(0, 1), toy.PassIfRecorded(1))
	tb.refused(codec.ErrRulesFailed, m.advance(m.support(0, 1, m.everyone(0)))) // never recorded
	tb.must(m.advance(m.support(0, 0, m.everyone(0))))
	tb.refused(codec.ErrRulesFailed, m.advance(m.support(0, 1))) // not in an earlier block
	tb.wait(1)
	tb.must(m.advance(m.support(0, 1)))

	tb, m = newMatch(t, 2)
	m.play(toy.Pass(1))
	m.playIn(m.context(1, 0), toy.PassIfSigned(0, 1))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.must(m.advance(m.support(1, 2))) // the recorded position is signed by its mover only
	tb, m = newMatch(t, 2)
	m.play(toy.Pass(1))
	m.playIn(m.context(3, 0), toy.PassIfSigned(0, 3))
	tb.refused(codec.ErrRulesFailed, m.advance(m.support(0, 2, m.everyone(0))))
	tb.must(m.advance(m.support(0, 2, m.everyone(0), m.everyone(1))))

	// What is true of a recorded base is not true of the positions after it.
	for _, second := range []struct {
		signed   uint16
		recorded uint64
		move     []byte
	}{{0, 1, toy.PassIfRecorded(0)}, {3, 0, toy.PassIfSigned(0, 3)}} {
		tb, m = newMatch(t, 2)
		m.play(toy.Pass(1))
		m.playIn(m.context(second.signed, second.recorded), second.move)
		tb.must(m.advance(m.support(0, 0, m.everyone(0))))
		tb.wait(1)
		tb.refused(codec.ErrRulesFailed, m.advance(m.support(0, 2)))
		tb.must(m.advance(m.support(0, 1)))
	}
}

// A liar's verdict is told, and its stake is the other's.
func TestLieConvicts(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Lie(0))
	said := tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	r, ok := said[len(said)-1].(onchain.Recorded)
	if !ok || r.Guilty != 1 || string(r.Reason[:3]) != "lie" {
		t.Fatalf("the Arena says %+v", said)
	}
	tb.until(m.record().Deadline, 0)
	m.pays(0, stake)
}

// Silence at any step of a whole game of Mastermind loses by the clock, whoever's step it is.
func TestAttack_Withhold(t *testing.T) {
	tb := newTable(t, 2).open()
	m := tb.mastermind(2<<8, stake/2, stake/2)
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	m.coin().rounds(4)
	rewind := tb.checkpoint()
	for at := range m.last() {
		silent := m.at(at).mover
		rewind()
		base := max(at-1, 0)
		tb.must(m.advance(m.support(base, at, m.everyone(base)), m.demand(at, 1-silent)))
		tb.until(m.record().Deadline, 0)
		tb.must(m.expire(at))
		want := []uint64{stake, stake}
		want[silent] = 0
		m.pays(want...)
	}
	rewind()
	end := m.last()
	tb.must(m.advance(m.support(end-1, end, m.everyone(end-1), m.everyone(end))))
	m.pays(stake/2, stake/2) // all codes unfound: a draw
}
