package channel_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// The first byte of a move says what it does; whatever follows is noise that tells moves apart.
const (
	Pass byte = iota // the next seat moves
	Keep             // the same seat moves again
	Win              // the mover takes everything
	Lie              // the mover is convicted; the next seat takes everything
	Draw             // everybody gets their stakes back
	Fate             // the chain moves, then the next seat
)

// toyAddress is where tests say these rules are.
var toyAddress = common.HexToAddress("0x7075000000000000000000000000000000000001")

// toyLimit is the most moves of a match; the last one draws.
const toyLimit = 200

// A state is: seats, mover, moves made, result (0: none, 1: draw, 2+s: s takes all), guilty seat +
// 1, and a hash of the moves.
const toySize = 5 + 8

// toyRules are a tiny rule set: any number of seats, turns that may stay with a seat, pass on or go
// to the chain, and ends at will. Parameters must be empty.
type toyRules struct{}

var _ games.Rules = toyRules{}

// Start lets seat 0 begin.
func (toyRules) Start(c *games.Context) ([]byte, error) {
	if len(c.Params) > 0 || len(c.Stakes) < 2 {
		return nil, fmt.Errorf("%w: parameters or seats", games.ErrIllegal)
	}
	state := make([]byte, toySize)
	state[0] = byte(len(c.Stakes))
	copy(state[5:], c.MatchID[:8])
	return state, nil
}

// Mover returns who moves.
func (toyRules) Mover(state []byte) (uint8, error) {
	if len(state) != toySize {
		return 0, fmt.Errorf("%w: state of %d bytes", games.ErrIllegal, len(state))
	}
	if state[3] != 0 {
		return games.Nobody, nil
	}
	return state[1], nil
}

// Play makes a move.
func (r toyRules) Play(_ *games.Context, state, move []byte) ([]byte, error) {
	mover, err := r.Mover(state)
	if err != nil {
		return nil, err
	}
	if mover == games.Nobody || len(move) == 0 || move[0] > Fate {
		return nil, fmt.Errorf("%w: move %x", games.ErrIllegal, move)
	}
	if mover == games.Chance && !bytes.Equal(move, []byte{Pass}) {
		return nil, fmt.Errorf("%w: chance moves in one way only", games.ErrIllegal)
	}
	next := bytes.Clone(state)
	next[2]++
	h := sha256.Sum256(append(bytes.Clone(state), move...))
	copy(next[5:], h[:8])
	seat := mover
	if mover == games.Chance {
		seat = state[4] // where Fate left it
		next[4], next[1] = 0, seat
	}
	following := (seat + 1) % state[0]
	switch move[0] {
	case Pass:
		next[1] = following
	case Win:
		next[3] = 2 + seat
	case Lie:
		next[3], next[4] = 2+following, seat+1
	case Draw:
		next[3] = 1
	case Fate:
		next[1], next[4] = games.Chance, following
	}
	if next[2] >= toyLimit && next[3] == 0 {
		next[3], next[4] = 1, 0
	}
	return next, nil
}

// Expire lets the seat after the mover take everything; a silent chain draws.
func (r toyRules) Expire(_ *games.Context, state []byte) ([]byte, error) {
	mover, err := r.Mover(state)
	if err != nil {
		return nil, err
	}
	next := bytes.Clone(state)
	switch mover {
	case games.Nobody:
		return nil, fmt.Errorf("%w: it is over", games.ErrIllegal)
	case games.Chance:
		next[3], next[4] = 1, 0
	default:
		next[3] = 2 + (mover+1)%state[0]
	}
	return next, nil
}

// Outcome pays the winner, or everybody back.
func (r toyRules) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	var out games.Outcome
	if mover, err := r.Mover(state); err != nil || mover != games.Nobody || int(state[0]) != len(stakes) {
		return out, fmt.Errorf("%w: not over", games.ErrIllegal)
	}
	out.Payouts = make([]uint256.Int, len(stakes))
	if state[3] == 1 {
		copy(out.Payouts, stakes)
		return out, nil
	}
	winner := &out.Payouts[state[3]-2]
	for i := range stakes {
		winner.Add(winner, &stakes[i])
	}
	if state[4] != 0 {
		out.Guilty = 1 << (state[4] - 1)
		copy(out.Reason[:], "lie")
	}
	return out, nil
}

// toyResolver finds the rules at toyAddress.
type toyResolver struct{}

// Rules returns these rules, for toyAddress only.
func (toyResolver) Rules(a common.Address) (games.Rules, error) {
	if a != toyAddress {
		return nil, fmt.Errorf("no rules at %s: install them", a)
	}
	return toyRules{}, nil
}
