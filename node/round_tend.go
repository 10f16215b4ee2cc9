package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// tendRounds takes every round on as far as the chain has come.
func (n *Node) tendRounds(ctx context.Context) error {
	list, err := n.Rounds()
	if err != nil {
		return err
	}
	for i := range list {
		if r := &list[i]; !r.finished(n.Account()) && (r.Terms.House == n.Account() || r.Bet != nil) {
			err = errors.Join(err, n.tendRound(ctx, r))
		}
	}
	return err
}

func (n *Node) tendRound(ctx context.Context, r *Round) error {
	house := r.Terms.House == n.Account()
	if r.sealed() && r.Draw == (common.Hash{}) {
		if err := n.drawRound(ctx, r); err != nil {
			return err
		}
	}
	if house {
		if err := n.tendHouse(ctx, r); err != nil {
			return err
		}
	} else if err := n.tendPlayer(ctx, r); err != nil {
		return err
	}
	fresh, err := n.Round(r.ID)
	if err != nil {
		return err
	}
	for i := range fresh.Pairs {
		p := &fresh.Pairs[i]
		if !house && p.X.Player != n.Account() && p.Y.Player != n.Account() {
			continue
		}
		if err := n.tendPair(&fresh, i, *p); err != nil {
			return fmt.Errorf("round %s, pair %d: %w", r.ID.TerminalString(), i+1, err)
		}
	}
	return nil
}

// confirmations is how many blocks make one final.
func (n *Node) confirmations() uint64 {
	if c := n.config.Policy.Confirmations; c != 0 {
		return c
	}
	return 12
}

// drawRound groups the players once the block that shuffles is final.
func (n *Node) drawRound(ctx context.Context, r *Round) error {
	house := r.Terms.House == n.Account()
	if n.block() < r.Terms.Shuffle+n.confirmations()-1 || house && r.Trouble != "" {
		return nil
	}
	block, err := n.client.At(ctx, r.Terms.Shuffle)
	if err != nil {
		return err
	}
	err = n.editRound(r.ID, func(now *Round) ([]Event, error) {
		if now.Draw != (common.Hash{}) {
			return nil, nil
		}
		now.draw(block.Hash)
		p := now.Pair(n.Account())
		text := "you are the odd one out: nothing of yours was locked"
		switch {
		case house:
			text = fmt.Sprintf("%d pairs are drawn", len(now.Pairs))
		case now.Trouble != "":
			text = "drawn, and you don't play: " + now.Trouble
		case p != nil:
			text = fmt.Sprintf("you play with %s: %s against %s", other(p, n.Account()),
				n.amount(now.Terms.Asset, &p.X.Bet), n.amount(now.Terms.Asset, &p.Y.Bet))
		default:
			now.Trouble = "the odd one out"
		}
		*r = *now
		return roundNews(now, "%s", text), nil
	})
	if err == nil && house {
		n.notifyAll(r)
	}
	return err
}

// tendPlayer judges offers that came before the draw was known here.
func (n *Node) tendPlayer(ctx context.Context, r *Round) error {
	list, err := n.Offers()
	if err != nil {
		return err
	}
	for i := range list {
		o := &list[i]
		if of, is := n.roundOf(o); !o.Mine() && o.State == OfferOpen && is && of.ID == r.ID {
			err = errors.Join(err, n.judgeOffer(ctx, r, o))
		}
	}
	return err
}

// tendPair takes a pair whose channel is offered on: the house proposes the match, and when that is over, or does not come,
// whoever sees it first closes the channel. A side that does not answer is dealt with as in any channel.
func (n *Node) tendPair(r *Round, i int, p RoundPair) error {
	switch p.State {
	case PairOffered:
		return n.tendOpening(r, i, p)
	case PairPlaying:
		list, err := n.Results()
		if err != nil {
			return err
		}
		paid := slices.ContainsFunc(list, func(res Result) bool { return res.Channel == p.Channel && res.Paid })
		never := !n.playedIn(p.Channel) && n.now() >= p.Since+r.Terms.Window
		if !paid && !never {
			return nil
		}
		p.State = PairClosing
		if err := n.CloseChannel(p.Channel); err != nil && !errors.Is(err, channel.ErrFrozen) && !errors.Is(err, ErrEnded) {
			return err
		}
		return n.setPair(r.ID, i, p, "the match is over, closing channel %s", p.Channel)
	case PairClosing:
		if c, err := n.Channel(p.Channel); err != nil || c.Status != ChannelEnded {
			return err
		}
		p.State = PairDone
		return n.setPair(r.ID, i, p, "channel %s is paid out", p.Channel)
	}
	return nil
}

// tendOpening waits for a pair's channel.
func (n *Node) tendOpening(r *Round, i int, p RoundPair) error {
	o, err := n.offer(p.Offer)
	if err != nil {
		return err
	}
	if o.State == OfferDeclined || o.State == OfferLapsed {
		return n.drop(r.ID, i, fmt.Sprintf("its channel is %s: %s", o.State, o.Reason))
	}
	id := o.Terms.ID(n.domain)
	if p.Channel == (common.Hash{}) && complete(&o.Terms) { // what is proposed in it is judged by the round from its first moment on
		p.Channel = id
		if err := n.setPair(r.ID, i, p, "pair %d opens channel %s", i+1, id); err != nil {
			return err
		}
	}
	c, err := n.Channel(id)
	if errors.Is(err, ErrUnknownChannel) || err == nil && c.Status != ChannelOpen {
		return nil
	}
	if err == nil && r.Terms.House == n.Account() {
		err = n.proposeRound(r, &p)
	}
	if err != nil {
		return err
	}
	p.State = PairPlaying
	return n.setPair(r.ID, i, p, "channel %s is open, the match can start", id)
}
