package node

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// Standing returns the alarms whose causes are not gone, oldest first: faults of endpoints and
// accounts, failures that the node keeps retrying, and disputes that need a person. While one
// stands, the node can't be sure that the player's money is safe.
func (n *Node) Standing() []Event {
	list := n.list()
	for s := range n.locked() {
		list = slices.AppendSeq(list, maps.Values(s.raised))
		if s.frozen.Text != "" && s.machine.Phase() != channel.Ended {
			list = append(list, s.frozen)
		}
	}
	slices.SortFunc(list, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Text, b.Text)) })
	return list
}

// Copied implements transport.Witness: another program plays with a copy of this node's keys. Two
// programs that each sign a move of the same turn are convicted by it, so the alarm stands until
// the node is started again.
func (h handler) Copied(via common.Address) {
	n := h.node
	text := fmt.Sprintf("another program signs with the key %s of this node: stop one of the two before both sign a move of the same turn, "+
		"which costs the match; if you run no other, your keys are stolen: withdraw, and use new ones (shown by %s)", n.config.Player.Address(), via)
	n.Warn(copiedKeys, text)
}

// copiedKeys names the alarm that another program has this node's keys.
const copiedKeys = "copied keys"

func (h handler) Relayed(err error) { h.node.fault(relaying, err) }

// relaying names the alarm that no relay passes other players on.
const relaying = "relays"
