package node

import (
	"github.com/ethereum/go-ethereum/common"
)

// maxUntold caps the events that wait in memory for a store that takes them.
const maxUntold = 100

func (n *Node) alarmText(channelID common.Hash, text string) {
	n.config.Log.Error(text, "channel", channelID)
	n.tell(Event{Kind: Alarm, Channel: channelID, Text: text})
}

// fault notes that something does not work, or works again (nil), and tells the user when that changes.
func (n *Node) fault(about string, err error) {
	if n.run.Err() != nil {
		return
	}
	n.mu.Lock()
	before, stands := n.faults[about]
	switch {
	case err != nil:
		if n.faults[about] = err; !stands {
			n.since[about] = n.config.Now().Unix()
		}
	case stands:
		delete(n.faults, about)
		delete(n.since, about)
	}
	n.mu.Unlock()
	if stands != (err != nil) {
		n.log.wake() // who waits for this hears of it also when the event of it can't be stored
	}
	switch {
	case err != nil && (!stands || before.Error() != err.Error()):
		n.alarmText(common.Hash{}, about+": it is tried again and again: "+err.Error())
	case err == nil && stands:
		n.alarmText(common.Hash{}, about+": it works again")
	}
}

// tell records an event that nothing else depends on. If the store refuses, it is told later, before the next one.
func (n *Node) tell(e Event) {
	n.mu.Lock()
	if len(n.untold) < maxUntold {
		n.untold = append(n.untold, e)
	}
	n.mu.Unlock()
	n.retell()
}

// retell records the events that the store refused before.
func (n *Node) retell() {
	n.mu.Lock()
	events := n.untold
	n.untold = nil
	n.mu.Unlock()
	if len(events) == 0 {
		return
	}
	if err := n.commit(map[string][]byte{}, events); err != nil {
		n.config.Log.Error("events not stored", "oldest", events[0].Text, "error", err)
		n.mu.Lock()
		n.untold = append(events, n.untold...)
		n.mu.Unlock()
	}
}
