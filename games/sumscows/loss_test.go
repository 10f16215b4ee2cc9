package sumscows

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

func lossOf(t *testing.T, p Params) uint64 {
	t.Helper()
	v, err := loss(p.Bytes(), Server)
	if err != nil {
		t.Fatal(err)
	}
	return v.Uint64()
}

// The server's loss is exact where the best player is known: it finds one letter of n in one guess
// of n, or of one.
func TestLoss(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want uint64
	}{
		{small(1, 1, 1, 10, 5, 100), 85},
		{small(1, 1, 1, 100, 5, 100), 0},
		{small(2, 1, 1, 10, 5, 100), 35},     // half of the prize, less the fees
		{small(2, 1, 2, 10, 5, 100), 83},     // always, for one guess and a half: 82.5
		{small(26, 10, 100, 0, 0, 100), 100}, // guesses for nothing find everything
		{small(26, 10, 12, 100, 0, 100), 0},
	} {
		if got := lossOf(t, c.p); got != c.want {
			t.Errorf("%+v: %d, want %d", c.p, got, c.want)
		}
	}
	p := small(6, 3, 5, 10, 7, 100)
	if v, err := loss(p.Bytes(), Player); err != nil || v.Uint64() != 45 {
		t.Errorf("a player: %v, %v", v, err)
	}
	if _, err := loss([]byte("rubbish"), Server); err == nil {
		t.Error("rubbish has a loss")
	}
	most := new(uint256.Int).SetAllOne()
	most.Rsh(most, 128)
	if v, err := loss(Params{N: 1, D: 1, Guesses: 1, Prize: *most}.Bytes(), Server); err != nil || !v.Eq(most) {
		t.Errorf("the highest prize: %v, %v", v, err)
	}
}

// A player may go on only after answers that leave few lists, and so pay few fees for those that it
// does not find: the best player there is, by the real rules' answers, never wins more than the
// bound says.
func TestAttack_LosingPolicy_StopsEarly(t *testing.T) {
	const fee = 1000
	var ps []Params
	for n := uint8(3); n <= 8; n++ {
		for prize := uint64(fee); prize <= 60*fee; prize += fee {
			ps = append(ps, small(n, 2, 2, 0, fee, prize), small(n, 2, 3, fee/2, fee, prize), small(n, 1, 3, 0, fee, prize))
		}
	}
	for prize := uint64(100 * fee); prize <= 300*fee; prize += 10 * fee {
		ps = append(ps, small(26, 2, 2, 0, fee, prize))
	}
	for _, p := range ps {
		all := lists(p, "")
		// whichever list is guessed first: letters and places have no names
		most := bestGain(p, all, all, all[:1], int(p.Guesses)) - int64(p.Start.Uint64())*int64(len(all))
		if bound := lossOf(t, p); most > int64(bound)*int64(len(all)) {
			t.Errorf("%d of %d, %d guesses, a prize of %d: the best player wins %.1f on average, more than %d",
				p.D, p.N, p.Guesses, p.Prize.Uint64(), float64(most)/float64(len(all)), bound)
		}
	}
}

// bestGain is what the best player gains, of all lists that are left together, who guesses one of
// some lists now, or stops.
func bestGain(p Params, all, left, some []List, guesses int) (most int64) {
	prize, fee := int64(p.Prize.Uint64()), int64(p.Fee.Uint64())*int64(len(left))
	if guesses == 0 || len(left) == 0 {
		return 0
	}
	if guesses == 1 {
		return max(0, prize-fee)
	}
	for _, guess := range some {
		gain, parts := -fee, make(map[Answer][]List)
		for _, hidden := range left {
			if guess == hidden {
				gain += prize
				continue
			}
			a := Truth(hidden, guess)
			parts[a] = append(parts[a], hidden)
		}
		for _, part := range parts {
			gain += bestGain(p, all, part, all, guesses-1)
		}
		most = max(most, gain)
	}
	return most
}

// The bot, with the real rules' answers, never wins more on average than the bound says; by the
// defaults a server earns.
func TestLoss_Bot(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, p := range []Params{small(26, 10, 12, 1e15, 1e14, 15e14), small(6, 3, 6, 10, 7, 100), small(12, 6, 9, 10, 20, 200)} {
		matches := 40
		if testing.Short() {
			matches = 10
		}
		won := 0.0
		for range matches {
			hidden := anyList(p, r)
			transcript := solve(t, p, hidden, r, int(p.Guesses))
			won -= float64(p.Start.Uint64()) + float64(len(transcript))*float64(p.Fee.Uint64())
			if transcript[len(transcript)-1].Answer.Found() {
				won += float64(p.Prize.Uint64())
			}
		}
		bound := lossOf(t, p)
		t.Logf("%d of %d: the bot wins %.1f on average, no player more than %d", p.D, p.N, won/float64(matches), bound)
		if won/float64(matches) > float64(bound) {
			t.Errorf("%+v: the bot wins %.1f on average, more than %d", p, won/float64(matches), bound)
		}
	}
	usual, err := fields.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := loss(usual, Server); err != nil || !v.IsZero() {
		t.Errorf("a server loses %s on average by the defaults (%v)", v.Dec(), err)
	}
}
