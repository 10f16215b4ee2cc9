package api

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
)

// parseHash reads an id.
func parseHash(what, text string) (common.Hash, error) {
	b, err := hexutil.Decode(text)
	if err != nil || len(b) != common.HashLength {
		return common.Hash{}, fmt.Errorf("%w: %s is %q, want 0x and 64 hexadecimal digits", ErrRequest, what, text)
	}
	return common.Hash(b), nil
}

// parseAny reads an id, which may be left out: zero.
func parseAny(what, text string) (common.Hash, error) {
	if text == "" {
		return common.Hash{}, nil
	}
	return parseHash(what, text)
}

// parseAddress reads an address. Empty text is the zero address where that means something.
func parseAddress(what, text string, optional bool) (common.Address, error) {
	if text == "" && optional {
		return common.Address{}, nil
	}
	a, err := Address(text)
	if err != nil {
		return a, fmt.Errorf("%w: %s is %q: %w", ErrRequest, what, text, err)
	}
	return a, nil
}

// Address reads an address that a person typed: 0x and 40 hexadecimal digits. Where those are upper
// and lower case they are a checksum (EIP-55), which must hold.
func Address(text string) (common.Address, error) {
	if !strings.HasPrefix(text, "0x") || !common.IsHexAddress(text) {
		return common.Address{}, errors.New("want 0x and 40 hexadecimal digits")
	}
	a := common.HexToAddress(text)
	if mixed := text[2:]; mixed != strings.ToLower(mixed) && mixed != strings.ToUpper(mixed) && text != a.Hex() {
		return common.Address{}, errors.New("its checksum is wrong: look for a typing mistake")
	}
	return a, nil
}

func parseAddresses(what string, texts []string) ([]common.Address, error) {
	var list []common.Address
	for _, text := range texts {
		a, err := parseAddress(what, text, false)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// parseAmount reads a decimal number of wei or token units.
func parseAmount(what, text string) (*uint256.Int, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return nil, fmt.Errorf("%w: %s is %q, want a whole number of wei or token units", ErrRequest, what, text)
	}
	if text = strings.TrimLeft(text, "0"); text == "" {
		return new(uint256.Int), nil
	}
	v, err := uint256.FromDecimal(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s does not fit into 256 bits", ErrRequest, what)
	}
	return v, nil
}

// parseAnyAmount reads an amount, which may be left out: nil.
func parseAnyAmount(what, text string) (*uint256.Int, error) {
	if text == "" {
		return nil, nil
	}
	return parseAmount(what, text)
}

func parseAmounts(what string, texts []string) ([]uint256.Int, error) {
	var list []uint256.Int
	for _, text := range texts {
		v, err := parseAmount(what, text)
		if err != nil {
			return nil, err
		}
		list = append(list, *v)
	}
	return list, nil
}

func parseSeats(seats []uint32) ([]uint8, error) {
	var list []uint8
	for _, s := range seats {
		if s > 255 {
			return nil, fmt.Errorf("%w: there is no seat %d", ErrRequest, s)
		}
		list = append(list, uint8(s))
	}
	return list, nil
}

func asset(a common.Address) string {
	if a == (common.Address{}) {
		return ""
	}
	return a.Hex()
}

// each returns what is told of each thing in a list.
func each[T, M any](list []T, tell func(*T) M) []M {
	out := make([]M, len(list))
	for i := range list {
		out[i] = tell(&list[i])
	}
	return out
}

func amounts(list []uint256.Int) []string { return each(list, (*uint256.Int).Dec) }

func addresses(list []common.Address) []string {
	return each(list, func(a *common.Address) string { return asset(*a) })
}

func seats(list []uint8) []uint32 {
	return each(list, func(seat *uint8) uint32 { return uint32(*seat) })
}

// id leaves the zero hash out.
func id(h common.Hash) string {
	if h == (common.Hash{}) {
		return ""
	}
	return h.Hex()
}
