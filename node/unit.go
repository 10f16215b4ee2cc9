package node

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// maxUnits caps the tokens whose units are remembered.
const maxUnits = 1024

// units is what tokens said of how their amounts are written.
type units struct {
	mu    sync.Mutex
	known map[common.Address]wei.Unit
}

// Unit returns the unit that amounts of an asset are written in: ETH's, or what an ERC-20 says of
// itself, which is asked once. If the chain does not answer it fails and returns the token's
// smallest unit.
func (n *funds) Unit(ctx context.Context, asset common.Address) (wei.Unit, error) {
	u, known := n.units.of(asset)
	if known {
		return u, nil
	}
	symbol, err := n.askToken(ctx, asset, gameToken().PackSymbol())
	if err != nil {
		return u, err
	}
	decimals, err := n.askToken(ctx, asset, gameToken().PackDecimals())
	if err != nil {
		return u, err
	}
	if d, err := gameToken().UnpackDecimals(decimals); err == nil {
		u = wei.TokenUnit(asset, symbolOf(symbol), d)
	}
	n.units.learn(u)
	return u, nil
}

// askToken asks a token about itself, and returns nothing where it does not say. What people type
// is read by the answer, so it is not the word of one endpoint where there are two.
func (n *funds) askToken(ctx context.Context, token common.Address, call []byte) ([]byte, error) {
	result, err := n.drive.Client.Constant(ctx, token, call)
	if errors.As(err, new(*chain.Reverted)) {
		return nil, nil
	}
	return result, err
}

// symbolOf reads a symbol: a string, or, from old tokens, 32 bytes.
func symbolOf(result []byte) string {
	if len(result) == 32 {
		return string(bytes.TrimRight(result, "\x00"))
	}
	symbol, err := gameToken().UnpackSymbol(result)
	if err != nil {
		return ""
	}
	return symbol
}

// of returns the unit of an asset as far as it is known, without asking the chain.
func (k *units) of(asset common.Address) (u wei.Unit, known bool) {
	if asset == (common.Address{}) {
		return wei.Unit{}, true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if u, known = k.known[asset]; !known {
		u.Asset = asset
	}
	return u, known
}

func (k *units) learn(u wei.Unit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) >= maxUnits {
		k.known = map[common.Address]wei.Unit{}
	}
	k.known[u.Asset] = u
}

// learn looks up an asset's unit before amounts of it are shown. If the chain does not answer,
// amounts are shown in the token's smallest unit.
func (n *funds) learn(ctx context.Context, asset common.Address) {
	if _, err := n.Unit(ctx, asset); err != nil {
		n.config.Log.Debug("a token's unit not read", "token", asset, "error", err)
	}
}

// learnFrom is learn for an asset named by somebody else. It is rate-limited, so that nobody can
// make this node query the chain often.
func (n *funds) learnFrom(from, asset common.Address) {
	if _, known := n.units.of(asset); known {
		return
	}
	if ctx, err := n.askFor(n.who(from), questionsOfUnit); err == nil {
		n.learn(ctx, asset)
	}
}

// Known returns the unit of an asset as far as this node has learnt it, without asking the chain. A
// token that it has not learnt is counted in its smallest units.
func (n *funds) Known(asset common.Address) wei.Unit {
	u, _ := n.units.of(asset)
	return u
}

// amount writes money for people.
func (n *funds) amount(asset common.Address, v *uint256.Int) string {
	return n.Known(asset).Format(v)
}
