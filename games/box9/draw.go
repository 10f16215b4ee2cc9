package box9

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// draw pays the prizes of a round with these bets, or, if the round is void, nothing. No sum here
// can overflow: all of it is within what the seats staked.
func (s *State) draw(p Params, hash common.Hash, counts Counts, bets Masks) State {
	n := *s
	if counts == Void {
		return n
	}
	n.Bets = bets
	n.Pocket, n.Credit, n.Rolled = slices.Clone(s.Pocket), slices.Clone(s.Credit), slices.Clone(s.Rolled)
	r := Draw(hash, p.Coins)
	n.settle(p, r.Gold, r.Silver, counts)
	return n
}

// settle takes the bets and shares out the pool: 70 % gold, 12.5 % each silver, 1 % of each bet to
// who referred its seat, the rest to the house, dust included.
func (s *State) settle(p Params, gold uint8, silver [2]uint8, counts Counts) {
	pool, cash := s.take(p)
	left := new(uint256.Int).Sub(pool, s.refer(p))
	prize, unwon := part(pool, 70, 100), new(uint256.Int)
	if pot := s.pot(counts); s.pay(gold, new(uint256.Int).Add(prize, pot), left) {
		if !pot.IsZero() {
			left.Add(left, pot)
			s.Rolled = make([]uint256.Int, len(s.Rolled))
		}
	} else {
		unwon.Set(prize)
	}
	prize = part(pool, 125, 1000)
	for _, box := range silver {
		if !s.pay(box, prize, left) {
			unwon.Add(unwon, prize)
		}
	}
	left.Sub(left, s.roll(cash, unwon))
	s.Pocket[House].Add(&s.Pocket[House], left)
}

// take takes the bets, from credit first. It returns their sum, and what of each came out of a
// pocket.
func (s *State) take(p Params) (pool *uint256.Int, cash []uint256.Int) {
	pool, cash = new(uint256.Int), make([]uint256.Int, len(s.Pocket))
	for seat, m := range s.Bets[:len(s.Pocket)] {
		cost := p.cost(m)
		pool.Add(pool, cost)
		credit := *cost
		if s.Credit[seat].Lt(cost) {
			credit = s.Credit[seat]
		}
		s.Credit[seat].Sub(&s.Credit[seat], &credit)
		cash[seat].Sub(cost, &credit)
		s.Pocket[seat].Sub(&s.Pocket[seat], &cash[seat])
	}
	return pool, cash
}

// refer gives a hundredth of each bet to who referred its seat, as credit, and returns the sum.
func (s *State) refer(p Params) *uint256.Int {
	given := new(uint256.Int)
	for seat, m := range s.Bets[:len(s.Pocket)] {
		if to := p.referrer(seat, len(s.Pocket)); to != House {
			share := part(p.cost(m), 1, 100)
			s.Credit[to].Add(&s.Credit[to], share)
			given.Add(given, share)
		}
	}
	return given
}

// pot returns what is rolled and played for.
func (s *State) pot(counts Counts) *uint256.Int {
	pot := new(uint256.Int)
	if counts == Whole {
		for i := range s.Rolled {
			pot.Add(pot, &s.Rolled[i])
		}
	}
	return pot
}

// pay shares a prize among those who bet on its box, and reports whether anybody did. What is paid
// is taken from left, which may wrap round below zero until the pot that was paid is added to it.
func (s *State) pay(box uint8, prize, left *uint256.Int) bool {
	var winners []int
	for seat, m := range s.Bets[:len(s.Pocket)] {
		if m.has(box) {
			winners = append(winners, seat)
		}
	}
	if len(winners) == 0 {
		return false
	}
	each := new(uint256.Int).Div(prize, uint256.NewInt(uint64(len(winners))))
	for _, seat := range winners {
		s.Pocket[seat].Add(&s.Pocket[seat], each)
		left.Sub(left, each)
	}
	return true
}

// roll rolls what nobody won into the next round, each seat's part by what it bet out of its
// pocket; what rounding leaves is the first such seat's. It returns how much rolls: nothing when
// all was bet with credit.
func (s *State) roll(cash []uint256.Int, unwon *uint256.Int) *uint256.Int {
	weight, first := new(uint256.Int), -1
	for seat := range cash {
		weight.Add(weight, &cash[seat])
		if first < 0 && !cash[seat].IsZero() {
			first = seat
		}
	}
	if first < 0 {
		return new(uint256.Int)
	}
	rest := unwon.Clone()
	for seat := range cash {
		share := new(uint256.Int).Mul(unwon, &cash[seat])
		share.Div(share, weight)
		s.Rolled[seat].Add(&s.Rolled[seat], share)
		rest.Sub(rest, share)
	}
	s.Rolled[first].Add(&s.Rolled[first], rest)
	return unwon
}

// part returns v·of/whole, floored.
func part(v *uint256.Int, of, whole uint64) *uint256.Int {
	x := new(uint256.Int).Mul(v, uint256.NewInt(of))
	return x.Div(x, uint256.NewInt(whole))
}
