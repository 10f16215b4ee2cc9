package tower

import (
	"bytes"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
)

// TestPaidForGood: a channel is paid out when it is closed, or when it is settled and each lock of
// the ledger that was posted last is paid, all of it finally: what may still be undone isn't
// forgotten.
func TestPaidForGood(t *testing.T) {
	posting := func(matches ...byte) onchain.Contested {
		var l protocol.SignedLedger
		for _, m := range matches {
			l.Ledger.Locks = append(l.Ledger.Locks, protocol.Lock{MatchID: common.Hash{m}})
		}
		return onchain.Contested{Ledger: l}
	}
	final := func(e onchain.Event) logged { return logged{Event: e, final: true} }
	seen := func(e onchain.Event) logged { return logged{Event: e} }
	paid := func(match byte) onchain.LockPaid { return onchain.LockPaid{MatchID: common.Hash{match}} }
	for what, c := range map[string]struct {
		events []logged
		paid   bool
	}{
		"opened":                        {[]logged{final(onchain.Opened{})}, false},
		"closed":                        {[]logged{final(onchain.Opened{}), final(onchain.Closed{})}, true},
		"closed, not finally":           {[]logged{final(onchain.Opened{}), seen(onchain.Closed{})}, false},
		"contested":                     {[]logged{final(posting())}, false},
		"settled without locks":         {[]logged{final(posting()), final(onchain.Settled{})}, true},
		"settled, not finally":          {[]logged{final(posting()), seen(onchain.Settled{})}, false},
		"settled, the posting unknown":  {[]logged{final(onchain.Settled{})}, false},
		"no lock paid":                  {[]logged{final(posting(1)), final(onchain.Settled{})}, false},
		"one lock of two paid":          {[]logged{final(posting(1, 2)), final(onchain.Settled{}), final(paid(1))}, false},
		"all locks paid":                {[]logged{final(posting(1, 2)), final(onchain.Settled{}), final(paid(2)), final(paid(1))}, true},
		"paid before it is settled":     {[]logged{final(posting(1)), final(paid(1)), final(onchain.Settled{})}, true},
		"the last lock not finally":     {[]logged{final(posting(1, 2)), final(onchain.Settled{}), final(paid(1)), seen(paid(2))}, false},
		"an older posting's locks only": {[]logged{final(posting(1)), final(posting(2)), final(onchain.Settled{}), final(paid(1))}, false},
		"the last posting's lock":       {[]logged{final(posting(1)), final(posting(2)), final(onchain.Settled{}), final(paid(2))}, true},
	} {
		if f := (&file{events: c.events}); f.paid() != c.paid {
			t.Errorf("%s: %t", what, f.paid())
		}
	}
}

// TestAFileLeftOpen: the process dies when the last thing that the chain has to say of a channel is
// stored, and before the channel is forgotten. Told again, it is forgotten.
func TestAFileLeftOpen(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	left := map[string][]byte{}
	for key, value := range s.all() {
		left[key] = []byte(value)
	}
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
	s.mine(int(s.terms.Window) + 3)
	if n := len(s.all()); n != 0 || s.Seats() != 0 {
		t.Fatalf("%d things are stored of a channel that is closed, %d seats", n, s.Seats())
	}
	said := s.events(chain.Final)
	closed := said[len(said)-1]
	value, err := rlp.EncodeToBytes(&logRecord{Topics: closed.Log.Topics, Data: closed.Log.Data, Final: true})
	s.must(err)
	left[logKey(s.id, &closed)] = bytes.Clone(value)
	s.must(s.config.Store.Commit(left))
	s.must(s.happened(&closed))
	s.mine(1)
	if n := len(s.all()); n != 0 {
		t.Errorf("%d things are stored", n)
	}
}
