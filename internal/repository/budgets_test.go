package repository_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/p2p"
)

// TestNetworkIsCurrent holds the tables of budgets and of limits in docs/network.md to the code.
func TestNetworkIsCurrent(t *testing.T) {
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
	current(t, "docs/network.md", map[string]string{"budgets": budget.Table(all), "limits": p2p.Limits{}.Table()})
}
