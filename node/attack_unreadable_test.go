package node_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_UnreadableLog: a stranger invents a channel, and has the Arena repeat a signature that
// is none; and opens one that may be opened for ever. No other channel's node raises an alarm; it
// does for such a log of its own channel.
func TestAttack_UnreadableLog(t *testing.T) {
	t.Parallel()
	liar, said := new(inventor), new(journal)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			c.Chain.Transport, c.Log = liar, slog.New(slog.NewTextHandler(said, nil))
		}
	})
	bob := tb.players[1]
	const unread = "cannot read"
	forever, err := chaintest.OpenForever(bob.Domain(), 20)
	must(t, err)
	tb.post(t, chain.KeySigner(world(t).Chain.Key(world(t).account())), forever)
	loud, err := chaintest.Unreadable(bob.Domain())
	must(t, err)
	tb.post(t, chain.KeySigner(world(t).Chain.Key(world(t).account())), loud)
	head := world(t).Chain.Head()
	tb.wait(t, bob, func() bool { return bob.Head().Block >= head })
	if strings.Contains(said.String(), unread) {
		t.Errorf("a stranger raised an alarm:\n%s", said)
	}

	client := world(t).Chain.Client()
	defer client.Close()
	logs, err := client.FilterLogs(tb.ctx, ethereum.FilterQuery{Addresses: []common.Address{bob.config.Arena}})
	must(t, err)
	lie := &logs[len(logs)-1]
	if len(lie.Topics) != 3 || lie.Topics[1] == tb.channel {
		t.Fatalf("the stranger's log is %+v", lie)
	}
	must(t, bob.Close()) // it reads the next block when the lie is ready
	must(t, world(t).Chain.Mine(1))
	header, err := client.HeaderByNumber(tb.ctx, nil)
	must(t, err)
	lie.BlockHash, lie.BlockNumber, lie.Topics[1] = header.Hash(), header.Number.Uint64(), tb.channel
	liar.invented.Store(lie)
	bob.restart(t)
	tb.wait(t, bob, func() bool { return bob.Head().Block >= lie.BlockNumber })
	if !strings.Contains(said.String(), unread) {
		t.Error("nobody was told of a log of the own channel")
	}
}
