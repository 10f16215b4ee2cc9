package repository_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/p2p"
)

// limitsHead says how to read the tables.
const limitsHead = `What strangers and players can make a daemon or a tower do. "16+1/10s" allows 16 at once and one more every
ten seconds; a plain number counts places. A stranger is an account without a channel that the chain has
shown; a player has one with this node, or a seat whose evidence this tower holds. Four more limits are where
they apply: the work that a seat causes between two ticks (channel/allowance.go), the part of an endpoint's rate
that strangers may use (chain/gate.go), the bids for an invite (node/negotiation.go), and what a look at a channel
replays (disputes/memory.go).

`

// TestLimitsAreCurrent holds the tables of budgets and of limits in limits.txt to the code.
func TestLimitsAreCurrent(t *testing.T) {
	atRoot(t)
	all := slices.Concat(p2p.Limits{}.Budgets(), node.Budgets(), tower.Budgets())
	names := map[string]bool{}
	for _, l := range all {
		if names[l.Name] || !strings.Contains(l.Name, "/") || l.Counts == "" {
			t.Errorf("budget %q: counts %q", l.Name, l.Counts)
		}
		names[l.Name] = true
		if l.Account.Burst == 0 && l.Total.Burst == 0 {
			t.Errorf("budget %q doesn't limit strangers", l.Name)
		}
	}
	whole(t, "internal/repository/limits.txt", limitsHead+budget.Table(all)+"\n"+p2p.Limits{}.Table())
}

// TestOperateNamesAlarmsAndMetrics: each alarm in docs/operate.md is a part of a text that the code
// has, each fault of package chain that is an alarm is there, and so is each metric, and no other.
func TestOperateNamesAlarmsAndMetrics(t *testing.T) {
	atRoot(t)
	page := read(t, "docs/operate.md")
	_, alarms, _ := strings.Cut(page, "the alarm says | do\n")
	alarms, _, _ = strings.Cut(alarms, "\n\n")
	faults, others := read(t, "chain/faults.go"), read(t, "node/chain.go")+read(t, "transport/errors.go")
	var phrases []string
	for line := range strings.Lines(alarms) {
		first, _, _ := strings.Cut(line, " | ")
		for _, found := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			if phrases = append(phrases, found[1]); !strings.Contains(faults, found[1]) && !strings.Contains(others, found[1]) {
				t.Errorf("no alarm says %q", found[1])
			}
		}
	}
	for _, found := range regexp.MustCompile(`fmt\.Sprintf\("([^"]+)"`).FindAllStringSubmatch(faults, -1) {
		if text := found[1]; !strings.HasPrefix(text, "at block") && !strings.HasPrefix(text, "a log of") && !strings.HasPrefix(text, "the contract refuses") &&
			!slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) }) {
			t.Errorf("docs/operate.md doesn't have the alarm %q", text)
		}
	}

	metrics := map[string]bool{}
	for file, prefix := range map[string]string{"node/metrics/metrics.go": "ante_", "tower/metrics/metrics.go": "ante_tower_"} {
		for _, found := range regexp.MustCompile(`= describe\("(\w+)"`).FindAllStringSubmatch(read(t, file), -1) {
			metrics[prefix+found[1]] = true
		}
	}
	for _, found := range regexp.MustCompile("`(ante_\\w+)`").FindAllStringSubmatch(page, -1) {
		if !metrics[found[1]] {
			t.Errorf("there is no metric %s", found[1])
		}
		delete(metrics, found[1])
	}
	for name := range metrics {
		t.Errorf("docs/operate.md doesn't have the metric %s", name)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
