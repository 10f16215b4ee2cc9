package contracts_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// refusedWith sends an action with another value or gas than it would be sent with, and wants it
// refused.
func (tb *table) refusedWith(want error, a onchain.Action, value, gas uint64) {
	tb.Helper()
	call, err := tb.codec.Encode(a)
	tb.ok(err)
	_, err = tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: call.Data, Value: *uint256.NewInt(value), Gas: gas})
	var f *minichain.Failure
	if !errors.As(err, &f) || !errors.Is(codec.Explain(f.Data), want) {
		tb.Errorf("%T with value %d and gas %d: %v, want %v", a, value, gas, err, want)
	}
}

// Ether pays for nothing where a deposit or a channel is in a token, and for no more or less than
// was deposited.
func TestAttack_StrayValue_MustFit(t *testing.T) {
	tb := newTable(t, 2)
	tb.chain.Fund(tb.sender, uint256.NewInt(stake))
	token := tb.coin()
	d := onchain.Deposit{Account: tb.sender, Amount: *uint256.NewInt(10)}
	tb.refusedWith(codec.ErrBadValue, d, 9, 0)
	tb.refusedWith(codec.ErrBadValue, d, 11, 0)
	d.Asset = token
	tb.refusedWith(codec.ErrBadValue, d, 10, 0)
	tb.setTerms(token)
	tb.refusedWith(codec.ErrBadValue, tb.opening(), 10, 0)
}

// An agreement below what is recorded, or with payouts that aren't the stakes, or lacking a
// signature, ends nothing.
func TestAgreeRefuses(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1), toy.Pass(0))
	tb.must(m.advance(m.support(1, 2, m.everyone(1))))
	tb.refused(codec.ErrBadAgreement, m.agree(m.agreement(1, stake/2, stake/2)))
	tb.refused(codec.ErrBadAgreement, m.agree(m.agreement(2, stake/2, stake/2+1)))
	tb.refused(codec.ErrBadAgreement, m.agree(m.agreement(2, stake)))
	tb.refused(codec.ErrBadAgreement, m.agree(m.agreement(1<<64-1, stake/2, stake/2)))
	half := m.agreement(2, stake/2, stake/2)
	half.Signatures = half.Signatures[:1]
	tb.refused(codec.ErrBadSignature, m.agree(half))
	tb.must(m.agree(m.agreement(2, stake, 0)))
	tb.refused(codec.ErrBadAgreement, m.agree(m.agreement(2, 0, stake))) // another at the same turn
	tb.must(m.agree(m.agreement(3, 0, stake)))                           // a later one replaces it
	tb.wait(window)
	tb.refused(codec.ErrTooLate, m.agree(m.agreement(4, stake, 0)))
	m.pays(0, stake)
}

// Records and states are the Arena's own, or nothing.
func TestRecordMustBeKnown(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	for name, change := range map[string]func(r *protocol.Record){
		"state":    func(r *protocol.Record) { r.State = common.Hash{1} },
		"mover":    func(r *protocol.Record) { r.Mover = 1 },
		"mark":     func(r *protocol.Record) { r.Marks = []protocol.Mark{0, 1} },
		"spent":    func(r *protocol.Record) { r.Spent = []uint64{0, 1} },
		"deadline": func(r *protocol.Record) { r.Deadline-- },
		"clock":    func(r *protocol.Record) { r.Clock-- },
		"since":    func(r *protocol.Record) { r.Since-- },
		"block":    func(r *protocol.Record) { r.Block-- },
		"turn":     func(r *protocol.Record) { r.Turn++ },
	} {
		t.Run(name, func(t *testing.T) {
			a, r := m.advance(m.support(0, 1)), *m.record()
			change(&r)
			a.Record = &r
			tb.refused(codec.ErrNotRecorded, a)
		})
	}
	for name, change := range map[string]func(a *onchain.Advance){
		"window": func(a *onchain.Advance) { a.Terms.Window++; a.Match.ChannelID = a.Terms.ID(tb.domain) },
		"stakes": func(a *onchain.Advance) { a.Match.Stakes = amounts(0, stake) },
		"rules":  func(a *onchain.Advance) { a.Match.Rules = common.Address{1} },
	} {
		t.Run(name, func(t *testing.T) {
			a := m.advance(m.support(0, 1))
			change(&a)
			if _, err := tb.send(a); err == nil {
				t.Error("taken for the match that is recorded")
			}
		})
	}
	tb.until(m.record().Deadline, 0)
	e := m.expire(0)
	e.State = m.at(1).state
	tb.refused(codec.ErrNotRecorded, e) // the record is that of its state
	tb.refusedWith(codec.ErrNotEnoughGas, m.expire(0), 0, 500_000)
	tb.must(m.expire(0))
}

// An unsigned turn 0 is what the rules start with, and needs a Demand by a seat of the match.
func TestUnsignedStartRefuses(t *testing.T) {
	tb, m := newMatch(t, 2)
	other := m.fork(0)
	other.line[0].state = append([]byte(nil), m.at(0).state...)
	other.line[0].state[9] ^= 1
	tb.refused(codec.ErrBadState, other.advance(other.support(0, 0), other.demand(0, 0)))
	strange := newKey("mallory").sign(protocol.Demand{MatchID: m.id}.Digest(tb.domain))
	tb.refused(codec.ErrBadDemand, m.advance(m.support(0, 0), &strange))
	tb.refused(codec.ErrBadStatus, onchain.Expire{
		Terms: tb.terms, Match: m.terms, Record: protocol.Record{Status: protocol.MatchLive, Marks: make([]protocol.Mark, 2), Spent: make([]uint64, 2)},
	})
}

// A wallet that eats all gas keeps only its own money from itself.
func TestPayeeRefuses(t *testing.T) {
	tb := newTable(t, 2)
	wallet := tb.wallet1271(newKey("mallory"))
	tb.walletBehaves(wallet, walletLoop)
	me := tb.seats[0].player.address
	tb.by(me, func() { tb.refused(codec.ErrPayee, onchain.Withdraw{Amount: *uint256.NewInt(1), To: wallet}) })
}

// A session key convicts nobody but its own seat, and only of two states at one turn.
func TestConvictRefuses(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	one, two := m.fork(1).play(toy.Pass(0, 1)), m.fork(1).play(toy.Pass(0, 2))
	proof := one.equivocation(two, 1)
	later := proof
	later.Turn++
	tb.refused(codec.ErrBadSignature, m.convict(later))
	nobody := proof
	nobody.Seat = 2
	tb.refused(codec.ErrBadProof, m.convict(nobody))
	twice := proof
	twice.Signatures[1] = twice.Signatures[0]
	tb.refused(codec.ErrBadSignature, m.convict(twice))
	elsewhere := *m
	elsewhere.terms.Nonce++
	elsewhere.id = elsewhere.terms.ID(tb.domain)
	foreign := proof
	foreign.MatchID = elsewhere.id
	tb.refused(codec.ErrBadSignature, elsewhere.convict(foreign))
}
