package splitsteal

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Choice is what a player does.
type Choice uint8

// The choices. A number stands for one by its lowest bit: odd for split, even, zero included, for
// steal.
const (
	Steal Choice = iota
	Split
)

// String returns the choice as it is typed.
func (c Choice) String() string { return [...]string{"steal", "split"}[c&1] }

// Shares is what X, Y and the house get out of all stakes.
type Shares struct{ X, Y, House uint256.Int }

// maxBet is the most bits of a bet, so that a bet times any numerator fits a uint256.
const maxBet = 224

// Stakes are the bets and what the house stakes, in wei or token units.
type Stakes struct{ X, Y, House uint256.Int }

// NewStakes reads the stakes of a match, by seat. It fails with games.ErrIllegal unless they are
// those of a match with these parameters: one for each seat, bets below 2^224, the house's at least
// Subsidy, and all of them together within 256 bits.
func NewStakes(p Params, stakes []uint256.Int) (Stakes, error) {
	if len(stakes) != seats(p.House) {
		return Stakes{}, fmt.Errorf("%w match: %d seats, and with house=%d there are %d (house=%d: two players without a house)",
			games.ErrIllegal, len(stakes), p.House, seats(p.House), NoHouse)
	}
	s := Stakes{X: stakes[X.Seat(p.House)], Y: stakes[Y.Seat(p.House)]}
	if p.House != NoHouse {
		s.House = stakes[p.House]
	}
	if s.X.BitLen() > maxBet || s.Y.BitLen() > maxBet {
		return s, fmt.Errorf("%w match: a bet of 2^%d or more", games.ErrIllegal, maxBet)
	}
	if need := Subsidy(p, &s.X, &s.Y); p.House != NoHouse && s.House.Lt(need) {
		return s, games.Amounts(games.ErrIllegal, " match: the house stakes %s, and two splitters would get %s beyond their bets", &s.House, need)
	}
	bets := new(uint256.Int).Add(&s.X, &s.Y)
	if _, overflow := bets.AddOverflow(bets, &s.House); overflow {
		return s, fmt.Errorf("%w match: stakes overflow 256 bits", games.ErrIllegal)
	}
	return s, nil
}

// Subsidy is what two splitters get beyond their bets, and the house must stake: n1·X/d1 + n1·Y/d1,
// each rounded down.
func Subsidy(p Params, x, y *uint256.Int) *uint256.Int {
	return new(uint256.Int).Add(part(x, p.N1, p.D1), part(y, p.N1, p.D1))
}

// Matrix returns who gets how much under two choices. Each share is multiplied first and rounded
// down once. The house gets the rest; without a house, equal choices give the bets back, and
// whoever steals from a splitter gets the rest.
func (s *Stakes) Matrix(p Params, x, y Choice) Shares {
	house := p.House != NoHouse
	gets := func(own, other *uint256.Int, me, you Choice) (v uint256.Int) {
		switch {
		case me == you && !house:
			return *own
		case me == Split && you == Split:
			return *v.Add(own, part(other, p.N1, p.D1))
		case me == Split:
			return *part(own, p.N1, p.D1)
		case you == Steal:
			return *v.Div(own, uint256.NewInt(uint64(p.D2)))
		case house:
			return *v.Add(own, part(other, p.N2, p.D1))
		default:
			v.Sub(other, part(other, p.N1, p.D1))
			return *v.Add(own, &v)
		}
	}
	return s.rest(gets(&s.X, &s.Y, x, y), gets(&s.Y, &s.X, y, x))
}

// Disqualified returns who gets how much when one or both are: the other takes both bets, and
// without another the house does, or, where there is none, each takes its own back.
func (s *Stakes) Disqualified(p Params, out uint8) Shares {
	var bets, zero uint256.Int
	bets.Add(&s.X, &s.Y)
	switch {
	case out == Y.bit():
		return s.rest(bets, zero)
	case out == X.bit():
		return s.rest(zero, bets)
	case p.House != NoHouse:
		return s.rest(zero, zero)
	default:
		return s.rest(s.X, s.Y)
	}
}

// rest gives the house what the players leave.
func (s *Stakes) rest(x, y uint256.Int) Shares {
	r := Shares{X: x, Y: y}
	r.House.Add(&s.X, &s.Y)
	r.House.Add(&r.House, &s.House)
	r.House.Sub(&r.House, &x)
	r.House.Sub(&r.House, &y)
	return r
}

// part returns v·n/d, rounded down, of a v below 2^224.
func part(v *uint256.Int, n, d uint32) *uint256.Int {
	p := new(uint256.Int).Mul(v, uint256.NewInt(uint64(n)))
	return p.Div(p, uint256.NewInt(uint64(d)))
}
