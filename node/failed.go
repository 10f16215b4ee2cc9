package node

import (
	"slices"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
)

// The proposals of a channel that came to nothing are shown for a while, until the node stops; the
// newest, if they are many.
const (
	maxFailed   = 8
	showsFailed = time.Hour
)

// Failed is a proposal that came to nothing.
type Failed struct {
	Proposal
	Reason string // untrusted text, if somebody else gave it
	Time   int64  // Unix seconds, by this computer's clock
}

// FailedProposals returns the proposals that came to nothing within the last hour, oldest first:
// this player's that were refused, until it proposes anew in the channel, and others' that were
// taken back or overtaken.
func (n *channels) FailedProposals() []Failed {
	var list []Failed
	for s := range n.locked() {
		list = append(list, s.failures.list...)
	}
	since := n.config.Now().Add(-showsFailed).Unix()
	list = slices.DeleteFunc(list, func(f Failed) bool { return f.Time < since })
	slices.SortStableFunc(list, func(a, b Failed) int { return int(a.Time - b.Time) })
	return list
}

// goneFor says why a proposal of another seat no longer waits for an answer.
const goneFor = "taken back, or another proposal took its place"

// failures are the proposals of a channel that came to nothing. The lock of its state guards them.
type failures struct {
	*member
	asked Proposal // what the user was asked about last
	list  []Failed
}

// follow notes what came to nothing by these events.
func (f *failures) follow(events []channel.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case channel.ProposalAsked:
			f.asked = Proposal{Channel: f.id, Version: e.Version, From: e.From, Matches: e.Matches}
		case channel.ProposalRefused:
			if e.By == f.seat && e.Code == message.Refused {
				continue // the user took it back
			}
			f.note(Proposal{Channel: f.id, From: f.seat, Matches: e.Matches}, e.Reason)
		case channel.ProposalGone:
			if f.asked.Version == e.Version && !asksAgain(events) {
				f.note(f.asked, goneFor)
			}
		}
	}
}

// asksAgain reports whether a proposal that is gone came back, or made way for another that the
// user is asked about.
func asksAgain(events []channel.Event) bool {
	return slices.ContainsFunc(events, func(e channel.Event) bool { _, asked := e.(channel.ProposalAsked); return asked })
}

// forgetRefusals forgets what came of this player's earlier proposals.
func (s *channelState) forgetRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures.list = slices.DeleteFunc(s.failures.list, func(f Failed) bool { return f.From == s.seat })
}

func (f *failures) note(p Proposal, reason string) {
	f.list = append(f.list, Failed{Proposal: p, Reason: reason, Time: f.node.config.Now().Unix()})
	f.list = f.list[max(0, len(f.list)-maxFailed):]
}
