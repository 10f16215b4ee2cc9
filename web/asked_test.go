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

// TestAsked_Elsewhere: what a person says yes to is about the match that was shown with the
// question: who turns to another, by the browser's back, is not asked any more.
func TestAsked_Elsewhere(t *testing.T) {
	d := newDesk(t)
	channel := d.channel(d.node, d.peer)
	for range 2 {
		d.proposes(d.node, channel, 1e16)
	}
	d.must(d.node.Wait(t.Context(), func() (bool, error) { return len(d.node.Matches()) == 2, nil }))
	first, second := d.node.Matches()[0].ID.Hex(), d.node.Matches()[1].ID.Hex()
	d.open(d.url + web.Path + "#" + token)
	d.turnTo("match/" + first)
	d.press("Concede …")
	d.sees("dialog", "Concede this match?")
	d.turnTo("match/" + second)
	d.sees(".match", "0.01 ETH")
	d.until(`!document.querySelector("dialog")`, "a question about another match stays")
}

// TestAsked_Draw: of a round that is not drawn yet nobody is told that the draw is right, nor of a
// table whose draws can't be checked.
func TestAsked_Draw(t *testing.T) {
	d := newDesk(t)
	head := d.node.Head().Block
	_, err := d.peer.OpenRound(node.RoundRequest{
		Game: "split-or-steal", Least: *uint256.NewInt(1e15), Most: *uint256.NewInt(1e15), Window: 100, Closes: head + 90, Shuffle: head + 95,
	})
	d.must(err)
	d.open(d.url + web.Path + "#" + token)
	d.turnTo("rounds")
	d.press("Check it")
	d.sees(".notices", "are right")
	if said := d.read(`document.querySelector(".notices").innerText`); said != "Its signatures and limits are right." {
		t.Errorf("the page says %q", said)
	}
}
