package evm

import (
	"encoding/hex"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/holiman/uint256"
)

// What a contract returned is read as the Arena reads it, and refused where the Arena would call it
// a failure.

// word returns the i-th word as a number, which is the largest there is if the data ends before it.
func word(b []byte, i int) (w uint256.Int) {
	if len(b) < 32*i+32 {
		return *w.SetAllOne()
	}
	return *w.SetBytes32(b[32*i:])
}

// decodeNext reads (bytes next, uint8 mover).
func decodeNext(b []byte, seats int) ([]byte, uint8, error) {
	offset, length := word(b, 0), word(b, 2)
	if !offset.Eq(uint256.NewInt(0x40)) || !length.IsUint64() || length.Uint64() > uint64(len(b)-96) {
		return nil, 0, rubbish(b)
	}
	seat, err := decodeMover(b[32:], seats)
	if err != nil {
		return nil, 0, err
	}
	return append([]byte{}, b[96:96+length.Uint64()]...), seat, nil
}

// decodeMover reads a mover: one of so many seats, or none.
func decodeMover(b []byte, seats int) (uint8, error) {
	seat := word(b, 0)
	if !seat.LtUint64(uint64(seats)) && !seat.Eq(uint256.NewInt(uint64(games.Nobody))) && !seat.Eq(uint256.NewInt(uint64(games.Chance))) {
		return 0, rubbish(b)
	}
	return uint8(seat.Uint64()), nil
}

// decodeOutcome reads (uint256[] payouts, uint16 guilty, bytes32 reason).
func decodeOutcome(b []byte, stakes []uint256.Int) (games.Outcome, error) {
	offset, guilty, length := word(b, 0), word(b, 1), word(b, 3)
	n := len(stakes)
	if !offset.Eq(uint256.NewInt(0x60)) || !guilty.LtUint64(1<<n) || !length.Eq(uint256.NewInt(uint64(n))) || len(b) < 128+32*n {
		return games.Outcome{}, rubbish(b)
	}
	o := games.Outcome{Payouts: make([]uint256.Int, n), Guilty: uint16(guilty.Uint64()), Reason: [32]byte(b[64:96])}
	var paid, staked uint256.Int
	for i := range stakes {
		o.Payouts[i] = word(b, 4+i)
		_, overflow := staked.AddOverflow(&staked, &stakes[i])
		_, overflow2 := paid.AddOverflow(&paid, &o.Payouts[i])
		if overflow || overflow2 {
			return games.Outcome{}, fmt.Errorf("%w: stakes or payouts overflow 256 bits", games.ErrIllegal)
		}
	}
	if !paid.Eq(&staked) {
		return games.Outcome{}, fmt.Errorf("%w: the contract pays out %v of %v staked", games.ErrIllegal, &paid, &staked)
	}
	return o, nil
}

func rubbish(b []byte) error {
	return fmt.Errorf("%w: the contract returned rubbish: 0x%s", games.ErrIllegal, hex.EncodeToString(b[:min(len(b), 160)]))
}

// revertReason returns what a contract reverted with, for people: the beginning of a long text.
func revertReason(data []byte) string {
	if text, err := abi.UnpackRevert(data); err == nil {
		return fmt.Sprintf("%.200q", text)
	}
	return "0x" + hex.EncodeToString(data[:min(len(data), 68)])
}
