package chain_test

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
)

// TestKindsOfLogs: an endpoint is asked for the kinds that are followed, and for no others, near
// the head and far below it.
func TestKindsOfLogs(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	config := chain.FollowConfig{Kinds: []common.Hash{wordOf("a"), wordOf("c")}, Confirmations: 9, Window: 9}
	for _, word := range []string{"a", "b", "c"} {
		w.say(word)
	}
	w.mine(1)
	w.follow(w.dial(chain.Config{}), config).want("seen a", "seen c")
	w.mine(20)
	w.follow(w.dial(chain.Config{}), config).want("seen a", "seen c", "final a", "final c")
}
