package node

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// enforceable returns why a match is not worth enforcing at today's gas prices, or nil. In a round
// the player accepted everybody's stakes when it registered.
func (s *member) enforceable(m *protocol.MatchTerms) error {
	least, err := s.node.leastStake(s.terms.Asset)
	if err != nil {
		return err
	}
	seat := slices.Index(m.Seats, uint8(s.seat)) //nolint:gosec // at most games.MaxSeats
	err = money.Enforceable(m.Stakes, seat, false, &least)
	if err != nil && s.node.arranged.rounds.staked(s.id) {
		err = money.Enforceable(m.Stakes, seat, true, &least)
	}
	return s.node.written(s.terms.Asset, err)
}

// unlessAllowed names to this node's user the setting that allows stakes which are too small. Peers
// are told the rest; they can't change it.
func unlessAllowed(err error) error {
	if _, is := errors.AsType[*money.Short](err); is && errors.Is(err, channel.ErrCheap) {
		return fmt.Errorf("%w; your setting play.any_stake allows it", err)
	}
	return err
}

// unattended reports whether nobody is expected to look after the channel: this node opens some
// with anybody, or a round called for it.
func (s *member) unattended() bool {
	return s.node.config.Policy.Lends != nil || s.node.arranged.rounds.staked(s.id)
}

// meets is met for a caller that approves by itself; the log says why a match does not meet the
// rule.
func (n *channels) meets(p *Proposal) bool {
	if err := n.met(p); err != nil {
		n.config.Log.Info("a match is not approved by itself", "channel", p.Channel, "reason", err)
		return false
	}
	return true
}

// met checks that no seat plays against this node's stake for less than that, or than its part of
// what the game asks for.
func (n *channels) met(p *Proposal) error {
	s, err := n.session(p.Channel)
	if err != nil {
		return err
	}
	for i := range p.Matches {
		m := &p.Matches[i]
		seat := slices.Index(m.Seats, uint8(s.seat)) //nolint:gosec // at most games.MaxSeats
		if seat < 0 {
			continue
		}
		if err := n.fair(m, seat); err != nil {
			return n.written(s.terms.Asset, err)
		}
	}
	return nil
}

// fair checks that nobody plays a match at a seat's cost, by what the game says about that.
func (n *channels) fair(m *protocol.MatchTerms, seat int) error {
	game, err := n.drive.Game(m.Rules)
	if err != nil {
		return err
	}
	if game.Fair != nil {
		want, err := game.Fair(m.Params, m.Stakes, uint8(seat)) //nolint:gosec // at most games.MaxSeats
		if err != nil {
			return err
		}
		return money.Reached(m.Stakes, want)
	}
	var least []uint256.Int
	if game.Stakes != nil {
		if least, err = game.Stakes(m.Params); err != nil {
			return err
		}
		if len(least) != len(m.Stakes) {
			return fmt.Errorf("%w: %s is for %d seats, with these parameters", games.ErrParams, game.Name, len(least))
		}
	}
	return money.Met(m.Stakes, least, seat)
}
