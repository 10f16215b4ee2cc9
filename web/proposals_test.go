package web_test

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/web"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestProposals_Wait: what a person has proposed several times and nobody answers is shown, and
// can be taken back.
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

// proposes has a node propose a match for a stake.
func (d *desk) proposes(by *node.Node, channel common.Hash, stake uint64) {
	d.Helper()
	d.must(by.Propose(channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(stake)}}))
}
