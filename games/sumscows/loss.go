package sumscows

import (
	"math/big"

	"github.com/holiman/uint256"
)

// loss returns the most that a seat loses on average, in wei or token units, rounded up. The server
// draws its list by chance, so how often a player can find it is limited, however it guesses: a
// guess that is answered can be followed by as many others as there are answers, so within k
// guesses at most 1 + a + a^2 + … + a^(k-1) different lists are tried, a being the number of
// answers that are not the end: with 10 of 26 letters 176, of 19,275,223,968,000 lists. The player
// stops where that pays best. Nothing better than its stake is known of a player.
func loss(params []byte, seat uint8) (uint256.Int, error) {
	p, err := rules{}.DecodeParams(params)
	if err != nil {
		return uint256.Int{}, err
	}
	if seat != Server {
		return p.fees(int(p.Guesses)), nil
	}
	all, answers := big.NewInt(1), big.NewInt(p.answers())
	for i := range int64(p.D) {
		all.Mul(all, big.NewInt(int64(p.N)-i))
	}
	// What the player gains, times the number of all lists.
	paid := new(big.Int).Mul(p.Start.ToBig(), all)
	tried, next, most := new(big.Int), big.NewInt(1), new(big.Int)
	for range p.Guesses {
		left := new(big.Int).Sub(all, tried)
		if left.Sign() <= 0 {
			break
		}
		paid.Add(paid, left.Mul(left, p.Fee.ToBig())) // who has found the list guesses no more
		if tried.Add(tried, next); tried.Cmp(all) > 0 {
			tried.Set(all)
		}
		next.Mul(next, answers)
		gain := new(big.Int).Mul(p.Prize.ToBig(), tried)
		if gain.Sub(gain, paid); gain.Cmp(most) > 0 {
			most = gain
		}
	}
	most.Add(most, all).Sub(most, big.NewInt(1)).Quo(most, all)
	v, _ := uint256.FromBig(most) // at most the prize, which has 128 bits
	return *v, nil
}

// answers counts those that a guess can have which is not the hidden list.
func (p Params) answers() (n int64) {
	for common := range int(p.D) + 1 {
		for sum := range int(p.D)*int(p.D)/2 + 1 {
			if NewAnswer(common, sum).Possible(p) {
				n++
			}
		}
	}
	return n
}
