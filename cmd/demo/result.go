package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// result is what came of one run: one game, one scenario, one variant of it.
type result struct {
	Game         string        `json:"game"`
	Scenario     string        `json:"scenario"`
	Detail       string        `json:"detail"`
	Guilty       []int         `json:"guilty"` // seats of the match
	Reason       string        `json:"reason"`
	Payouts      []string      `json:"payouts"` // wei by seat of the match
	Moves        int           `json:"moves"`
	Transactions []transaction `json:"transactions"`
	MoveP50      int64         `json:"move_p50_us"`
	// what the Arena holds beyond free bank balances
	Locked string `json:"arena_locked_wei"`
	OK     bool   `json:"ok"`
	Error  string `json:"error,omitempty"`
}

// transaction is one call of the Arena.
type transaction struct {
	Name string `json:"name"`
	Gas  uint64 `json:"gas"`
}

// play makes a world, plays the scenario in it, and looks at what is left.
func play(ctx context.Context, story io.Writer, t task, seed string) *result {
	r := &result{Game: t.game.Name, Scenario: t.scenario.name, Detail: t.variant.name, Guilty: []int{}, Payouts: []string{}, Transactions: []transaction{}}
	fmt.Fprintf(story, "\n%s\n  %s\n", title(r), t.variant.tale)
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	err := func() error {
		st, err := newStage(ctx, story, t, r, seed)
		if err != nil {
			return err
		}
		defer st.close()
		err = t.scenario.play(st, t.variant)
		if err == nil {
			err = st.audit()
		}
		if err != nil {
			st.explain()
		}
		return err
	}()
	if err != nil {
		r.Error = err.Error()
		fmt.Fprintf(story, "  FAILED: %v\n", err)
		return r
	}
	r.OK = true
	fmt.Fprintf(story, "  %s\n", ending(r))
	return r
}

func title(r *result) string {
	t := r.Game + ": " + r.Scenario
	if r.Detail != "" {
		t += " (" + r.Detail + ")"
	}
	return t + "\n" + strings.Repeat("-", len(t))
}

// gas is what all transactions used.
func (r *result) gas() (used uint64) {
	for _, t := range r.Transactions {
		used += t.Gas
	}
	return used
}

func ending(r *result) string {
	calls := make([]string, len(r.Transactions))
	for i, t := range r.Transactions {
		calls[i] = fmt.Sprintf("%s %d", t.Name, t.Gas)
	}
	text := fmt.Sprintf("on-chain: %s: %d gas in all; left in the Arena but free balances: %s wei", strings.Join(calls, ", "), r.gas(), r.Locked)
	if r.Scenario == "honest" {
		text += fmt.Sprintf("\n  off-chain: %d moves for no gas, half of them made, signed, sent and checked within %d µs", r.Moves, r.MoveP50)
	}
	return text
}

func summarise(out io.Writer, runs []*result) {
	fmt.Fprintf(out, "\n%-14s %-12s %-14s %-8s %6s %9s  %s\n", "game", "scenario", "", "ended", "moves", "gas", "why")
	wrong := false
	for _, r := range runs {
		how := "right"
		if !r.OK {
			how, wrong = "WRONG", true
		}
		why := r.Reason
		if len(r.Guilty) > 0 {
			why = "convicted: " + r.Reason
		}
		fmt.Fprintf(out, "%-14s %-12s %-14s %-8s %6d %9d  %s\n", r.Game, r.Scenario, r.Detail, how, r.Moves, r.gas(), why)
	}
	if !wrong {
		fmt.Fprintln(out, "\nEvery run ended as it should: nobody lost more than they lost at play, and no money was left behind.")
	}
}
