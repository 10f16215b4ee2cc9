package node

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_OldBackup_Agreement: an old copy of a store lacks an agreement of which its tower
// tells. What the tower shows is lost at first. The node signs nothing until it has seen that, and
// then never.
func TestAttack_OldBackup_Agreement(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(func(c *Config) { c.Towers = 1 }), l.node(nil)
	tower := l.guest(alice)
	l.must(alice.AddTower(tower.Address()))
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	v, _ := s.machine.Match(match)
	a := protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: match, Turn: v.Turn, Payouts: []uint256.Int{*uint256.NewInt(2), {}}}}
	for _, of := range []*session{s, l.session(bob, id)} {
		sig, err := of.signer.Sign(a.Digest(alice.domain))
		l.must(err)
		a.Signatures = append(a.Signatures, sig)
	}
	l.must(s.checkStale())
	alice.askTower(tower.Address())
	h := message.Holding{Version: s.machine.Ledger().Version, Matches: []message.TowerMark{{MatchID: match, Rank: v.Rank, Agreement: protocol.MarkOf(v.Turn)}}}
	l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, h)))
	if !s.machine.Held() {
		t.Error("it signs again, and lacks the agreement")
	}
	tower.told()
	l.now = l.now.Add(towerAgain)
	alice.resolveStaleChecks()
	if n := len(tower.told()); n != 1 {
		t.Errorf("the tower is asked again %d times", n)
	}
	l.must(s.receiveShown(tower.Address(), message.TowerEvidence{Ledger: s.machine.Ledger(), Matches: []protocol.MatchTerms{v.Terms}, MatchID: match, Agreement: &a}))
	if !s.machine.Restored() {
		t.Error("it goes on in an old copy")
	}
}

// TestAttack_OldBackup_Receipt: a tower that is busy shows nothing of a channel whose store may be
// an old copy. It says what it holds whenever it takes something: that is no answer. So it is given
// nothing before it has shown all.
func TestAttack_OldBackup_Receipt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s, tower := l.doubted()
	s.node.config.Towers = 1
	l.match(l.of(s), s.id, 1, 0, 1)
	l.must(s.checkStale())
	l.of(s).askTower(tower.Address())
	given := func() (n int) {
		tower.told()
		s.retry()
		s.entrust(tower.Address())
		for _, m := range tower.told() {
			if _, is := m.(message.TowerEvidence); is {
				n++
				l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{Version: s.machine.Ledger().Version})))
			}
		}
		return n
	}
	l.must(s.receiveReceipt(tower.Address(), message.TowerReceipt{Refusal: "busy"}))
	if n := given(); n != 0 || !s.machine.Held() {
		t.Errorf("it is given %d pieces; it has shown nothing, and signs again: %t", n, !s.machine.Held())
	}
	l.must(s.receiveReceipt(tower.Address(), l.receipt(s, tower, message.Holding{})))
	if n := given(); n == 0 || s.machine.Held() {
		t.Errorf("it has shown all, and is given %d pieces; held: %t", n, s.machine.Held())
	}
}
