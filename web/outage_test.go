package web_test

import (
	"fmt"
	"syscall"
)

// interrupted has alice and bob play a match that is broken off: alice loads her page anew, and
// bob's daemon is killed when it is his turn. Both see that, and go on where they were.
func interrupted(alice, bob *person) {
	b := &boards[0]
	alice.propose(bob, b)
	bob.asked(b, alice)
	asked, board := bob.read(`document.querySelector("#board .status").innerText`), alice.read(`document.querySelector("#board").innerText`)

	alice.run("location.reload()")
	alice.until(sameBoard(board), "the board is another one once the page is loaded anew")

	bob.end(syscall.SIGKILL)
	bob.sees("#state", "the daemon does not answer")
	alice.sees(".waits", "away")
	alice.usable("away")
	bob.usable("down")
	bob.start(bob.home)
	bob.sees("#state", "all is well")
	alice.until(`!document.querySelector(".waits")?.innerText.includes("away")`, "bob is back, and shown as away")
	bob.sees("#board .status", asked)

	alice.press("Bell off")
	alice.run("window.away = true")
	alice.asked(b, bob)
	alice.until(`window.notified.includes("It is your turn")`, "alice is not told that it is her turn")
	playOut(b, alice, bob)
}

// asked has both play a match until its board asks this person.
func (p *person) asked(b *board, other *person) {
	p.Helper()
	other.watch()
	p.watch()
	asks := func() bool { return p.read(`String(!!document.querySelector("#board .status.you"))`) == "true" }
	p.wait(asks, b.game+" never asks "+p.name, func() { other.move(b) })
}

// sameBoard is true once the board shows a text again.
func sameBoard(text string) string {
	return fmt.Sprintf("document.querySelector('#board')?.innerText === %q", text)
}
