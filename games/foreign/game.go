package foreign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Pin is a rule set at an address on a chain whose code is known: nothing else is ever played under
// its name.
type Pin struct {
	Manifest *Manifest      `json:"manifest"`
	Rules    common.Address `json:"rules"`
	ChainID  uint64         `json:"chainId"`
	CodeHash common.Hash    `json:"codeHash"` // keccak256 of the deployed code
}

// Game returns the game of pinned rules, given the code that the chain has at their address. It
// fails with ErrCode when that is other code, or code that Vet refuses.
func (p *Pin) Game(code []byte) (games.Game, error) {
	if p.Manifest == nil {
		return games.Game{}, fmt.Errorf("%w: there is none", ErrManifest)
	}
	if hash := crypto.Keccak256Hash(code); hash != p.CodeHash {
		return games.Game{}, fmt.Errorf("%w: the code at %s has hash %s, and not that of the rules you agreed to, %s", ErrCode, p.Rules, hash, p.CodeHash)
	}
	return Game(p.Manifest, code)
}

// Game returns the game of a contract's deployed code. It fails with ErrCode when Vet refuses that,
// and with ErrManifest.
func Game(m *Manifest, code []byte) (games.Game, error) {
	if err := m.check(); err != nil {
		return games.Game{}, err
	}
	if err := Vet(code); err != nil {
		return games.Game{}, err
	}
	c, err := evm.At(code)
	if err != nil {
		return games.Game{}, err
	}
	rules := c.Rules()
	return games.Game{
		Name: m.Name, Summary: m.Summary, Guide: m.Guide, Rules: rules, Params: m.numbers(), Player: NewPlayer(m, rules), Contract: initCode(code),
		Turns:  func([]byte) (uint64, error) { return m.Turns, nil },
		Stakes: m.stakes(),
	}, nil
}

// stakes says how many seats there are, where that isn't two.
func (m *Manifest) stakes() func([]byte) ([]uint256.Int, error) {
	if m.Seats == 2 {
		return nil
	}
	return func([]byte) ([]uint256.Int, error) { return make([]uint256.Int, m.Seats), nil }
}

// initCode is code that deploys other code as it is.
func initCode(code []byte) []byte {
	n := len(code)
	// PUSH2 n DUP1 PUSH1 11 PUSH0 CODECOPY PUSH0 RETURN
	head := []byte{0x61, byte(n >> 8), byte(n), 0x80, 0x60, 0x0b, 0x5f, 0x39, 0x5f, 0xf3, 0x00}
	return append(head, code...)
}

// Read reads a manifest, and the code that its contract has on a chain: nil where the manifest
// names no file with the init code, in hexadecimal, or none is beside it. It fails with
// ErrManifest, and with ErrCode where the file's code can't be deployed.
func Read(path string) (m *Manifest, code []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	defer f.Close()
	if m, err = readManifest(f); err != nil || m.Code == "" {
		return m, nil, err
	}
	if filepath.Base(m.Code) != m.Code {
		return nil, nil, fmt.Errorf("%w: code %q: want the name of a file beside the manifest", ErrManifest, m.Code)
	}
	init, err := os.ReadFile(filepath.Join(filepath.Dir(path), m.Code))
	if errors.Is(err, os.ErrNotExist) {
		return m, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if code, err = evm.Runtime(common.FromHex(strings.TrimSpace(string(init)))); err != nil {
		return nil, nil, fmt.Errorf("%w: %s: %w", ErrCode, m.Code, err)
	}
	return m, code, nil
}

// Load returns the game of a manifest that has its code beside it: for trying rules out before they
// are deployed.
func Load(path string) (games.Game, error) {
	m, code, err := Read(path)
	if err != nil {
		return games.Game{}, err
	}
	if code == nil {
		return games.Game{}, fmt.Errorf("%w: want a file beside it, with the contract's init code, and its name as \"code\"", ErrManifest)
	}
	return Game(m, code)
}
