package money_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
)

func amounts(v ...uint64) []uint256.Int {
	list := make([]uint256.Int, len(v))
	for i := range v {
		list[i].SetUint64(v[i])
	}
	return list
}

// Each other seat stakes as much as the seat that decides, or in the ratio that the game asks for,
// rounded up.
func TestMet(t *testing.T) {
	for _, c := range []struct {
		stakes, least []uint64
		short         int // seat; 0: nobody, as seat 0 decides
		want          uint64
	}{
		{[]uint64{50, 50}, nil, 0, 0},
		{[]uint64{50, 49}, nil, 1, 50},
		{[]uint64{50, 0}, nil, 1, 50},
		{[]uint64{0, 0}, nil, 0, 0},
		{[]uint64{50, 50, 49}, []uint64{0, 0, 0}, 2, 50},
		{[]uint64{100, 19}, []uint64{100, 19}, 0, 0},
		{[]uint64{100, 18}, []uint64{100, 19}, 1, 19},
		{[]uint64{101, 19}, []uint64{100, 19}, 1, 20},
		{[]uint64{101, 20}, []uint64{100, 19}, 0, 0},
		{[]uint64{100, 50}, []uint64{0, 19}, 1, 100},
		{[]uint64{100, 99}, []uint64{19, 0}, 1, 100},
	} {
		err := money.Met(amounts(c.stakes...), amounts(c.least...), 0)
		var short *money.Short
		if c.short == 0 {
			if err != nil {
				t.Errorf("%v of %v: %v", c.stakes, c.least, err)
			}
		} else if !errors.As(err, &short) || short.Seat != c.short || short.Want.Uint64() != c.want || !errors.Is(err, money.ErrShort) {
			t.Errorf("%v of %v: %v, want seat %d to be short of %d", c.stakes, c.least, err, c.short, c.want)
		}
	}
	var most uint256.Int
	most.SetAllOne()
	if err := money.Met([]uint256.Int{most, *uint256.NewInt(1)}, amounts(1, 2), 0); !errors.Is(err, money.ErrShort) {
		t.Errorf("a ratio that overflows: %v", err)
	}
}

// Whoever may stall has the least stake to lose; the stakes of others who have do not speak for it,
// nor does one's own.
func TestEnforceable(t *testing.T) {
	for _, c := range []struct {
		stakes      []uint64
		agreed      bool
		enforceable bool
	}{
		{[]uint64{0, 100}, false, true},
		{[]uint64{1000, 99}, false, false},
		{[]uint64{100, 100, 99}, false, false},
		{[]uint64{100, 100, 0}, true, true},
		{[]uint64{60, 40, 0}, true, true},
		{[]uint64{60, 39, 0}, true, false},
	} {
		if err := money.Enforceable(amounts(c.stakes...), 0, c.agreed, uint256.NewInt(100)); (err == nil) != c.enforceable || err != nil && !errors.Is(err, money.ErrShort) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	var most uint256.Int
	most.SetAllOne()
	if err := money.Enforceable([]uint256.Int{most, most}, 0, false, uint256.NewInt(1)); !errors.Is(err, money.ErrShort) {
		t.Errorf("a pot that overflows: %v", err)
	}
	if err := money.Enforceable(amounts(0, 0), 0, false, new(uint256.Int)); err != nil {
		t.Errorf("a free match where any stake will do: %v", err)
	}
}

// What is wanted counts for each seat: one amount less, or one more, is refused.
func TestReached(t *testing.T) {
	for _, c := range []struct {
		stakes, want []uint64
		reached      bool
	}{
		{[]uint64{50, 50}, []uint64{50, 0}, true},
		{[]uint64{50, 50}, []uint64{50, 51}, false},
		{[]uint64{50, 50}, []uint64{50}, false},
		{[]uint64{50, 50}, nil, false},
		{[]uint64{50, 50}, []uint64{50, 50, 0}, false},
	} {
		if err := money.Reached(amounts(c.stakes...), amounts(c.want...)); (err == nil) != c.reached || err != nil && !errors.Is(err, money.ErrShort) {
			t.Errorf("%v of %v: %v", c.stakes, c.want, err)
		}
	}
}

// What is short of a pot is not told as a seat's.
func TestShortSaysWhose(t *testing.T) {
	for seat, want := range map[int]string{
		money.Pot: "the stakes sum to 7, and not to 9 at least",
		0:         "seat 0 stakes 7, and not 9 at least",
	} {
		s := money.Short{Seat: seat, Has: *uint256.NewInt(7), Want: *uint256.NewInt(9)}
		if got := s.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
