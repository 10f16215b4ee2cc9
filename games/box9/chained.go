package box9

import (
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
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

// Chance makes the draw as soon as it is known what the chain says of the round, and it can be
// shown how that counts. Where it can't, or the chain may have forgotten the hash, the chain's
// clock decides.
func (player) Chance(t seat) (Move, bool, error) {
	s := &t.State
	d, known := s.fate(t.Context)
	if !known {
		return nil, false, games.ErrNotYet
	}
	counts, bets := s.shown(t.Context, t.Params, d)
	if counts == Void || t.Context.Facts.Head() >= s.Block+forgotten {
		return nil, false, nil
	}
	return Reveal{counts, d.hash, bets}, true, nil
}

// Upkeep has the closed bets noted when not every seat signs them, and then the hash of their block
// recorded.
func (player) Upkeep(t seat) *games.Call {
	if t.Context.Facts == nil {
		return nil
	}
	if c := noteBets(t); c != nil {
		return c
	}
	return keepHash(t)
}

// keepHash has the round's hash recorded for good while not every seat has signed what follows from
// it, or the house has not closed what is noted.
func keepHash(t seat) *games.Call {
	s, sure := &t.State, t.Context.Facts.Sure()
	var needed bool
	switch s.Phase {
	case Drawing:
		needed = true
	case Betting:
		needed = isNoted(t)
	default:
		needed = s.Block != 0 && !signedByAll(t)
	}
	if !needed || t.Context.Facts.Head() < s.Block+keepAfter || sure >= s.Block+forgotten {
		return nil
	}
	c := &games.Call{
		Data: bindings.NewBox9().PackRecord(new(big.Int).SetUint64(s.Block)),
		Gas:  contracts.Gas()["box9_record"],
		Why:  fmt.Sprintf("keep the hash of block %d, which a draw depends on", s.Block),
	}
	if before := s.Block + lookback; sure < before {
		c.Before = before
	}
	return c
}

// isNoted reports whether the round's bets are known to be noted.
func isNoted(t seat) bool {
	word, _ := t.Context.Facts.Noted(t.State.noteKey(t.Context), t.State.Block)
	return word != common.Hash{}
}

func signedByAll(t seat) bool {
	all := uint16(1<<len(t.State.Pocket) - 1)
	return t.Context.Signed&all == all
}
