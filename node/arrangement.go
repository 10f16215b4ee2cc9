package node

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
)

// arrangements are what the player agreed to in advance, by an invite or a registration for a
// round, so that the channels and matches that follow need no further answer of a person. Offers
// and channels ask them whether to accept.
type arrangements struct {
	rounds  *rounds
	meeting *meeting
}

// verdict is what an arrangement says about a proposed match.
type verdict int

const (
	notArranged verdict = iota // nothing: it follows from none
	approved
	disapproved
	undecided // the user has to say
)

// answer returns how to answer an offer that follows from an arrangement, nil for any other.
func (a arrangements) answer(o *Offer) func(context.Context) error {
	if o.Replaces != (common.Hash{}) {
		return nil // nobody agreed in advance to close a channel
	}
	if answer := a.rounds.answer(o); answer != nil {
		return answer
	}
	return a.meeting.answer(o)
}

// judge says what to do with a proposed match.
func (a arrangements) judge(p *Proposal) verdict {
	if v := a.rounds.judge(p); v != notArranged {
		return v
	}
	return a.meeting.judge(p)
}
