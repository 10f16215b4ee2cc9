package cli

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// unit returns the unit in which amounts of an asset are printed and typed: ETH's units, or what an
// ERC-20 says of itself. The daemon is asked about a token once. With an error it is the token's
// smallest unit.
func (api *remote) unit(asset string) (wei.Unit, error) {
	if unit, known := api.known[asset]; known {
		return unit, nil
	}
	unit := wei.Unit{Asset: common.HexToAddress(asset)}
	r, err := call(api, api.GetAsset, &antev1.GetAssetRequest{Asset: asset})
	if err != nil {
		return unit, err
	}
	if r.Decimals <= 255 {
		unit = wei.TokenUnit(unit.Asset, r.Symbol, uint8(r.Decimals)) //nolint:gosec // it fits
	}
	api.known[asset] = unit
	return unit, nil
}

// money prints an amount, rounded where it has many digits.
func (api *remote) money(amount, asset string) string {
	unit, _ := api.unit(asset) // the smallest units are better than nothing
	return wei.Rough(wei.Decimal(amount, unit.Format))
}

// typed prints an amount as it is typed.
func (api *remote) typed(amount, asset string) string {
	unit, _ := api.unit(asset)
	return wei.Decimal(amount, unit.Typed)
}

// monies prints amounts by seat.
func (api *remote) monies(amounts []string, asset string) string {
	all := make([]string, len(amounts))
	for i := range amounts {
		all[i] = api.money(amounts[i], asset)
	}
	return strings.Join(all, " / ")
}

// span prints the least and the most amount.
func (api *remote) span(least, most, asset string) string {
	if least == most {
		return api.money(least, asset)
	}
	return api.money(least, asset) + " to " + api.money(most, asset)
}

// parse reads a typed amount for the API; nothing typed stays nothing. An amount of a token is not
// read before its unit is known.
func (api *remote) parse(text, asset string) (string, error) {
	if text == "" {
		return "", nil
	}
	unit, err := api.unit(asset)
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
func (api *remote) parseAll(texts []string, asset string) ([]string, error) {
	var list []string
	for _, text := range texts {
		amount, err := api.parse(text, asset)
		if err != nil {
			return nil, err
		}
		list = append(list, amount)
	}
	return list, nil
}
