package web_test

import (
	"encoding/json"
	"testing"
)

// TestTrial: in channeld try a person plays on the page with the bot that lies. The chain convicts
// it, and the page says so.
func TestTrial(t *testing.T) {
	t.Parallel()
	p := &person{tab: newTab(t, newBrowser(t)), name: "trial/you", home: t.TempDir(), pictured: map[string]bool{}}
	p.process = background(t, p.home, "--json", "--dir", "trial", "try", "--no-open")
	var told struct {
		Link     string
		Channels map[string]string
	}
	p.must(json.Unmarshal([]byte(p.ready), &told))
	p.open(told.Link)
	p.sees("#running", boards[0].game)
	p.turnTo("channel/" + told.Channels["lara"])
	p.press("Propose this match")
	p.follow(`main section a[href^="#/match/"]`)
	p.wait(func() bool { return p.outcome() != "" }, "nobody convicts lara", func() { p.move(&boards[0]) })
	p.sees("#turn", "You won 0.01 ETH")
	p.sees(".due", "cheated, and that is proved")
	p.usable("convicted")
	p.turnTo("money")
	p.sees(".plainlist", "post the end of the match")
	p.pictures("convicted-money")
}
