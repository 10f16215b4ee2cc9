package main

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// liar lets mallory cheat as the variant says. Matches are played, for no gas, until she came to do
// it.
func liar(s *stage, v variant) error {
	at := slices.IndexFunc(s.game.Liars, func(l games.Liar) bool { return l.Name == v.liar })
	if at < 0 {
		return fmt.Errorf("%s has no liar that %q", s.game.Name, v.liar)
	}
	if err := s.seat(func(c *node.Config) {
		mute := muzzleOn(c)
		// she is about to make the move that proves her lie; she won't help to book what follows
		var exposed atomic.Bool
		mute.judge = func(env *antev1.Envelope) verdict {
			if exposed.Load() && env.GetMove() != nil {
				s.glass.Turn()
				return lastWord
			}
			return pass
		}
		lying := s.game
		lying.Player = cheat.Overseer{Player: s.game.Liars[at].Player(v.round), Look: cheat.Exposure(s.game.Rules, func(common.Hash) { exposed.Store(true) })}
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
			return s.convict(played, "mallory's last move is the proof: the match is over")
		}
		s.say("chance gave mallory no occasion: another match, for no gas")
	}
	return errChance
}

// convict has the chain decide against mallory, after so many matches that are paid.
func (s *stage) convict(played int, why string) error {
	s.silence()
	s.say(why)
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
