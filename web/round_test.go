package web_test

import (
	"strconv"
	"syscall"
)

// gathered has alice and bob register for a round that a house holds, study what they play for,
// play in it with whom the draw gives them, which is each other, and check it.
func gathered(w *town, alice, bob *person) {
	hall := w.settles("hall")
	now := w.world.Chain.Head()
	hall.process = background(w.T, hall.home, "--dir", hall.name, "run")
	alice.wait(func() bool {
		block, err := strconv.ParseUint(hall.told("block", "status"), 10, 64)
		return err == nil && block >= now
	}, "the hall does not follow the chain", func() {})
	hall.channeld("round", "open", "0.01eth", "0.5eth", "--blocks", "40", "--pause", "8", "--study", "40", "--named", alice.account, "--named", bob.account)
	at := hall.told("addresses", "status")
	w.meanwhile(func() {
		for _, p := range []*person{alice, bob} {
			p.turnTo("people")
			p.fill("Their address", at)
			p.press("Connect")
			p.turnTo("rounds")
			p.press("Register …")
			p.press("Register")
			p.sees("main", "you staked 0.01 ETH")
			p.usable("round-" + p.name)
		}
	})
	const study = "blocks left to study the matrix"
	alice.sees("main", study)
	w.meanwhile(func() {
		for _, p := range []*person{alice, bob} {
			p.sees("main", study)
			p.sees("main", "disqualified")
		}
		alice.usable("round-study")
	})
	game := &boards[3]
	alice.watch()
	bob.watch()
	alice.sees(".match h2", game.game)
	alice.wait(func() bool { return alice.outcome() != "" && bob.outcome() != "" }, "the round's match is not over", func() {
		alice.move(game)
		bob.move(game)
	})
	alice.ended(game)
	bob.ended(game)
	alice.turnTo("rounds")
	alice.press("Check it")
	alice.sees(".notices", "the draw are right")
	alice.usable("round-checked")
	for _, p := range []*person{alice, bob} {
		p.turnTo("")
		p.until(`document.querySelectorAll('a[href^="#/channel/"]').length === 1`, "the round's channel is not closed")
	}
	hall.end(syscall.SIGTERM)
}
