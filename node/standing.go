package node

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// Standing returns the alarms that are not over, oldest first: faults of the chain's endpoints and of the accounts, what the
// node tries again and again, and disputes that need a person. While there is one, the node can't be sure that the player's
// money is safe.
func (n *Node) Standing() []Event {
	n.mu.Lock()
	list := slices.Collect(maps.Values(n.standing))
	for about, err := range n.faults {
		list = append(list, Event{Kind: Alarm, Time: n.since[about], Text: about + ": " + err.Error()})
	}
	n.mu.Unlock()
	for _, s := range n.allSessions() {
		s.mu.Lock()
		list = slices.AppendSeq(list, maps.Values(s.raised))
		if s.frozen.Text != "" && s.machine.Phase() != channel.Ended {
			list = append(list, s.frozen)
		}
		s.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Text, b.Text)) })
	return list
}

// alarm is told what the chain package can't mend alone.
func (n *Node) alarm(a chain.Alarm) {
	key := fmt.Sprintf("%T %s", a.Fault, a.About)
	n.mu.Lock()
	switch {
	case a.Over:
		delete(n.standing, key)
		delete(n.blinding, key)
	case !a.Once:
		n.standing[key] = Event{Kind: Alarm, Time: n.config.Now().Unix(), Text: a.String()}
		if blinds(a.Fault) {
			n.blinding[key] = a.Fault
		}
	}
	n.mu.Unlock()
	n.alarmText(common.Hash{}, a.String())
}

// Copied implements transport.Witness: another program plays with a copy of this node's keys. Two programs that each sign a move
// of the same turn are convicted by it, so the alarm stands until the node is started again.
func (h handler) Copied(via common.Address) {
	n := h.node
	text := fmt.Sprintf("another program signs with the key %s of this node: stop one of the two before both sign a move of the same turn, "+
		"which costs the match; if you run no other, your keys are stolen: withdraw, and use new ones (shown by %s)", n.config.Player.Address(), via)
	n.Warn(copiedKeys, text)
}

// Warn has an alarm about something stand until the node is closed. One about the same that stands already is left as it is.
func (n *Node) Warn(about, text string) {
	n.mu.Lock()
	_, stands := n.standing[about]
	if !stands {
		n.standing[about] = Event{Kind: Alarm, Time: n.config.Now().Unix(), Text: text}
	}
	n.mu.Unlock()
	if !stands {
		n.alarmText(common.Hash{}, text)
	}
}

// copiedKeys names the alarm that another program has this node's keys.
const copiedKeys = "copied keys"
