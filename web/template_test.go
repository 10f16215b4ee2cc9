package web_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// TestTemplate: two people play on the board that developers begin with, built as they build it and
// served from elsewhere, each with a daemon of their own.
func TestTemplate(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	built := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "npm", "run", "build", "-w", "@ante/template", "--", "--outDir", built).CombinedOutput(); err != nil { //nolint:gosec // its own folder
		t.Fatalf("%v: %s", err, out)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(built)))
	t.Cleanup(site.Close)
	alice, bob := w.settles("alice"), w.settles("bob")
	for _, p := range []*person{alice, bob} {
		p.knows(w)
		p.process = background(t, p.home, "--dir", p.name, "run", "--api.origins", site.URL, "--play.accept", "true")
		p.channeld("deposit", "1eth")
	}
	alice.channeld("peer", "add", bob.told("addresses", "status"))
	alice.channeld("open", bob.account, "0.5eth")
	for _, p := range []*person{alice, bob} {
		page, key, _ := strings.Cut(p.link(), "/page/#")
		p.open(site.URL + "#" + strings.TrimPrefix(page, "http://") + "/" + key)
	}
	// by parameters that the board does not propose, nobody begins with a click
	alice.channeld("wait", "channel")
	alice.channeld("match", "propose", "connect-four", "0.01eth", "--param", "first=1")
	bob.sees("#lobby", "Other terms are proposed")
	alice.channeld("match", "withdraw")
	alice.press("Propose a match")
	bob.press("Play")
	decided := func() bool {
		return alice.tells("You won") && bob.tells("You lost") || alice.tells("You lost") && bob.tells("You won")
	}
	// A click that comes too late shows why it was refused, for a moment even over the result.
	alice.wait(decided, "not one has won and the other lost", func() {
		alice.drops(0)
		bob.drops(1)
	})
	alice.pictures("template")
}

const templateStatus = `document.querySelector("#status").innerText`

// tells reports whether the template says just that.
func (p *person) tells(text string) bool {
	p.Helper()
	return p.read(templateStatus) == text
}

// drops puts a disc into a column of the template's board, where it may.
func (p *person) drops(column int) {
	p.Helper()
	p.run(`[...document.querySelectorAll("#board button:enabled")].find((b) => b.ariaLabel.startsWith("column ` + string(rune('1'+column)) + `:"))?.click()`)
}
