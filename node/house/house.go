package house

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
)

// House carries out a policy: it answers each offer and proposal at once, with a reason if it
// refuses. Hook it into a node's policy with Join before the node starts, and let it Serve
// afterwards. It is safe for concurrent use.
type House struct {
	policy  *Policy
	catalog games.Catalog
	names   map[common.Address]string // of rules contracts
	log     *slog.Logger

	// answering is held (one token) while an offer is answered and the chain is asked. It is a
	// channel, since testing/synctest does not advance while a sync.Mutex is waited for.
	answering chan struct{}

	node atomic.Pointer[node.Node] // nil before Serve

	mu    sync.Mutex // guards what follows, and is never held while the node is called
	quiet map[common.Hash]quiet
}

// quiet is since when nothing has happened in a channel.
type quiet struct {
	version uint64
	since   time.Time
}

// Join makes a house of a policy, which answers for the node that is started with this
// configuration.
func Join(c *node.Config, p *Policy) *House {
	h := &House{
		policy: p, catalog: c.Games, names: map[common.Address]string{}, log: c.Log,
		answering: make(chan struct{}, 1), quiet: map[common.Hash]quiet{},
	}
	for name, at := range c.Rules {
		h.names[at] = name
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	c.Policy.Accept = func(o node.Offer) bool { h.answer(o); return false }
	c.Policy.Approve = func(p node.Proposal) bool { return h.judge(p) }
	c.Policy.Bot, c.Policy.Lends = true, &node.Lends{Asset: p.Asset, Least: p.least(c.Games)}
	return h
}

// Serve connects the house to its node, which has it answer what came before. If the policy loses
// money in the long run, an alarm stands until the node is closed; a game without a known bound is
// logged.
func (h *House) Serve(n *node.Node) error {
	losses, err := h.policy.Losses(h.catalog)
	if err != nil {
		return err
	}
	for i := range losses {
		why := h.policy.warning(&losses[i])
		if losses[i].Params != nil {
			n.Warn("the house's policy for "+losses[i].Game, "the house's policy loses money in the long run: "+why)
		} else {
			h.log.Warn("the house's policy may lose money", "why", why)
		}
	}
	h.node.Store(n)
	return n.JudgeAgain()
}

// patience is how long an answer may wait for the chain.
const patience = 30 * time.Second

// answer accepts an offer or declines it. One at a time: two offers must not use the same room.
func (h *House) answer(o node.Offer) {
	h.answering <- struct{}{}
	defer func() { <-h.answering }()
	n := h.node.Load()
	if n == nil {
		return // Serve will look at it
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := h.lend(ctx, n, &o)
	if err == nil {
		if err = n.Accept(ctx, o.ID); err == nil {
			h.log.Info("the house opens a channel", "player", o.Terms.Players[0], "offer", o.ID)
			return
		}
	}
	if errors.Is(err, node.ErrBlind) || errors.Is(err, node.ErrUnknownOffer) {
		return // the node asks again when it sees the chain; or it was answered meanwhile
	}
	h.log.Info("the house declines a channel", "player", o.Terms.Players[0], "offer", o.ID, "reason", err)
	if err := n.Decline(o.ID, reason(err)); err != nil && !errors.Is(err, node.ErrUnknownOffer) {
		h.log.Warn("an offer is neither accepted nor declined", "offer", o.ID, "error", err)
	}
}

// lend decides about an offer. What the player has is looked up last, and only for those whom the
// house would play with: the chain is asked at their cost.
func (h *House) lend(ctx context.Context, n *node.Node, o *node.Offer) error {
	now, err := h.standing(n, o)
	if err != nil {
		return err
	}
	if clock := n.Head().Clock; o.Terms.OpenBy > clock {
		now.Left = o.Terms.OpenBy - clock
	}
	now.Has = o.Terms.Deposits[0]
	if err := h.policy.Offer(h.catalog, o.Terms, o.Seat, now); err != nil {
		return err
	}
	has, err := n.Means(ctx, o.Terms.Asset, o.Terms.Players[0])
	if err != nil {
		return err
	}
	now.Has = *has
	return h.policy.Offer(h.catalog, o.Terms, o.Seat, now)
}

// standing is how far the house's limits are used up, but for a channel that is about to be
// replaced. It fails with node.ErrUnknownOffer when the offer waits no more: the same is answered
// twice where it comes again while those that waited for the chain are gone through.
func (h *House) standing(n *node.Node, o *node.Offer) (money.Loan, error) {
	offers, err := n.Offers()
	if err != nil {
		return money.Loan{}, err
	}
	if !slices.ContainsFunc(offers, func(now node.Offer) bool { return now.ID == o.ID && now.State == node.OfferOpen }) {
		return money.Loan{}, node.ErrUnknownOffer
	}
	t := tally{asset: h.policy.Asset, player: o.Terms.Players[0], domain: n.Domain(), clock: n.Head().Sure}
	channels := slices.DeleteFunc(n.Channels(), func(c node.Channel) bool { return c.ID == o.Replaces })
	return t.sum(offers, channels), nil
}

// judge reports whether to play what is proposed, and refuses it otherwise.
func (h *House) judge(p node.Proposal) bool {
	n := h.node.Load()
	if n == nil {
		return false // Serve will look at it
	}
	err := h.matches(n, p)
	if err == nil {
		return true
	}
	h.log.Info("the house refuses a match", "channel", p.Channel, "reason", err)
	if err := n.Refuse(p.Channel, p.Version, reason(err)); err != nil {
		h.log.Info("a proposal has lapsed", "channel", p.Channel, "error", err)
	}
	return false
}

func (h *House) matches(n *node.Node, p node.Proposal) error {
	c, err := n.Channel(p.Channel)
	if err != nil {
		return err
	}
	if c.Terms.Asset != h.policy.Asset {
		return refuse("the house plays for %s only", assetName(h.policy.Asset))
	}
	for _, m := range p.Matches {
		for seat, of := range m.Seats {
			if int(of) != c.Seat {
				continue
			}
			if err := h.policy.Match(h.catalog, h.names[m.Rules], m, seat); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sweep closes channels that have been without a match for longer than the policy allows. Call it
// from time to time.
func (h *House) Sweep(now time.Time) {
	n := h.node.Load()
	if n == nil || h.policy.Idle.Duration == 0 {
		return
	}
	for _, id := range h.idle(n.Channels(), now) {
		h.log.Info("the house closes an idle channel", "channel", id)
		if err := n.CloseChannel(id); err != nil { // which may have the house judge a proposal
			h.log.Warn("an idle channel can't be closed", "channel", id, "error", err)
		}
	}
}

// idle returns which channels have been without a match for too long.
func (h *House) idle(channels []node.Channel, now time.Time) (list []common.Hash) {
	h.mu.Lock()
	defer h.mu.Unlock()
	open := map[common.Hash]quiet{}
	for _, c := range channels {
		if c.Status != node.ChannelOpen || len(c.Ledger.Locks) > 0 {
			continue
		}
		q, known := h.quiet[c.ID]
		if !known || q.version != c.Ledger.Version {
			q = quiet{c.Ledger.Version, now}
		}
		if now.Sub(q.since) > h.policy.Idle.Duration {
			list = append(list, c.ID)
		}
		open[c.ID] = q
	}
	h.quiet = open
	return list
}

// reason is what the other side is told, short enough to be sent.
func reason(err error) string {
	text := err.Error()
	if !errors.Is(err, ErrRefused) {
		text = "the house can't: it has not enough free money, or trouble of its own"
		if errors.Is(err, node.ErrBusy) {
			text = "the house has looked up enough for you at the moment: come back in a minute"
		}
		if errors.Is(err, node.ErrFunds) {
			text = "the house has not enough free money: come back later"
		}
	}
	text = strings.TrimPrefix(text, fmt.Sprintf("%v: ", ErrRefused))
	return strings.ToValidUTF8(text[:min(len(text), node.MaxMemo)], "")
}
