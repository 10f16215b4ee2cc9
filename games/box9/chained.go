package box9

import (
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
)

// keepAfter is how many blocks after the round's its hash is recorded for good when the draw isn't signed by all: half of
// what the EVM remembers on every chain, with or without EIP-2935.
const keepAfter = 128

// Chance makes the draw as soon as the hash is known. It makes a void one only if it is this seat's own signature that lacks,
// or when the chain will judge: otherwise the signatures may still be on their way.
func (player) Chance(t seat, forced bool) (Move, bool, error) {
	hash, known := t.State.hash(t.Context)
	if !known {
		return nil, false, nil
	}
	counts := t.State.counts(t.Context)
	own := t.State.about()&^t.Context.Signed&(1<<t.Seat) != 0
	if counts == Void && !own && !forced && t.Context.Recorded == 0 {
		return nil, false, nil
	}
	return Reveal{counts, hash}, true, nil
}

// Post has the closed bets recorded before their block when a signature lacks. The house does so at once when nobody signs
// any more; players give it half the margin.
func (player) Post(t seat) string {
	s := &t.State
	if s.Phase != Drawing || t.Context.Facts == nil || signedByAll(t) || t.Context.Recorded != 0 {
		return ""
	}
	from := signBefore(t.Params, *s)
	if t.Seat != House {
		from += uint64(t.Params.Margin) / 2
	}
	if head := t.Context.Facts.Head(); head < from || head >= s.Block {
		return ""
	}
	return fmt.Sprintf("not every seat signs the bets of block %d: once recorded before it, they count", s.Block)
}

// Upkeep has the round's hash recorded for good while not every seat has signed what follows from it.
func (player) Upkeep(t seat) *games.Call {
	s := &t.State
	if s.Phase == Betting || s.Block == 0 || t.Context.Facts == nil || t.Context.Facts.Head() < s.Block+keepAfter {
		return nil
	}
	if s.Phase != Drawing && signedByAll(t) {
		return nil
	}
	return &games.Call{
		Data: bindings.NewBox9().PackRecord(new(big.Int).SetUint64(s.Block)),
		Why:  fmt.Sprintf("keep the hash of block %d, which a draw depends on", s.Block),
	}
}

func signedByAll(t seat) bool {
	all := uint16(1<<len(t.State.Pocket) - 1)
	return t.Context.Signed&all == all
}
