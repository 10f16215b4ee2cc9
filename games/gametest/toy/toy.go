// Package toy is the Go twin of contracts/src/test/ToyRules.sol, as far as that behaves: rules for
// tests, under which a move names who moves next, or ends the match, or is told to misbehave.
package toy

import (
	"encoding/binary"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// What a function of the rules can be told to do; ToyRules.sol says what each means.
const (
	Fine uint8 = iota // of expire: the next seat takes all
	Revert
	Loop
	Bomb
	Garbage
	TooMuch
	TooMany
	Big
	Stranger
	Overflow
	Skip  // of expire: the next seat moves
	Again // of expire: the same seat moves
)

// Params are the parameters of rules under which a seat moves first, and which do as told in start,
// expire and outcome, in this order; where nothing is said, they do Fine.
func Params(first uint8, does ...uint8) []byte {
	p := []byte{first, Fine, Fine, Fine}
	copy(p[1:], does)
	return p
}

// Pass names who moves next: a seat, or games.Chance. Whatever follows makes moves, and so
// positions, differ.
func Pass(to uint8, salt ...byte) []byte { return append([]byte{0, to}, salt...) }

// Win ends the match: a seat, or nobody, takes all.
func Win(seat uint8, salt ...byte) []byte { return append([]byte{1, seat}, salt...) }

// Lie ends the match: a seat cheated, and the next one takes all.
func Lie(seat uint8, salt ...byte) []byte { return append([]byte{2, seat}, salt...) }

// Poison ends the match in a state whose outcome does as told.
func Poison(outcome uint8) []byte { return []byte{3, outcome} }

// BreakPlay makes play do as told.
func BreakPlay(how uint8) []byte { return []byte{4, how} }

// PassIfRecorded is a Pass that is legal only in a recorded state.
func PassIfRecorded(to uint8) []byte { return []byte{5, to} }

// PassIfSigned is a Pass that is legal only in a state that exactly the seats in a bit mask signed.
func PassIfSigned(to, by uint8) []byte { return []byte{6, to, by} }

// StateSize is the size of a state in bytes: mover, winner, guilty mask (2), what outcome does, and
// a hash over all that led to it.
const StateSize = 37

// Rules are the toy rules. They refuse what makes the contract's misbehave.
type Rules struct{}

var _ games.Rules = Rules{}

// Start implements games.Rules.
func (Rules) Start(c *games.Context) ([]byte, error) {
	if len(c.Params) != 4 || len(c.Stakes) != len(c.Signers) || c.Params[1] != Fine {
		return nil, games.ErrIllegal
	}
	n := uint64(len(c.Stakes))
	words := append([]byte(nil), c.MatchID[:]...)
	words = append(words, word(4*32)...)
	words = append(words, word(4*32+32+32*n)...)
	words = append(words, c.Domain[:]...)
	words = append(words, word(n)...)
	for i := range c.Stakes {
		w := c.Stakes[i].Bytes32()
		words = append(words, w[:]...)
	}
	words = append(words, word(n)...)
	for _, s := range c.Signers {
		words = append(words, common.LeftPadBytes(s[:], 32)...)
	}
	return append([]byte{c.Params[0], games.Nobody, 0, 0, c.Params[3]}, crypto.Keccak256(words)...), nil
}

// Mover implements games.Rules.
func (Rules) Mover(state []byte) (uint8, error) {
	if len(state) != StateSize {
		return 0, games.ErrIllegal
	}
	return state[0], nil
}

// Play implements games.Rules.
func (Rules) Play(c *games.Context, state, move []byte) ([]byte, error) {
	if len(state) != StateSize || state[0] == games.Nobody || len(move) < 2 {
		return nil, games.ErrIllegal
	}
	n, arg := len(c.Stakes), move[1]
	chain := crypto.Keccak256(state[5:], move)
	over := func(winner uint8, guilty uint16, outcome uint8) []byte {
		head := binary.BigEndian.AppendUint16([]byte{games.Nobody, winner}, guilty)
		return append(append(head, outcome), chain...)
	}
	switch move[0] {
	case 0:
	case 1:
		return over(arg, 0, state[4]), nil
	case 2:
		return over((arg+1)%uint8(n), 1<<arg, state[4]), nil
	case 3:
		return over(games.Nobody, 0, arg), nil
	case 5:
		if c.Recorded == 0 {
			return nil, games.ErrIllegal
		}
	case 6:
		if len(move) < 3 || c.Signed != uint16(move[2]) {
			return nil, games.ErrIllegal
		}
	default:
		return nil, fmt.Errorf("%w: move %x", games.ErrIllegal, move)
	}
	if int(arg) >= n && arg != games.Chance {
		return nil, fmt.Errorf("%w: mover %d", games.ErrIllegal, arg)
	}
	return append(append([]byte{arg}, state[1:5]...), chain...), nil
}

// Expire implements games.Rules.
func (Rules) Expire(c *games.Context, state []byte) ([]byte, error) {
	if len(state) != StateSize {
		return nil, games.ErrIllegal
	}
	next := (state[0] + 1) % uint8(len(c.Stakes))
	chain := crypto.Keccak256(state[5:], []byte("expired"))
	switch c.Params[2] {
	case Fine:
		return append(append([]byte{games.Nobody, next}, state[2:5]...), chain...), nil
	case Skip:
		return append(append([]byte{next}, state[1:5]...), chain...), nil
	case Again:
		return append(append([]byte{state[0]}, state[1:5]...), chain...), nil
	}
	return nil, games.ErrIllegal
}

// Outcome implements games.Rules.
func (Rules) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	if len(state) != StateSize || state[0] != games.Nobody || state[4] != Fine {
		return games.Outcome{}, games.ErrIllegal
	}
	o := games.Outcome{Payouts: append([]uint256.Int(nil), stakes...), Guilty: binary.BigEndian.Uint16(state[2:])}
	if winner := state[1]; winner != games.Nobody {
		var total uint256.Int
		for i := range stakes {
			total.Add(&total, &stakes[i])
			o.Payouts[i].Clear()
		}
		if int(winner) < len(stakes) {
			o.Payouts[winner] = total
		}
	}
	if o.Guilty != 0 {
		copy(o.Reason[:], "lie")
	}
	return o, nil
}

func word(v uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), v) }
