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
