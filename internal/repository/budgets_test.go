package repository_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/p2p"
)

// budgetsHead says how to read the table.
const budgetsHead = `What strangers and players can make a daemon or a tower do. "16+1/10s" allows 16 at once and one more every
ten seconds; a plain number counts places. A stranger is an account without a channel that the chain has
shown; a player has one with this node, or a seat whose evidence this tower holds. Four more limits are where
they apply: the work that a seat causes between two ticks (channel/allowance.go), the part of an endpoint's rate
that strangers may use (chain/gate.go), the bids for an invite (node/negotiation.go), and what a look at a channel
replays (disputes/memory.go).

`

// TestBudgetsAreCurrent holds the table of budgets in budgets.txt to the code.
func TestBudgetsAreCurrent(t *testing.T) {
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
	whole(t, "internal/repository/budgets.txt", budgetsHead+table(all))
}

// table writes budgets in Markdown.
func table(limits []budget.Limit) string {
	var out strings.Builder
	out.WriteString("budget | counts | each stranger | each address | all strangers | each player | all players\n")
	out.WriteString("---|---|---|---|---|---|---\n")
	for _, l := range limits {
		fmt.Fprintf(&out, "`%s` | %s | %s | %s | %s | %s | %s\n", l.Name, l.Counts,
			share(l.Account), share(l.Group), share(l.Total), share(l.Friend), share(l.Friends))
	}
	return out.String()
}

// share writes a share: "16+1/10s" is 16 at once, and one more every ten seconds; "8" are places.
func share(s budget.Share) string {
	switch {
	case s.Burst == 0:
		return "–"
	case s == budget.None:
		return "none"
	case s.Every == 0:
		return fmt.Sprintf("%d", s.Burst)
	case s.Every <= time.Second && time.Second%s.Every == 0:
		return fmt.Sprintf("%d+%d/s", s.Burst, time.Second/s.Every)
	default:
		return fmt.Sprintf("%d+1/%s", s.Burst, strings.Replace(s.Every.String(), "m0s", "m", 1))
	}
}

// TestSharesAreReadable: shares are told as units at once and in time, a second's or one's,
// whichever is whole.
func TestSharesAreReadable(t *testing.T) {
	for want, s := range map[string]budget.Share{
		"–": {}, "none": budget.None, "8": budget.Places(8), "3+1/s": budget.Rate(3, time.Second), "3+10/s": budget.Rate(3, time.Second/10),
		"3+1/300ms": budget.Rate(3, 300*time.Millisecond), "3+1/2s": budget.Rate(3, 2*time.Second), "3+1/5m": budget.Rate(3, 5*time.Minute),
	} {
		if got := share(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
