package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"
	"sync"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	deposit = uint256.NewInt(1_000_000_000_000_000_000) // one ether
	stake   = uint256.NewInt(100_000_000_000_000_000)
)

// window of the channels, in blocks. The stage makes blocks when time has to pass.
const window = 20

// patience is how long the nodes of a stage wait for somebody who is silent, by its sandglass.
const patience = 500 * time.Millisecond

// stage is a world with the nodes of one channel: alice, who is honest, mallory, who does what the
// variant says, and whoever else the game needs, honest as well. Seats of the match are those of
// the channel.
type stage struct {
	ctx     context.Context
	story   io.Writer
	task    task
	game    games.Game
	world   *dev.World
	result  *result
	me, her int          // seats of alice and mallory
	nodes   []*node.Node // by seat; in the crash scenario there is alice's alone
	alice   *node.Node
	mallory *node.Node
	channel common.Hash

	closing sync.Once      // of mallory's node
	clock   *stopwatch     // of alice's moves
	glass   *dev.Sandglass // of everybody's patience
}

// newStage makes the world; nodes come with seat.
func newStage(ctx context.Context, story io.Writer, t task, r *result, seed string) (*stage, error) {
	w, err := dev.Start(ctx, devnet.Config{Seed: seed}, games.Catalog{t.game})
	if err != nil {
		return nil, err
	}
	return &stage{
		ctx: ctx, story: story, task: t, game: t.game, world: w, result: r,
		me: 1 - t.variant.seat, her: t.variant.seat, clock: &stopwatch{}, glass: dev.NewSandglass(),
	}, nil
}

func (s *stage) close() {
	for _, n := range s.nodes {
		if n != nil && n != s.mallory {
			s.note(n.Close())
		}
	}
	if s.mallory != nil {
		s.silence()
	}
	s.note(s.world.Close())
}

func (s *stage) note(err error) {
	if err != nil {
		s.say("while closing: %v", err)
	}
}

func (s *stage) say(format string, args ...any) { fmt.Fprintf(s.story, "  "+format+"\n", args...) }

// explain shows the last that alice's node said, when a run went wrong.
func (s *stage) explain() {
	if s.alice == nil {
		return
	}
	events, err := s.alice.Past(0)
	if err != nil {
		s.say("alice's events cannot be read: %v", err)
	}
	for _, e := range events[max(0, len(events)-12):] {
		s.say("alice was told: %s %s", e.Kind, e.Text)
	}
}

// silence closes mallory's node for good. From now on the others lose their patience.
func (s *stage) silence() {
	s.glass.Turn()
	s.closing.Do(func() { s.note(s.mallory.Close()) })
}

// config returns the configuration of an account's node that accepts everything and lets the bot
// play.
func (s *stage) config(account int) (node.Config, error) {
	c, err := s.world.Config(account)
	permit(&c, s.glass)
	if account == 0 {
		timed := s.game
		timed.Player = cheat.Overseer{Player: s.game.Player, Look: s.clock.see}
		c.Games = games.Catalog{timed}
	}
	return c, err
}

func permit(c *node.Config, g *dev.Sandglass) {
	c.Policy.Accept = func(node.Offer) bool { return true }
	c.Policy.Approve = func(node.Proposal) bool { return true }
	c.Policy.Bot = true
	c.Policy.Patience, c.Policy.Leave, c.Now = patience, true, g.Now
}

// until waits until something is true of a node.
func (s *stage) until(n *node.Node, ready func() bool) error {
	return n.Wait(s.ctx, func() (bool, error) { return ready(), nil })
}

// match plays until alice's newest match is paid. It returns how it ended.
func (s *stage) match() (node.Result, error) {
	before, err := s.alice.Results()
	if err != nil {
		return node.Result{}, err
	}
	if err := s.propose(); err != nil {
		return node.Result{}, err
	}
	if games.Follows(s.game.Player) {
		defer s.world.PassTime(s.ctx, s.nodes...)()
	}
	return s.paid(len(before))
}

func (s *stage) propose() error {
	r := node.MatchRequest{Game: s.game.Name, Params: json.RawMessage(s.task.show.params)}
	if s.task.variant.params != "" {
		r.Params = json.RawMessage(s.task.variant.params)
	}
	if r.Stakes = s.task.show.stakes; r.Stakes == nil && s.game.Stakes == nil {
		r.Stakes = []uint256.Int{*stake}
	}
	return s.alice.Propose(s.channel, r)
}

// paid waits until the match after so many others is paid out.
func (s *stage) paid(others int) (node.Result, error) {
	var r node.Result
	err := s.alice.Wait(s.ctx, func() (bool, error) {
		list, err := s.alice.Results()
		if err != nil || len(list) <= others {
			return false, err
		}
		r = list[others]
		return r.Paid, nil
	})
	return r, err
}

// record puts a match's end into the run's result, and tells it.
func (s *stage) record(r node.Result) {
	how := "by its score"
	switch {
	case r.Guilty != 0:
		how = "with a conviction for " + r.Reason
	case r.Reason != "":
		how = "by " + r.Reason
	}
	paid := make([]string, len(r.Payouts))
	for i := range paid {
		paid[i] = wei.Format(&r.Payouts[i])
	}
	s.say("the match is paid %s: alice gets %s; by seat: %s", how, paid[s.me], strings.Join(paid, ", "))
	s.result.Reason = r.Reason
	s.result.Payouts = s.result.Payouts[:0]
	for i := range r.Payouts {
		s.result.Payouts = append(s.result.Payouts, r.Payouts[i].Dec())
	}
	for mask := r.Guilty; mask != 0; mask &= mask - 1 {
		s.result.Guilty = append(s.result.Guilty, bits.TrailingZeros16(mask))
	}
}

// passTime makes blocks until stopped, so that windows and clocks run.
func (s *stage) passTime() (stop func()) { return s.world.PassTime(s.ctx, s.alice) }

// finish waits until alice's channel is paid out, with time passing.
func (s *stage) finish() error {
	stop := s.passTime()
	defer stop()
	return s.until(s.alice, func() bool { return s.alice.Channels()[0].Status == node.ChannelEnded })
}

// leave closes the channel by consent.
func (s *stage) leave() error {
	if err := s.alice.CloseChannel(s.channel); err != nil {
		return err
	}
	return s.finish()
}

// aliceHas checks alice's free balance after everything: her deposit and what she won or lost.
func (s *stage) aliceHas(r node.Result) error {
	want := new(uint256.Int).Add(deposit, &r.Payouts[s.me])
	want.Sub(want, &r.Terms.Stakes[s.me])
	got, err := s.alice.BankBalance(s.ctx, common.Address{})
	if err != nil {
		return err
	}
	if !got.Eq(want) {
		return fmt.Errorf("alice has %s wei in the bank, should have %s", got.Dec(), want.Dec())
	}
	return nil
}

// cheatLost checks what a match pays in which mallory cheated or was silent: alice doesn't lose by
// it, and where two play for a pot she has it all.
func (s *stage) cheatLost(r node.Result) error {
	least := new(uint256.Int).Set(&r.Terms.Stakes[s.me])
	if s.game.Stakes == nil && !s.task.show.keeps {
		least.Add(least, &r.Terms.Stakes[s.her])
	}
	switch v := &s.task.variant; {
	case v.bets:
		least.Sub(least, s.task.show.risk)
	case v.earns:
		least.AddUint64(least, 1)
	}
	if r.Payouts[s.me].Lt(least) {
		return fmt.Errorf("alice gets %s wei, less than %s", r.Payouts[s.me].Dec(), least.Dec())
	}
	return nil
}

var errNotConvicted = errors.New("the cheat was not convicted")
