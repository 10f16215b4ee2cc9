package main

import (
	"encoding/json"
	"fmt"

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
		default:
			c.Games = games.Catalog{hushed(s.game, v.phase, mute.shut)}
		}
	}); err != nil {
		return err
	}
	if v.name == "closing" {
		return s.silentAtClosing(mute)
	}
	return s.silentInMatch(v.name, mute)
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

// hushed is a game whose player falls silent when its seat is to make the move of a phase.
func hushed(g games.Game, phase string, silence func()) games.Game {
	g.Player = hushedPlayer{g.Player, phase, silence}
	return g
}

type hushedPlayer struct {
	games.Player
	phase   string
	silence func()
}

func (p hushedPlayer) Auto(t games.Table) (*games.Decision, error) { return p.unless(t, p.Player.Auto) }
func (p hushedPlayer) Bot(t games.Table) (*games.Decision, error)  { return p.unless(t, p.Player.Bot) }

func (p hushedPlayer) unless(t games.Table, decide func(games.Table) (*games.Decision, error)) (*games.Decision, error) {
	d, err := decide(t)
	if d == nil || err != nil {
		return d, err
	}
	phase, err := phaseOf(p.Player, t)
	if err == nil && phase == p.phase {
		p.silence()
		return nil, nil
	}
	return d, err
}

// phaseOf asks a game's view for its phase.
func phaseOf(p games.Player, t games.Table) (string, error) {
	v, err := p.View(t)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var phase struct{ Phase string }
	return phase.Phase, json.Unmarshal(b, &phase)
}

func (s *stage) silentInMatch(step string, mute *muzzle) error {
	if err := s.propose(); err != nil {
		return err
	}
	select {
	case <-mute.muted:
	case <-s.ctx.Done():
		return fmt.Errorf("mallory never came to the step %q: %w", step, s.ctx.Err())
	}
	if err := s.until(s.alice, func() bool { m := s.alice.Matches(); return len(m) > 0 && m[0].Locked }); err != nil {
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
	switch step {
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
