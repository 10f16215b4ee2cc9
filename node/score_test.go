package node_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// signed waits until a player holds so many results that all signed and the board does not count.
func (tb *table) signed(t *testing.T, p *player, want int) {
	t.Helper()
	must(t, p.Wait(tb.ctx, func() (bool, error) {
		byChannel, err := p.Unpublished(tb.ctx)
		return len(byChannel[tb.channel]) == want, err
	}))
}

func (tb *table) board(t *testing.T, p *player, of common.Address) []node.Score {
	t.Helper()
	scores, err := p.BoardScore(tb.ctx, of)
	must(t, err)
	return scores
}

// Nodes sign each other's results without being asked, of games won, drawn and free; either
// publishes them, and a second time nothing is left to publish. What the board counts is what the
// nodes remember.
func TestScore(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.AnyStake = true })
	alice, bob := tb.players[0], tb.players[1]
	tb.won(t)
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{{}}}))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			m := p.Matches()
			return len(m) > 0 && m[len(m)-1].Started && m[len(m)-1].MayMove == (p == alice)
		})
	}
	free := alice.Matches()[len(alice.Matches())-1].ID
	tb.play(t, alice, free, "win 1")
	id := tb.afterResults(t, 2, "toy")
	must(t, alice.OfferDraw(id, nil))
	tb.event(t, bob, node.DrawOffered)
	must(t, bob.AcceptDraw(id, 0, nil))
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, 3)
		must(t, err)
		tb.signed(t, p, 3)
	}
	reports, results, err := bob.PublishScore(tb.ctx)
	must(t, err)
	if len(reports) != 1 || results != 3 {
		t.Fatalf("%d transactions for %d results, want one for 3", len(reports), results)
	}
	_, err = bob.Mined(tb.ctx, reports[0].Key)
	must(t, err)
	for _, p := range tb.players {
		tb.signed(t, p, 0)
		own, err := p.OwnScore()
		must(t, err)
		if got := tb.board(t, alice, p.Account()); !slices.Equal(got, own) || !slices.Equal(own, []node.Score{{Game: "toy", Wins: 1, Losses: 1, Draws: 1}}) {
			t.Errorf("the board counts %v, the node %v", got, own)
		}
		if reports, _, err := p.PublishScore(tb.ctx); err != nil || len(reports) != 0 {
			t.Errorf("published again: %v, %v", reports, err)
		}
	}
	tb.close(t)
}

// afterResults proposes a match once so many are booked for everybody.
func (tb *table) afterResults(t *testing.T, n int, game string) common.Hash {
	t.Helper()
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, n)
		must(t, err)
	}
	return tb.match(t, game, "")
}

// A signature that was lost is sent again when the peers connect, also when their channel is paid
// out meanwhile.
func TestScore_LostSignature(t *testing.T) {
	t.Parallel()
	for name, closed := range map[string]bool{"running": false, "paid out": true} {
		t.Run(name, func(t *testing.T) { lostSignature(t, closed) })
	}
}

func lostSignature(t *testing.T, closed bool) {
	var lose atomic.Bool
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			nodetest.Lose(c, func(env *antev1.Envelope) bool { return lose.Load() && env.GetResult() != nil })
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	lose.Store(true)
	must(t, alice.Concede(tb.match(t, "toy", "")))
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
	tb.signed(t, alice, 0)
	if closed {
		tb.close(t)
		for _, p := range tb.players {
			tb.wait(t, p, func() bool { return tb.letGo(t, p) })
		}
	}
	lose.Store(false)
	bob.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	for _, p := range tb.players {
		tb.signed(t, p, 1)
	}
	if _, results, err := alice.PublishScore(tb.ctx); err != nil || results != 1 {
		t.Errorf("%d results published: %v", results, err)
	}
}

// A peer that signs another result than the one that there was is not believed, and one that signs
// for another match.
func TestAttack_ForgedScore(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "win 0")
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		tb.signed(t, p, 1)
	}
	r, err := alice.Result(id)
	must(t, err)
	lie := protocol.NewResult(&r.Terms, []int{-1, 1})
	c, err := mallory.Channel(tb.channel)
	must(t, err)
	key, err := mallory.config.Sessions(c.Terms.Salt)
	must(t, err)
	sig, err := key.Sign(lie.Digest(alice.Domain()))
	must(t, err)
	for _, forged := range []message.ResultSignature{{MatchID: id, Signature: sig}, {MatchID: common.Hash{1}, Signature: sig}} {
		must(t, mallory.Network().Send(alice.Account(), message.Envelope(tb.channel, forged)))
	}
	// Messages of one peer are handled in order: when the next match is booked, the forgeries have
	// been.
	must(t, mallory.Concede(tb.match(t, "toy", "")))
	tb.signed(t, alice, 2)
	after, err := alice.Result(id)
	must(t, err)
	if before, now := text(t, r.Signatures), text(t, after.Signatures); before != now || strings.Contains(now, text(t, sig)) {
		t.Errorf("signatures %s, want %s", now, before)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return string(b)
}

// Without a score board the node says so.
func TestScore_NoBoard(t *testing.T) {
	t.Parallel()
	p := join(t, func(c *node.Config) { c.Scoreboard = common.Address{} })
	if _, err := p.BoardScore(t.Context(), p.Account()); !errors.Is(err, node.ErrNoScoreboard) {
		t.Error(err)
	}
	if own, err := p.OwnScore(); err != nil || len(own) != 0 {
		t.Errorf("%v, %v", own, err)
	}
}
