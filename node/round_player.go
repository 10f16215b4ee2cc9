package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// AskRounds asks a house for its open rounds. They come as they come: see Rounds.
func (n *Node) AskRounds(house common.Address) error {
	n.rounds.Lock()
	n.houses[house] = true
	n.rounds.Unlock()
	return n.send(house, channel.RoundQuery{})
}

// Register bets in a round. By that the player agrees to play one match of it against whoever the draw pairs it with, and its
// node accepts the channel and the match by itself, if they are what was drawn; the choice stays the player's. It fails with
// ErrFunds when the bank does not hold the bet.
func (n *Node) Register(ctx context.Context, id common.Hash, bet *uint256.Int) error {
	known, err := n.Round(id)
	if err != nil {
		return err
	}
	free, err := n.BankBalance(ctx, known.Terms.Asset)
	if err != nil {
		return err
	}
	if free.Lt(bet) {
		return fmt.Errorf("%w: the bank balance of %s is %s, less than the bet; deposit first", ErrFunds, n.Account(), n.amount(known.Terms.Asset, free))
	}
	var join channel.RoundJoin
	err = n.editRound(id, func(r *Round) ([]Event, error) {
		switch {
		case r.sealed() || n.block() >= r.Terms.Closes:
			return nil, fmt.Errorf("%w: registration is over since block %d", ErrDeclined, r.Terms.Closes)
		case r.Bet != nil && !r.Bet.Bet.Eq(bet):
			return nil, fmt.Errorf("%w: you have bet %s in this round already", ErrDeclined, r.Bet.Bet.Dec())
		}
		e := channel.Registration{Player: n.Account(), Bet: *bet, Deputy: n.spokesman()}
		sig, err := n.config.Player.Sign(channel.RegistrationDigest(n.domain, id, e.Player, bet))
		if err != nil {
			return nil, fmt.Errorf("sign the bet: %w", err)
		}
		e.Signature = sig
		if err := r.Terms.CheckRegistration(n.authority(), &e); err != nil {
			return nil, err
		}
		r.Bet, join = &e, n.joining(id, &e)
		return roundNews(r, "you bet %s", n.amount(r.Terms.Asset, bet)), nil
	})
	if err != nil {
		return err
	}
	if err := n.send(known.Terms.House, join); err != nil {
		n.config.Log.Info("the bet will be sent when the house connects", "round", id, "error", err)
	}
	return nil
}

func (n *Node) joining(id common.Hash, e *channel.Registration) channel.RoundJoin {
	addresses := n.net.Addresses()
	addresses = slices.DeleteFunc(slices.Clone(addresses), func(a string) bool { return len(a) > channel.MaxText })
	return channel.RoundJoin{RoundID: id, Entry: *e, Addresses: addresses[:min(len(addresses), channel.MaxPeerAddresses)]}
}

// askedRounds reports whether a house was asked for its rounds.
func (n *Node) askedRounds(house common.Address) bool {
	n.rounds.Lock()
	defer n.rounds.Unlock()
	return n.houses[house]
}

// receiveNotice takes in what a house says of its round: nothing that it has not signed, and no other list once one is
// sealed. A seal that comes when the block that shuffles may be known already could have been chosen by it, and is refused.
func (n *Node) receiveNotice(from common.Address, m channel.RoundNotice) error {
	if m.Round.House != from || from == n.Account() {
		return fmt.Errorf("%w: a round of another house", ErrUnknownRound)
	}
	id := m.Round.ID(n.domain)
	if _, err := n.Round(id); err != nil && !n.askedRounds(from) {
		return err
	}
	if err := n.checkRound(&m.Round, m.Signature, m.Entries, m.Seal); err != nil {
		return err
	}
	if err := n.learnRound(id, from, &m); err != nil {
		return err
	}
	return n.editRound(id, func(r *Round) (events []Event, err error) {
		for _, p := range m.Peers {
			if err := n.net.Keep(p.Account, p.Addresses...); err != nil {
				n.config.Log.Info("opponent not kept", "round", id, "opponent", p.Account, "error", err)
			}
		}
		if m.Refusal != "" && r.Trouble == "" && r.Bet != nil {
			r.Trouble = m.Refusal
			events = roundNews(r, "the house says: %s", m.Refusal)
		}
		if r.sealed() {
			if m.Seal != (channel.Signature{}) && channel.SealDigest(n.domain, id, m.Entries) != channel.SealDigest(n.domain, id, r.Entries) {
				return nil, fmt.Errorf("%w: the house sealed two lists of round %s", channel.ErrTerms, id.TerminalString())
			}
			return events, nil
		}
		r.Entries = m.Entries
		if m.Seal == (channel.Signature{}) {
			return events, nil
		}
		r.Seal = m.Seal
		switch {
		case r.Bet == nil:
		case n.block() >= r.Terms.Shuffle:
			r.Trouble = "the list of players was sealed too late: the house could have chosen it by the draw"
		case !slices.ContainsFunc(r.Entries, func(e channel.Registration) bool { return e.Same(r.Bet) }):
			r.Trouble = "the house has left you out"
		}
		events = append(events, roundNews(r, "registration is over, %d players", len(r.Entries))...)
		if r.Trouble != "" {
			events = append(events, roundNews(r, "you don't play: %s", r.Trouble)...)
		}
		return events, nil
	})
}

// learnRound remembers a round of a house that was asked.
func (n *Node) learnRound(id common.Hash, house common.Address, m *channel.RoundNotice) error {
	n.rounds.Lock()
	defer n.rounds.Unlock()
	if _, err := n.Round(id); !errors.Is(err, ErrUnknownRound) {
		return err
	}
	if err := n.forgetRounds(); err != nil {
		return err
	}
	r := Round{ID: id, Terms: m.Round, Signature: m.Signature}
	return n.saveRound(&r, roundNews(&r, "%s takes bets of %s to %s until block %d", house, n.amount(r.Terms.Asset, &r.Terms.Least),
		n.amount(r.Terms.Asset, &r.Terms.Most), r.Terms.Closes)...)
}

// forgetRounds makes room for another round of a house's: the oldest that nothing more comes of are forgotten. Rounds of this
// node's own are kept, as what they earned pays for others.
func (n *Node) forgetRounds() error {
	list, err := n.Rounds()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(r Round) bool { return r.Terms.House == n.Account() })
	changes := map[string][]byte{}
	for i := range list {
		r := &list[i]
		over := r.Bet == nil && n.block() >= r.Terms.Closes || r.finished(n.Account())
		if over && len(list)-len(changes) >= keptRounds {
			changes[roundPrefix+r.ID.Hex()] = nil
		}
	}
	if len(list)-len(changes) >= keptRounds {
		return fmt.Errorf("%w: %d rounds are known already", ErrBusy, len(list))
	}
	if len(changes) == 0 {
		return nil
	}
	return n.config.Store.Commit(changes)
}

// resendRounds repeats to an account that just connected what it may have missed.
func (n *Node) resendRounds(account common.Address) error {
	list, err := n.Rounds()
	for i := range list {
		r := &list[i]
		switch {
		case r.Terms.House == n.Account():
			if slices.ContainsFunc(r.Entries, func(e channel.Registration) bool { return e.Player == account }) && !r.finished(n.Account()) {
				n.notify(r, "", account)
			}
		case r.Terms.House == account && r.Bet != nil && !r.sealed() && r.Trouble == "":
			err = errors.Join(err, n.send(account, n.joining(r.ID, r.Bet)))
		}
	}
	return err
}

// finished reports that nothing more will come of a round for an account.
func (r *Round) finished(account common.Address) bool {
	over := func(p *RoundPair) bool { return p.State == PairDone || p.State == PairDropped }
	if r.Terms.House == account {
		return r.Trouble != "" || r.Draw != (common.Hash{}) && !slices.ContainsFunc(r.Pairs, func(p RoundPair) bool { return !over(&p) })
	}
	p := r.Pair(account)
	return r.Draw != (common.Hash{}) && (p == nil || over(p) || r.Trouble != "" && p.Offer == (common.Hash{}))
}

// roundOf returns the round that an offer is made for, if this player bets in it.
func (n *Node) roundOf(o *Offer) (Round, bool) {
	name, is := strings.CutPrefix(o.Memo, "round ")
	if !is {
		return Round{}, false
	}
	r, err := n.Round(common.HexToHash(name))
	return r, err == nil && r.Bet != nil && r.Terms.House == o.Terms.Players[0]
}

// judgeOffer accepts a round's channel if it is the one that was drawn, and declines any other. Before the draw it waits.
func (n *Node) judgeOffer(ctx context.Context, r *Round, o *Offer) error {
	if r.Draw == (common.Hash{}) && r.Trouble == "" {
		return nil
	}
	p := r.Pair(n.Account())
	if r.Trouble != "" || p == nil || p.Offer != (common.Hash{}) && p.Offer != o.ID || !r.offers(p, o) {
		return n.Decline(o.ID, "this is not the channel that the round drew")
	}
	i := slices.IndexFunc(r.Pairs, func(q RoundPair) bool { return q.X.Player == p.X.Player })
	next := *p
	next.State, next.Offer = PairOffered, o.ID
	if err := n.setPair(r.ID, i, next, "your channel with %s and %s is the one that was drawn", o.Terms.Players[0], other(p, n.Account())); err != nil {
		return err
	}
	return n.Accept(ctx, o.ID)
}

func other(p *RoundPair, account common.Address) common.Address {
	if p.X.Player == account {
		return p.Y.Player
	}
	return p.X.Player
}

// offers reports whether an offer is that of a pair's channel.
func (r *Round) offers(p *RoundPair, o *Offer) bool {
	stakes, err := r.Stakes(p)
	return err == nil && slices.Equal(o.Terms.Players, []common.Address{r.Terms.House, p.X.Player, p.Y.Player}) &&
		slices.Equal(o.Terms.Deposits, stakes) && o.Terms.Asset == r.Terms.Asset && o.Terms.Window == r.Terms.Window
}

// judgeRoundMatch says whether to play what is proposed in a round's channel; known is false in any other.
func (n *Node) judgeRoundMatch(p *Proposal) (known, play bool) {
	list, err := n.Rounds()
	if err != nil {
		return false, false
	}
	for i := range list {
		r := &list[i]
		pair := r.Pair(n.Account())
		if r.Bet == nil || pair == nil || pair.Offer == (common.Hash{}) {
			continue
		}
		if o, err := n.offer(pair.Offer); err != nil || o.Terms.ID(n.domain) != p.Channel {
			continue
		}
		stakes, err := r.Stakes(pair)
		if err != nil || len(p.Matches) != 1 {
			return true, false
		}
		m := &p.Matches[0]
		return true, m.Rules == r.Terms.Rules && string(m.Params) == string(r.Terms.Params) && slices.Equal(m.Stakes, stakes) &&
			slices.Equal(m.Seats, []uint8{0, 1, 2}) && !n.playedIn(p.Channel)
	}
	return false, false
}

// playedIn reports whether a match was locked in a channel.
func (n *Node) playedIn(channelID common.Hash) bool {
	if slices.ContainsFunc(n.Matches(), func(m Match) bool { return m.Channel == channelID }) {
		return true
	}
	list, err := n.Results()
	return err != nil || slices.ContainsFunc(list, func(r Result) bool { return r.Channel == channelID })
}
