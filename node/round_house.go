package node

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// RoundRequest says what round to organise.
type RoundRequest struct {
	Game   string
	Params []byte         // JSON; what it leaves out takes its default
	Asset  common.Address // of the stakes; zero for ETH
	Least  uint256.Int    // stake of a player
	Most   uint256.Int
	Fewest uint8  // players of a group; 0: the least that the game can do with
	Seats  uint8  // the most players of a group; 0: the most that the game has room for
	Window uint64 // of the channels, in the Arena's clock
	Closes uint64 // block from which on nobody registers any more
	// block whose hash groups the players, later than Closes; 0: all play at one table
	Shuffle uint64
	Study   uint64 // blocks from then on in which no channel is opened; none at a table
	// Named are accounts that this house knows to be different people: it pays the subsidy of their
	// groups in advance. All other groups are paid from what earlier rounds earned, or don't play.
	Named []common.Address
	// Again is how many more rounds like it follow by themselves, each opened for as many blocks
	// when the one before it closes: not when that is full, else who fills each uses them all up.
	Again uint32
}

// OpenRound opens a round for registration and returns its id. The node does the rest by itself,
// block by block.
func (n *rounds) OpenRound(r RoundRequest) (common.Hash, error) {
	game, rules, err := n.deployed(r.Game)
	if err != nil {
		return common.Hash{}, err
	}
	if game.Rounds == nil {
		return common.Hash{}, noRounds(r.Game)
	}
	params, err := game.Params.Encode(r.Params)
	if err != nil {
		return common.Hash{}, err
	}
	groups := game.Rounds.Groups()
	round := Round{Game: r.Game, rules: game.Rounds, Named: r.Named, Terms: matchmaking.Round{House: n.Account(), Rules: rules, Params: game.Rounds.Announce(params), Asset: r.Asset,
		Least: r.Least, Most: r.Most, Fewest: cmp.Or(r.Fewest, groups.Fewest), Seats: cmp.Or(r.Seats, groups.Most), Window: r.Window, Closes: r.Closes, Shuffle: r.Shuffle, Study: r.Study}, Again: r.Again}
	now := n.block()
	if r.Closes <= now {
		return common.Hash{}, fmt.Errorf("%w: registration must close after block %d", protocol.ErrTerms, now)
	}
	if err := n.offers.checkWindow(r.Window); err != nil {
		return common.Hash{}, err
	}
	round.Span = r.Closes - now
	if n.config.Owner != nil {
		return common.Hash{}, fmt.Errorf("%w: a house signs at every block that needs it: give it an account whose key its node holds", ErrDeclined)
	}
	if err := n.signRound(&round); err != nil {
		return common.Hash{}, err
	}
	if err := n.checkRound(n.authority(), &round.Terms, round.Signature, nil, nil, protocol.Signature{}); err != nil {
		return common.Hash{}, err
	}
	n.records.Lock()
	defer n.records.Unlock()
	changes := map[string][]byte{}
	if err := errors.Join(n.records.put(changes, round.ID, &round), n.forgetOwn(changes)); err != nil {
		return common.Hash{}, err
	}
	return round.ID, n.commit(changes, opened(&round))
}

// signRound gives a round its id and its house's signature.
func (n *rounds) signRound(r *Round) (err error) {
	if err := n.random(r.Terms.Salt[:]); err != nil {
		return err
	}
	r.ID = r.Terms.ID(n.domain)
	if r.Signature, err = n.config.Player.Sign(r.ID); err != nil {
		return fmt.Errorf("sign the round: %w", err)
	}
	return nil
}

func opened(r *Round) []Event {
	return roundNews(r, "open for registration until block %d", r.Terms.Closes)
}

// receiveJoin registers a player for a round of this house, and tells all players of it.
func (n *rounds) receiveJoin(from common.Address, m message.RoundJoin) error {
	if err := n.charge(n.budgets.registrations, from, 1); err != nil {
		return err
	}
	now, err := n.Round(m.RoundID)
	if err != nil {
		return err
	}
	if now.Terms.House != n.Account() || m.Entry.Player != from {
		return fmt.Errorf("%w: %s", ErrUnknownRound, m.RoundID)
	}
	if matchmaking.Registered(now.Entries, from) { // a registration once made stays
		n.notify(&now, "", from)
		return nil
	}
	if err := n.enter(&now, m); err != nil {
		if errors.Is(err, ErrDeclined) {
			n.notify(&now, message.Clip(err.Error()), from)
		}
		return err
	}
	n.notifyAll(&now) // all see all stakes
	return nil
}

// enter puts a registration into a round's list, the cheap checks first, and into now the round
// with it.
func (n *rounds) enter(now *Round, m message.RoundJoin) error {
	if err := n.takes(now, &m.Entry); err != nil {
		return err
	}
	from := m.Entry.Player
	a, err := n.checkedFor(n.who(from), 1)
	if err != nil {
		return err
	}
	if err := now.Terms.CheckRegistration(a, &m.Entry); err != nil {
		return err
	}
	ctx, err := n.askFor(n.who(from), 1)
	if err != nil {
		return err
	}
	free, err := n.Bank(ctx, now.Terms.Asset, from)
	if err != nil {
		return err
	}
	if free.Lt(&m.Entry.Stake) { // who registers under many names must have it many times
		return fmt.Errorf("%w: your bank balance is %s, less than the stake", ErrDeclined, n.amount(now.Terms.Asset, free))
	}
	return n.editRound(now.ID, func(r *Round) ([]Event, error) {
		at, found := slices.BinarySearchFunc(r.Entries, from, func(e matchmaking.Registration, a common.Address) int { return bytes.Compare(e.Player[:], a[:]) })
		if found { // it was sent twice
			*now = *r
			return nil, nil
		}
		if err := n.takes(r, &m.Entry); err != nil {
			return nil, err
		}
		r.Entries = slices.Insert(slices.Clone(r.Entries), at, m.Entry)
		r.Reach = append(r.Reach, message.Peer{Account: from, Addresses: m.Addresses})
		*now = *r
		return roundNews(r, "%s registers with %s", from, n.amount(r.Terms.Asset, &m.Entry.Stake)), nil
	})
}

// takes refuses a registration that comes too late or finds no room, or whose referrer is not
// registered.
func (n *rounds) takes(r *Round, e *matchmaking.Registration) error {
	switch {
	case r.sealed() || n.block() >= r.Terms.Closes:
		return n.tooLate(r)
	case len(r.Entries) >= r.Terms.Room():
		return fmt.Errorf("%w: %d players are registered already", ErrDeclined, len(r.Entries))
	case e.Referrer != (common.Address{}) && !matchmaking.Registered(r.Entries, e.Referrer):
		return fmt.Errorf("%w: the referrer %s is not registered", ErrDeclined, e.Referrer)
	}
	return nil
}

// tooLate says why nobody enters a round any more, and which one does take players.
func (n *rounds) tooLate(r *Round) error {
	why := fmt.Sprintf("registration is over since block %d", r.Terms.Closes)
	if n.block() < r.Terms.Closes {
		why = "all places are taken, and it has begun"
	}
	list, err := n.Rounds()
	next := slices.IndexFunc(list, func(other Round) bool {
		return other.Terms.House == r.Terms.House && other.Game == r.Game && !other.sealed() && n.block() < other.Terms.Closes
	})
	switch {
	case next >= 0:
		why += fmt.Sprintf("; %s takes players until block %d", list[next].ID.Hex()[:10], list[next].Terms.Closes)
	case r.Again > 0:
		why += fmt.Sprintf("; the next opens at block %d", r.Terms.Closes)
	default:
		why += "; ask its house for another"
	}
	return errors.Join(fmt.Errorf("%w: %s", ErrDeclined, why), err)
}

// receiveRoundQuery tells of the rounds that are open.
func (n *rounds) receiveRoundQuery(from common.Address) error {
	if err := n.charge(n.budgets.queries, from, 1); err != nil {
		return err
	}
	list, err := n.Rounds()
	for i := range list {
		if r := &list[i]; r.Terms.House == n.Account() && !r.drawn() && n.allows(n.budgets.queries, from) {
			n.notify(r, "", from)
		}
	}
	return errors.Join(err, n.send(from, message.RoundEnd{}))
}

// notify tells an account how a round stands, and a player where those are whom it plays with.
func (n *rounds) notify(r *Round, refusal string, to common.Address) {
	m := message.RoundNotice{Round: r.Terms, Signature: r.Signature, Entries: r.Entries, Seal: r.Seal, Refusal: refusal}
	g := r.Group(to)
	if g != nil {
		for _, peer := range r.Reach {
			if peer.Account != to && matchmaking.Registered(g.Players, peer.Account) {
				m.Peers = append(m.Peers, peer)
			}
		}
	}
	switch {
	case g != nil && g.State == GroupDropped:
		m.Refusal = message.Clip(g.Reason)
	case g == nil && r.Terms.Table() && r.drawn() && m.Refusal == "":
		m.Refusal = n.unseated(r, to)
	}
	if err := n.send(to, m); err != nil {
		n.config.Log.Info("a round's news will be told when the player connects", "round", r.ID, "player", to, "error", err)
	}
}

// tendHouse takes the next steps of a round of this house.
func (n *rounds) tendHouse(ctx context.Context, r *Round) error {
	if !r.sealed() && (n.block() >= r.Terms.Closes || len(r.Entries) == r.Terms.Room()) {
		if err := n.sealRound(r.ID); err != nil {
			return err
		}
	}
	errs := n.followRound(r.ID) // the next one may not keep this one from being played
	for i := range r.Groups {
		if r.Groups[i].State != GroupDrawn || n.block() < r.Terms.Begins() {
			continue
		}
		if err := n.offerGroup(ctx, r, i); err != nil {
			errs = errors.Join(errs, fmt.Errorf("round %s, group %d: %w", r.ID.TerminalString(), i+1, err))
		}
	}
	return errs
}

// sealRound signs the list of players: before any endpoint has told the block that shuffles it, or
// when the table is full.
func (n *rounds) sealRound(id common.Hash) error {
	var sealed Round
	err := n.editRound(id, func(r *Round) (_ []Event, err error) {
		if !r.Terms.Table() && n.drive.Facts.Head() >= r.Terms.Shuffle {
			r.Trouble = "the house was away when it had to seal the list"
		}
		if r.Seal, err = n.config.Player.Sign(matchmaking.SealDigest(n.domain, r.ID, r.Entries)); err != nil {
			return nil, fmt.Errorf("seal the round: %w", err)
		}
		if r.Terms.Table() {
			r.draw(common.Hash{})
		}
		sealed = *r
		return roundNews(r, "registration is over, %d players", len(r.Entries)), nil
	})
	if err != nil {
		return err
	}
	n.notifyAll(&sealed)
	return nil
}

func (n *rounds) notifyAll(r *Round) {
	for _, e := range r.Entries {
		n.notify(r, "", e.Player)
	}
}

// drop gives up a group before any of its money is locked.
func (n *rounds) drop(id common.Hash, i int, why string) error {
	r, err := n.Round(id)
	if err != nil {
		return err
	}
	g := r.Groups[i]
	g.State, g.Reason = GroupDropped, why
	if err := n.setGroup(id, i, g, "group %d does not play: %s", i+1, why); err != nil {
		return err
	}
	if r.Terms.House != n.Account() {
		n.partFrom(g.players())
		return nil
	}
	return n.notifyLeftOut(id, &g, nil)
}

// setGroup stores how far a group is.
func (n *rounds) setGroup(id common.Hash, i int, g RoundGroup, format string, a ...any) error {
	return n.editRound(id, func(r *Round) ([]Event, error) {
		g.Since = n.now()
		r.Groups[i] = g
		return roundNews(r, format, a...), nil
	})
}

// proposeRound proposes a group's match once its channel is open.
func (n *rounds) proposeRound(r *Round, g *RoundGroup) error {
	stakes, err := r.Stakes(g)
	if err != nil {
		return err
	}
	encoded, err := r.MatchParams(g)
	if err != nil {
		return err
	}
	game, _, err := n.deployed(r.Game)
	if err != nil {
		return err
	}
	params, err := game.Params.Decode(encoded)
	if err != nil {
		return fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return n.channels.proposeMatch(g.Channel, MatchRequest{Game: r.Game, Params: params, Stakes: stakes})
}

// proposedIn reports whether this node has proposed a match in a channel, or one was locked there.
// A crash may have kept that from being noted in the round.
func (n *rounds) proposedIn(channelID common.Hash) bool {
	return slices.ContainsFunc(n.channels.Proposed(), func(p Proposal) bool { return p.Channel == channelID }) || n.playedIn(channelID)
}
