package web_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"
)

// asNetwork is in the environment of a process of this binary that has a network of its own.
const asNetwork = "ANTE_TEST_NETWORK"

// TestCut: the network between two daemons that both run is cut in the middle of a match. Each page
// says so, and the one that waits by when and for how much its daemon goes to the chain. What is
// played meanwhile arrives once the network is mended, and the match goes on. It needs Linux, root,
// iproute2 and nftables: what is cut is a network that only this test is in.
func TestCut(t *testing.T) {
	if os.Getenv(asNetwork) == "" {
		elsewhere(t)
		return
	}
	run(t, "ip", "link", "set", "lo", "up")
	w := newTown(t)
	alice, bob := w.arrives("alice"), w.arrives("bob")
	b := &boards[0]
	alice.invite(bob, b)
	bob.asked(b, alice)

	w.cut(alice, bob)
	alice.sees(".waits", "Bob is away: the clock on the chain starts in ")
	alice.sees(".waits", ", and that will cost you ")
	bob.sees(".waits", "Alice is away: what you play reaches alice once the connection is back")
	alice.shows("bob is away: the clock on the chain starts in .*, and that will cost you ")
	bob.shows("alice is away: what you play reaches alice once the connection is back")
	alice.usable("cut-waits")
	bob.usable("cut-moves")
	bob.wait(func() bool { return bob.read(`String(!!document.querySelector("#board .status.you"))`) == "false" }, "bob can't move", func() { bob.move(b) })
	bob.sees(".waits", "Alice is away: the clock on the chain starts in ")
	bob.usable("cut-moved")

	run(t, "nft", "delete", "table", "inet", "cut")
	for _, p := range []*person{alice, bob} {
		p.until(`!document.querySelector(".waits")?.innerText.includes("away")`, "the network is whole, and somebody is away")
		p.sees("#state", "all is well")
	}
	playOut(b, alice, bob)
}

// elsewhere runs the test in a network of its own.
func elsewhere(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 || *browser == "" {
		t.Skip("needs Linux, root and -browser: see make page")
	}
	for _, tool := range []string{"unshare", "ip", "nft"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	t.Parallel() // it mostly waits
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "unshare", "--net", self, "-test.run", "^TestCut$", "-test.v", "-browser", *browser, "-pictures", *pictures) //nolint:gosec // this very binary
	c.Env = append(os.Environ(), asNetwork+"=1")
	said, err := c.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Fatal(err)
	}
}

// cut drops every packet between the daemons of two people.
func (w *town) cut(a, b *person) {
	w.Helper()
	rules := "table inet cut { chain in { type filter hook input priority 0;"
	for _, p := range []*person{a, b} {
		rules += fmt.Sprintf(" tcp dport %s drop; tcp sport %s drop;", p.port, p.port)
	}
	run(w.T, "nft", rules+" }; }")
}

// shows sees what the command line says of the only match.
func (p *person) shows(want string) {
	p.tab.Helper()
	said, err := channeld(p.tab.T, p.home, "--dir", p.name, "match", "show").CombinedOutput()
	p.must(err)
	if !regexp.MustCompile(want).Match(said) {
		p.Errorf("match show of %s says %s", p.name, said)
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil { //nolint:gosec // of the test
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}
