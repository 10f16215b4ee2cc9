package box9

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// lookback is how many blocks back BLOCKHASH reaches on every chain, with or without EIP-2935.
const lookback = 256

// keepAfter is how many blocks after the round's its hash is recorded for good when the draw isn't
// signed by all.
const keepAfter = lookback / 2

// nextKeeps is how many blocks a seat leaves to the one before it to have the hash recorded.
const nextKeeps = 2

// goOnAfter is how many blocks after the round's the house opens the next one though the draw isn't
// signed by all: by then the hash is kept.
const goOnAfter = keepAfter + 32

// forgotten is how many blocks after the round's is the last in which any chain remembers its hash,
// but for what was recorded of it: EIP-2935.
const forgotten = 8191

// Chance makes the draw as soon as it is known what the chain says of the round, and it can be
// shown how that counts. Where it can't, where the chain may have forgotten the hash, or where the
// block is further away than the house had to put it, the chain's clock decides.
func (player) Chance(t seat) (Move, bool, error) {
	s := &t.State
	d, known := s.fate(t.Context)
	if !known {
		if isFar(t) || t.Context.Facts != nil && isPast(t.Context.Facts.Sure(), s.Block, forgotten) {
			return nil, false, nil
		}
		return nil, false, games.ErrNotYet
	}
	counts, bets := s.shown(t.Context, t.Params, d)
	if counts == Void || isPast(t.Context.Facts.Head(), s.Block, forgotten) {
		return nil, false, nil
	}
	return Reveal{counts, d.hash, bets}, true, nil
}

// isFar reports whether the round's block is further away than the house had to name it: nobody
// waits for that.
func isFar(t seat) bool {
	f, block := t.Context.Facts, t.State.Block
	return f != nil && block > f.Head() && block-f.Head() > ahead(t.Params)+roundEvery
}

// isPast reports whether a head is so many blocks after another block, whose number is the house's
// choice.
func isPast(head, block, by uint64) bool { return head >= by && head-by >= block }

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
		needed = mayBeNoted(t)
	default:
		needed = s.Block != 0 && !signedByAll(t)
	}
	from := keepAfter + uint64(t.Seat)*nextKeeps
	if !needed || !isPast(t.Context.Facts.Head(), s.Block, from) || isPast(sure, s.Block, forgotten) {
		return nil
	}
	c := &games.Call{
		Data: bindings.NewBox9().PackRecord(new(big.Int).SetUint64(s.Block)),
		Gas:  contracts.Gas["box9_record"],
		Why:  fmt.Sprintf("keep the hash of block %d, which a draw depends on", s.Block),
		Slot: keptIn(s.Block),
	}
	if before := s.Block + lookback; sure < before {
		c.Before = before
	}
	return c
}

// keptIn is the contract's slot that keeps the hash of a block: its first variable is the mapping.
func keptIn(block uint64) common.Hash {
	return crypto.Keccak256Hash(appendWord(appendWord(nil, binary.BigEndian.AppendUint64(nil, block)), nil))
}

// mayBeNoted reports whether the round's bets are noted, as far as is known.
func mayBeNoted(t seat) bool {
	word, known := t.Context.Facts.Noted(t.State.noteKey(t.Context), t.State.Block)
	return !known || word != common.Hash{}
}

func signedByAll(t seat) bool {
	all := uint16(1<<len(t.State.Pocket) - 1)
	return t.Context.Signed&all == all
}
