package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// When there is nothing to take back, the error says why.
func TestWithdrawalsRefused(t *testing.T) {
	newTable(t, 2).quiet("not open", 0, channel.WithdrawMatches{}, channel.ErrNotOpen)
	tb := openTable(t, 2)
	tb.quiet("nothing proposed", 0, channel.WithdrawMatches{}, channel.ErrStale)
	tb.must(0, tb.proposal(10))
	tb.must(0, channel.StoreRestored{})
	tb.quiet("restored", 0, channel.WithdrawMatches{}, channel.ErrRestored)
}

// lateLock is the answer to a match of seat 0's that seat 1 refused first: the ledger that locks
// it, completed.
func (tb *table) lateLock() (message.SyncReply, common.Hash) {
	tb.t.Helper()
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	digest := p.Ledger.Digest(tb.domain)
	tb.must(0, channel.Received{From: 1, Message: message.Reject{Version: p.Ledger.Version, Digest: digest, Code: message.Refused}})
	full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: []protocol.Signature{p.Signatures[0], tb.sign(1, digest)}}
	return message.SyncReply{Ledger: &full, Matches: p.Matches}, p.Matches[0].ID(tb.domain)
}

// A restored store doesn't sign the stakes of a refused match back either.
func TestAttack_HiddenNewer_GivenBack(t *testing.T) {
	tb := openTable(t, 2)
	reply, id := tb.lateLock()
	tb.must(0, channel.StoreRestored{})
	tb.must(0, channel.Received{From: 1, Message: reply})
	if v := tb.view(0, id); !v.Locked || len(v.Offers) != 0 || len(only[message.AgreementSignature](tb.answers(0))) != 0 {
		t.Fatalf("locked %v, offers %v", v.Locked, v.Offers)
	}
}

// What our user offers instead of the stakes of a refused match stays pending when a later ledger
// still locks it.
func TestGivingBackOnce(t *testing.T) {
	tb := openTable(t, 2)
	reply, id := tb.lateLock()
	tb.must(0, channel.Received{From: 1, Message: reply})
	if got := offeredBy(tb.view(0, id), 0); len(got) != 2 || !got[0].Eq(uint256.NewInt(10)) {
		t.Fatalf("the stakes are not offered back: %v", got)
	}
	tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: numbers(3, 17)})
	tb.answers(0)
	tb.must(0, tb.proposal(5))
	p := only[message.Propose](tb.answers(0))[0]
	digest := p.Ledger.Digest(tb.domain)
	tb.must(0, channel.Received{From: 1, Message: message.Approve{Version: p.Ledger.Version, Digest: digest, Signature: tb.sign(1, digest)}})
	if v := tb.seats[0].m.Ledger().Version; v != p.Ledger.Version {
		t.Fatalf("ledger %d", v)
	}
	if got := offeredBy(tb.view(0, id), 0); len(got) != 2 || !got[0].Eq(uint256.NewInt(3)) {
		t.Fatalf("offered in its place: %v", got)
	}
}
