// Package network is what a daemon has to know of a chain: the file that tells it where everything
// is, and what is known of some chains beforehand.
package network

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// Network says where a chain's contracts are.
type Network struct {
	URL        string
	ID         uint64
	Arena      common.Address
	From       uint64 // block of the Arena
	Scoreboard common.Address
	Games      map[string]common.Address // rules contracts

	More map[string]string // other settings, by key
}

// Text returns the settings as a file, under a comment of one line.
func (n Network) Text(comment string) string {
	settings := map[string]string{
		"chain.url": n.URL, "chain.id": fmt.Sprint(n.ID), "chain.from": fmt.Sprint(n.From),
		"chain.arena": n.Arena.Hex(), "chain.scoreboard": n.Scoreboard.Hex(),
	}
	for game, at := range n.Games {
		settings["games."+strconv.Quote(game)] = at.Hex() // it may be named null
	}
	maps.Copy(settings, n.More)
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", comment)
	before := ""
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		section, name, _ := strings.Cut(key, ".")
		if section != before {
			fmt.Fprintf(&text, "%s:\n", section)
			before = section
		}
		fmt.Fprintf(&text, "  %s: %q\n", name, settings[key])
	}
	return text.String()
}
