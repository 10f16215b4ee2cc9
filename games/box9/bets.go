package box9

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
)

// bet signs a bet for the house.
func bet(t seat, m Mask) (*games.Note, error) {
	if !t.State.affords(t.Params, int(t.Seat), m) {
		return nil, fmt.Errorf("%w: %d boxes cost %s, and you have %s, and %s to bet only", games.ErrText, m.Size(), t.Params.inCoins(t.Params.cost(m)),
			t.Params.inCoins(&t.State.Pocket[t.Seat]), t.Params.inCoins(&t.State.Credit[t.Seat]))
	}
	if t.Sign == nil {
		return nil, fmt.Errorf("this seat has no key to bet with")
	}
	sig, err := t.Sign(BetDigest(t.Context, t.State.Round, m))
	if err != nil {
		return nil, err
	}
	b := Bet{Seat: t.Seat, Mask: m}
	if b.Signature, err = eip712.Parse(sig); err != nil {
		return nil, err
	}
	return &games.Note{To: House, Text: b.encode()}, nil
}

// own returns what this seat said to the house in this round, nil if nothing.
func own(t seat) *games.Note {
	for i := range t.Notes {
		if t.Notes[i].From == t.Seat {
			return &t.Notes[i]
		}
	}
	return nil
}

// bets returns the bets that the house can include, and whether there is nobody left to wait for. A
// note may be anything: one that is no good bet of the seat it came from is a pass.
func bets(t seat) (list Close, all bool) {
	waiting := make([]bool, len(t.State.Pocket))
	for i := range waiting {
		waiting[i] = i != House && t.State.affords(t.Params, i, 1)
	}
	for _, n := range t.Notes {
		if n.From == House || int(n.From) >= len(waiting) {
			continue
		}
		waiting[n.From] = false
		if len(n.Text) != betSize {
			continue
		}
		if b := decodeBet(n.Text); b.Seat == n.From && t.State.checkBet(t.Context, t.Params, &b) == nil {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b Bet) int { return cmp.Compare(a.Seat, b.Seat) })
	return list, !slices.Contains(waiting, true)
}
