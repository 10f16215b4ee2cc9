package cli

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/network"
)

// TestDeployedWindow: what is written is a window that nodes take; one that they would refuse is
// told of instead, before anything is paid.
func TestDeployedWindow(t *testing.T) {
	t.Parallel()
	const sepolia, arbitrum = 11155111, 42161 // 12 confirmations, a block in 12 s; 240, in 250 ms
	for _, c := range []struct {
		clock                           string
		chain                           uint64
		window, confirmations, min, max uint64
		want, fails                     string
	}{
		{"seconds", sepolia, day, 0, 3600, 30 * day, "86400", ""},
		{"seconds", sepolia, day, 0, 3600, 7200, "7200", ""},
		{"seconds", sepolia, day, 0, 2 * day, 30 * day, "172800", ""},
		{"blocks", sepolia, day, 0, 4, 30 * day, "7200", ""},
		{"blocks", sepolia, 88, 0, 4, 30 * day, "88", ""},
		{"blocks", sepolia, 87, 0, 4, 30 * day, "", "a window of 87 blocks is too short: a block is final after 11"},
		{"blocks", sepolia, 87, 2, 4, 30 * day, "87", ""},
		{"blocks", sepolia, day, 0, 4, 80, "", "a window of 80 blocks is too short"},
		{"blocks", 4242, 87, 0, 4, 30 * day, "", "too short"},
		{"seconds", sepolia, 1056, 0, 4, 30 * day, "1056", ""},
		{"seconds", sepolia, 1055, 0, 4, 30 * day, "", "a window of 1055 seconds is too short: a block is final after 132"},
		{"seconds", arbitrum, 472, 0, 4, 30 * day, "472", ""},
		{"seconds", arbitrum, 471, 0, 4, 30 * day, "", "a block is final after 59"},
		{"seconds", 4242, 1055, 0, 4, 30 * day, "1055", ""},
		{"seconds", sepolia, 120, 0, 3600, 30 * day, "3600", ""},
	} {
		s := new(config.Config)
		s.Play.Window, s.Wait.Confirmations = c.window, c.confirmations
		d := deployment{clock: c.clock, minWindow: c.min, maxWindow: c.max}
		got, err := d.settings(s, network.Of(c.chain))
		if got["play.window"] != c.want || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}
