package main

import (
	"fmt"

	"github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// silent lets mallory fall silent for good, off-chain and on-chain, at one step.
func silent(s *stage, v variant) error {
	var mute *muzzle
	if err := s.seat(func(c *node.Config) {
		mute = muzzleOn(c)
		switch v.name {
		case "ready":
			mute.judge = func(env *antev1.Envelope) verdict {
				if env.GetApprove() == nil {
					return pass
				}
				env.GetApprove().Starts = nil
				return lastWord
			}
		case "settlement":
			mute.judge = atApproval(2)
		case "closing":
			mute.judge = atApproval(3)
		case "draw":
			mute.judge = atMove(2)
		case "bet":
			mute.judge = atNote(silence)
		case "signature":
			mute.judge = atNote(lastWord)
		default:
			c.Games = games.Catalog{hushed(s.game, v.phase, mute.shut)}
		}
	}); err != nil {
		return err
	}
	if v.name == "closing" {
		return s.silentAtClosing(mute)
	}
	return s.silentInMatch(v, mute)
}

// atApproval falls silent with the nth ledger that mallory would approve.
func atApproval(n int) func(*antev1.Envelope) verdict {
	seen := map[uint64]bool{}
	return func(env *antev1.Envelope) verdict {
		if a := env.GetApprove(); a != nil {
			seen[a.Version] = true
		}
		if len(seen) >= n {
			return silence
		}
		return pass
	}
}

// atMove has mallory's nth move be her last word.
func atMove(n uint64) func(*antev1.Envelope) verdict {
	return func(env *antev1.Envelope) verdict {
		if env.GetMove().GetTurn() < n {
			return pass
		}
		return lastWord
	}
}

// atNote falls silent with the first note, or after it.
func atNote(v verdict) func(*antev1.Envelope) verdict {
	return func(env *antev1.Envelope) verdict {
		if env.GetNote() == nil {
			return pass
		}
		return v
	}
}

// hushed is a game whose player falls silent when its seat is to make the move of a phase.
func hushed(g games.Game, phase string, silence func()) games.Game {
	honest := g.Player
	g.Player = cheat.Overseer{Player: honest, Look: func(t games.Table, d *games.Decision) (*games.Decision, error) {
		v, err := honest.View(t)
		if err != nil {
			return d, err
		}
		if now, err := phaseOf(v); err != nil || now != phase {
			return d, err
		}
		silence()
		return nil, nil
	}}
	return g
}

// phaseOf asks a game's view for its phase.
func phaseOf(v games.View) (string, error) {
	var shown struct{ Phase string }
	err := cheat.Read(v, &shown)
	return shown.Phase, err
}

func (s *stage) silentInMatch(v variant, mute *muzzle) error {
	if err := s.propose(); err != nil {
		return err
	}
	select {
	case <-mute.muted:
	case <-s.ctx.Done():
		return fmt.Errorf("mallory never came to the step %q: %w", v.name, s.ctx.Err())
	}
	if err := s.alice.Wait(s.ctx, func() (bool, error) { return s.heard(v.after) }); err != nil {
		return err
	}
	s.silence()
	s.say("mallory is gone. Alice's patience ends, she goes to the chain")
	if err := s.finish(); err != nil {
		return err
	}
	r, err := s.paid(0)
	if err != nil {
		return err
	}
	s.record(r)
	if err := s.aliceHas(r); err != nil {
		return err
	}
	if r.Guilty != 0 {
		return fmt.Errorf("silence was punished as a lie: %b", r.Guilty)
	}
	switch v.name {
	case "ready":
		if !r.Payouts[s.me].Eq(&r.Terms.Stakes[s.me]) {
			return fmt.Errorf("a match that never began paid %s wei, not the stake back", r.Payouts[s.me].Dec())
		}
	case "settlement":
	default:
		return s.cheatLost(r)
	}
	return nil
}

// heard reports whether alice's match is locked, and in the phase that mallory's last word leads
// to, if she has one.
func (s *stage) heard(phase string) (bool, error) {
	list := s.alice.Matches()
	if len(list) == 0 || !list[0].Locked || phase == "" {
		return len(list) > 0 && list[0].Locked, nil
	}
	m, err := s.alice.Match(list[0].ID)
	if err != nil {
		return false, err
	}
	now, err := phaseOf(m.View)
	return now == phase, err
}

func (s *stage) silentAtClosing(mute *muzzle) error {
	r, err := s.match()
	if err != nil {
		return err
	}
	s.record(r)
	if err := s.alice.CloseChannel(s.channel); err != nil {
		return err
	}
	select {
	case <-mute.muted:
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	s.silence()
	s.say("mallory is gone. Alice contests with the newest ledger and takes her part after the window")
	if err := s.finish(); err != nil {
		return err
	}
	return s.aliceHas(r)
}
