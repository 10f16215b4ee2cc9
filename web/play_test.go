package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"testing"

	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/web"
	"github.com/holiman/uint256"
)

// parts are the views that a person reaches with one click.
var parts = []string{"", "people", "invites", "rounds", "money", "history", "node"}

// TestPlay: a person opens a channel, proposes a match, reloads in the middle of it, loses the
// daemon, concedes and finds the match again in the history and the chart; whoever has a link that
// looks is offered nothing of that, and who has none is told what to do with an invite. No view is
// hard to use without eyes or mouse.
func TestPlay(t *testing.T) {
	d := newDesk(t)
	d.must(dev.Deposit(t.Context(), d.node, uint256.NewInt(2e18)))

	d.open(d.url + web.Path + "#" + api.View(token))
	d.sees("#looks", "channeld page --play")
	if n := d.read(`String(document.querySelectorAll("button, input, select, form, a").length)`); n != "0" {
		t.Errorf("a link that looks has %s controls", n)
	}
	d.refusedNothing()
	d.usable("look")

	d.open(d.url + web.Path + "#" + token)
	for _, part := range parts {
		d.run(fmt.Sprintf("location.hash = '/%s'", part))
		d.sees("nav [aria-current]", "")
		d.usable("part-" + part)
	}
	t.Logf("first paint after %s ms", d.read(`performance.getEntriesByName("first-contentful-paint")[0].startTime.toFixed()`))

	d.run("location.hash = '/people'")
	d.press("Open a channel")
	d.fill("You lock", "2.5")
	d.press("Offer …")
	d.sees("dialog", "Your bank lacks 0.5 ETH")
	d.press("Deposit, and offer the channel")
	d.run("location.hash = '/'")
	d.sees(`a[href^="#/channel/"]`, "2.5 ETH free")
	d.run(`document.querySelector('a[href^="#/channel/"]').click()`)
	d.sees("#propose", "mastermind")
	d.usable("channel")
	d.press("Propose this match")
	d.run("location.hash = '/'")
	d.sees("#running", "your turn")
	d.run(`document.querySelector("#running a").click()`)
	d.sees("#turn", "It is your turn")

	d.run("location.reload()")
	d.sees("#turn", "It is your turn")
	d.usable("match")

	d.stopped.Store(true)
	d.sees("#state", "the daemon does not answer")
	if able := d.read(`String(document.querySelectorAll(".actions button:enabled").length)`); able != "0" {
		t.Errorf("%s controls can be pressed while the daemon is away", able)
	}
	d.stopped.Store(false)
	d.sees("#state", "all is well")

	d.press("Concede …")
	d.sees("dialog", "can't be undone")
	d.press("Concede")
	d.sees("#turn", "You lost 0.01 ETH")
	d.run("location.hash = '/history'")
	d.sees("#history", "lost")
	d.run(`document.querySelector("#history a").click()`)
	d.sees("#result", "You lost 0.01 ETH")
	d.usable("over")
	d.run("location.hash = '/money'")
	d.sees("#charts", "−0.01 ETH")
	d.run(`document.querySelector("#charts").scrollIntoView()`)
	d.usable("charts")
	d.refusedNothing()

	d.open(d.url + web.Path + "#another")
	d.run("location.hash = '/join/0x12/there'")
	d.sees("#stranger", "/join/0x12/there")
	d.usable("stranger")
}

// TestSize: all of the page is at most 300 KB on the way.
func TestSize(t *testing.T) {
	const most = 300 << 10
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, name := range []string{"index.html", "page.js", "page.css"} {
		file, err := os.ReadFile("dist/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(file) // into memory
	}
	_ = w.Close()
	if packed.Len() > most {
		t.Errorf("the page takes %d bytes, more than %d", packed.Len(), most)
	}
}
