package money

import (
	"bytes"
	"math"

	"github.com/holiman/uint256"
)

// Market is the price of gas now, in wei per gas: the base fee of the newest block and the
// customary tip. Where two endpoints name different ones, what an answer is worth is judged by the
// lower; urgent bids use the higher tip, and all bids the higher base fee.
type Market struct {
	BaseFee, Tip uint64
	High         uint64 // the higher tip, if there are two
	// the lower and the higher base fee, where two endpoints tell different ones; else 0
	Cheap, Dear uint64
	// what a byte of a transaction costs besides the gas of what it does, in wei; 0 on most chains.
	// No bid has it.
	Byte uint64
	// that is charged as gas: a chain's estimates, and the limits that it takes, hold it
	InGas bool
}

// gasPerByte is how much gas a call takes for each byte that is left of it when it is compressed:
// those of the Arena take 80 at least, and none can take less than 40 (EIP-7623).
const gasPerByte = 64

// Data returns what the data that goes with a unit of gas costs, about, in wei.
func (m Market) Data() uint64 { return (min(m.Byte, Highest) + gasPerByte - 1) / gasPerByte }

// Bytes returns what the data of a transaction costs besides the gas of its call, at most, in wei.
// Chains charge for it compressed, which leaves little of zeros; what is around the call is
// counted.
func (m Market) Bytes(call []byte) uint256.Int {
	const envelope = 200
	other := len(call) - bytes.Count(call, []byte{0})
	return Cost(uint64(min(len(call), other+other/2)+envelope), uint256.NewInt(m.Byte)) //nolint:gosec // not negative
}

// Unestimated returns what Bytes does, but for what is in the chain's estimate of the gas.
func (m Market) Unestimated(call []byte) (wei uint256.Int) {
	if m.InGas {
		return wei
	}
	return m.Bytes(call)
}

// Highest is above any price ever paid, and so low that no sum of prices overflows.
const Highest = 1_000_000_000_000_000

// Price returns what a unit of gas costs now, in wei.
func (m Market) Price() uint64 { return min(m.BaseFee, Highest) + min(m.Tip, Highest) }

// Cheapest returns the market by the lower base fee.
func (m Market) Cheapest() Market {
	if m.Dear != 0 {
		m.BaseFee = m.Cheap
	}
	return m
}

// Dearest returns the market by the higher base fee.
func (m Market) Dearest() Market {
	m.BaseFee = max(m.BaseFee, m.Dear)
	return m
}

// Ahead returns what a unit of gas may cost soon, in wei: the base fee may double within six full
// blocks.
func (m Market) Ahead() uint64 { return 2*min(m.BaseFee, Highest) + min(m.Tip, Highest) }

// Cost returns what so much gas costs at a price, in wei, or the largest number if it overflows.
func Cost(gas uint64, price *uint256.Int) uint256.Int {
	cost, overflow := new(uint256.Int).MulOverflow(uint256.NewInt(gas), price)
	if overflow {
		return *new(uint256.Int).SetAllOne()
	}
	return *cost
}

// Worth reports whether what is at stake is worth its cost: at least the floor that the user set,
// and at least the cost. A cost in another asset than the stake can't be compared: pass zero.
func Worth(stake, floor, cost *uint256.Int) bool { return !stake.Lt(floor) && !stake.Lt(cost) }

// ReserveGas returns the gas that an account keeps for disputes: the worst dispute in one of its
// channels, and a usual one in each of the others.
func ReserveGas(worst, usual uint64, channels int) uint64 {
	others := uint64(max(channels, 1) - 1) //nolint:gosec // not negative
	if usual != 0 && others > (math.MaxUint64-worst)/usual {
		return math.MaxUint64
	}
	return worst + others*usual
}
