package sumscows

import (
	"math/big"

	"github.com/holiman/uint256"
)

// loss returns the most that a seat loses on average, in wei or token units, rounded up. The server
// draws its list by chance, so how often a player can find it is limited, however it guesses: a
// guess that is answered can be followed by as many others as there are answers, so by its k-th
// guess a player finds at most a^(k-1) different lists, a being the number of answers that are not
// the end: with 10 of 26 letters 176, of 19,275,223,968,000 lists. For the start and the first
// guess it always pays. After bad answers it may stop, so a further guess is sure to be paid for
// only by lists that it or a later one finds. Nothing better than its stake is known of a player.
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
	first := p.fees(1)
	gain := new(big.Int).Mul(first.ToBig(), all)
	gain.Neg(gain)
	left, most, worth := new(big.Int).Set(all), big.NewInt(1), p.Prize.ToBig()
	for range p.Guesses {
		if left.Sign() == 0 || worth.Sign() <= 0 {
			break
		}
		found := most
		if found.Cmp(left) > 0 {
			found = left
		}
		gain.Add(gain, new(big.Int).Mul(found, worth))
		left.Sub(left, found)
		most.Mul(most, answers)
		worth.Sub(worth, p.Fee.ToBig())
	}
	if gain.Sign() < 0 {
		gain.SetInt64(0)
	}
	gain.Add(gain, all).Sub(gain, big.NewInt(1)).Quo(gain, all)
	v, _ := uint256.FromBig(gain) // at most the prize, which has 128 bits
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
