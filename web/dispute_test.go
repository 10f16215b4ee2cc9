package web_test

import "syscall"

// silenced has bob fall silent when it is his turn. Alice goes to the chain from her page, sees
// there what it holds, and is paid.
func silenced(alice, bob *person) {
	b := &boards[0]
	alice.propose(bob, b)
	bob.asked(b, alice)
	bob.end(syscall.SIGKILL)

	alice.press("The channel with " + bob.name)
	alice.sees("#dispute", "has nothing to do")
	alice.press("Don't wait: start the clock in " + b.game + " …")
	alice.sees("dialog", "of gas")
	alice.usable("dispute-asks")
	alice.press("Start the clock")
	alice.sees("#dispute", "The chain judges a match")
	alice.sees("#dispute", bob.name+" has")
	alice.sees("#dispute", "(about ")
	alice.sees("#dispute", "has done its part")
	alice.usable("dispute-runs")
	alice.press("Leave without the other side …")
	alice.sees("dialog", "of gas")
	alice.press("Leave")
	alice.sees("#dispute", "A newer ledger can still replace what was posted: ")
	alice.usable("dispute-leaves")
	alice.sees("main", "This channel is closed")
	alice.turnTo("history")
	alice.sees("#history .badge", "won")
	alice.turnTo("money")
	alice.sees(".facts", "locked in channels\n0 ETH\nat stake in matches\n0 ETH")
	alice.sees(".plainlist", "the time of your opponent ran out")
	alice.sees(".plainlist", "pay out ledger")
	alice.usable("dispute-paid")

	bob.start(bob.home)
	bob.sees("#state", "all is well")
	bob.turnTo("history")
	bob.sees("#history .badge", "lost")
}
