package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrUnknownRound is returned for a round that this node has not heard of.
var ErrUnknownRound = errors.New("unknown round")

// Round is an organised round of Split or steal, as a node knows it: its house's, or a player's.
type Round struct {
	ID        common.Hash
	Terms     channel.Round
	Signature channel.Signature // of the house
	Entries   []channel.Registration
	Seal      channel.Signature // of the house, when registration is over; zero before
	Draw      common.Hash       // hash of the block that shuffles, once it is final
	Pairs     []RoundPair       // from then on; of a player's own node only its own
	Odd       bool              // a player's: it was left over, or left out; of the house: somebody was
	Trouble   string            // why this node takes no part any more

	Bet   *channel.Registration // this player's own; nil in the house's node and before it registers
	Named []common.Address      // the house's: accounts to which it pays subsidies that it has not earned
	Reach []channel.Peer        // the house's: where players can be reached
}

// RoundPair is two players of a round and how far they are.
type RoundPair struct {
	X, Y    channel.Registration
	State   PairState
	Offer   common.Hash // of the channel
	Channel common.Hash // zero before everybody accepted
	Since   uint64      // when the state changed, in the Arena's clock
	Named   bool        // the house pays the subsidy whether or not it has earned it
	Reason  string      // why it does not play
}

// PairState says how far a pair is.
type PairState string

// The states of a pair.
const (
	PairDrawn   PairState = "drawn"   // the channel is not there yet
	PairOffered PairState = "offered" // it is offered, or opening
	PairPlaying PairState = "playing" // its match is proposed or runs
	PairClosing PairState = "closing" // the match is over
	PairDone    PairState = "done"    // all is paid out
	PairDropped PairState = "dropped" // does not play, and nothing of it is locked
)

// State says how far the round is: open, sealed or drawn.
func (r *Round) State() string {
	switch {
	case r.Draw != (common.Hash{}):
		return "drawn"
	case r.sealed():
		return "sealed"
	default:
		return "open"
	}
}

func (r *Round) sealed() bool { return r.Seal != (channel.Signature{}) }

// Params are the matrix's.
func (r *Round) Params() (splitsteal.Params, error) {
	return splitsteal.Codec().DecodeParams(r.Terms.Params)
}

// Stakes is what the house and the two players of a pair lock and stake, by seat.
func (r *Round) Stakes(p *RoundPair) ([]uint256.Int, error) {
	params, err := r.Params()
	if err != nil {
		return nil, err
	}
	return []uint256.Int{*splitsteal.Subsidy(params, &p.X.Bet, &p.Y.Bet), p.X.Bet, p.Y.Bet}, nil
}

// roundMemo is the memo of a round's offers.
func roundMemo(id common.Hash) string { return "round " + id.Hex() }

// Pair returns an account's pair, nil if it has none.
func (r *Round) Pair(account common.Address) *RoundPair {
	i := slices.IndexFunc(r.Pairs, func(p RoundPair) bool { return p.X.Player == account || p.Y.Player == account })
	if i < 0 {
		return nil
	}
	return &r.Pairs[i]
}

// draw groups the sealed list by the hash of the round's block.
func (r *Round) draw(block common.Hash) {
	list := channel.Shuffle(r.ID, block, r.Entries)
	r.Draw, r.Odd = block, len(list)%2 == 1
	for i := 0; i+1 < len(list); i += 2 {
		r.Pairs = append(r.Pairs, RoundPair{X: list[i], Y: list[i+1], State: PairDrawn})
	}
}

// VerifyRound checks all of a round that can be checked: signatures, limits, the seal, and, once it is drawn, that the chain's
// block groups the players as shown. It asks the chain.
func (n *Node) VerifyRound(ctx context.Context, id common.Hash) (Round, error) {
	r, err := n.Round(id)
	if err != nil {
		return r, err
	}
	if err := n.checkRound(&r.Terms, r.Signature, r.Entries, r.Seal); err != nil {
		return r, err
	}
	if r.Draw == (common.Hash{}) {
		return r, nil
	}
	block, err := n.client.At(ctx, r.Terms.Shuffle)
	if err != nil {
		return r, err
	}
	fresh := Round{ID: r.ID, Entries: r.Entries}
	fresh.draw(block.Hash)
	if block.Hash != r.Draw || fresh.Odd != r.Odd || len(fresh.Pairs) != len(r.Pairs) {
		return r, fmt.Errorf("%w: block %d does not group the players so", channel.ErrTerms, r.Terms.Shuffle)
	}
	for i := range r.Pairs {
		if !fresh.Pairs[i].X.Same(&r.Pairs[i].X) || !fresh.Pairs[i].Y.Same(&r.Pairs[i].Y) {
			return r, fmt.Errorf("%w: block %d does not make pair %d so", channel.ErrTerms, r.Terms.Shuffle, i+1)
		}
	}
	return r, nil
}

// checkRound checks what a house says of a round.
func (n *Node) checkRound(t *channel.Round, sig channel.Signature, entries []channel.Registration, seal channel.Signature) error {
	id := t.ID(n.domain)
	if err := errors.Join(t.Check(), n.checkRoundGame(t)); err != nil {
		return err
	}
	if err := sig.Verify(id, t.House); err != nil {
		return fmt.Errorf("round %s: %w", id.TerminalString(), err)
	}
	if err := t.CheckRegistrations(n.authority(), entries); err != nil {
		return err
	}
	if seal == (channel.Signature{}) {
		return nil
	}
	return seal.Verify(channel.SealDigest(n.domain, id, entries), t.House)
}

// checkRoundGame refuses rounds of other games than Split or steal with the house in seat 0.
func (n *Node) checkRoundGame(t *channel.Round) error {
	if at, deployed := n.config.Rules[splitsteal.Name]; !deployed || at != t.Rules {
		return fmt.Errorf("%w: rounds are of %s only", games.ErrUnknownGame, splitsteal.Name)
	}
	p, err := splitsteal.Codec().DecodeParams(t.Params)
	if err == nil && p.House != 0 {
		err = fmt.Errorf("%w: the house of a round has seat 0", games.ErrParams)
	}
	return err
}

const roundPrefix = "round/"

// keptRounds is how many rounds of others a node remembers.
const keptRounds = 256

// Rounds returns the rounds that this node organises or has heard of, by the block that closes them.
func (n *Node) Rounds() ([]Round, error) {
	var list []Round
	err := n.config.Store.Scan(roundPrefix, "", func(key string, value []byte) error {
		var r Round
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		list = append(list, r)
		return nil
	})
	slices.SortStableFunc(list, func(a, b Round) int { return int(int64(a.Terms.Closes) - int64(b.Terms.Closes)) })
	return list, err
}

// Round returns one round.
func (n *Node) Round(id common.Hash) (Round, error) {
	var r Round
	value, err := n.config.Store.Get(roundPrefix + id.Hex())
	if err != nil {
		return r, err
	}
	if value == nil {
		return r, fmt.Errorf("%w: %s", ErrUnknownRound, id)
	}
	if err := json.Unmarshal(value, &r); err != nil {
		return r, fmt.Errorf("read %s: %w", roundPrefix+id.Hex(), err)
	}
	return r, nil
}

// editRound changes a round durably, and tells what happened with it. An error of the change changes nothing.
func (n *Node) editRound(id common.Hash, change func(*Round) ([]Event, error)) error {
	n.rounds.Lock()
	defer n.rounds.Unlock()
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

func (n *Node) saveRound(r *Round, events ...Event) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a round: %w", err)
	}
	return n.commit(map[string][]byte{roundPrefix + r.ID.Hex(): value}, events)
}

// roundNews is an event about a round.
func roundNews(r *Round, format string, a ...any) []Event {
	return []Event{{Kind: RoundNews, Text: fmt.Sprintf("round %s: "+format, append([]any{r.ID}, a...)...)}}
}

// Matrix shows what everybody of a pair gets by every choice, as an account sees it.
func (r *Round) Matrix(p *RoundPair, account common.Address) (splitsteal.View, error) {
	params, err := r.Params()
	if err != nil {
		return splitsteal.View{}, err
	}
	stakes, err := r.Stakes(p)
	if err != nil {
		return splitsteal.View{}, err
	}
	seat := max(0, slices.Index([]common.Address{r.Terms.House, p.X.Player, p.Y.Player}, account))
	return splitsteal.Preview(params, stakes, uint8(seat)) //nolint:gosec // 0..2
}
