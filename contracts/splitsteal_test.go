package contracts_test

import (
	"math/bits"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// splitOrSteal opens a channel of three whose newest ledger locks a match of Split or steal between
// the first two seats, with the third as the house. Its line holds a whole match, in which X splits
// and Y steals.
func splitOrSteal(t *testing.T) (*table, *match) {
	t.Helper()
	tb := bigTable(t, 3, true).open()
	p := splitsteal.Params{N1: 1, N2: 3, D1: 4, D2: 2, House: 2}
	bet := uint256.NewInt(half)
	subsidy := splitsteal.Subsidy(p, bet, bet).Uint64()
	m := tb.matchOf(splitsteal.Game().Rules, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 17 << 8, Rules: tb.deploy(bindings.SplitOrStealMetaData.Bin, nil), Seats: []uint8{0, 1, 2},
		Stakes: amounts(half, half, subsidy), Params: p.Bytes(),
	})
	tb.ledger(17, []uint64{deposit - half, deposit - half, deposit - subsidy}, m)
	for seat := range uint8(2) {
		c := commit.Scope{Tag: splitsteal.Tag, MatchID: m.id, Seat: seat}.Hash(common.Hash{31: 1 + seat}, m.salt(seat, 0))
		m.play(c[:])
	}
	for seat := range uint8(2) {
		salt := m.salt(seat, 0)
		m.play(append(common.Hash{31: 1 + seat}.Bytes(), salt[:]...))
	}
	return tb, m
}

// gasOfSplitOrSteal: a player who does not open, from the last commitment to the payout; and the
// last opening, the heaviest judgement there is.
func gasOfSplitOrSteal(t *testing.T, used map[string]uint64) {
	tb, m := splitOrSteal(t)
	_, r, err := tb.chain.Deploy(tb.sender, common.FromHex(bindings.SplitOrStealMetaData.Bin))
	tb.ok(err)
	used["deploy_splitsteal"] = r.GasUsed

	here := tb.checkpoint()
	used["splitsteal_open"] = tb.gas(m.advance(m.support(2, 3, m.everyone(2)), m.demand(3, 0)))
	used["splitsteal_over"] = tb.gas(m.advance(m.support(3, 4)))
	here()
	used["splitsteal_dispute"] = tb.gas(m.advance(m.support(2, 3, m.everyone(2), m.everyone(3)), m.demand(3, 0)))
	tb.wait(window)
	used["splitsteal_dispute"] += tb.gas(m.expire(3))
	m.fork(3).expired().pays(2*half, 0, m.terms.Stakes[2].Uint64())
}

// A stale position, posted to have a player disqualified that has long moved, is beaten by a newer
// one, and does not beat it. A player who signs two different commitments is convicted: what it
// would get goes to the others, by their stakes.
func TestChecklist_SplitOrSteal_17_StaleOrForked(t *testing.T) {
	tb, m := splitOrSteal(t)
	here := tb.checkpoint()
	// "Y never committed"
	tb.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1)), m.demand(1, 0)))
	tb.wait(window - 1)
	tb.must(m.advance(m.support(2, 3, m.everyone(2), m.everyone(3)))) // Y had, and X has opened
	tb.refused(codec.ErrNotHigher, m.advance(m.support(0, 1, m.everyone(0), m.everyone(1)), m.demand(1, 0)))
	tb.must(m.advance(m.support(3, 4, m.everyone(4))))
	m.pays(half/4, 2*half-half/4-1, m.terms.Stakes[2].Uint64()+1) // the odd wei is dust

	here()
	forked := m.fork(0).play(common.Hash{1}.Bytes())
	tb.must(m.advance(m.support(2, 3, m.everyone(2), m.everyone(3)), m.demand(3, 0)))
	tb.must(m.convict(m.fork(1).equivocation(forked, 0)))
	tb.must(m.advance(m.support(3, 4, m.everyone(4))))
	subsidy := m.terms.Stakes[2].Uint64()
	// what X would get, by the stakes of the others; rounding leaves Y the rest
	hi, lo := bits.Mul64(half/4, subsidy)
	house, _ := bits.Div64(hi, lo, half+subsidy)
	m.pays(0, 2*half-1-house, subsidy+1+house)
}
