package tower

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_Sybil_Dust: a seat of a channel that is worth too little to be served has no place
// among those that are.
func TestAttack_Sybil_Dust(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Limits.Locked.SetUint64(3 * deposit) })
	if r := s.give(1, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); !strings.Contains(r.Refusal, "less than") {
		t.Fatalf("answered %q", r.Refusal)
	}
	if (handler{s.Tower}).Befriended(s.owners[1].Address()) {
		t.Error("a stranger has a seat's place")
	}
}

// TestAttack_Sybil_Gone: a window after a channel is paid out its seats have no place any more.
func TestAttack_Sybil_Gone(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
	s.mine(int(s.terms.Window) + 3)
	if n := s.Seats(); n != 0 {
		t.Fatalf("%d seats are held", n)
	}
	if (handler{s.Tower}).Befriended(s.owners[1].Address()) {
		t.Error("a stranger has a seat's place")
	}
}

// TestAttack_Sybil_OtherSeat: an account with seats in two channels keeps its place when one of
// them is paid out, and when it asks for a channel that the tower does not know yet. When the other
// one is paid out, too, it has none.
func TestAttack_Sybil_OtherSeat(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	leave := func() {
		s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
		s.mine(int(s.terms.Window) + 3)
	}
	friend := func(want bool, when string) {
		t.Helper()
		if is := (handler{s.Tower}).Befriended(s.owners[1].Address()); is != want {
			t.Errorf("%s: a friend: %t", when, is)
		}
	}
	first, ledger, match := s.terms, s.ledger, s.match
	s.open()
	s.entrust()
	s.entrust()
	handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(common.Hash{1}, message.TowerAsk{}))
	friend(true, "it asked for a channel that is not known")
	s.disk.fail(errors.New("no"), storetest.Commit)
	for range 2 {
		if s.drop(first.ID(s.domain), holdingPrefix+first.ID(s.domain).Hex()) == nil {
			t.Error("dropped without the store")
		}
	}
	s.disk.fail(nil, storetest.Commit)
	friend(true, "nothing could be dropped")
	leave()
	friend(true, "one of two channels is paid out")
	s.terms, s.id, s.ledger, s.match = first, first.ID(s.domain), ledger, match
	leave()
	friend(false, "both are paid out")
}

// TestAttack_LyingTower_Signer: whoever opens a channel names the other's account as its session
// signer. The tower still answers the other for its own seat, or its node would take the receipts
// for forged.
func TestAttack_LyingTower_Signer(t *testing.T) {
	s := besiege(t, nil)
	s.seats[0] = s.owners[1]
	s.open()
	handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, message.TowerAsk{}))
	answers := s.post.taken()
	if r, is := answers[len(answers)-1].(message.TowerReceipt); !is || r.Signature.Verify(r.Digest(s.domain, s.id, 1), s.Account()) != nil {
		t.Errorf("answered with %+v", answers)
	}
}
