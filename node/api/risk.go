package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// What a token of the scope Play puts at risk counts in full towards its limits, durably and before
// it is done, so that no crash loses it. What the node then refuses has counted all the same: only
// so is it never more. A deposit into a channel counts, and each stake in it does again.

// risk counts an amount that a request is about to put at risk, with the matches that it is for.
func (s *backend) risk(ctx context.Context, of common.Address, amount *uint256.Int, matches ...common.Hash) error {
	c := asking(ctx)
	if c.scope >= Everything {
		return nil
	}
	err := s.tokens.spend(c.id, of, amount, matches...)
	if l, is := errors.AsType[*limitError](err); is {
		unit, _ := s.node.Unit(ctx, of) // its smallest units will do
		return fmt.Errorf("%w: %s is asked, %s is left of its limit", err, unit.Format(&l.amount), unit.Format(&l.left))
	}
	return err
}

// riskProposal counts what the node stakes in a match that it is to propose.
func (s *proposalCalls) riskProposal(ctx context.Context, channel common.Hash, r *node.MatchRequest) error {
	if !limited(ctx) {
		return nil
	}
	if len(r.Stakes) == 0 {
		return fmt.Errorf("%w: say the stakes: with this token they count towards a limit", ErrRequest)
	}
	c, err := s.node.Channel(channel)
	if err != nil {
		return err
	}
	return s.risk(ctx, c.Terms.Asset, own(c.Seat, r.Seats, r.Stakes))
}

// limited reports whether what a request puts at risk counts.
func limited(ctx context.Context) bool { return asking(ctx).scope < Everything }

// own returns this node's amount of those by seat of a match, where one stands for all. A seat that
// is not in it has nothing at risk; the node refuses that.
func own(seat int, seats []uint8, by []uint256.Int) *uint256.Int {
	at := seat
	if seats != nil {
		at = slices.Index(seats, uint8(seat))
	}
	switch {
	case len(by) == 1:
		return &by[0]
	case at >= 0 && at < len(by):
		return &by[at]
	default:
		return new(uint256.Int)
	}
}

// riskMatches counts what the node stakes in matches of a channel.
func (s *proposalCalls) riskMatches(ctx context.Context, channel common.Hash, list []protocol.MatchTerms) error {
	if !limited(ctx) {
		return nil
	}
	c, err := s.node.Channel(channel)
	if err != nil {
		return err
	}
	sum := new(uint256.Int)
	ids := make([]common.Hash, len(list))
	for i := range list {
		if _, over := sum.AddOverflow(sum, own(c.Seat, list[i].Seats, list[i].Stakes)); over {
			return fmt.Errorf("%w: the stakes do not fit into 256 bits", ErrRequest)
		}
		ids[i] = list[i].ID(s.node.Domain())
	}
	return s.risk(ctx, c.Terms.Asset, sum, ids...)
}

// playing reads the id of a match that the token is about to play in, and counts its stake.
func (s *matchCalls) playing(ctx context.Context, match string) (common.Hash, error) {
	id, err := parseHash("match_id", match)
	if err != nil {
		return id, err
	}
	return id, s.riskMatch(ctx, id)
}

// seeing reads the id of a match that the token is about to be shown as its player sees it, and
// counts its stake as playing does: who knows what the opponent must not can lose it as well. Where
// the match is over nothing is at risk.
func (s *backend) seeing(ctx context.Context, match string) (common.Hash, error) {
	id, err := parseHash("match_id", match)
	if err != nil || !limited(ctx) {
		return id, err
	}
	m, err := s.node.Match(id)
	if errors.Is(err, node.ErrUnknownMatch) || err == nil && matchStatus(&m.Match) > antev1.MatchStatus_MATCH_STATUS_RUNNING {
		return id, nil
	}
	return id, s.riskMatch(ctx, id)
}

// riskMatch counts the stake of a match that the token is about to play in, once, for who plays can
// lose it. What it approved has counted already; what it proposed had no id yet by which to tell.
func (s *backend) riskMatch(ctx context.Context, match common.Hash) error {
	if !limited(ctx) {
		return nil
	}
	if done, err := s.tokens.counts(asking(ctx).id, match); done || err != nil {
		return err
	}
	m, err := s.node.Match(match)
	if err != nil {
		return err
	}
	if m.Seat < 0 {
		return nil // it is the others'
	}
	return s.risk(ctx, m.Asset, &m.Terms.Stakes[m.Seat], match)
}
