// Package wei reads and writes amounts of money as people do.
package wei

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/holiman/uint256"
)

// ErrAmount is wrapped by every error of Parse.
var ErrAmount = errors.New("bad amount")

// units, the largest first, with their decimals.
var units = []struct {
	name     string
	decimals int
}{{"eth", 18}, {"gwei", 9}, {"wei", 0}}

// Parse reads "0.5eth", "20 gwei", or a whole number of wei with or without "wei".
func Parse(text string) (*uint256.Int, error) {
	number, decimals := strings.ToLower(strings.TrimSpace(text)), 0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, decimals = strings.TrimSpace(rest), u.decimals
			break
		}
	}
	return parse(text, number, decimals, "write 0.5eth, 20gwei or 100wei")
}

// parse reads a number of a unit with so many decimals. The text and the advice are for the error.
func parse(text, number string, decimals int, advice string) (*uint256.Int, error) {
	whole, fraction, point := strings.Cut(number, ".")
	if !digits(whole) || point && !digits(fraction) {
		return nil, fmt.Errorf("%w: %q: %s", ErrAmount, text, advice)
	}
	if len(fraction) > decimals {
		return nil, fmt.Errorf("%w: %q: at most %d digits after the point", ErrAmount, text, decimals)
	}
	all := strings.TrimLeft(whole+fraction+strings.Repeat("0", decimals-len(fraction)), "0")
	if all == "" {
		return new(uint256.Int), nil
	}
	v, err := uint256.FromDecimal(all)
	if err != nil {
		return nil, fmt.Errorf("%w: %q is more money than there is", ErrAmount, text)
	}
	return v, nil
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Format writes an amount of wei for people, exactly: in ether from a millionth of one on, below
// that in gwei from a thousandth of one on, below that in wei.
func Format(v *uint256.Int) string {
	switch text := v.Dec(); {
	case v.IsZero():
		return "0"
	case len(text) > 12:
		return point(text, 18) + " eth"
	case len(text) > 6:
		return point(text, 9) + " gwei"
	default:
		return text + " wei"
	}
}

// Gwei writes an amount of wei in gwei, exactly. Fees are read best that way.
func Gwei(v *uint256.Int) string { return point(v.Dec(), 9) + " gwei" }

// Rough shortens the number of a written amount to six digits after the point, and to three that
// count where it is below a thousandth. It marks what it rounds: "~8.999999 eth", "~0.00042 eth".
func Rough(amount string) string {
	number, unit, _ := strings.Cut(amount, " ")
	whole, fraction, _ := strings.Cut(number, ".")
	digits := roughDigits
	if zeros := len(fraction) - len(strings.TrimLeft(fraction, "0")); whole == "0" && zeros >= roughDigits/2 {
		digits = zeros + roughDigits/2
	}
	if len(fraction) <= digits {
		return amount
	}
	exact, ok := new(big.Rat).SetString(number)
	if !ok {
		return amount
	}
	return "~" + strings.TrimRight(strings.TrimRight(exact.FloatString(digits), "0"), ".") + " " + unit
}

// roughDigits is how many digits after the point a person reads; half of them where only zeros come
// first.
const roughDigits = 6

// Decimal writes an amount that is given as a decimal number, as the wire and the API have it. Any
// other text stays as it is.
func Decimal(text string, write func(*uint256.Int) string) string {
	v, err := uint256.FromDecimal(text)
	if err != nil {
		return text
	}
	return write(v)
}

// point puts a decimal point before the last digits of a number, and drops zeros at the end.
func point(text string, decimals int) string {
	text = strings.Repeat("0", max(0, decimals+1-len(text))) + text
	whole, fraction := text[:len(text)-decimals], strings.TrimRight(text[len(text)-decimals:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
