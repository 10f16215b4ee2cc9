package cli

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// units prints and reads amounts of the API: those of ETH in its units, those of an ERC-20 as the token itself says. The daemon is
// asked about a token once.
type units struct {
	api   *remote
	known map[string]wei.Unit
}

// of returns the unit of an asset. With an error it is the token's smallest one.
func (u *units) of(asset string) (wei.Unit, error) {
	if unit, known := u.known[asset]; known {
		return unit, nil
	}
	unit := wei.Unit{Asset: common.HexToAddress(asset)}
	r, err := call(u.api, u.api.GetAsset, &antev1.GetAssetRequest{Asset: asset})
	if err != nil {
		return unit, err
	}
	if r.Decimals <= 255 {
		unit = wei.TokenUnit(unit.Asset, r.Symbol, uint8(r.Decimals)) //nolint:gosec // it fits
	}
	u.known[asset] = unit
	return unit, nil
}

// money prints an amount.
func (u *units) money(amount, asset string) string {
	unit, _ := u.of(asset) // the smallest units are better than nothing
	return wei.Decimal(amount, unit.Format)
}

// typed prints an amount as it is typed.
func (u *units) typed(amount, asset string) string {
	unit, _ := u.of(asset)
	return wei.Decimal(amount, unit.Typed)
}

// monies prints amounts by seat.
func (u *units) monies(amounts []string, asset string) string {
	all := make([]string, len(amounts))
	for i := range amounts {
		all[i] = u.money(amounts[i], asset)
	}
	return strings.Join(all, " / ")
}

// span prints a least and a most amount.
func (u *units) span(least, most, asset string) string {
	if least == most {
		return u.money(least, asset)
	}
	return u.money(least, asset) + " to " + u.money(most, asset)
}

// parse reads a typed amount for the API; nothing typed stays nothing. An amount of a token is not read before its unit is known.
func (u *units) parse(text, asset string) (string, error) {
	if text == "" {
		return "", nil
	}
	unit, err := u.of(asset)
	if err != nil {
		return "", fmt.Errorf("%s: %w", text, err)
	}
	v, err := unit.ParseTyped(text)
	if err != nil {
		return "", err
	}
	return v.Dec(), nil
}

// parseAll reads typed amounts.
func (u *units) parseAll(texts []string, asset string) ([]string, error) {
	var list []string
	for _, text := range texts {
		amount, err := u.parse(text, asset)
		if err != nil {
			return nil, err
		}
		list = append(list, amount)
	}
	return list, nil
}
