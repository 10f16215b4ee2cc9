package wei_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

var token = common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3")

func TestUnit_Format(t *testing.T) {
	usd, none := wei.TokenUnit(token, "USDC", 6), wei.Unit{Asset: token}
	for _, c := range []struct {
		unit                 wei.Unit
		amount               string
		format, brief, typed string
	}{
		{wei.Unit{}, "100000000000000000", "0.1 eth", "0.1 eth", "0.1eth"},
		{wei.Unit{}, "0", "0", "0", "0"},
		{usd, "1500000", "1.5 USDC (0x5FbDB231)", "1.5 USDC", "1.5USDC"},
		{usd, "1", "0.000001 USDC (0x5FbDB231)", "0.000001 USDC", "0.000001USDC"},
		{usd, "0", "0 USDC (0x5FbDB231)", "0 USDC", "0USDC"},
		{wei.TokenUnit(token, "Chip", 0), "12", "12 Chip (0x5FbDB231)", "12 Chip", "12Chip"},
		{none, "1500000", "1500000 units of 0x5FbDB231", "1500000 units", "1500000"},
	} {
		v := uint256.MustFromDecimal(c.amount)
		if f, b, y := c.unit.Format(v), c.unit.Brief(v), c.unit.Typed(v); f != c.format || b != c.brief || y != c.typed {
			t.Errorf("%s of %+v: %q, %q, %q; want %q, %q, %q", c.amount, c.unit, f, b, y, c.format, c.brief, c.typed)
		}
	}
}

// What a token says of itself can neither pass for ETH nor draw on the terminal, nor be taken for a
// part of the number.
func TestTokenUnit(t *testing.T) {
	for symbol, good := range map[string]bool{
		"USDC": true, "wETH2": true, "a": true, "": false, "ETH": false, "Wei": false, "gwei": false, "123": false, "1INCH": false,
		"US DC": false, "USDC\x1b[2J": false, "ЕTH": false, "ABCDEFGHIJKL": false, "1.5": false, "(0x": false,
	} {
		if u := wei.TokenUnit(token, symbol, 6); (u.Symbol != "") != good || u.Asset != token {
			t.Errorf("%q gives %+v", symbol, u)
		}
	}
	if u := wei.TokenUnit(token, "FAR", 200); u.Symbol != "" {
		t.Errorf("200 decimals give %+v", u)
	}
}

func TestUnit_Parse(t *testing.T) {
	usd := wei.TokenUnit(token, "USDC", 6)
	for _, c := range [][2]string{{"1.5USDC", "1500000"}, {" 1.5 usdc ", "1500000"}, {"7", "7"}, {"0USDC", "0"}, {"0.000001USDC", "1"}} {
		if got, err := usd.Parse(c[0]); err != nil || got.Dec() != c[1] {
			t.Errorf("%q is %v, %v; want %s", c[0], got, err, c[1])
		}
	}
	// Of a token nothing is read as ETH: 1eth would be a million times what its holder means.
	for _, text := range []string{"1eth", "1gwei", "1wei", "1.5", "0.0000001USDC", "USDC", "", "-1USDC", "1e6", "1USDT"} {
		if got, err := usd.Parse(text); !errors.Is(err, wei.ErrAmount) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if _, err := (wei.Unit{Asset: token}).Parse("1eth"); !errors.Is(err, wei.ErrAmount) {
		t.Errorf("of a token without a symbol: %v", err)
	}
}

// Who types a number of ETH without a unit is told how to write it.
func TestUnit_Unitless(t *testing.T) {
	for text, want := range map[string]string{"2": "2eth, 2gwei or 2wei", "0.1": "0.1eth or 0.1gwei"} {
		if got, err := (wei.Unit{}).ParseTyped(text); !errors.Is(err, wei.ErrAmount) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
}

func TestUnit_RoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		u := wei.Unit{}
		if rapid.Bool().Draw(r, "token") {
			u = wei.TokenUnit(token, rapid.SampledFrom([]string{"", "USDC", "x", "e1"}).Draw(r, "symbol"), rapid.Uint8Range(0, 40).Draw(r, "decimals"))
		}
		v := new(uint256.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(r, "bytes"))
		if got, err := u.Parse(u.Typed(v)); err != nil || !got.Eq(v) {
			r.Fatalf("%s of %+v is written %q and read %v, %v", v.Dec(), u, u.Typed(v), got, err)
		}
	})
}
