package api

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
)

// TestNewestFirst: what ended last comes first, and of what ended at once what began last.
func TestNewestFirst(t *testing.T) {
	t.Parallel()
	results := []node.Result{
		{Terms: protocol.MatchTerms{Nonce: 1}, Began: 1, Time: 9}, {Terms: protocol.MatchTerms{Nonce: 2}, Began: 2, Time: 5},
		{Terms: protocol.MatchTerms{Nonce: 3}, Began: 2, Time: 5},
	}
	newestFirst(results)
	for i, want := range []uint64{1, 3, 2} {
		if got := results[i].Terms.Nonce; got != want {
			t.Errorf("place %d: match %d, want %d", i, got, want)
		}
	}
}
