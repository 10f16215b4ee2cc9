package api_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inside are exported errors that no call of the API returns: what they are for.
var inside = map[string][]string{
	"of a peer or a log, which is passed over": {
		"channel.ErrPeer", "channel.ErrFlood", "protocol.ErrSupport", "protocol.ErrSignature", "chain.BadLog",
	},
	"alarms": {
		"transport.ErrNoRelay",
		"chain.Ahead", "chain.DeepReorg", "chain.DeadlineNear", "chain.FeeSpike", "chain.Lagging", "chain.NonceGap", "chain.NotFollowing",
		"chain.StuckTx", "chain.Unconfirmed", "chain.Unproved", "chain.WentBack", "chain.WrongClock",
	},
	"why a stream ends, in the text of a Peer": {"transport.ErrClosed", "transport.ErrIdle", "transport.ErrSlow"},
	"before the API is served":                 {"chain.ErrCursor", "chain.ErrNoArena", "channel.ErrRecords", "store.ErrInUse"},
	"of the store to its callers":              {"store.ErrStop"},
}

// TestFaults_All: each exported error that a node may return has a number, or is known not to come
// out.
func TestFaults_All(t *testing.T) {
	source, err := os.ReadFile("faults.go")
	check(t, err)
	known := regexp.MustCompile(`\{"ANTE-\d+", connect\.Code\w+, (?:kind\[\*)?([\w.]+)`)
	listed := map[string]bool{}
	for _, row := range known.FindAllSubmatch(source, -1) {
		listed[strings.TrimPrefix(string(row[1]), "owner.")] = true
	}
	declared := regexp.MustCompile(`(?m)^(?:var |\t)(Err[A-Z]\w*) += |^func \(\w+ \*(\w+)\) Error\(\) string`)
	found := 0
	for _, folder := range []string{"node", "node/owner", "channel", "protocol", "games", "money", "transport", "chain", "store"} {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		check(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			check(t, err)
			for _, match := range declared.FindAllSubmatch(source, -1) {
				name := string(match[1]) + string(match[2])
				if strings.ToLower(name[:1]) == name[:1] {
					continue
				}
				found++
				full := folder + "." + name
				if folder == "node/owner" {
					full = name
				}
				within := false
				for _, list := range inside {
					within = within || slices.Contains(list, full)
				}
				if listed[full] == within && full != "money.Short" && full != "games.AmountError" { // both wrap another
					t.Errorf("%s: number %v, inside %v", full, listed[full], within)
				}
			}
		}
	}
	if found < 70 {
		t.Errorf("%d errors were found", found)
	}
}
