package box9

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Params are what a match is played under.
type Params struct {
	Rounds    uint8  // a block each
	Margin    uint8  // blocks before the round's block from which on nobody signs its bets any more
	Coins     uint32 // price of a box
	Coin      uint64 // wei or token units
	Referrers uint64 // of seat i in nibble i, lowest first; 0, the house, is none
}

const gwei = 1e9

// Prices are the usual prices of a box in coins, a table each. A house may offer others.
func Prices() []uint { return []uint{10, 50, 100, 500, 1000} }

var fields = games.Numbers{
	{Name: "rounds", Help: "rounds", Bytes: 1, Default: 10, Min: 1},
	{Name: "margin", Help: "blocks before the round's block from which on its bets are not signed any more", Bytes: 1, Default: 6, Min: 6, Max: 100},
	{Name: "price", Help: "price of a box in coins: the table", Bytes: 4, Default: 10, Min: 1},
	{Name: "coin", Help: "worth of a coin in wei or token units", Bytes: 8, Default: 10_000 * gwei, Min: 1},
	{Name: "referrers", Help: "four bits for each seat, seat 0 lowest: who referred it, 0 for nobody", Bytes: 8},
}

// Bytes returns the encoding.
func (p Params) Bytes() []byte {
	return fields.Append(nil, uint256.NewInt(uint64(p.Rounds)), uint256.NewInt(uint64(p.Margin)), uint256.NewInt(uint64(p.Coins)),
		uint256.NewInt(p.Coin), uint256.NewInt(p.Referrers))
}

func (rules) DecodeParams(b []byte) (Params, error) {
	v, err := fields.Values(b)
	if err != nil {
		return Params{}, err
	}
	return Params{uint8(v[0].Uint64()), uint8(v[1].Uint64()), uint32(v[2].Uint64()), v[3].Uint64(), v[4].Uint64()}, nil
}

// cost returns what a bet costs: at most 6 boxes of 2^96 wei.
func (p Params) cost(m Mask) *uint256.Int {
	price := new(uint256.Int).Mul(uint256.NewInt(uint64(p.Coins)), uint256.NewInt(p.Coin))
	return price.Mul(price, uint256.NewInt(uint64(m.Size())))
}

// inCoins writes an amount for people, where it is not known what the asset is: in coins, down to a
// millionth of one.
func (p Params) inCoins(v *uint256.Int) string {
	const parts = 1_000_000
	coin := uint256.NewInt(p.Coin)
	coins, rest := new(uint256.Int).DivMod(v, coin, new(uint256.Int))
	// both are below 2^64
	part, left := new(uint256.Int).DivMod(rest.Mul(rest, uint256.NewInt(parts)), coin, new(uint256.Int))
	text := coins.Dec() + " coins"
	if !part.IsZero() {
		text = fmt.Sprintf("%s.%s coins", coins.Dec(), strings.TrimRight(fmt.Sprintf("%06d", part.Uint64()), "0"))
	}
	if !left.IsZero() {
		return "about " + text
	}
	return text
}

// Refer returns the parameters with a seat that another one, or the house, has referred.
func (p Params) Refer(seat, by uint8) Params {
	p.Referrers = p.Referrers&^(15<<(4*seat)) | uint64(by&15)<<(4*seat)
	return p
}

// referrer returns the seat that gets a hundredth of a seat's bets as credit; the house, if there
// is no other.
func (p Params) referrer(seat, seats int) int {
	to := int(p.Referrers >> (4 * seat) & 15)
	if to == seat || to >= seats {
		return House
	}
	return to
}

// turns returns the most moves of a match: in each round its block, its bets and its draw.
func turns(params []byte) (uint64, error) {
	p, err := rules{}.DecodeParams(params)
	return 3 * uint64(p.Rounds), err
}
