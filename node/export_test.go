package node

// Running returns how many channels are in memory.
func (n *Node) Running() int { return len(n.allSessions()) }
