package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// askedTable is a table of two at which seat 1's user is asked about a match of seat 0's, in
// version 2.
func askedTable(t *testing.T) *table {
	tb := openTable(t, 2)
	tb.seats[1].cfg.Policy.Approve = nil
	tb.restart(1)
	tb.must(0, tb.proposal(10))
	tb.must(1, channel.Received{From: 0, Message: only[message.Propose](tb.answers(0))[0]})
	if p := tb.seats[1].m.Proposal(); p == nil || !p.Asked || p.Ledger.Version != 2 {
		t.Fatalf("nobody is asked: %+v", p)
	}
	return tb
}

// Our user's word is for the proposal that it was asked about, and only while that may be signed.
func TestAnswersRefused(t *testing.T) {
	for name, c := range map[string]struct {
		approve, refuse error // refused as well, unless that is nil
		version         uint64
		table           func(t *testing.T) *table
	}{
		"nothing proposed": {channel.ErrStale, channel.ErrStale, 2, func(t *testing.T) *table { return openTable(t, 2) }},
		"our own": {channel.ErrStale, channel.ErrStale, 3, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.must(1, tb.proposal(10))
			return tb
		}},
		"another version": {channel.ErrStale, channel.ErrStale, 4, askedTable},
		"restored": {channel.ErrRestored, nil, 2, func(t *testing.T) *table {
			tb := askedTable(t)
			tb.must(1, channel.StoreRestored{})
			return tb
		}},
		"another seat claims to hold more": {channel.ErrUnshown, nil, 2, func(t *testing.T) *table {
			tb := askedTable(t)
			tb.must(1, channel.Received{From: 0, Message: message.Sync{Version: 4, Signed: 4}})
			tb.answers(1)
			return tb
		}},
		"closed on-chain": {channel.ErrFrozen, nil, 2, func(t *testing.T) *table {
			tb := askedTable(t)
			tb.must(1, channel.ChainSeen{Event: onchain.Closed{ChannelID: tb.id, Version: 9}})
			return tb
		}},
		"no signer": {errNoSigner, nil, 2, func(t *testing.T) *table {
			tb := askedTable(t)
			tb.loseSigner(1, 0)
			return tb
		}},
		"no signer for turn 0": {errNoSigner, nil, 2, func(t *testing.T) *table {
			tb := askedTable(t)
			tb.loseSigner(1, 1)
			return tb
		}},
	} {
		tb := c.table(t)
		tb.quiet(name, 1, channel.ApproveProposal{Version: c.version}, c.approve)
		if c.refuse != nil {
			tb.quiet(name, 1, channel.RefuseProposal{Version: c.version}, c.refuse)
		}
	}
}

// The mark of a channel is law, as that of a match is: no other ledger is signed at or below it,
// and after a closing ledger none with other balances, even if nothing else that the store kept
// knows of it.
func TestAttack_SelfEquivocation_Ledger(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*antev1.ChannelRecord, []byte) // given the digest of the proposal
		want   error
	}{
		"a higher version": {func(r *antev1.ChannelRecord, digest []byte) { r.SignedVersion, r.SignedDigest = 3, digest }, channel.ErrSigned},
		"another ledger": {func(r *antev1.ChannelRecord, digest []byte) {
			r.SignedVersion, r.SignedDigest = 2, append([]byte{digest[0] + 1}, digest[1:]...)
		}, channel.ErrSigned},
		"a closing one": {func(r *antev1.ChannelRecord, _ []byte) { r.Closing = r.Ledger.Ledger }, channel.ErrFrozen},
		"the same":      {func(r *antev1.ChannelRecord, digest []byte) { r.SignedVersion, r.SignedDigest = 2, digest }, nil},
	} {
		tb := askedTable(t)
		digest := tb.seats[1].m.Proposal().Ledger.Digest(tb.domain)
		tb.reload(1, change(t, tb.records(1), "channel", &antev1.ChannelRecord{}, func(r *antev1.ChannelRecord) { c.change(r, digest[:]) }))
		if in := (channel.ApproveProposal{Version: 2}); c.want != nil {
			tb.quiet(name, 1, in, c.want)
		} else {
			tb.must(1, in)
		}
	}
}

// An approval that comes before its proposal is kept, the newest of each seat.
func TestEarlyApproval(t *testing.T) {
	for _, order := range [][]uint64{{4, 7}, {7, 4}, {7, 7}} {
		tb := openTable(t, 3)
		var p message.Propose
		for _, version := range order {
			l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, version, 10)
			digest := l.Digest(tb.domain)
			tb.must(0, channel.Received{From: 2, Message: message.Approve{Version: version, Digest: digest, Signature: tb.sign(2, digest)}})
			if version == 7 {
				p = tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)
			}
		}
		tb.must(0, channel.Received{From: 1, Message: p})
		if v := tb.seats[0].m.Ledger().Version; v != 7 {
			t.Errorf("approved early in versions %v: ledger %d", order, v)
		}
	}
}

// What comes with a seat's approval must be right as well: else nothing of it is taken, not even
// the signature.
func TestApprovalWithForgedStart(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	digest, id := p.Ledger.Digest(tb.domain), p.Matches[0].ID(tb.domain)
	start := message.Countersign{MatchID: id, Seat: 1, State: protocol.StateHash([]byte("another state")), Signature: tb.signPosition(1, id, 0, []byte("another state"))}
	tb.heard("a forged start", 1, 0, message.Approve{Version: 2, Digest: digest, Signature: tb.sign(1, digest), Starts: []message.Countersign{start}}, channel.ErrPeer)
}

// A seat that has signed a proposal can't refuse it any more: others may hold its signature.
func TestRefusalAfterApproval(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	digest := p.Ledger.Digest(tb.domain)
	tb.must(0, channel.Received{From: 1, Message: message.Approve{Version: 3, Digest: digest, Signature: tb.sign(1, digest)}})
	tb.heard("refused after all", 1, 0, message.Reject{Version: 3, Digest: digest, Code: message.Refused}, nil)
}
