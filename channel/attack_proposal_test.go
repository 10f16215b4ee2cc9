package channel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
)

// A proposal has a signature, or a gap, for every seat: another number of them is refused before
// any is looked at.
func TestAttack_Garbage_ProposalSignatures(t *testing.T) {
	tb := openTable(t, 2)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 50)
	p := tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)
	for _, n := range []int{0, 1, 3, 16} {
		bad := p
		bad.Signatures = slices.Grow(slices.Clone(p.Signatures), 16)[:n]
		if err := tb.says(1, 0, bad); !errors.Is(err, channel.ErrPeer) {
			t.Errorf("%d signatures of 2 seats: %v", n, err)
		}
	}
	if err := tb.says(1, 0, p); err != nil {
		t.Errorf("the proposal as it should be: %v", err)
	}
}
