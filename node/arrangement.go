package node

import (
	"context"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// arrangement is what the player agreed to in advance, by an invite or a registration for a round,
// so that the channels and matches that follow need no further answer of a person. Offers and
// channels ask it whether to accept.
type arrangement interface {
	// answer returns how to answer an offer that follows from it, nil for any other.
	answer(o *Offer) func(context.Context) error
	// judge says what to do with a proposed match.
	judge(p *Proposal) verdict
	// refused hears that the others refused a match in a channel.
	refused(channelID common.Hash, e channel.ProposalRefused)
	// registered reports whether the player registered with the offerer for what an offer follows
	// from, which pays for its questions.
	registered(o *Offer) bool
	// staked reports whether the player agreed in advance to every seat's stake in a channel.
	staked(channelID common.Hash) bool
}

// verdict is what an arrangement says about a proposed match.
type verdict int

const (
	notArranged verdict = iota // nothing: it follows from none
	approved
	disapproved
	undecided // the user has to say
)

// arrangements are all of a node's.
type arrangements []arrangement

func (l arrangements) answer(o *Offer) func(context.Context) error {
	if o.Replaces != (common.Hash{}) {
		return nil // nobody agreed in advance to close a channel
	}
	for _, a := range l {
		if answer := a.answer(o); answer != nil {
			return answer
		}
	}
	return nil
}

func (l arrangements) judge(p *Proposal) verdict {
	for _, a := range l {
		if v := a.judge(p); v != notArranged {
			return v
		}
	}
	return notArranged
}

func (l arrangements) refused(channelID common.Hash, e channel.ProposalRefused) {
	for _, a := range l {
		a.refused(channelID, e)
	}
}

func (l arrangements) registered(o *Offer) bool {
	return slices.ContainsFunc(l, func(a arrangement) bool { return a.registered(o) })
}

func (l arrangements) staked(channelID common.Hash) bool {
	return slices.ContainsFunc(l, func(a arrangement) bool { return a.staked(channelID) })
}
