package web_test

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/web"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestProposals_Wait: what a person has proposed several times and nobody answers is shown, and can
// be taken back.
func TestProposals_Wait(t *testing.T) {
	d := newDesk(t)
	channel := d.channel(d.node, d.peer)
	d.must(d.peer.Close())
	for range 3 {
		d.proposes(d.node, channel, 1e17)
	}
	d.open(d.url + web.Path + "#" + token)
	d.sees(".offer", "3 matches")
	d.sees("#running", "No match runs")
	d.press("Take it back")
	d.until(`!document.querySelector(".offer")`, "the proposals stay")
}

// TestProposals_Swapped: a person who is about to agree when another proposal takes the place of
// the one that was read is asked about that, and agrees to what was read or to nothing.
func TestProposals_Swapped(t *testing.T) {
	d := newDesk(t)
	channel := d.channel(d.node, d.peer)
	swaps := func(stake uint64, shown string) {
		_ = d.peer.WithdrawProposals(channel) // at first there is none
		d.proposes(d.peer, channel, stake)
		d.sees(".offer", shown)
	}
	d.open(d.url + web.Path + "#" + token)
	swaps(1e16, "0.01 ETH")
	swaps(5e17, "0.5 ETH")
	d.follow(".approve")
	d.sees("dialog", "0.5 ETH")
	d.usable("approve")
	swaps(9e17, "0.9 ETH")
	d.press("Play")
	d.sees(".notices .bad", "or no longer")
	if n := len(d.node.Matches()); n != 0 {
		t.Errorf("%d matches are agreed to", n)
	}
	d.follow(".approve")
	d.sees("dialog", "0.9 ETH")
	d.press("Play")
	d.sees("#running", "0.9 ETH")
}

// proposes has a node propose a match for a stake.
func (d *desk) proposes(by *node.Node, channel common.Hash, stake uint64) {
	d.Helper()
	d.must(by.Propose(channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(stake)}}))
}
