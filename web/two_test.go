package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTwo: two people with a page and a daemon each meet by an invite and play every game to its
// end on its board, and so rules of which the page knows a manifest only.
func TestTwo(t *testing.T) {
	const half = 3 // one takes as long as the other
	for _, games := range [][]board{boards[:half], boards[half:]} {
		t.Run(games[0].game, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			alice, bob := w.arrives("alice"), w.arrives("bob")
			alice.invite(bob, &games[0])
			for i := range games {
				b := &games[i]
				if i > 0 {
					alice.propose(bob, b)
				}
				if b.game == "battleships" {
					alice.asked(b, bob)
					alice.placesFleet()
				}
				playOut(b, alice, bob)
			}
		})
	}
}

// TestTwo_Besides: what two people with a page and a daemon each do besides playing: a round of a
// hall, a negotiation, a link with a limit, an outage and a dispute.
func TestTwo_Besides(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	alice, bob := w.arrives("alice"), w.arrives("bob")
	alice.invite(bob, &boards[0])
	playOut(&boards[0], alice, bob)
	gathered(w, alice, bob)
	negotiated(alice, bob)
	limited(w, alice, bob)
	interrupted(alice, bob)
	silenced(alice, bob)
}

// invite has the other make an invite, whose link one follows: a channel opens and a match begins.
func (p *person) invite(to *person, b *board) {
	to.turnTo("invites")
	to.choose(b)
	to.press("Make the invite")
	to.sees(".offer", "waits for somebody")
	to.usable("invite")
	link := to.read(`document.querySelector(".invite .copy").innerText`)
	p.turnTo("invites")
	p.fill("A friend sent you", link)
	p.press("Open it")
	p.sees("#lobby .wanted", b.game)
	p.press("Join …")
	p.press("Join")
}

// propose has one propose a match of a board's game in their channel, and the other agree.
func (p *person) propose(to *person, b *board) {
	p.turnTo("")
	p.follow(`a[href^="#/channel/"]`)
	p.choose(b)
	p.press("Propose this match")
	to.turnTo("")
	to.press("Play …")
	to.press("Play")
}

// choose chooses a board's game, and its rules.
func (p *person) choose(b *board) {
	p.fill("Game", b.game)
	var params map[string]any
	p.must(json.Unmarshal([]byte(b.params), &params))
	for name, value := range params {
		p.fill(name, fmt.Sprint(value))
	}
}

// watch goes to the only match.
func (p *person) watch() {
	p.Helper()
	p.turnTo("")
	p.follow("#running a:not(.done)")
	p.sees("#board .status", "")
}

// playOut plays the only match to its end on the pages of both.
func playOut(b *board, alice, bob *person) {
	alice.Helper()
	alice.watch()
	bob.watch()
	over := func() bool { return alice.outcome() != "" && bob.outcome() != "" }
	for !over() {
		shown := func() string { return alice.read("document.body.innerText") + bob.read("document.body.innerText") }
		before := shown()
		alice.wait(func() bool { return over() || shown() != before }, b.game+" goes on no more", func() {
			alice.move(b)
			bob.move(b)
		})
	}
	got := alice.outcome()
	if his := bob.outcome(); his != mirrored.Replace(got) {
		alice.Errorf("%s: alice reads %q, and bob %q", b.game, got, his)
	}
	for _, p := range []*person{alice, bob} {
		p.ended(b)
		p.pictures(b.game + "-over-" + p.name)
	}
	alice.looksBack(b)
	alice.turnTo("history")
	alice.sees("#history a", b.game)
	for word, badge := range map[string]string{"You won": "won", "You lost": "lost", "Nobody won": "drawn"} {
		if strings.HasPrefix(got, word) {
			alice.sees("#history .badge", badge)
		}
	}
}

// ended sees on the board how the match ended.
func (p *person) ended(b *board) {
	p.Helper()
	ends, err := json.Marshal(strings.Split(b.ends, "|"))
	p.must(err)
	p.until(fmt.Sprintf(`%s.some((text) => document.querySelector("#board .status strong")?.innerText.includes(text))`, ends),
		"the board of "+b.game+" does not tell its end")
	p.sees("#board", b.shows)
}

// looksBack finds the board of a match that is paid out as it was, and in its replay one for each
// position.
func (p *person) looksBack(b *board) {
	p.Helper()
	const replay = "Replay, and check it yourself"
	p.sees("main", replay)
	p.run("location.reload()")
	p.ended(b)
	p.press(replay)
	p.until(`location.hash.startsWith("#/replay/")`, "the replay is elsewhere")
	p.ended(b)
	p.pictures(b.game + "-replay")
	if !slices.Contains(strangers, b.game) { // which hide and draw nothing
		p.checks(b)
	}
	p.run(`(async () => {
		const back = () => [...document.querySelectorAll("button:enabled")].find((b) => b.innerText === "Back");
		for (let at = Number(document.querySelector("input[type=range]").max); at > 0; at--) {
			back().click();
			await new Promise((done) => setTimeout(done)); // a tab behind others may draw no frame
			if (!document.querySelector("#board .status")?.innerText) throw new Error("no board at position " + at);
		}
		if (back()) throw new Error("there is something before the first position");
	})()`)
}

// checks finds what was hidden and drawn right.
func (p *person) checks(b *board) {
	p.Helper()
	p.until(`document.querySelectorAll("#checks .right").length > 1`, "nothing of "+b.game+" is found right")
	if wrong := p.read(`[...document.querySelectorAll("#checks .wrong")].map((at) => at.innerText).join()`); wrong != "" {
		p.Errorf("%s: %s", b.game, wrong)
	}
	p.run(`document.querySelectorAll("#checks details").forEach((at, i) => at.open = i === 0); document.querySelector("#checks").scrollIntoView()`)
	p.usable(b.game + "-checks")
}

// move does what a board asks of a person, if it asks.
func (p *person) move(b *board) {
	p.Helper()
	if p.read(`String(!!document.querySelector("#board .status.you") && !document.querySelector("#board :is(.plain:not(.tool), .hole, .key, .ship):disabled"))`) != "true" {
		return
	}
	if name := b.game + "-" + word(p.read(`document.querySelector("#board .status")?.innerText ?? ""`)); !p.pictured[name] {
		p.pictured[name] = true
		p.pictures(name)
	}
	// a board that changes under the hand is tried again
	p.run("(async () => {" + helpers + b.hand + "})().catch(() => {})")
}

// outcome is what a person reads of the money in a match; nothing while it is not over.
func (p *person) outcome() string {
	p.Helper()
	return p.read(`document.querySelector("#turn strong")?.innerText ?? ""`)
}

// mirrored says what an outcome is for the other one of two.
var mirrored = strings.NewReplacer("You won", "You lost", "You lost", "You won")

// word is a status as a part of a file's name.
func word(status string) string { return strings.ToLower(strings.Fields(status + " -")[0]) }
