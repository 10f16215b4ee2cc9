package node

import (
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

// ErrUnknownRound is returned for a round that this node has not heard of.
var ErrUnknownRound = errors.New("unknown round")

// Round is an organised round of a game, as the node of its house or of a player knows it. It may
// be a table (Terms.Table).
type Round struct {
	ID        common.Hash
	Game      string
	Terms     matchmaking.Round
	Signature protocol.Signature // of the house
	Entries   []matchmaking.Registration
	Seal      protocol.Signature // of the house, when registration is over; zero before
	// hash of the block that shuffles, once it is final; zero at a table
	Draw    common.Hash
	Groups  []RoundGroup // once they are known: see State
	Trouble string       // why this node takes no part any more

	// this player's; nil in the house's node and before it registers
	Own *matchmaking.Registration
	// the house's: accounts to which it pays subsidies that it has not earned
	Named []common.Address
	Reach []message.Peer // where players can be reached; a player's, as the house named them last
	Again uint32         // the house's: how many more rounds follow this one by themselves
	Span  uint64         // the house's: blocks from its opening until it closes

	rules games.Rounds // of the game; nil if this program does not have it
}

// RoundGroup is the players of a match and its state.
type RoundGroup struct {
	// by seat, from 1; at a table, those with whom its channel is being opened
	Players []matchmaking.Registration
	State   GroupState
	Offer   common.Hash // of the channel
	Channel common.Hash // zero before everybody accepted
	Since   uint64      // when the state changed, in the Arena's clock
	Named   bool        // the house pays the subsidy whether or not it has earned it
	Reason  string      // why it does not play
}

// GroupState says how far a group is.
type GroupState string

// The states of a group.
const (
	GroupDrawn   GroupState = "drawn"   // the channel is not there yet
	GroupOffered GroupState = "offered" // it is offered, or opening
	GroupPlaying GroupState = "playing" // its match is proposed or runs
	GroupClosing GroupState = "closing" // the match is over
	GroupDone    GroupState = "done"    // all is paid out
	GroupDropped GroupState = "dropped" // does not play, and nothing of it is locked
)

// State returns "open", "sealed" or "drawn" for a round, and "open" or "seated" for a table.
func (r *Round) State() string {
	switch {
	case !r.sealed():
		return "open"
	case r.Terms.Table():
		return "seated"
	case r.drawn():
		return "drawn"
	default:
		return "sealed"
	}
}

func (r *Round) sealed() bool { return r.Seal != (protocol.Signature{}) }

// drawn reports whether the groups are known.
func (r *Round) drawn() bool {
	return r.Draw != (common.Hash{}) || r.Terms.Table() && r.sealed()
}

// Stakes returns what the house and the players of a group lock and stake, by seat.
func (r *Round) Stakes(g *RoundGroup) ([]uint256.Int, error) {
	if r.rules == nil {
		return nil, noRounds(r.Game)
	}
	list := make([]uint256.Int, games.House+1, 1+len(g.Players))
	for i := range g.Players {
		list = append(list, g.Players[i].Stake)
	}
	house, err := r.rules.House(r.Terms.Params, list[1:])
	if err != nil {
		return nil, err
	}
	list[games.House] = *house
	return list, nil
}

// MatchParams returns the parameters of a group's match, in the game's encoding.
func (r *Round) MatchParams(g *RoundGroup) ([]byte, error) {
	if r.rules == nil {
		return nil, noRounds(r.Game)
	}
	referrers := make([]uint8, len(g.Players))
	for i := range g.Players {
		referrers[i] = r.seat(g, g.Players[i].Referrer)
	}
	return r.rules.Params(r.Terms.Params, referrers)
}

// Preview shows what a group will play for, as an account's seat sees it; nil if the game has
// nothing to show.
func (r *Round) Preview(g *RoundGroup, account common.Address) (games.View, error) {
	stakes, err := r.Stakes(g)
	if err != nil {
		return nil, err
	}
	return r.rules.Preview(r.Terms.Params, stakes, r.seat(g, account))
}

// StudyLeft returns how many blocks are left to study what the groups play for, given the chain's
// newest block: 0 before they are known.
func (r *Round) StudyLeft(block uint64) uint64 {
	if begins := r.Terms.Begins(); r.drawn() && block < begins {
		return begins - block
	}
	return 0
}

// seat returns the seat of a group's player, the house's of anybody else.
func (r *Round) seat(g *RoundGroup, account common.Address) uint8 {
	return uint8(1 + slices.Index(g.players(), account)) //nolint:gosec // at most games.MaxSeats
}

func noRounds(game string) error {
	return fmt.Errorf("%w: there are no rounds of %q", games.ErrUnknownGame, game)
}

const roundMemoPrefix = "round "

// roundMemo is the memo of a round's offers.
func roundMemo(id common.Hash) string { return roundMemoPrefix + id.Hex() }

// Group returns an account's group, or nil.
func (r *Round) Group(account common.Address) *RoundGroup {
	i := slices.IndexFunc(r.Groups, func(g RoundGroup) bool { return matchmaking.Registered(g.Players, account) })
	if i < 0 {
		return nil
	}
	return &r.Groups[i]
}

// players are a group's accounts, by seat, from 1.
func (g *RoundGroup) players() (list []common.Address) {
	for i := range g.Players {
		list = append(list, g.Players[i].Player)
	}
	return list
}

// draw groups the sealed list, by the hash of the round's block if it has one.
func (r *Round) draw(block common.Hash) {
	list := r.Entries
	if !r.Terms.Table() {
		list = matchmaking.Shuffle(r.ID, block, r.Entries)
	}
	r.Draw, r.Groups = block, nil
	for _, players := range r.Terms.Groups(list) {
		r.Groups = append(r.Groups, RoundGroup{Players: players, State: GroupDrawn})
	}
}

// rounds are those that this node's house organises, and those that its player registers for.
type rounds struct {
	*core
	*funds
	channels *channels
	offers   *offers

	records records[Round] // locked never while the chain, a session or the user is asked
	// that were asked for their rounds since the start, and how often they answered; with records
	// held
	houses map[common.Address]int
}

func newRounds(c *core, f *funds, channels *channels, offers *offers) *rounds {
	return &rounds{
		core: c, funds: f, channels: channels, offers: offers, records: records[Round]{base: c.base, prefix: roundPrefix, unknown: ErrUnknownRound},
		houses: map[common.Address]int{},
	}
}

// VerifyRound checks signatures, limits and the seal of a round and, once the groups are known,
// that they follow from the list and the chain's block. It asks the chain.
func (n *rounds) VerifyRound(ctx context.Context, id common.Hash) (Round, error) {
	r, err := n.Round(id)
	if err != nil {
		return r, err
	}
	if err := n.checkRound(n.authority(), &r.Terms, r.Signature, nil, r.Entries, r.Seal); err != nil {
		return r, err
	}
	if !r.drawn() {
		return r, nil
	}
	fresh := Round{ID: r.ID, Terms: r.Terms, Entries: r.Entries}
	var hash common.Hash
	if !r.Terms.Table() {
		block, err := n.drive.Client.At(ctx, r.Terms.Shuffle)
		if err != nil {
			return r, err
		}
		hash = block.Hash
	}
	fresh.draw(hash)
	if hash != r.Draw || len(fresh.Groups) != len(r.Groups) {
		return r, fmt.Errorf("%w: block %d does not group the players so", protocol.ErrTerms, r.Terms.Shuffle)
	}
	for i := range r.Groups {
		if !r.within(&r.Groups[i], &fresh.Groups[i]) {
			return r, fmt.Errorf("%w: block %d does not make group %d so", protocol.ErrTerms, r.Terms.Shuffle, i+1)
		}
	}
	return r, nil
}

// within reports whether a group is another without those who did not come: in the same order, and
// still enough.
func (r *Round) within(g, all *RoundGroup) bool {
	same := func(a, b matchmaking.Registration) bool { return a.Same(&b) }
	return len(g.Players) >= int(r.Terms.Fewest) && slices.EqualFunc(all.keep(g.players()), g.Players, same)
}

// keep returns those of a group's players who are among some accounts.
func (g *RoundGroup) keep(accounts []common.Address) []matchmaking.Registration {
	return slices.DeleteFunc(slices.Clone(g.Players), func(e matchmaking.Registration) bool { return !slices.Contains(accounts, e.Player) })
}

// checkRound checks what a house says of a round. Registrations that were checked before are taken
// as they are.
func (n *rounds) checkRound(a protocol.Authority, t *matchmaking.Round, sig protocol.Signature, checked, entries []matchmaking.Registration, seal protocol.Signature) error {
	id := t.ID(n.domain)
	game, err := n.drive.Game(t.Rules)
	if err != nil {
		return err
	}
	if game.Rounds == nil {
		return noRounds(game.Name)
	}
	if err := errors.Join(t.Check(), checkGroups(t, game), game.Rounds.Check(t.Params)); err != nil {
		return n.written(t.Asset, err)
	}
	if err := sig.Verify(id, t.House); err != nil {
		return fmt.Errorf("round %s: %w", id.TerminalString(), err)
	}
	if err := t.CheckRegistrations(a, checked, entries); err != nil {
		return err
	}
	if seal == (protocol.Signature{}) {
		return nil
	}
	return seal.Verify(matchmaking.SealDigest(n.domain, id, entries), t.House)
}

// checkGroups refuses rounds whose players the game does not group so.
func checkGroups(t *matchmaking.Round, game games.Game) error {
	switch of := game.Rounds.Groups(); {
	case t.Table() && of.Shuffled:
		return fmt.Errorf("%w: the players of %s are shuffled", protocol.ErrTerms, game.Name)
	case !t.Table() && !of.Shuffled:
		return fmt.Errorf("%w: the players of %s are not shuffled", protocol.ErrTerms, game.Name)
	case t.Fewest < of.Fewest || t.Seats > of.Most:
		return fmt.Errorf("%w: %s is played in groups of %d to %d", protocol.ErrTerms, game.Name, of.Fewest, of.Most)
	}
	return nil
}

// keptRounds is how many rounds of others a node remembers, and how many of its own that are over.
const keptRounds = 256

// Rounds returns the rounds that this node organises or has heard of, by the block that closes
// them. Nobody may change what they point to. An alarm says that some can't be read.
func (n *rounds) Rounds() ([]Round, error) {
	list, err := n.allRounds()
	return list, n.records.readable(err)
}

// allRounds is Rounds for those who must not lack one: it fails with errUnreadable, too.
func (n *rounds) allRounds() ([]Round, error) {
	list, err := n.records.known()
	for i := range list {
		list[i].rules = n.roundsOf(list[i].Game)
	}
	slices.SortStableFunc(list, func(a, b Round) int { return cmp.Compare(a.Terms.Closes, b.Terms.Closes) })
	return list, err
}

// Round returns one round.
func (n *rounds) Round(id common.Hash) (Round, error) {
	r, err := n.records.get(id)
	if err != nil {
		return Round{}, err
	}
	r.rules = n.roundsOf(r.Game)
	return *r, nil
}

// roundsOf returns how a game is played in rounds, nil if it isn't, or if this program does not
// have it.
func (n *rounds) roundsOf(game string) games.Rounds {
	g, err := n.config.Games.Find(game)
	if err != nil {
		return nil
	}
	return g.Rounds
}

// editRound changes a round durably, and tells what happened with it. An error of the change
// changes nothing.
func (n *rounds) editRound(id common.Hash, change func(*Round) ([]Event, error)) error {
	n.records.Lock()
	defer n.records.Unlock()
	r, err := n.Round(id)
	if err != nil {
		return err
	}
	events, err := change(&r)
	if err != nil {
		return err
	}
	return n.saveRound(&r, events...)
}

func (n *rounds) saveRound(r *Round, events ...Event) error {
	return n.records.save(r.ID, r, events...)
}

func roundNews(r *Round, format string, a ...any) []Event {
	what := "round"
	if r.Terms.Table() {
		what = "table"
	}
	return []Event{{Kind: RoundNews, Text: fmt.Sprintf(what+" %s: "+format, append([]any{r.ID}, a...)...)}}
}

// staked reports whether the player agreed in advance to every seat's stake in a channel: a round
// of this player's or of this house calls for it, and whoever registers agrees to all stakes.
func (n *rounds) staked(id common.Hash) bool {
	list, err := n.Rounds()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(list, func(r Round) bool { return n.calls(&r, id) })
}

// calls reports whether a round calls for a channel.
func (n *rounds) calls(r *Round, id common.Hash) bool {
	return slices.ContainsFunc(r.Groups, func(g RoundGroup) bool { return n.opens(&g, id) })
}

// opens reports whether a channel is a group's. Its offer may be forgotten by now.
func (n *rounds) opens(g *RoundGroup, id common.Hash) bool {
	if g.Channel == id {
		return true
	}
	o, err := n.offers.offer(g.Offer)
	return err == nil && o.Terms.ID(n.domain) == id
}
