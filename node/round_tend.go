package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

// tendRounds takes every round on as far as the chain has come.
func (n *rounds) tendRounds(ctx context.Context) error {
	list, err := n.Rounds()
	if err != nil {
		return err
	}
	for i := range list {
		if r := &list[i]; !r.finished(n.Account()) && (r.Terms.House == n.Account() || r.Own != nil) {
			err = errors.Join(err, n.tendRound(ctx, r))
		}
	}
	return err
}

func (n *rounds) tendRound(ctx context.Context, r *Round) error {
	house := r.Terms.House == n.Account()
	if r.sealed() && !r.drawn() {
		if err := n.drawRound(r); err != nil {
			return err
		}
	}
	tend := n.tendPlayer
	if house {
		tend = n.tendHouse
	}
	err := tend(ctx, r) // which keeps no group from going on
	fresh, e := n.Round(r.ID)
	switch {
	case house && errors.Is(e, ErrUnknownRound):
		return err // nobody entered it, and another follows
	case e != nil:
		return errors.Join(err, e)
	}
	for i, g := range fresh.Groups {
		if !house && !matchmaking.Registered(g.Players, n.Account()) {
			continue
		}
		if e := n.tendGroup(ctx, &fresh, i, g); e != nil { // the others go on
			err = errors.Join(err, fmt.Errorf("round %s, group %d: %w", r.ID.TerminalString(), i+1, e))
		}
	}
	return err
}

// drawRound groups the players once both endpoints say which block shuffles them: what is drawn
// stays so, and one endpoint alone could choose it.
func (n *rounds) drawRound(r *Round) error {
	house := r.Terms.House == n.Account()
	if house && r.Trouble != "" {
		return nil
	}
	hash, known := n.drive.Facts.BlockHash(r.Terms.Shuffle)
	if !known {
		return nil
	}
	err := n.editRound(r.ID, func(now *Round) ([]Event, error) {
		now.draw(hash)
		g := now.Group(n.Account())
		text := "you are the odd one out: nothing of yours was locked"
		switch {
		case house:
			text = fmt.Sprintf("%d groups are drawn", len(now.Groups))
		case now.Trouble != "":
			text = "drawn, and you don't play: " + now.Trouble
		case g != nil:
			text = fmt.Sprintf("you play with %v", others(g, n.Account()))
			if left := now.StudyLeft(n.block()); left > 0 {
				text += fmt.Sprintf("; %d blocks are left to study what for", left)
			}
		default:
			now.Trouble = "the odd one out"
		}
		*r = *now
		return roundNews(now, "%s", text), nil
	})
	if err != nil {
		return err
	}
	if house {
		n.notifyAll(r)
	} else {
		n.keepOpponents(r)
	}
	return nil
}

// tendPlayer judges offers that came before the draw was known here, and gives a round up of which
// the house tells nothing more.
func (n *rounds) tendPlayer(ctx context.Context, r *Round) error {
	if !r.sealed() && r.Trouble == "" && n.expired(r) {
		return n.editRound(r.ID, func(r *Round) ([]Event, error) {
			r.Trouble = "the house has not said who plays, or has left you out"
			return roundNews(r, "you don't play: %s", r.Trouble), nil
		})
	}
	list, err := n.offers.Offers()
	if err != nil {
		return err
	}
	for i := range list {
		o := &list[i]
		if o.State != OfferOpen {
			continue
		}
		if of, is := n.roundOf(o); is && of.ID == r.ID {
			known := *r
			err = errors.Join(err, n.offers.inTime(o.ID, func() error { return n.judgeOffer(ctx, &known, o) }))
		}
	}
	return err
}

// tendGroup takes a group whose channel is offered on: the house proposes the match, and when that
// is over, or does not come, whoever sees it first closes the channel. A side that does not answer
// is dealt with as in any channel.
func (n *rounds) tendGroup(ctx context.Context, r *Round, i int, g RoundGroup) error {
	switch g.State {
	case GroupDrawn:
		if r.Terms.House != n.Account() && n.expired(r) {
			return n.drop(r.ID, i, "the house has not opened its channel in time")
		}
	case GroupOffered:
		return n.tendOpening(ctx, r, i, g)
	case GroupPlaying:
		list, err := n.channels.Results()
		if err != nil {
			return err
		}
		paid := slices.ContainsFunc(list, func(res Result) bool { return res.Channel == g.Channel && res.Paid })
		never := !n.playedIn(g.Channel) && n.now() >= g.Since+r.Terms.Window
		if !paid && !never {
			return nil
		}
		g.State = GroupClosing
		if err := n.channels.CloseChannel(g.Channel); err != nil && !errors.Is(err, channel.ErrFrozen) && !errors.Is(err, ErrEnded) {
			return err
		}
		return n.setGroup(r.ID, i, g, "the match is over, closing channel %s", g.Channel)
	case GroupClosing:
		c, err := n.channels.Channel(g.Channel)
		if err != nil {
			return err
		}
		if c.Status == ChannelEnded {
			g.State = GroupDone
			return n.setGroup(r.ID, i, g, "channel %s is paid out", g.Channel)
		}
	}
	return nil
}

// tendOpening waits for a group's channel.
func (n *rounds) tendOpening(ctx context.Context, r *Round, i int, g RoundGroup) error {
	o, err := n.offers.offer(g.Offer)
	switch {
	case errors.Is(err, ErrUnknownOffer) && g.Channel != (common.Hash{}):
		// the channel is open, and the offer forgotten: newer ones came
	case err != nil:
		return err
	case o.State == OfferDeclined || o.State == OfferLapsed:
		return n.unopened(ctx, r, i, g, &o)
	case g.Channel == (common.Hash{}) && complete(&o.Terms):
		// what is proposed in it is judged by the round from its first moment on
		g.Channel = o.Terms.ID(n.domain)
		if err := n.setGroup(r.ID, i, g, "group %d opens channel %s", i+1, g.Channel); err != nil {
			return err
		}
	}
	c, err := n.channels.Channel(g.Channel)
	if errors.Is(err, ErrUnknownChannel) || c.Status == ChannelOpening {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Status == ChannelOpen && r.Terms.House == n.Account() && !n.proposedIn(g.Channel) {
		if err := n.proposeRound(r, &g); err != nil {
			return err
		}
	}
	g.State = GroupPlaying
	return n.setGroup(r.ID, i, g, "channel %s is open, the match can start", g.Channel)
}
