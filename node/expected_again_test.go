package node_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestExpectedOffer_Repeated: the offer of the channel that an invite calls for may come again as
// often as it likes. Where it can't be accepted that costs what any stranger's offers do, and one
// whose terms never can be is declined.
func TestExpectedOffer_Repeated(t *testing.T) {
	t.Parallel()
	alice := join(t, nil)
	alice.fund(t)
	bob := common.Address{0xb0}
	for _, c := range []struct {
		name    string
		deposit uint256.Int
		openBy  uint64
	}{
		{"opened too late", *stake, 1 << 40}, // declined while the budget lasts
		{"too dear", *new(uint256.Int).Mul(ether, ether), 5000},
	} {
		i := node.Invite{ID: common.BytesToHash([]byte(c.name)), Mine: true, State: node.InviteJoined, With: bob, Stake: *stake, Agreed: time.Now().Unix()}
		i.Player, i.Rules, i.Params, i.Window, i.Expiry = alice.Account(), world(t).Rules["toy"], []byte{1}, 20_000, uint64(time.Now().Unix()+3600) //nolint:gosec // after 1970
		i.Negotiations, i.Deposit = []node.Negotiation{{With: bob}}, c.deposit
		must(t, alice.PutInvite(&i))
		m := message.OpenOffer{Terms: protocol.Terms{Players: []common.Address{bob, alice.Account()}, Signers: []common.Address{{1}, {}},
			Deposits: []uint256.Int{c.deposit, c.deposit}, Window: 20_000, OpenBy: c.openBy, Salt: common.BytesToHash([]byte(c.name))}}
		for range 100 {
			_ = alice.TakeOffer(bob, m) // refused once the budget is spent
			_ = alice.TendInvites(t.Context())
		}
	}
	list, err := alice.Past(0)
	must(t, err)
	told := 0
	for _, e := range list {
		if strings.Contains(e.Text, "not accepted by itself") {
			told++
		}
	}
	if told > 20 {
		t.Errorf("the user is told %d times", told)
	}
	offers, err := alice.Offers()
	must(t, err)
	for _, o := range offers {
		if o.Terms.OpenBy == 1<<40 && o.State != node.OfferDeclined {
			t.Errorf("what can never be accepted is %s", o.State)
		}
	}
}
