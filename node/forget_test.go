package node_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// What is over is forgotten beyond the bounds, the oldest first. How often the player won is not,
// nor a match whose stakes are not paid out, nor a channel that is not settled.
func TestForgetsWhatIsOver(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	var matches []common.Hash
	for i := range 3 {
		id := tb.match(t, "toy", "")
		matches = append(matches, id)
		tb.play(t, alice, id, "win 0")
		for _, p := range tb.players {
			_, err := p.Finished(tb.ctx, tb.channel, i+1)
			must(t, err)
		}
	}
	running := tb.match(t, "toy", "")
	known := func() (list []common.Hash) {
		results, err := alice.Results()
		must(t, err)
		for i := range results {
			list = append(list, results[i].Match)
		}
		return list
	}
	score := []node.Score{{Game: "toy", Wins: 3}}
	for _, most := range []int{2, 1, 1} {
		must(t, alice.ForgetPast(most, 0))
		if got := known(); !slices.Equal(got, matches[3-most:]) {
			t.Errorf("%d results kept: %v, of %v", most, got, matches)
		}
		if got, err := alice.OwnScore(); err != nil || !slices.Equal(got, score) {
			t.Errorf("its score is %v, %v", got, err)
		}
	}
	must(t, alice.ForgetPast(0, 0))
	if _, err := alice.Match(running); err != nil || len(alice.Channels()) != 1 {
		t.Errorf("the match that runs, and its channel: %v", err)
	}
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.play(t, alice, running, "win 0")
	_, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)

	must(t, alice.CloseChannel(tb.channel))
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.wait(t, alice, func() bool { return tb.letGo(t, alice) })
	must(t, alice.ForgetPast(1, 0))
	if c := alice.Channels(); len(c) != 1 || len(known()) != 1 {
		t.Errorf("%d channels, though a result of one is kept", len(c))
	}
	must(t, alice.ForgetPast(0, 1))
	if c := alice.Channels(); len(c) != 1 || len(known()) != 0 {
		t.Errorf("%d channels, want the newest", len(c))
	}
	must(t, alice.ForgetPast(0, 0))
	if _, err := alice.Channel(tb.channel); !errors.Is(err, node.ErrUnknownChannel) {
		t.Errorf("the channel: %v", err)
	}
	left := 0
	for _, prefix := range []string{"past/", "ended/", "result/", "lacking/", "channel/"} {
		must(t, alice.memory.Scan(prefix, "", func(string, []byte) error { left++; return nil }))
	}
	if got, err := alice.OwnScore(); err != nil || left != 0 || got[0].Wins != 4 {
		t.Errorf("%d keys are left, its score is %v, %v", left, got, err)
	}
	must(t, bob.Network().Send(alice.Account(), message.Envelope(tb.channel, message.ResultSignature{MatchID: running})))
	must(t, alice.Err())
}

// A result is not forgotten while its match is not paid out.
func TestForgetsNothingThatIsOwed(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice, bob := tb.players[0], tb.players[1]
	alice.config.Policy.Leave = false // so that it is decided well before it is paid
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.play(t, alice, tb.match(t, "toy", ""), "pass 1")
	shut.Store(true)
	tb.mine(t)
	var list []node.Result
	known := func() bool {
		var err error
		list, err = alice.Results()
		must(t, err)
		return len(list) == 1
	}
	tb.wait(t, alice, known)
	if list[0].Paid {
		t.Fatal("it is paid already: the test shows nothing")
	}
	must(t, alice.ForgetPast(0, 0))
	if !known() {
		t.Error("it is forgotten")
	}
}
