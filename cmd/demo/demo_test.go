package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games/catalog"
)

// TestMain lets the crash scenario run this very binary as the other player's node.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		exit(child(catalog.Standard()))
	}
	os.Exit(m.Run())
}

// TestJSON plays the scenarios that are over soon, and reads what a program would.
func TestJSON(t *testing.T) {
	for _, c := range []struct {
		scenario string
		guilty   []int
		reason   string
		calls    []string // nil: not looked at
	}{
		{"honest", []int{}, "", []string{"deposit", "open", "close"}},
		{"equivocator", []int{1}, "equivocation", nil},
		{"crash", []int{}, "", []string{"deposit", "open", "close"}},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			var out bytes.Buffer
			if err := run(t.Context(), []string{"-json", "-game", "mastermind", "-scenario", c.scenario}, &out); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			var report struct{ Runs []result }
			lines := json.NewDecoder(&out)
			lines.DisallowUnknownFields()
			if err := lines.Decode(&report); err != nil || lines.More() || len(report.Runs) != 1 {
				t.Fatalf("%v: %+v", err, report)
			}
			r := report.Runs[0]
			if r.Game != "mastermind" || r.Scenario != c.scenario || !r.OK || r.Error != "" || r.Locked != "0" {
				t.Errorf("%+v", r)
			}
			if r.Moves < 4 || r.MoveP50 <= 0 || len(r.Payouts) != 2 {
				t.Errorf("%d moves, %d µs, payouts %v", r.Moves, r.MoveP50, r.Payouts)
			}
			if !slices.Equal(r.Guilty, c.guilty) || r.Reason != c.reason {
				t.Errorf("guilty %v: %q, want %v: %q", r.Guilty, r.Reason, c.guilty, c.reason)
			}
			var calls []string
			for _, tx := range r.Transactions {
				if calls = append(calls, tx.Name); tx.Gas < 21_000 {
					t.Errorf("%s costs %d gas", tx.Name, tx.Gas)
				}
			}
			if c.calls != nil && !slices.Equal(calls, c.calls) {
				t.Errorf("transactions %v, want %v", calls, c.calls)
			}
		})
	}
}

// TestRunThatGoesWrong: the program fails, and its report says why, when a run does not end as it
// should.
func TestRunThatGoesWrong(t *testing.T) {
	all := scenarios
	defer func() { scenarios = all }()
	scenarios = []scenario{{"equivocator", func(*stage, variant) error { return errChance }}}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-json", "-game", "mastermind"}, &out)
	if err == nil || !strings.Contains(err.Error(), "1 of 1 runs") {
		t.Errorf("error: %v", err)
	}
	if text := out.String(); !strings.Contains(text, `"ok":false`) || !strings.Contains(text, errChance.Error()) {
		t.Errorf("report: %s", text)
	}
}

// TestShows: every game of the catalog is on the stage, with every kind of liar that can be
// convicted.
func TestShows(t *testing.T) {
	for _, g := range catalog.Standard() {
		v := shows[g.Name].variants
		if len(v["honest"]) == 0 || len(v["silent"]) == 0 {
			t.Errorf("%s is not shown", g.Name)
		}
		for _, l := range g.Liars {
			if l.Reason != "" && !slices.ContainsFunc(v["liar"], func(v variant) bool { return v.liar == l.Name }) {
				t.Errorf("%s: nobody is shown who %s", g.Name, l.Name)
			}
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-scenario", "nosuch"}, {"-game", "nosuch"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out); err == nil || !strings.Contains(err.Error(), "there are") || out.Len() > 0 {
			t.Errorf("%v: %v, %s", args, err, out.String())
		}
	}
}
