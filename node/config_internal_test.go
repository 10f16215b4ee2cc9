package node

import (
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestConfigurations: what a configuration leaves out has a default, what it says stays, and what
// can't work is refused.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	own, err := crypto.ToECDSA(crypto.Keccak256([]byte{1}))
	l.must(err)
	other, err := crypto.GenerateKey()
	l.must(err)
	whole := func() Config {
		return Config{
			Store: l.node(nil).config.Store, Player: protocol.NewKey(own), GasPayer: chain.KeySigner(own), Chain: chain.Config{URL: "http://127.0.0.1:1"}, Arena: common.Address{1},
			Sessions: func(common.Hash) (protocol.Signer, error) { return l.key(), nil }, Games: games.Catalog{toy.Game()},
			Network: func(protocol.Domain, transport.Handler) (Network, error) { return nil, nil },
		}
	}
	c := whole()
	if err := c.complete(); err != nil || c.Policy.Patience != DefaultPatience || c.Policy.Poll != DefaultPoll || c.Now == nil || c.Rand == nil || c.Log == nil || c.OwnerSigner == nil {
		t.Errorf("defaults: %+v, %v", c, err)
	}
	c = whole()
	c.Policy.Patience, c.Policy.Poll, c.GasPayer = time.Nanosecond, time.Nanosecond, chain.KeySigner(other)
	if err := c.complete(); err != nil || c.Policy.Patience != 1 || c.Policy.Poll != 1 || c.OwnerSigner != nil {
		t.Errorf("what is said: %+v, %v", c, err)
	}
	c = whole()
	c.OwnerSigner, c.GasPayer = chain.KeySigner(own), chain.KeySigner(other)
	if err := c.complete(); err != nil || c.OwnerSigner.Address() == c.GasPayer.Address() {
		t.Errorf("another account pays for gas: %v", err)
	}
	for part, change := range map[string]func(*Config){
		"needs Store": func(c *Config) { c.Store = nil }, "the money is": func(c *Config) { c.OwnerSigner = chain.KeySigner(other) },
		"the Arena's address": func(c *Config) { c.Arena = common.Address{} }, "at least one game": func(c *Config) { c.Games = nil },
		"this program lacks": func(c *Config) { c.Rules = map[string]common.Address{"chess": {1}} },
	} {
		c := whole()
		change(&c)
		if err := c.complete(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("want %q: %v", part, err)
		}
	}
}
