package contracts_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/battleships"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// allHit opens a channel of two whose newest ledger locks a match of Battleships. Its line holds a
// whole match, in which whoever is to shoot first hits all ships of the other and opens its board.
func allHit(t *testing.T) (*table, *match) {
	t.Helper()
	tb := bigTable(t, 2, true).open()
	game := battleships.Game()
	m := tb.matchOf(game.Rules, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 17 << 8, Rules: tb.deploy(bindings.BattleshipsMetaData.Bin, nil), Seats: []uint8{0, 1},
		Stakes: amounts(half, half), Params: battleships.Params{}.Bytes(),
	})
	tb.ledger(17, []uint64{deposit - half, deposit - half}, m)

	const fleet = "a1-a4 c1-c3 e1-e3 g1-g2 h4-h5 c5-c6 e5-e6"
	shots := []string{"a1", "a2", "a3", "a4", "c1", "c2", "c3", "e1", "e2", "e3", "g1", "g2", "h4", "h5", "c5", "c6", "e5", "e6"}
	random := rand.NewChaCha8([32]byte{1})
	var secrets [2]commit.Secrets
	for m.at(-1).mover != games.Nobody {
		seat := m.at(-1).mover
		at := games.Table{Context: m.context(0, 0), State: m.at(-1).state, Seat: seat, Secrets: secrets[seat], Random: random}
		d, err := game.Player.Auto(at)
		if d == nil && err == nil {
			text := fleet
			if len(m.line) > 3 {
				text, shots = shots[0], shots[1:]
			}
			d, err = game.Player.Choose(at, text)
		}
		tb.ok(err)
		secrets[seat] = d.Secrets
		m.play(d.Move)
	}
	return tb, m
}

// gasOfBattleships: a shot that is not answered, from the first post to the payout; an answer with
// its proof; and an opened board, the heaviest judgement there is.
func gasOfBattleships(t *testing.T, used map[string]uint64) {
	tb, m := allHit(t)
	_, r, err := tb.chain.Deploy(tb.sender, common.FromHex(bindings.BattleshipsMetaData.Bin))
	tb.ok(err)
	used["deploy_battleships"] = r.GasUsed

	last := m.last()
	shot := last - 2 // the last one that is to be answered
	here := tb.checkpoint()
	tb.must(m.advance(m.support(shot-1, shot, m.everyone(shot-1)), m.demand(shot, m.at(shot).by)))
	used["battleships_answer"] = tb.gas(m.advance(m.support(shot, shot+1)))
	used["battleships_over"] = tb.gas(m.advance(m.support(last-1, last)))
	here()
	used["battleships_dispute"] = tb.gas(m.advance(m.support(shot-1, shot, m.everyone(shot-1)), m.demand(shot, m.at(shot).by)))
	tb.wait(window)
	used["battleships_dispute"] += tb.gas(m.expire(shot))
}
