package contracts_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// chainFacts are what a chain tells of its blocks, each when it is over, and what a contract has
// noted in them.
type chainFacts struct {
	chain *minichain.Chain
	rules common.Address
}

// what is sent next is in the block after it
func (f chainFacts) Head() uint64 { return f.chain.Block() - 1 }

func (f chainFacts) Sure() uint64 { return f.Head() }

func (f chainFacts) BlockHash(number uint64) (common.Hash, bool) {
	if number >= f.chain.Block() {
		return common.Hash{}, false
	}
	return f.chain.BlockHash(number), true
}

func (f chainFacts) Noted(slot common.Hash, before uint64) (common.Hash, bool) {
	return f.chain.Storage(f.rules, slot), before < f.chain.Block()
}

// boxes is a match of Box 9 between a house that stakes nothing and players: the line is as far as
// a test plays it.
type boxes struct {
	*table
	*match
	p      box9.Params
	stakes []uint64
}

// boxTable opens a channel whose newest ledger locks a match of so many rounds, at half a deposit a
// player.
func boxTable(t *testing.T, players int, rounds uint8) *boxes {
	t.Helper()
	return boxTableOf(t, players, box9.Params{Rounds: rounds, Margin: 6, Coins: 10, Coin: 1e14})
}

func boxTableOf(t *testing.T, players int, p box9.Params) *boxes {
	t.Helper()
	tb := bigTable(t, players+1, true).open()
	// so that the blocks of rounds, and what naming them costs, depend on nothing else
	tb.until(1_500, 0)
	b := &boxes{table: tb, p: p}
	seats, free := []uint8{}, []uint64{}
	for i := range players + 1 {
		stake := uint64(half)
		if i == box9.House {
			stake = 0
		}
		seats, free, b.stakes = append(seats, uint8(i)), append(free, deposit-stake), append(b.stakes, stake)
	}
	at := tb.deploy(bindings.Box9MetaData.Bin, nil)
	b.match = tb.matchOf(games.WithFacts(box9.Game().Rules, chainFacts{tb.chain, at}), protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 17 << 8, Rules: at, Seats: seats,
		Stakes: amounts(b.stakes...), Params: b.p.Bytes(),
	})
	tb.ledger(17, free, b.match)
	return b
}

// name has the house name the next block that leaves time, and returns it.
func (b *boxes) name() uint64 {
	b.Helper()
	block := box9.NextRound(b.chain.Block() + 10)
	b.play(box9.Codec().EncodeMove(box9.Name(block)))
	return block
}

// bets closes the round with a bet of each of these players, of every one if none is named: the
// first bets on box 1, the second on boxes 1 and 2, and so on.
func (b *boxes) bets(players ...uint8) *boxes {
	b.Helper()
	s, err := box9.Codec().DecodeState(b.at(-1).state)
	b.ok(err)
	var m box9.Close
	for seat := uint8(1); int(seat) < len(b.stakes); seat++ {
		if len(players) > 0 && !slices.Contains(players, seat) {
			continue
		}
		mask := box9.Mask(1)<<min(seat, box9.MostBoxes) - 1
		digest := box9.BetDigest(b.context(0, 0), s.Round, mask)
		m = append(m, box9.Bet{Seat: seat, Mask: mask, Signature: b.signer(seat).sign(digest)})
	}
	b.play(box9.Codec().EncodeMove(m))
	return b
}

// whole is the line with the draw of a round whose closed bets, its last position, every seat
// signed.
func (b *boxes) whole(block uint64) *match {
	b.Helper()
	m := b.fork(b.last())
	m.playIn(b.context(b.all(), 0), b.reveal(m, box9.Whole, block))
	return m
}

// all are all seats.
func (b *boxes) all() uint16 { return 1<<len(b.stakes) - 1 }

// reveal is the draw by a block of the bets that a line's last position closed.
func (b *boxes) reveal(m *match, counts box9.Counts, block uint64) []byte {
	b.Helper()
	s, err := box9.Codec().DecodeState(m.at(-1).state)
	b.ok(err)
	return box9.Codec().EncodeMove(box9.Reveal{Counts: counts, Hash: b.chain.BlockHash(block), Bets: s.Bets})
}

// drawn is a line with the chain's move, as any seat's node makes it when the line's last position
// is signed by these; nil where that draws nothing.
func (b *boxes) drawn(m *match, by uint16) *match {
	b.Helper()
	t := b.seen(m, by)
	chained, _ := games.As[games.Chained](box9.Game().Player)
	move, err := chained.Chance(t)
	b.ok(err)
	if move == nil {
		return nil
	}
	m = m.fork(m.last())
	m.playIn(t.Context, move)
	return m
}

// seen is a line's last position as a seat sees it, when these have signed it.
func (b *boxes) seen(m *match, by uint16) games.Table {
	c := m.context(by, 0)
	c.Facts = chainFacts{b.chain, m.terms.Rules}
	last := m.at(-1)
	sig := m.sign(m.last(), last.by%games.MaxSeats)
	return games.Table{Context: c, State: last.state, Made: &games.Made{Turn: uint64(last.turn), Move: last.move, Signature: sig[:]}}
}

// upkeep is the call of the rules that a seat's node makes now, when these have signed the line's
// last position; nil if none.
func (b *boxes) upkeep(seat uint8, by uint16) *games.Call {
	b.Helper()
	t := b.seen(b.match, by)
	t.Seat = seat
	chained, _ := games.As[games.Chained](box9.Game().Player)
	call, err := chained.Upkeep(t)
	b.ok(err)
	return call
}

// noting is the call that has the closing noted, the last position of a line.
func (b *boxes) noting(m *match) []byte { return b.notice(m).data() }

// note has the closing noted, the last position of a line.
func (b *boxes) note(m *match) {
	b.Helper()
	b.send(b.noting(m))
}

// send makes a call of the rules, which succeeds.
func (b *boxes) send(data []byte) *types.Receipt {
	b.Helper()
	r, err := b.chain.Send(minichain.Tx{From: b.sender, To: &b.match.terms.Rules, Data: data})
	b.ok(err)
	return r
}

// keep has a block's hash recorded for good.
func (b *boxes) keep(block uint64) {
	b.Helper()
	b.send(b.recording(block))
}

func (b *boxes) recording(block uint64) []byte {
	return bindings.NewBox9().PackRecord(new(big.Int).SetUint64(block))
}

// A seat that signed the closed bets and lost leaves its signature out of what it posts, as if it
// had not given it. That draws nothing by itself; and while the chain's clock runs, whoever holds
// the signature shows it, with the draw or without.
func TestAttack_FreeRoll_SignatureLeftOut(t *testing.T) {
	b := boxTable(t, 1, 1)
	block := b.name()
	b.bets()
	closed := b.support(1, 2, b.everyone(1))
	b.until(block, 1)
	void := b.fork(2).illegal(b.reveal(b.match, box9.Void, block), nil, games.Nobody)
	s, err := box9.Codec().DecodeState(b.at(2).state)
	b.ok(err)
	void.line[3].state = box9.Codec().EncodeState(box9.State{Phase: box9.Over, Block: block, Pocket: s.Pocket})
	b.refused(codec.ErrRulesFailed, void.advance(void.support(1, 3, b.everyone(1), []signed{{2, 0}, {3, 1}})))

	start := b.checkpoint()
	for name, shown := range map[string]func() protocol.Support{
		"the draw":      func() protocol.Support { return b.whole(block).support(1, 3, b.everyone(1), b.everyone(2)) },
		"the signature": func() protocol.Support { return b.support(1, 2, b.everyone(1), b.everyone(2)) },
	} {
		start()
		b.must(b.advance(closed, b.demand(2, 1)))
		b.keep(block)
		out, err := b.rules.Outcome(b.whole(block).at(-1).state, b.match.terms.Stakes)
		b.ok(err)
		b.wait(window - 10)
		b.must(b.advance(shown()))
		if b.record().Status == protocol.MatchLive {
			b.wait(window)
			b.must(b.expire(2))
		}
		if !slices.Equal(b.record().Payouts, out.Payouts) {
			t.Errorf("%s: pays %v, want %v", name, b.record().Payouts, out.Payouts)
		}
	}
}

// A hash that nobody had recorded in time voids its round: bets go back. One that was kept draws,
// however late.
func TestAttack_Withhold_Hash(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	b.bets()
	b.until(block, 1)
	start := b.checkpoint()
	for _, kept := range []bool{true, false} {
		start()
		reveal, want := b.reveal(b.match, box9.Whole, block), b.stakes
		if kept {
			b.keep(block)
			out, err := b.rules.Outcome(b.whole(block).at(-1).state, b.match.terms.Stakes)
			b.ok(err)
			want = nil
			for i := range out.Payouts {
				want = append(want, out.Payouts[i].Uint64())
			}
		}
		b.wait(256)
		if !kept {
			draw := b.fork(2).illegal(reveal, b.at(2).state, games.Nobody)
			b.refused(codec.ErrRulesFailed, draw.advance(draw.support(2, 3, draw.everyone(2))))
		}
		b.must(b.advance(b.support(2, 2, b.everyone(2)), b.demand(2, 1)))
		b.wait(window)
		b.must(b.expire(2))
		b.match.pays(want...)
	}
}

// A closing that was recorded after its block and then stood for a window counts as signed by all
// where lines are compared. The rules still know who signed it, so it draws nothing.
func TestAttack_LateBet_Stood(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	b.bets()
	b.until(block, 1)
	b.must(b.advance(b.support(1, 2, b.everyone(1), []signed{{2, 1}})))
	b.keep(block)
	b.wait(window)
	late := b.fork(2)
	late.playIn(b.context(7, 0), b.reveal(late, box9.Whole, block))
	b.refused(codec.ErrRulesFailed, late.advance(late.support(2, 3)))
}

// The chain's clock draws a round whose closing was noted before its block, though one who bet
// never signed it; that the Arena has recorded it before the block makes no difference.
func TestAttack_Withhold_Signature(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	b.bets()
	start := b.checkpoint()
	for _, noted := range []bool{true, false} {
		start()
		if noted {
			b.note(b.match)
		}
		b.must(b.advance(b.support(1, 2, b.everyone(1), []signed{{2, 1}}), b.demand(2, 1)))
		b.until(block, 1)
		b.keep(block)
		want := b.match.terms.Stakes
		if noted {
			out, err := b.rules.Outcome(b.drawn(b.match, 0).at(-1).state, want)
			b.ok(err)
			if want = out.Payouts; want[1].Uint64() == b.stakes[1] {
				t.Fatal("the draw changes nothing, so this shows nothing")
			}
		}
		b.until(b.record().Deadline, 0)
		b.must(b.expire(2))
		if !slices.Equal(b.record().Payouts, want) {
			t.Errorf("noted %v: pays %v, want %v", noted, b.record().Payouts, want)
		}
	}
}

// A closing that is recorded only after its block counts as it was posted unless every seat's
// signature can be shown: before that the Arena takes none in addition. So a bettor that leaves out
// its own voids the round where another seat never signed.
func TestBox9_RecordedLate(t *testing.T) {
	const alice, carol = 1, 2
	b := boxTable(t, 2, 1)
	block := b.name()
	b.bets(alice)
	b.until(block, 1)
	b.keep(block)
	start := b.checkpoint()
	for _, signs := range []bool{false, true} {
		start()
		b.must(b.advance(b.support(1, 2, b.everyone(1)), b.demand(2, alice)))
		want := b.match.terms.Stakes
		if signs {
			out, err := b.rules.Outcome(b.whole(block).at(-1).state, want)
			b.ok(err)
			want = out.Payouts
			b.must(b.advance(b.support(1, 2, b.everyone(1), []signed{{2, alice}, {2, carol}})))
		} else {
			b.refused(codec.ErrNotHigher, b.advance(b.support(1, 2, b.everyone(1), []signed{{2, alice}})))
		}
		b.until(b.record().Deadline, 0)
		b.must(b.expire(2))
		if !slices.Equal(b.record().Payouts, want) {
			t.Errorf("Carol signs %v: pays %v, want %v", signs, b.record().Payouts, want)
		}
	}
}

// What a player won is nobody's to take before the match is settled: not when the chain has drawn,
// and not while somebody may still show something that ranks above that.
func TestChecklist_Box9_15_NoClaimBeforeSettlement(t *testing.T) {
	b := boxTable(t, 2, 1)
	block := b.name()
	b.bets()
	b.until(block, 1)
	won := b.whole(block)
	out, err := b.rules.Outcome(won.at(-1).state, b.match.terms.Stakes)
	b.ok(err)
	player := b.seats[1].player.address
	nothing := func() {
		t.Helper()
		free := b.owed(player, eth)
		free.AddUint64(free, 1)
		b.by(player, func() { b.refused(codec.ErrNotEnough, onchain.Withdraw{Amount: *free, To: player}) })
	}
	b.must(won.advance(won.support(2, 3, won.everyone(2))))
	nothing()
	b.must(b.contest(*b.newest, 0))
	nothing()
	b.wait(window)
	b.must(b.settle(*b.newest)) // the free balances; the match is not said to be over
	nothing()
	before := b.banks()
	b.must(b.settle(*b.newest, won))
	for seat, after := range b.banks() {
		if got := after - before[seat]; got != out.Payouts[seat].Uint64() {
			t.Errorf("seat %d gets %d, want %d", seat, got, out.Payouts[seat].Uint64())
		}
	}
	nothing()
	b.empty(t)
}

// gasOfBox9: a house that is silent when it should close the bets; bets that are closed, noted and
// drawn on-chain; and the same at a full table, the heaviest judgement of the game.
func gasOfBox9(t *testing.T, used map[string]uint64) {
	b := boxTable(t, 1, 10)
	_, r, err := b.chain.Deploy(b.sender, common.FromHex(bindings.Box9MetaData.Bin))
	b.ok(err)
	used["deploy_box9"] = r.GasUsed

	block := b.name()
	here := b.checkpoint()
	used["box9_start"] = b.gas(b.advance(b.support(0, 1, b.everyone(0)), b.demand(1, 1)))
	b.wait(window)
	used["box9_expire"] = b.gas(b.expire(1))
	here()
	b.must(b.advance(b.support(0, 1, b.everyone(0), b.everyone(1))))
	b.bets()
	used["box9_note"] = b.send(b.noting(b.match)).GasUsed
	used["box9_note_again"] = b.send(b.noting(b.match)).GasUsed
	used["box9_close"] = b.gas(b.advance(b.support(1, 2)))
	b.until(block, 1)
	here = b.checkpoint()
	used["box9_record"] = b.send(b.recording(block)).GasUsed
	here()
	drawn := b.drawn(b.match, 0)
	used["box9_draw"] = b.gas(drawn.advance(drawn.support(2, 3)))

	b = boxTable(t, games.MaxSeats-1, 10)
	block = b.name()
	b.bets()
	used["box9_note_16"] = b.send(b.noting(b.match)).GasUsed
	used["box9_close_16"] = b.gas(b.advance(b.support(1, 2, b.everyone(1))))
	b.until(block, 1)
	drawn = b.drawn(b.match, 0)
	used["box9_draw_16"] = b.gas(drawn.advance(drawn.support(2, 3)))
}

// No judgement of the game takes more than a million gas at a full table, evidence of sixteen seats
// included.
func TestBox9Gas(t *testing.T) {
	used := map[string]uint64{}
	gasOfBox9(t, used)
	for name, gas := range used {
		if gas > 1_000_000 && name != "deploy_box9" {
			t.Errorf("%s uses %d gas", name, gas)
		}
	}
}
