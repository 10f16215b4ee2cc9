package channel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
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

// TestAttack_BaitAndSwitch_SameVersion: a user's word names the version that it was asked about.
// What takes that off the table does not let its proposer have the word for something else.
func TestAttack_BaitAndSwitch_SameVersion(t *testing.T) {
	for name, c := range map[string]struct {
		seats int
		ours  bool // a ledger that our seat has signed is shown with all signatures
	}{"another seat refuses": {seats: 3}, "an older ledger is completed": {seats: 2, ours: true}} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, c.seats)
			tb.seats[0].cfg.Policy.Approve = nil
			tb.restart(0)
			full := tb.seats[0].m.Ledger().Ledger
			proposed := func(after protocol.Ledger, version, stake uint64) protocol.Ledger {
				l, terms := tb.lockLedger(after, version, stake)
				tb.must(0, channel.Received{From: 1, Message: tb.propose(l, after.Version, []protocol.MatchTerms{terms}, nil)})
				return l
			}
			var held message.Propose
			if c.ours {
				tb.must(0, tb.proposal(10))
				held = only[message.Propose](tb.answers(0))[0]
			}
			version := uint64(c.seats)*2 + 1 // which is seat 1's to propose
			shown := proposed(full, version, 1)
			if c.ours {
				tb.must(0, channel.Received{From: 1, Message: tb.completed(held)})
				full = held.Ledger
			} else {
				tb.must(0, channel.Received{From: 2, Message: message.Reject{Version: version, Digest: shown.Digest(tb.domain), Code: message.Superseded}})
			}
			proposed(full, version, 50)
			tb.refuses(0, channel.ApproveProposal{Version: version}, channel.ErrStale)
			proposed(full, version+uint64(c.seats), 50)
			tb.must(0, channel.ApproveProposal{Version: version + uint64(c.seats)})
		})
	}
}
