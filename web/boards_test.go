package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/web"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// board is a game as a person plays it on the page.
type board struct {
	game   string
	params string
	house  bool // the opponent has the first seat
	// what the person does when the board asks; it is a function body, and returns what it did
	hand string
	ends string // what the board tells at last: any of these, by |
}

var boards = []board{
	{"mastermind", `{"rounds": 2, "guesses": 3}`, false, `
		const keys = [...document.querySelectorAll(".colour")];
		if (document.querySelector(".frame .status").innerText.includes("secret")) [2, 0, 5, 5].forEach((c) => keys[c].click());
		else for (let i = 0; i < 4; i++) keys[(i * 7 + 1) % 6].click();
		return later(".send");`, "You won|You lost|A draw"},
	{"battleships", `{}`, false, `
		const place = find("Place this fleet");
		if (place) return place.click(), "placed";
		const free = [...document.querySelectorAll(".live button[aria-disabled=false]")];
		free[Math.floor(free.length * 0.37)]?.click();
		return "shot";`, "You won|You lost"},
	{"sums-and-cows", `{"n": 6, "d": 3, "guesses": 3}`, false, `
		["C", "A", "E"].forEach((l) => [...document.querySelectorAll(".key")].find((k) => k.innerText === l).click());
		return later(".tool.send");`, "You won|You lost"},
	{"split-or-steal", `{"house": 3}`, false, `
		find("Steal").click();
		return later(".frame > button");`, "You gain|You lose|your bet back"},
	{"box9", `{"rounds": 2}`, true, `
		["1", "4", "7"].forEach((n) => [...document.querySelectorAll(".box")].find((b) => b.innerText.includes(n)).click());
		return later("#board .choice button:not(.plain)");`, "It is over"},
	{"connect-four", `{}`, false, `
		const free = [...document.querySelectorAll("#board .grid button[aria-disabled=false]")];
		free[Math.floor(free.length / 2)]?.click();
		return "dropped";`, "You won|You lost|A draw"},
}

// helpers are what the hands use: a button by its text, and one to be pressed once it can be.
const helpers = `
	const find = (text) => [...document.querySelectorAll("#board button:enabled")].find((b) => b.innerText.includes(text));
	const later = (at) => new Promise((done) => requestAnimationFrame(() => { document.querySelector(at).click(); done("sent"); }));`

// TestBoards: a person plays a whole match of every game on its board in a real browser, against a
// bot on another node, and so rules of which the page knows a manifest only.
func TestBoards(t *testing.T) {
	if *browser == "" {
		t.Skip("needs -browser: see make page")
	}
	d := newDesk(t)
	three := uint256.NewInt(3e18)
	d.must(dev.Deposit(t.Context(), d.node, three))
	d.must(dev.Deposit(t.Context(), d.peer, three))
	mine, theirs := d.channel(d.node, d.peer), d.channel(d.peer, d.node)
	d.open(d.url + web.Path + "#" + token)
	for i := range boards {
		b := &boards[i]
		from, channel := d.node, mine
		if b.house {
			from, channel = d.peer, theirs
		}
		d.must(from.Propose(channel, node.MatchRequest{Game: b.game, Params: json.RawMessage(b.params), Stakes: b.stakes()}))
		d.playThrough(b)
	}
}

// stakes are the game's own where it has any.
func (b *board) stakes() []uint256.Int {
	switch b.game {
	case "sums-and-cows":
		return nil
	case "box9":
		return []uint256.Int{*uint256.NewInt(2e17), *uint256.NewInt(1e17)}
	default:
		return []uint256.Int{*uint256.NewInt(1e16)}
	}
}

// playThrough plays the newest match of a game to its end, with the bot on the other side.
func (d *desk) playThrough(b *board) {
	d.Helper()
	match := d.running(b.game)
	d.run(fmt.Sprintf("location.hash = '/match/%s'", match.Hex()))
	seen := map[string]bool{}
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(every) {
		status := d.read(`document.querySelector("#board")?.innerText ?? ""`)
		for _, over := range strings.Split(b.ends+"|The match is over", "|") {
			if strings.Contains(status, over) {
				d.pictures(b.game + "-over")
				d.lookBack(b, match)
				return
			}
		}
		if time.Now().After(end) {
			d.Fatalf("%s is not over: its board shows %q", b.game, d.read(`document.querySelector("#board")?.innerText ?? document.body.innerText`))
		}
		if strings.Contains(status, "Bets are closed") || strings.Contains(status, "once it is final") {
			d.block()
		}
		asks := d.read(`String(!!document.querySelector("#board .status.you") && !document.querySelector("#board :is(.plain:not(.tool), .hole, .key, .ship):disabled"))`)
		if asks != "true" {
			continue
		}
		if name := b.game + "-" + word(status); !seen[name] {
			seen[name] = true
			d.pictures(name)
		}
		d.run("(async () => {" + helpers + b.hand + "})()")
	}
}

// lookBack finds the board of a match that is paid out as it was, and in its replay one for each
// position.
func (d *desk) lookBack(b *board, match common.Hash) {
	d.Helper()
	d.until(fmt.Sprintf(`(async () => (await (await fetch("/ante.v1.NodeService/GetMatch", {
		method: "POST", headers: {"Content-Type": "application/json", Authorization: "Bearer %s"}, body: JSON.stringify({matchId: %q}),
	})).json()).match.status === "MATCH_STATUS_BOOKED")()`, token, match.Hex()), b.game+" is not paid out")
	d.run("location.reload()")
	ends, err := json.Marshal(strings.Split(b.ends, "|"))
	d.must(err)
	over := fmt.Sprintf(`%s.some((text) => document.querySelector("#board .status")?.innerText.includes(text))`, ends)
	d.until(over, "the board of "+b.game+" is gone once it is paid out")
	d.press("Replay, and check it yourself")
	d.until(`location.hash.startsWith("#/replay/") && `+over, "the replay of "+b.game+" does not begin with its end")
	d.pictures(b.game + "-replay")
	d.run(`(async () => {
		const back = () => [...document.querySelectorAll("button:enabled")].find((b) => b.innerText === "Back");
		for (let at = Number(document.querySelector("input[type=range]").max); at > 0; at--) {
			back().click();
			await new Promise(requestAnimationFrame);
			if (!document.querySelector("#board .status")?.innerText) throw new Error("no board at position " + at);
		}
		if (back()) throw new Error("there is something before the first position");
	})()`)
}

// word is a status as a part of a file's name.
func word(status string) string { return strings.ToLower(strings.Fields(status + " -")[0]) }

// running is the newest match of a game that is not over.
func (d *desk) running(game string) (id common.Hash) {
	d.Helper()
	d.must(d.node.Wait(d.ctx, func() (bool, error) {
		for _, m := range d.node.Matches() {
			if m.Game == game && m.Started && m.Outcome == nil {
				id = m.ID
			}
		}
		return id != common.Hash{}, nil
	}))
	return id
}

// block is one more block, once both nodes have seen those there are.
func (d *desk) block() {
	head := d.world.Chain.Head()
	if d.node.Head().Block >= head && d.peer.Head().Block >= head {
		d.must(d.world.Chain.Mine(1))
	}
}

// channel opens a channel that one node offers another.
func (d *desk) channel(from, to *node.Node) common.Hash {
	d.Helper()
	offer, err := from.Offer(d.Context(), node.OpenRequest{Peers: []common.Address{to.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 100})
	d.must(err)
	channel, err := from.Opened(d.Context(), offer)
	d.must(err)
	_, err = to.Opened(d.Context(), offer)
	d.must(err)
	return channel.ID
}
