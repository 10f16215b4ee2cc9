package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
)

// A seat outbids every proposal of a match without ever proposing anything itself. Each attempt
// leaves a signed lock behind that has to be remembered, so at some point the match is given up;
// and what is kept can always be read again.
func TestAttack_QueueFlood_Offered(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	for range 200 {
		for _, p := range only[message.Propose](tb.answers(0)) {
			reject := message.Reject{Version: p.Ledger.Version, Digest: p.Ledger.Digest(tb.domain), Code: message.Superseded, Signed: p.Ledger.Version + 1}
			if err := tb.says(1, 0, reject); err != nil {
				t.Fatal(err)
			}
		}
		tb.must(0, channel.Tick{}) // checks that the records can be restored
	}
	if len(tb.seats[0].m.Wanted()) > 0 || len(happened[channel.ProposalRefused](tb.seats[0])) != 1 {
		t.Fatal("the match is proposed for ever")
	}
}

// More records than are kept come before the first is final, the newest of them with a clock: it
// freezes the match.
func TestAttack_LateAnswer_Buried(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	record := tb.posted(0, id, 10)
	for i := range uint64(100) {
		e := record
		e.Support, e.Record.Block = nil, i
		tb.must(0, channel.ChainSeen{Event: e})
	}
	tb.must(0, channel.ChainSeen{Event: withClock(record, 10, tb.terms.Window)})
	if !tb.view(0, id).OnChain {
		t.Fatal("a running clock doesn't freeze the match")
	}
}
