package web_test

import "strings"

// negotiated has bob make an invite that alice would play for more. They bid, bob replaces his bid
// before it is answered, alice agrees to that, and concedes the match that follows.
func negotiated(alice, bob *person) {
	bob.turnTo("invites")
	bob.choose(&boards[0])
	bob.press("Make the invite")
	bob.sees(".offer", "waits for somebody")
	alice.turnTo("invites")
	alice.sees("#lobby", boards[0].game)
	alice.channeld("invite", "join", bob.read(`document.querySelector(".invite .copy").innerText.split("/")[6]`), "0.03eth")
	for _, b := range []struct {
		who             *person
		bid, had, label string
	}{{bob, "0.025", "0.03 ETH", "Your bid"}, {bob, "0.02", "you 0.025 ETH", "Another bid"}, {alice, "0.02", "then 0.02 ETH", "Your bid"}} {
		b.who.sees(".offer", b.had)
		b.who.usable("bids-" + b.who.name)
		b.who.fill(b.label, b.bid)
		b.who.press("Bid …")
		b.who.press("Bid")
	}
	alice.watch()
	alice.sees(".match", "0.02 ETH")
	alice.press("Concede …")
	alice.press("Concede")
	alice.sees("#turn", "You lost 0.02 ETH")
	bob.turnTo("history")
	bob.sees("#history .badge", "won")
}

// limited has alice open her page elsewhere, with a token that plays up to a limit: the page tells
// what that refuses, and offers nothing that moves money. What bob refuses there is told too.
func limited(w *town, alice, bob *person) {
	page, _, _ := strings.Cut(alice.link(), "#")
	tablet := &person{tab: newTab(w.T, w.browser), name: alice.name, home: alice.home}
	tablet.open(page + "#" + tablet.told("token", "access", "new", "tablet", "--scope", "play", "--limit", "0.02eth"))
	tablet.sees("#state", "all is well")
	tablet.turnTo("money")
	tablet.sees(".hint", "up to its limit")
	if n := tablet.read(`String(document.querySelectorAll("main form").length)`); n != "0" {
		tablet.Errorf("a link that plays up to a limit has %s forms for money", n)
	}
	tablet.refusedNothing()
	tablet.turnTo("")
	tablet.follow(`a[href^="#/channel/"]`)
	tablet.fill("Stake of each player", "0.05")
	tablet.press("Propose this match")
	tablet.sees(".notices .bad", "limit")
	tablet.usable("limited")
	tablet.fill("Stake of each player", "0.01")
	tablet.press("Propose this match")
	bob.turnTo("")
	bob.sees("button.approve", "Play …")
	tablet.press("Take it back")
	for _, page := range []*person{tablet, bob} {
		page.until(`!document.querySelector(".offer")`, "the proposal stays")
	}
	tablet.press("Propose this match")
	bob.press("Refuse")
	tablet.sees(".refusal", "they refused")
	tablet.usable("refused")
	tablet.press("Put it away")
	tablet.until(`!document.querySelector(".refusal")`, "the refusal stays")
}
