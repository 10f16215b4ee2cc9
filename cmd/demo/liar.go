package main

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// liar lets mallory cheat as the variant says. Matches are played, for no gas, until she came to do it.
func liar(s *stage, v variant) error {
	at := slices.IndexFunc(s.game.Liars, func(l games.Liar) bool { return l.Name == v.liar })
	if at < 0 {
		return fmt.Errorf("%s has no liar that %q", s.game.Name, v.liar)
	}
	if err := s.seat(func(c *node.Config) {
		mute := muzzleOn(c)
		var exposed atomic.Bool // she is about to make the move that proves her lie; she won't help to book what follows
		mute.judge = func(env *antev1.Envelope) verdict {
			if exposed.Load() && env.GetMove() != nil {
				return lastWord
			}
			return pass
		}
		lying := s.game
		lying.Player = exposedPlayer{s.game.Liars[at].Player(v.round), s.game.Rules, func() { exposed.Store(true) }}
		c.Games = games.Catalog{lying}
	}); err != nil {
		return err
	}
	for played := range maxMatches {
		if err := s.propose(); err != nil {
			return err
		}
		var guilty bool
		if err := s.alice.Wait(s.ctx, func() (bool, error) {
			list, err := s.alice.Results()
			if err != nil || len(list) <= played {
				return false, err
			}
			guilty = list[played].Guilty != 0
			return guilty || list[played].Paid, nil
		}); err != nil {
			return err
		}
		if guilty {
			return s.convictLiar(played)
		}
		s.say("chance gave mallory no occasion: another match, for no gas")
	}
	return errChance
}

func (s *stage) convictLiar(played int) error {
	s.say("mallory's last move is the proof: the match is over")
	s.silence()
	stop := s.passTime()
	r, err := s.paid(played)
	stop()
	if err != nil {
		return err
	}
	s.record(r)
	if err := s.finish(); err != nil {
		return err
	}
	if r.Guilty != 1<<s.her {
		return errNotConvicted
	}
	return s.cheatLost(r)
}

// exposedPlayer says so when its seat is about to make a move that convicts it.
type exposedPlayer struct {
	games.Player
	rules   games.Rules
	exposed func()
}

func (p exposedPlayer) Auto(t games.Table) (*games.Decision, error) { return p.look(t, p.Player.Auto) }
func (p exposedPlayer) Bot(t games.Table) (*games.Decision, error)  { return p.look(t, p.Player.Bot) }

func (p exposedPlayer) look(t games.Table, decide func(games.Table) (*games.Decision, error)) (*games.Decision, error) {
	d, err := decide(t)
	if d == nil || err != nil {
		return d, err
	}
	if next, err := p.rules.Play(t.Context, t.State, d.Move); err == nil {
		if out, err := p.rules.Outcome(next, t.Context.Stakes); err == nil && out.Guilty&(1<<t.Seat) != 0 {
			p.exposed()
		}
	}
	return d, nil
}
