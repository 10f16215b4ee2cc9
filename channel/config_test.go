package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
)

// A machine is not made where it could sign nothing, or sign for somebody else.
func TestConfigRefuses(t *testing.T) {
	tb := openTable(t, 2)
	for name, spoil := range map[string]func(*channel.Config){
		"bad terms":       func(c *channel.Config) { c.Terms.Window = 0 },
		"no such seat":    func(c *channel.Config) { c.Seat = 2 },
		"seat -1":         func(c *channel.Config) { c.Seat = -1 },
		"no signer":       func(c *channel.Config) { c.Signer = nil },
		"no rules":        func(c *channel.Config) { c.Rules = nil },
		"another's key":   func(c *channel.Config) { c.Signer = tb.keys[1] },
		"a stranger's":    func(c *channel.Config) { c.Signer = protocoltest.Key("stranger") },
		"the player's":    func(c *channel.Config) { c.Signer = protocoltest.Key("player 0") },
		"another's place": func(c *channel.Config) { c.Seat = 1 },
	} {
		cfg := tb.seats[0].cfg
		spoil(&cfg)
		if m, _, err := channel.New(cfg); m != nil || !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: a new channel: %v", name, err)
		}
		if m, err := channel.Restore(cfg, tb.records(0)); m != nil || !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: an old channel: %v", name, err)
		}
	}
}
