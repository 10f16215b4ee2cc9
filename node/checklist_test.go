package node_test

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// mastermind proposes a match, waits until a code is asked for, and returns its maker and its
// breaker.
func (tb *table) mastermind(t *testing.T, params string) (id common.Hash, maker, breaker *player) {
	t.Helper()
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "mastermind", Params: []byte(params), Stakes: []uint256.Int{*stake}}))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { return len(p.Matches()) == 1 })
	}
	id = tb.players[0].Matches()[0].ID
	asked := func(p *player) bool {
		m, err := p.Match(id)
		return err == nil && strings.Contains(m.Ask, "secret code")
	}
	tb.wait(t, tb.players[0], func() bool { return asked(tb.players[0]) || asked(tb.players[1]) })
	if asked(tb.players[0]) {
		return id, tb.players[0], tb.players[1]
	}
	return id, tb.players[1], tb.players[0]
}

// finished waits until everybody knows that the match is over and booked, and returns how a player
// sees it.
func (tb *table) finished(t *testing.T, p *player) node.Result {
	t.Helper()
	for _, other := range tb.players {
		_, err := other.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
	r, err := p.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	return r
}

// TestChecklist_Mastermind_13_FalseAccusation: a person accuses a maker who answered truly, by
// hand, and loses the pot.
func TestChecklist_Mastermind_13_FalseAccusation(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id, maker, breaker := tb.mastermind(t, `{"rounds":1,"guesses":2,"dispute":1}`)
	tb.play(t, maker, id, "0123")
	tb.play(t, breaker, id, "5555")
	tb.play(t, breaker, id, "0145")
	tb.wait(t, breaker, func() bool {
		m, err := breaker.Match(id)
		return err == nil && strings.Contains(m.Ask, "do you dispute")
	})
	tb.play(t, breaker, id, "2")
	r := tb.finished(t, breaker)
	if r.Won() != -1 || r.Reason != "false accusation" || r.Guilty != 1<<r.Seat {
		t.Errorf("the accuser: %d, guilty %b, %q", r.Won(), r.Guilty, r.Reason)
	}
	tb.close(t)
}

// TestChecklist_Mastermind_18_SaltSurvives: a maker whose node dies between the commitment and the
// reveal still knows its code and its salt.
func TestChecklist_Mastermind_18_SaltSurvives(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id, maker, breaker := tb.mastermind(t, `{"rounds":1,"guesses":1}`)
	tb.play(t, maker, id, "0123")
	maker.restart(t)
	if m, err := maker.Match(id); err != nil || !strings.Contains(string(m.Recall.Reveal()), "0123") {
		t.Errorf("after a restart: %q, %v", m.Recall.Reveal(), err)
	}
	must(t, maker.Network().Keep(breaker.Account(), breaker.Network().Addresses()...))
	tb.play(t, breaker, id, "5555")
	r := tb.finished(t, maker)
	if r.Won() != 1 || r.Guilty != 0 {
		t.Errorf("the maker: %d, guilty %b, %q", r.Won(), r.Guilty, r.Reason)
	}
	tb.close(t)
}

// TestFourRoundsAndADraw: a whole match of four rounds with the roles swapped ends in a draw by
// points, and both players get their stakes back when the channel is closed.
func TestFourRoundsAndADraw(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id, maker, breaker := tb.mastermind(t, `{"guesses":2}`)
	for range 4 {
		tb.play(t, maker, id, "0123")
		tb.play(t, breaker, id, "5555")
		tb.play(t, breaker, id, "4444")
		maker, breaker = breaker, maker
	}
	r := tb.finished(t, maker)
	if r.Won() != 0 || r.Guilty != 0 || r.Reason != "" {
		t.Errorf("%d, guilty %b, %q", r.Won(), r.Guilty, r.Reason)
	}
	tb.close(t)
}
