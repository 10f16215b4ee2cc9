package splitsteal

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/ante-games/ante/games"
)

// Params are what a match is played under: the fractions of the matrix, four bytes each, and the
// house's seat.
type Params struct {
	N1, N2, D1, D2 uint32
	House          uint8 // seat of the match, 0..2; NoHouse: two seats
}

// NoHouse stands for the house's seat in a match without one.
const NoHouse = 3

const fractionSize = 16

var fields = games.Numbers{
	{Name: "n1", Help: "n1/d1 of the other's bet goes to a splitter when both split, of its own when the other steals", Bytes: 4, Default: 1, Min: 1},
	{Name: "n2", Help: "n2/d1 of a splitter's bet goes to who steals it; more than n1", Bytes: 4, Default: 3, Min: 2},
	{Name: "d1", Help: "n1 + n2", Bytes: 4, Default: 4, Min: 3},
	{Name: "d2", Help: "1/d2 of its own bet is left to each when both steal; less than d1", Bytes: 4, Default: 2, Min: 1},
	{Name: "house", Help: "the house's seat in the match; 3: two seats and no house", Bytes: 1, Default: 2, Max: NoHouse},
}

// Bytes returns the encoding.
func (p Params) Bytes() []byte { return append(p.fractions(), p.House) }

func (p Params) fractions() []byte {
	b := make([]byte, 0, fractionSize+1)
	for _, v := range [...]uint32{p.N1, p.N2, p.D1, p.D2} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

func (rules) DecodeParams(b []byte) (Params, error) {
	if len(b) != fractionSize+1 || b[fractionSize] > NoHouse {
		return Params{}, fmt.Errorf("%w parameters: want %d bytes, the last at most %d", games.ErrIllegal, fractionSize+1, NoHouse)
	}
	p, err := decodeFractions(b[:fractionSize])
	p.House = b[fractionSize]
	return p, err
}

func decodeFractions(b []byte) (Params, error) {
	at := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	p := Params{N1: at(0), N2: at(1), D1: at(2), D2: at(3)}
	if p.N1 == 0 || p.N1 >= p.N2 || uint64(p.N1)+uint64(p.N2) != uint64(p.D1) || p.D2 == 0 || p.D2 >= p.D1 {
		return p, fmt.Errorf("%w parameters: want n1 < n2, n1 + n2 = d1, d2 < d1, all positive; not n1 %d, n2 %d, d1 %d, d2 %d",
			games.ErrIllegal, p.N1, p.N2, p.D1, p.D2)
	}
	return p, nil
}

// params are the fields, and the rule that they keep among themselves.
type params struct{ games.Numbers }

func (f params) Encode(object json.RawMessage) ([]byte, error) {
	b, err := f.Numbers.Encode(object)
	if err != nil {
		return nil, err
	}
	if _, err := (rules{}).DecodeParams(b); err != nil {
		return nil, fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return b, nil
}

func (f params) Decode(b []byte) (json.RawMessage, error) {
	if _, err := (rules{}).DecodeParams(b); err != nil {
		return nil, fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return f.Numbers.Decode(b)
}

// Role is X or Y.
type Role uint8

// The players, in the order of their seats.
const (
	X Role = iota
	Y
)

func (r Role) bit() uint8 { return 1 << r }

func (r Role) other() Role { return 1 - r }

// String returns the role's letter.
func (r Role) String() string { return [...]string{"X", "Y"}[r&1] }

// Seat returns a player's seat in a match: X and Y take the seats besides the house's, in ascending
// order.
func (r Role) Seat(house uint8) uint8 {
	if house <= uint8(r) {
		return uint8(r) + 1
	}
	return uint8(r)
}

func seats(house uint8) int {
	if house == NoHouse {
		return 2
	}
	return 3
}
