package wei

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Unit is what amounts of an asset are written in. The zero Unit is ETH's; one with nothing but an
// asset counts that token's smallest units.
type Unit struct {
	Asset    common.Address // zero: ETH
	Symbol   string         // of a token, as TokenUnit leaves it; empty: it has none
	Decimals uint8          // of a token: digits after the point, where it has a symbol
}

const (
	maxSymbol   = 11
	maxDecimals = 36
)

// TokenUnit returns the unit of an ERC-20 that says so of itself. A symbol that is not of 1 to 11
// letters and digits, that begins with a digit or means ETH, and more than 36 decimals leave it
// with its smallest units.
func TokenUnit(asset common.Address, symbol string, decimals uint8) Unit {
	u := Unit{Asset: asset}
	if symbol == "" || len(symbol) > maxSymbol || decimals > maxDecimals {
		return u
	}
	for _, r := range symbol {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return u
		}
	}
	for _, of := range units {
		if strings.EqualFold(symbol, of.name) {
			return u
		}
	}
	if first := symbol[0]; first >= '0' && first <= '9' {
		return u // "51INCH" would be read as either
	}
	u.Symbol, u.Decimals = symbol, decimals
	return u
}

// Format writes an amount exactly, with the beginning of a token's address: symbols are anybody's.
func (u Unit) Format(v *uint256.Int) string {
	switch {
	case u.Asset == (common.Address{}):
		return Format(v)
	case u.Symbol == "":
		return fmt.Sprintf("%s units of %s", v.Dec(), u.Asset.Hex()[:10])
	default:
		return fmt.Sprintf("%s (%s)", u.Brief(v), u.Asset.Hex()[:10])
	}
}

// Brief writes an amount exactly, for where it is known which asset is meant.
func (u Unit) Brief(v *uint256.Int) string {
	switch {
	case u.Asset == (common.Address{}):
		return Format(v)
	case u.Symbol == "":
		return v.Dec() + " units"
	default:
		return point(v.Dec(), int(u.Decimals)) + " " + u.Symbol
	}
}

// Typed writes an amount as Parse reads it, in one word.
func (u Unit) Typed(v *uint256.Int) string {
	if u.Asset != (common.Address{}) && u.Symbol == "" {
		return v.Dec()
	}
	return strings.ReplaceAll(u.Brief(v), " ", "")
}

// ParseTyped reads an amount that a person types, as Parse does. ETH needs its unit: nobody means
// wei by a bare number.
func (u Unit) ParseTyped(text string) (*uint256.Int, error) {
	number := strings.TrimSpace(text)
	whole, fraction, point := strings.Cut(number, ".")
	switch {
	case u.Asset != (common.Address{}) || !digits(whole):
	case !point:
		return nil, fmt.Errorf("%w: %q of what? write %seth, %sgwei or %swei", ErrAmount, text, number, number, number)
	case digits(fraction):
		return nil, fmt.Errorf("%w: %q of what? write %seth or %sgwei", ErrAmount, text, number, number)
	}
	return u.Parse(text)
}

// Parse reads an amount as people type it: of ETH as the function Parse does, of a token "1.5USDC",
// or a whole number of its smallest units.
func (u Unit) Parse(text string) (*uint256.Int, error) {
	if u.Asset == (common.Address{}) {
		return Parse(text)
	}
	number, decimals, example := strings.TrimSpace(text), 0, ""
	if u.Symbol != "" {
		example = "1.5" + u.Symbol + " or "
		if at := len(number) - len(u.Symbol); at > 0 && strings.EqualFold(number[at:], u.Symbol) {
			number, decimals = strings.TrimSpace(number[:at]), int(u.Decimals)
		}
	}
	return parse(text, number, decimals, fmt.Sprintf("write %sa whole number of the token's smallest units", example))
}
