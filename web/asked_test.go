package web_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/web"
	"github.com/holiman/uint256"
)

// TestAsked_Rules: who would join an invite is shown by which rules it is played, and asked about
// these: by some, all that the player stakes is the fee to start.
func TestAsked_Rules(t *testing.T) {
	d := newDesk(t)
	_, err := d.peer.Invite(t.Context(), node.InviteRequest{
		Game: "sums-and-cows", Params: []byte(`{"start":"100000000000000000","fee":"0","prize":"0"}`), Least: *uint256.NewInt(1e17), Window: 100, Life: time.Hour,
	})
	d.must(err)
	d.open(d.url + web.Path + "#" + token)
	d.turnTo("invites")
	d.sees("#lobby", "0.1 ETH each")
	d.press("Join …")
	d.sees("dialog", "Your stake is 0.1 ETH")
	for _, part := range []string{"#lobby", "dialog"} {
		d.sees(part, "start 100000000000000000")
		d.sees(part, "prize 0")
	}
}
