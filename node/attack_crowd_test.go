package node_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestAttack_RefusedRPC_Node: somebody has the Arena say in one block, for next to nothing, more
// than an endpoint tells of a block. The node goes on.
func TestAttack_RefusedRPC_Node(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	var e *chaintest.Endpoint
	victim := join(t, func(c *node.Config) { e = behind(t, c) })
	const most = 20
	e.Tell(most)
	var crowd onchain.Batch
	for range most + 1 {
		crowd = append(crowd, onchain.Deposit{Account: victim.Account()})
	}
	call, err := codec.New(protocol.Domain{}).Encode(crowd)
	must(t, err)
	w := world(t)
	tx, err := w.Chain.Send(t.Context(), w.Chain.Key(w.account()), types.DynamicFeeTx{To: &w.Arena, Data: call.Data})
	must(t, err)
	must(t, w.Chain.Mine(3))
	client := w.Chain.Client()
	defer client.Close()
	receipt, err := client.TransactionReceipt(t.Context(), tx.Hash())
	must(t, err)
	if len(receipt.Logs) != most+1 {
		t.Fatalf("it says %d things", len(receipt.Logs))
	}
	unread := func(e node.Event) bool { return strings.Contains(e.Text, "not being read") }
	tb.wait(t, victim, func() bool {
		return victim.Head().Block >= w.Chain.Head() || slices.ContainsFunc(victim.Standing(), unread)
	})
	if slices.ContainsFunc(victim.Standing(), unread) {
		t.Error("the chain is no longer followed")
	}
}
