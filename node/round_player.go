package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// AskRounds asks a house for its open rounds, and waits until it has sent all of them or the
// context ends. They are then in Rounds.
func (n *rounds) AskRounds(ctx context.Context, house common.Address) error {
	n.records.Lock()
	before := n.houses[house]
	n.houses[house] = before // from now on the house's answers are counted
	n.records.Unlock()
	if err := n.send(house, message.RoundQuery{}); err != nil {
		return err
	}
	return n.Wait(ctx, func() (bool, error) {
		n.records.Lock()
		defer n.records.Unlock()
		return n.houses[house] > before, nil
	})
}

// receiveRoundEnd notes that a house has answered.
func (n *rounds) receiveRoundEnd(from common.Address) {
	n.records.Lock()
	if _, asked := n.houses[from]; asked {
		n.houses[from]++
	}
	n.records.Unlock()
	n.log.wake()
}

// Register registers for a round with a stake, and at a table with the player who referred this
// one, if any, who must be registered there already. By registering, the player agrees to one match
// with the group that the round assigns. The node accepts the channel and the match by itself if
// they match the round's terms; the moves stay the player's choice. It fails with ErrFunds when the
// bank does not hold the stake.
func (n *rounds) Register(ctx context.Context, id common.Hash, stake *uint256.Int, referrer common.Address) error {
	n.untilRead(ctx)
	if err := n.blind(); err != nil {
		return err
	}
	known, err := n.Round(id)
	if err != nil {
		return err
	}
	if err := n.offers.checkWindow(known.Terms.Window); err != nil {
		return err
	}
	free, err := n.BankBalance(ctx, known.Terms.Asset)
	if err != nil {
		return err
	}
	if free.Lt(stake) {
		return fmt.Errorf("%w: the bank balance of %s is %s, less than the stake; deposit first", ErrFunds, n.Account(), n.amount(known.Terms.Asset, free))
	}
	e := matchmaking.Registration{Player: n.Account(), Stake: *stake, Referrer: referrer, Deputy: n.deputy.Load()}
	if referrer == known.Terms.House || referrer == e.Player {
		e.Referrer = common.Address{}
	}
	if e.Signature, err = n.config.Player.Sign(e.Digest(n.domain, id)); err != nil {
		return fmt.Errorf("sign the registration: %w", err)
	}
	// which may ask the chain, so that no round is locked yet
	invalid := known.Terms.CheckRegistration(n.authority(), &e)
	var join message.RoundJoin
	err = n.editRound(id, func(r *Round) ([]Event, error) {
		// it may try once more
		refused := r.Trouble != "" && !matchmaking.Registered(r.Entries, e.Player)
		switch {
		case r.sealed() || n.block() >= r.Terms.Closes:
			return nil, n.tooLate(r)
		case r.Own != nil && !refused && (!r.Own.Stake.Eq(stake) || r.Own.Referrer != e.Referrer):
			return nil, fmt.Errorf("%w: you have registered with %s already", ErrDeclined, n.amount(r.Terms.Asset, &r.Own.Stake))
		case e.Referrer != (common.Address{}) && !matchmaking.Registered(r.Entries, e.Referrer):
			return nil, fmt.Errorf("%w: the referrer %s is not registered there", ErrDeclined, e.Referrer)
		case invalid != nil:
			return nil, n.written(r.Terms.Asset, invalid)
		}
		r.Own, r.Trouble, join = &e, "", n.joining(id, &e)
		return roundNews(r, "you register with %s", n.amount(r.Terms.Asset, stake)), nil
	})
	if err != nil {
		return err
	}
	if err := n.send(known.Terms.House, join); err != nil {
		n.config.Log.Info("the registration will be sent when the house connects", "round", id, "error", err)
	}
	return nil
}

func (n *rounds) joining(id common.Hash, e *matchmaking.Registration) message.RoundJoin {
	return message.RoundJoin{RoundID: id, Entry: *e, Addresses: n.reachable(message.MaxPeerAddresses)}
}

// registerAgain sends the houses registrations that are not in their lists yet: they were lost, or
// came when the house was busy. Where the list should be sealed by now, the house is reminded of
// that: its seal was lost, or could not be checked.
func (n *rounds) registerAgain() error {
	list, err := n.Rounds()
	for i := range list {
		r := &list[i]
		closed, listed := n.block() >= r.Terms.Closes, matchmaking.Registered(r.Entries, n.Account())
		if r.Own == nil || r.sealed() || r.Trouble != "" || listed != closed || closed && n.block() >= r.Terms.Shuffle {
			continue
		}
		if err := n.send(r.Terms.House, n.joining(r.ID, r.Own)); err != nil {
			n.config.Log.Debug("the registration will be sent when the house connects", "round", r.ID, "error", err)
		}
	}
	return err
}

// askedRounds reports whether a house was asked for its rounds.
func (n *rounds) askedRounds(house common.Address) bool {
	n.records.Lock()
	defer n.records.Unlock()
	_, asked := n.houses[house]
	return asked
}

// receiveNotice takes in what a house says of its round: nothing that it has not signed, and no
// other list once one is sealed. A seal that comes when the block that shuffles may be known
// already could have been chosen by it, and is refused.
func (n *rounds) receiveNotice(from common.Address, m message.RoundNotice) error {
	if m.Round.House != from || from == n.Account() {
		return fmt.Errorf("%w: a round of another house", ErrUnknownRound)
	}
	id := m.Round.ID(n.domain)
	known, err := n.Round(id)
	if err != nil && !n.askedRounds(from) {
		return err
	}
	who := n.who(from)
	who.Friend = true // the user asked for its rounds
	a, err := n.checkedFor(who, 2+matchmaking.Unchecked(known.Entries, m.Entries))
	if err != nil {
		return err
	}
	if err := n.checkRound(a, &m.Round, m.Signature, known.Entries, m.Entries, m.Seal); err != nil {
		return err
	}
	if err := n.learnRound(id, from, &m); err != nil {
		return err
	}
	late, err := n.sealedLate(who, &known, &m)
	if err != nil {
		return err
	}
	err = n.editRound(id, func(r *Round) (events []Event, err error) {
		if m.Refusal != "" && r.Trouble == "" && r.Own != nil {
			r.Trouble = m.Refusal
			events = roundNews(r, "the house says: %s", m.Refusal)
		}
		if r.sealed() {
			if m.Seal != (protocol.Signature{}) && matchmaking.SealDigest(n.domain, id, m.Entries) != matchmaking.SealDigest(n.domain, id, r.Entries) {
				return nil, fmt.Errorf("%w: the house sealed two lists of round %s", protocol.ErrTerms, id.TerminalString())
			}
			return events, nil
		}
		if m.Seal == (protocol.Signature{}) {
			// else it was overtaken by newer news: nobody is taken off the list
			if len(m.Entries) >= len(r.Entries) {
				r.Entries = m.Entries
			}
			return events, nil
		}
		r.Entries = m.Entries
		r.Seal = m.Seal
		if r.Terms.Table() {
			r.draw(common.Hash{})
		}
		switch {
		case r.Own == nil:
		case late:
			r.Trouble = "the list of players was sealed too late: the house could have chosen it by the draw"
		case !slices.ContainsFunc(r.Entries, func(e matchmaking.Registration) bool { return e.Same(r.Own) }):
			r.Trouble = "the house has left you out"
		case r.Terms.Table() && r.Group(n.Account()) == nil:
			r.Trouble = "too few players: nothing of yours was locked"
		}
		events = append(events, roundNews(r, "registration is over, %d players", len(r.Entries))...)
		if r.Trouble != "" {
			events = append(events, roundNews(r, "you don't play: %s", r.Trouble)...)
		}
		return events, nil
	})
	if err != nil || len(m.Peers) == 0 || known.Own == nil {
		return err
	}
	err = n.editRound(id, func(r *Round) ([]Event, error) {
		if r.sealed() {
			r.Reach = m.Peers
		}
		known = *r
		return nil, nil
	})
	if err == nil {
		n.keepOpponents(&known)
	}
	return err
}

// keepOpponents has connections kept to those of a round whom this player plays with. They are of
// its group, which the draw decides: from the sealed list a house could name ever others. Until
// there is a channel with them they count with those whose channels are over: they may never come.
func (n *rounds) keepOpponents(r *Round) {
	g := r.Group(n.Account())
	if g == nil {
		return
	}
	var kept []common.Address
	for _, p := range r.Reach {
		if !slices.Contains(others(g, n.Account()), p.Account) {
			continue
		}
		if err := n.net.Keep(p.Account, p.Addresses...); err != nil {
			n.config.Log.Info("opponent not kept", "round", r.ID, "opponent", p.Account, "error", err)
			continue
		}
		kept = append(kept, p.Account)
	}
	n.partFrom(kept)
}

// sealedLate reports whether the block that shuffles may be known when the seal of a round comes.
// The chain is asked now: a house needs but a moment to choose a list, and the newest block that
// was read may be older than that.
func (n *rounds) sealedLate(who budget.Who, r *Round, m *message.RoundNotice) (bool, error) {
	if r.sealed() || m.Round.Table() || m.Seal == (protocol.Signature{}) {
		return false, nil
	}
	if n.block() >= m.Round.Shuffle {
		return true, nil
	}
	ctx, err := n.askFor(who, 1)
	if err != nil {
		return false, err
	}
	newest, err := n.drive.Client.Highest(ctx)
	return newest >= m.Round.Shuffle, err
}

// openRounds is how many rounds of one house that this player has not entered are remembered while
// they are open.
const openRounds = 16

// learnRound remembers a round of a house that was asked.
func (n *rounds) learnRound(id common.Hash, house common.Address, m *message.RoundNotice) error {
	n.records.Lock()
	defer n.records.Unlock()
	if _, err := n.Round(id); !errors.Is(err, ErrUnknownRound) {
		return err
	}
	if err := n.forgetRounds(house); err != nil {
		return err
	}
	list, err := n.Rounds()
	if err != nil {
		return err
	}
	open := 0
	for i := range list {
		if r := &list[i]; r.Terms.House == house && r.Own == nil && n.block() < r.Terms.Closes {
			open++
		}
	}
	if open >= openRounds { // one house must not take the room of all others
		return fmt.Errorf("%w: %d open rounds of %s are known already", ErrBusy, open, house)
	}
	game, err := n.drive.Game(m.Round.Rules)
	if err != nil {
		return err
	}
	r := Round{ID: id, Game: game.Name, rules: game.Rounds, Terms: m.Round, Signature: m.Signature}
	return n.saveRound(&r, roundNews(&r, "%s takes stakes of %s to %s until block %d", house, n.amount(r.Terms.Asset, &r.Terms.Least),
		n.amount(r.Terms.Asset, &r.Terms.Most), r.Terms.Closes)...)
}

// forgetRounds makes room for another round of a house's. Those are forgotten that closed before
// this player entered or heard of their seal and, of the others of which nothing more comes, the
// oldest. Where something may come of all, one makes room for a house of which none is known.
// Rounds of this node's own are not forgotten: see forgetOwn.
func (n *rounds) forgetRounds(house common.Address) error {
	list, err := n.Rounds()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(r Round) bool { return r.Terms.House == n.Account() })
	changes := map[string][]byte{}
	for i := range list {
		r := &list[i]
		closed := n.block() >= r.Terms.Closes
		over := (r.Own == nil || r.Trouble != "") && closed || r.finished(n.Account())
		missed := r.Own == nil && !r.sealed() && closed
		if missed || over && len(list)-len(changes) >= keptRounds {
			changes[n.records.key(r.ID)] = nil
		}
	}
	if len(list)-len(changes) >= keptRounds {
		yields := yieldsTo(list, house)
		if yields == nil {
			return fmt.Errorf("%w: %d rounds are known already", ErrBusy, len(list))
		}
		changes[n.records.key(yields.ID)] = nil
	}
	return n.config.Store.Commit(changes)
}

// yieldsTo returns the round that makes room for the first of a house, nil if none does: of those
// that this player has not entered the oldest of the house with the most.
func yieldsTo(list []Round, house common.Address) (yields *Round) {
	held := map[common.Address]int{}
	for i := range list {
		if list[i].Own == nil {
			held[list[i].Terms.House]++
		}
	}
	for i := range list {
		r := &list[i]
		if held[house] == 0 && r.Own == nil && (yields == nil || held[r.Terms.House] > held[yields.Terms.House]) {
			yields = r
		}
	}
	return yields
}

// resendRounds repeats to an account that just connected what it may have missed.
func (n *rounds) resendRounds(account common.Address) error {
	list, err := n.Rounds()
	for i := range list {
		r := &list[i]
		switch {
		case r.Terms.House == n.Account():
			if matchmaking.Registered(r.Entries, account) && !r.finished(n.Account()) {
				n.notify(r, "", account)
			}
		case r.Terms.House == account && r.Own != nil && !r.sealed() && r.Trouble == "":
			err = errors.Join(err, n.send(account, n.joining(r.ID, r.Own)))
		}
	}
	return err
}

// finished reports that nothing more will come of a round for an account.
func (r *Round) finished(account common.Address) bool {
	over := func(g *RoundGroup) bool { return g.State == GroupDone || g.State == GroupDropped }
	if r.Terms.House == account {
		return r.Again == 0 && (r.Trouble != "" || r.drawn() && !slices.ContainsFunc(r.Groups, func(g RoundGroup) bool { return !over(&g) }))
	}
	g := r.Group(account)
	return r.drawn() && (g == nil || over(g) || r.Trouble != "" && g.Offer == (common.Hash{}))
}

// roundOf returns the round that an offer is made for, if this player is registered for it.
func (n *rounds) roundOf(o *Offer) (Round, bool) {
	name, is := strings.CutPrefix(o.Memo, roundMemoPrefix)
	if !is {
		return Round{}, false
	}
	r, err := n.Round(common.HexToHash(name))
	return r, err == nil && r.Own != nil && r.Terms.House == o.Terms.Players[0]
}

// answer returns how to answer an offer that a round calls for, nil for any other.
func (n *rounds) answer(o *Offer) func(context.Context) error {
	r, is := n.roundOf(o)
	if !is {
		return nil
	}
	return func(ctx context.Context) error { return n.judgeOffer(ctx, &r, o) }
}

// registered reports whether the player registered with the offerer for the round that an offer
// follows from, which pays for its questions.
func (n *rounds) registered(o *Offer) bool {
	_, is := n.roundOf(o)
	return is
}

// judgeOffer accepts a round's channel if it is that of this player's group, and declines any
// other. Before the group is known, while its players study what they play for, while an earlier
// attempt can still succeed, and while it can be opened for too long, it waits.
func (n *rounds) judgeOffer(ctx context.Context, r *Round, o *Offer) error {
	if r.Trouble == "" && (!r.drawn() || n.block() < r.Terms.Begins()) {
		return nil
	}
	g := r.Group(n.Account())
	if r.Trouble != "" || g == nil || n.expired(r) {
		return n.offers.Decline(o.ID, "this is not the channel that the round drew")
	}
	next, fits := r.offers(g, o)
	switch {
	case fits && g.State == GroupOffered && g.Offer != o.ID && len(next.Players) < len(g.Players):
		return nil
	case !fits || g.State != GroupDrawn && g.Offer != o.ID:
		return n.offers.Decline(o.ID, "this is not the channel that the round drew")
	case n.opensLate(o, r.openWithin(&next)):
		return nil // nobody who registers agrees to be ready then
	}
	if g.Offer != o.ID {
		i := slices.IndexFunc(r.Groups, func(other RoundGroup) bool { return other.Players[0].Same(&g.Players[0]) })
		next.State, next.Offer = GroupOffered, o.ID
		if err := n.setGroup(r.ID, i, next, "your channel with %s and %v is the one that was drawn", o.Terms.Players[0], others(&next, n.Account())); err != nil {
			return err
		}
	}
	return n.offers.acceptOffer(ctx, o.ID)
}

// others are the players of a group but one.
func others(g *RoundGroup, account common.Address) []common.Address {
	return slices.DeleteFunc(g.players(), func(a common.Address) bool { return a == account })
}

// offers reports whether an offer is that of a group's channel, or of what is left of the group,
// which it returns.
func (r *Round) offers(g *RoundGroup, o *Offer) (RoundGroup, bool) {
	next := *g
	next.Players = g.keep(o.Terms.Players[1:])
	stakes, err := r.Stakes(&next)
	return next, err == nil && r.within(&next, g) && slices.Equal(o.Terms.Players[1:], next.players()) &&
		slices.Equal(o.Terms.Deposits, stakes) && o.Terms.Asset == r.Terms.Asset && o.Terms.Window == r.Terms.Window
}

// judge says that in a channel of a round the match that was drawn is played, once. The house
// proposes it, and plays no other there: what a channel brings counts as the round's, and decides
// whether the next subsidy is earned.
func (n *rounds) judge(p *Proposal) verdict {
	list, err := n.Rounds()
	if err != nil {
		return notArranged
	}
	for i := range list {
		r := &list[i]
		if r.Terms.House == n.Account() && n.calls(r, p.Channel) {
			return disapproved
		}
		g := r.Group(n.Account())
		if r.Own == nil || g == nil || !n.opens(g, p.Channel) {
			continue
		}
		stakes, err := r.Stakes(g)
		if err != nil || len(p.Matches) != 1 {
			return disapproved
		}
		params, err := r.MatchParams(g)
		m := &p.Matches[0]
		if err == nil && m.Rules == r.Terms.Rules && bytes.Equal(m.Params, params) && slices.Equal(m.Stakes, stakes) &&
			slices.Equal(m.Seats, everySeat(len(stakes))) && !n.playedIn(p.Channel) {
			return approved
		}
		return disapproved
	}
	return notArranged
}

// everySeat are the seats of a channel with so many.
func everySeat(n int) []uint8 {
	seats := make([]uint8, n)
	for i := range seats {
		seats[i] = uint8(i) //nolint:gosec // at most games.MaxSeats
	}
	return seats
}

// playedIn reports whether a match was locked in a channel.
func (n *rounds) playedIn(channelID common.Hash) bool {
	if slices.ContainsFunc(n.channels.Matches(), func(m Match) bool { return m.Channel == channelID }) {
		return true
	}
	list, err := n.channels.allResults()
	return err != nil || slices.ContainsFunc(list, func(r Result) bool { return r.Channel == channelID })
}
