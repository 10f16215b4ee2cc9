package node_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
)

// recorded returns what the Arena last said of a match.
func (tb *table) recorded(t *testing.T, id common.Hash, d protocol.Domain) (last onchain.Recorded) {
	t.Helper()
	client, err := ethclient.Dial(world(t).URL)
	must(t, err)
	defer client.Close()
	logs, err := client.FilterLogs(tb.ctx, ethereum.FilterQuery{Addresses: []common.Address{world(t).Arena}})
	must(t, err)
	for _, l := range logs {
		e, err := codec.New(d).Decode(l)
		must(t, err)
		if r, ok := e.(onchain.Recorded); ok && r.MatchID == id {
			last = r
		}
	}
	return last
}

// TestAttack_StaleScore_Booked: a match is over, and its stakes are in the balances again. Its
// loser has the Arena decide it, by an older ledger and the silence of the winner, who has nothing
// left to defend. The winner's node goes by the ledger still: what a house has earned, say, is what
// it was paid.
func TestAttack_StaleScore_Booked(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.play(t, mallory, id, "pass 0")
	stale, err := mallory.Match(id)
	must(t, err)
	tb.play(t, alice, id, "win 0")
	before, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	post(t, tb, mallory, func(c *node.Channel, key protocol.Signer, d protocol.Domain) onchain.Action {
		demand, err := key.Sign(protocol.Demand{MatchID: id, Turn: stale.Support.Last()}.Digest(d))
		must(t, err)
		return onchain.Advance{Terms: c.Terms, Ledger: stale.Ledger, Match: stale.Terms, Support: *stale.Support, Demand: &demand}
	})
	c, err := mallory.Channel(tb.channel)
	must(t, err)
	must(t, world(t).Chain.Mine(int(c.Terms.Window))) //nolint:gosec // some blocks
	tb.post(t, mallory.config.GasPayer, onchain.Expire{
		Terms: c.Terms, Match: stale.Terms, Record: tb.recorded(t, id, alice.Domain()).Record, State: stale.State,
	})
	if said := tb.recorded(t, id, alice.Domain()).Record; said.Status != protocol.MatchFinal || slices.Equal(said.Payouts, before.Payouts) {
		t.Fatalf("the Arena records %+v", said)
	}
	must(t, world(t).Chain.Mine(20))
	tb.wait(t, alice, func() bool { return alice.Head().Block >= world(t).Chain.Head() })
	after, err := alice.Result(id)
	must(t, err)
	if !slices.Equal(after.Payouts, before.Payouts) || after.Won() != 1 || after.Reason != before.Reason {
		t.Errorf("alice was paid %v, and now says %v, %q", before.Payouts, after.Payouts, after.Reason)
	}
}
