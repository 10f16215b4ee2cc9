package money_test

import (
	"math"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

func market(t *rapid.T) money.Market {
	return money.Market{BaseFee: rapid.Uint64().Draw(t, "base"), Tip: rapid.Uint64().Draw(t, "tip")}
}

// Whatever an endpoint says of prices: a tip never exceeds its cap, what the market asks covers it,
// and a raise is one that pools take (go-ethereum's legacypool wants 10 % more of both).
func TestBids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := market(t).Ask(rapid.Uint64().Draw(t, "urgency"))
		for range 20 {
			m := market(t)
			ask := m.Ask(rapid.Uint64Range(0, 3).Draw(t, "urgency"))
			if !ask.Covers(m) || ask.Tip > ask.Cap {
				t.Fatalf("%+v for %+v", ask, m)
			}
			next := at.Raise(ask)
			if next.Tip > next.Cap || next.Cap < ask.Cap || next.Tip < ask.Tip || !next.Replaces(at) ||
				next.Cap < (at.Cap*110+99)/100 || next.Tip < (at.Tip*110+99)/100 {
				t.Fatalf("%+v to %+v for %+v", at, next, ask)
			}
			limit := rapid.Uint64().Draw(t, "limit")
			if cut := next.Within(limit); cut.Cap > limit || cut.Tip > cut.Cap || limit >= next.Cap && cut != next {
				t.Fatalf("%+v within %d: %+v", next, limit, cut)
			}
			at = ask
		}
	})
}

func TestABidCoversTheMarket(t *testing.T) {
	for _, test := range []struct {
		bid    money.Bid
		market money.Market
		want   bool
	}{
		{money.Bid{Tip: 1, Cap: 11}, money.Market{BaseFee: 10, Tip: 1}, true},
		{money.Bid{Tip: 1, Cap: 10}, money.Market{BaseFee: 10, Tip: 1}, false},
		{money.Bid{Tip: 1, Cap: 99}, money.Market{BaseFee: 10, Tip: 2}, false},
	} {
		if have := test.bid.Covers(test.market); have != test.want {
			t.Errorf("%+v covers %+v: %v", test.bid, test.market, have)
		}
	}
	bid := money.Bid{Tip: 10, Cap: 100}
	for _, b := range []money.Bid{{Tip: 12, Cap: 110}, {Tip: 11, Cap: 111}} {
		if b.Replaces(bid) {
			t.Errorf("%+v replaces %+v", b, bid)
		}
	}
	if next := bid.Raise(money.Bid{}); next != (money.Bid{Tip: 12, Cap: 111}) || !next.Replaces(bid) {
		t.Errorf("%+v is raised to %+v", bid, next)
	}
	if ask := (money.Market{BaseFee: 10, Tip: 2}).Ask(3); ask != (money.Bid{Tip: 8, Cap: 28}) {
		t.Errorf("asked %+v", ask)
	}
}

// What an account pays never exceeds what it has.
func TestAffordable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have, besides := uint256.NewInt(rapid.Uint64().Draw(t, "have")), uint256.NewInt(rapid.Uint64().Draw(t, "besides"))
		gas := rapid.Uint64().Draw(t, "gas")
		limit := money.Affordable(have, besides, gas)
		cost := money.Cost(gas, uint256.NewInt(limit))
		if limit != 0 && have.Lt(cost.Add(&cost, besides)) {
			t.Fatalf("%v pays %d gas at %d besides %v", have, gas, limit, besides)
		}
	})
	most := new(uint256.Int).SetAllOne()
	if limit := money.Affordable(most, new(uint256.Int), 1); limit == 0 || limit > math.MaxUint64/4 {
		t.Errorf("a limit of %d", limit)
	}
	if limit := money.Affordable(uint256.NewInt(205), uint256.NewInt(5), 100); limit != 2 {
		t.Errorf("a limit of %d, want 2", limit)
	}
}

func TestWorth(t *testing.T) {
	two, three := uint256.NewInt(2), uint256.NewInt(3)
	for _, test := range []struct {
		stake, floor, cost *uint256.Int
		want               bool
	}{
		{two, two, two, true}, {two, three, two, false}, {two, two, three, false}, {three, two, two, true},
	} {
		if have := money.Worth(test.stake, test.floor, test.cost); have != test.want {
			t.Errorf("%v for %v with floor %v: %v", test.stake, test.cost, test.floor, have)
		}
	}
	if cost := money.Cost(math.MaxUint64, new(uint256.Int).SetAllOne()); !cost.Eq(new(uint256.Int).SetAllOne()) {
		t.Errorf("an overflow costs %v", &cost)
	}
	if cost := money.Cost(7, three); cost.Uint64() != 21 {
		t.Errorf("7 gas at 3 cost %v", &cost)
	}
}

func TestTheReserveGrowsWithTheChannels(t *testing.T) {
	for channels, want := range map[int]uint64{-1: 100, 0: 100, 1: 100, 2: 110, 11: 200} {
		if have := money.ReserveGas(100, 10, channels); have != want {
			t.Errorf("%d channels: %d, want %d", channels, have, want)
		}
	}
	if have := money.ReserveGas(100, 0, 9); have != 100 {
		t.Errorf("nothing for the others gives %d", have)
	}
	if have := money.ReserveGas(math.MaxUint64-1, 1, 4); have != math.MaxUint64 {
		t.Errorf("a small overflow gives %d", have)
	}
	if have := money.ReserveGas(math.MaxUint64-31, 10, 4); have != math.MaxUint64-1 {
		t.Errorf("just below an overflow: %d", have)
	}
	if have := money.ReserveGas(math.MaxUint64-5, 10, 9); have != math.MaxUint64 {
		t.Errorf("an overflow gives %d", have)
	}
}

// What data costs is an upper bound of what is left when it is compressed, and follows the gas.
func TestDataCosts(t *testing.T) {
	m := money.Market{Byte: 640}
	for _, test := range []struct {
		call []byte
		want uint64 // bytes
	}{{nil, 200}, {make([]byte, 1000), 200}, {append(make([]byte, 1000), 1, 2), 203}, {[]byte{1, 2, 3, 4}, 204}} {
		if have := m.Bytes(test.call); have.Uint64() != 640*test.want {
			t.Errorf("%d bytes cost %s wei, want those of %d", len(test.call), have.Dec(), test.want)
		}
	}
	if m.Data() != 10 || (money.Market{Byte: 1}).Data() != 1 || (money.Market{}).Data() != 0 || (money.Market{Byte: math.MaxUint64}).Data() > money.Highest {
		t.Errorf("a unit of gas goes with data for %d wei", m.Data())
	}
}
