package node

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
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
	case !a.Once:
		n.standing[key] = Event{Kind: Alarm, Time: n.config.Now().Unix(), Text: a.String()}
	}
	n.mu.Unlock()
	n.alarmText(common.Hash{}, a.String())
}
