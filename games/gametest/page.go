package gametest

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"strings"
	"testing"
)

// page compares the game's part of Suite.Page with what came of cheating, or writes it.
func (s Suite) page(t testing.TB, rows []Row) {
	t.Helper()
	if s.Page == "" || *seedFlag != 1 || *matchFlag >= 0 {
		return
	}
	old, err := os.ReadFile(s.Page)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("read the page on cheating: %v", err)
	}
	begin, end := fmt.Sprintf("<!-- begin %s -->\n", s.Game.Name), fmt.Sprintf("<!-- end %s -->\n", s.Game.Name)
	part := begin + s.section(rows) + end
	head, rest, found := strings.Cut(string(old), begin)
	_, tail, closed := strings.Cut(rest, end)
	switch {
	case found && closed && head+part+tail == string(old):
		return
	case !*updateFlag:
		t.Errorf("%s is not what came of cheating; write it anew with -gametest.update (and -p 1, for several games). It should hold:\n%s", s.Page, part)
		return
	case len(old) > 0 && !found:
		head, tail = strings.TrimRight(string(old), "\n")+"\n\n", ""
	}
	if err := os.WriteFile(s.Page, []byte(head+part+tail), 0o644); err != nil { //nolint:gosec // a page of the repository
		t.Fatal(err)
	}
}

// section writes the rows as Markdown.
func (s Suite) section(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n| phase | seat | cheat | what came of it | gained | lost |\n|---|---|---|---|---|---|\n", s.Game.Name)
	for _, r := range rows {
		then := strings.Join(r.Then, "; ")
		if r.Why != "" {
			then += ". " + r.Why
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.Phase, r.Seat, r.Cheat, then, percent(r.Gain), percent(r.Cost))
	}
	return b.String()
}

// percent writes thousandths.
func percent(thousandths *big.Int) string {
	if thousandths.Sign() <= 0 {
		return "0"
	}
	whole, tenth := new(big.Int).QuoRem(thousandths, big.NewInt(10), new(big.Int))
	if tenth.Sign() == 0 {
		return whole.String() + " %"
	}
	return fmt.Sprintf("%v.%v %%", whole, tenth)
}
