package box9

import (
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
)

// lookback is how many blocks back BLOCKHASH reaches on every chain, with or without EIP-2935.
const lookback = 256

// keepAfter is how many blocks after the round's its hash is recorded for good when the draw isn't
// signed by all.
const keepAfter = lookback / 2

// goOnAfter is how many blocks after the round's the house opens the next one though the draw isn't
// signed by all: by then the hash is kept.
const goOnAfter = keepAfter + 32

// forgotten is how many blocks after the round's is the last in which any chain remembers its hash,
// but for what was recorded of it: EIP-2935.
const forgotten = 8191

// Chance makes the draw as soon as the hash is known and it can be shown how the round counts.
// Where it can't, or the chain may have forgotten the hash, the chain's clock decides.
func (player) Chance(t seat) (Move, bool, error) {
	s := &t.State
	hash, known := s.hash(t.Context)
	if !known {
		return nil, false, games.ErrNotYet
	}
	counts := s.shown(t.Context)
	if counts == Void || t.Context.Facts.Head() >= s.Block+forgotten {
		return nil, false, nil
	}
	return Reveal{counts, hash}, true, nil
}

// houseFirst is how many blocks players leave to the house to have closed bets recorded.
const houseFirst = 2

// Post has the closed bets recorded before their block when a signature lacks: otherwise who
// withholds it decides after the draw whether the round counts. The house does so at once when
// nobody signs any more, players who bet houseFirst blocks later: theirs may be mined in each of
// the blocks that are left, three at the least margin.
func (player) Post(t seat) *games.Posting {
	s := &t.State
	if s.Phase != Drawing || t.Context.Facts == nil || signedByAll(t) || t.Context.Recorded != 0 {
		return nil
	}
	from := signBefore(t.Params, *s)
	if t.Seat != House {
		if s.Bets[t.Seat] == 0 {
			return nil // a void round costs it nothing
		}
		from += houseFirst
	}
	// what is sent now is in the next block at the earliest
	if head := t.Context.Facts.Head(); head < from || head+1 >= s.Block {
		return nil
	}
	why := fmt.Sprintf("not every seat signs the bets of block %d: once recorded before it, they count", s.Block)
	return &games.Posting{Why: why, From: from, Before: s.Block}
}

// Upkeep has the round's hash recorded for good while not every seat has signed what follows from
// it.
func (player) Upkeep(t seat) *games.Call {
	s := &t.State
	if s.Phase == Betting || s.Block == 0 || t.Context.Facts == nil || s.Phase != Drawing && signedByAll(t) {
		return nil
	}
	head := t.Context.Facts.Head()
	if head < s.Block+keepAfter || head >= s.Block+forgotten {
		return nil
	}
	c := &games.Call{
		Data: bindings.NewBox9().PackRecord(new(big.Int).SetUint64(s.Block)),
		Why:  fmt.Sprintf("keep the hash of block %d, which a draw depends on", s.Block),
	}
	if before := s.Block + lookback; head < before {
		c.Before = before
	}
	return c
}

func signedByAll(t seat) bool {
	all := uint16(1<<len(t.State.Pocket) - 1)
	return t.Context.Signed&all == all
}
