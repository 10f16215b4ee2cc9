package main

import (
	"bytes"
	"sync"

	"github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// equivocator lets mallory sign a second, different move at a turn at which she has moved.
func equivocator(s *stage, _ variant) error {
	twice := &double{stage: s}
	var mute *muzzle
	if err := s.seat(func(c *node.Config) {
		mute = muzzleOn(c)
		mute.judge = func(env *antev1.Envelope) verdict { return twice.speak(mute, env) }
		g := s.game
		g.Player = cheat.Overseer{Player: s.game.Player, Look: twice.note}
		c.Games = games.Catalog{g}
	}); err != nil {
		return err
	}
	if err := s.propose(); err != nil {
		return err
	}
	select {
	case <-mute.muted:
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	if err := s.until(s.alice, func() bool { m := s.alice.Matches(); return len(m) == 0 || len(m[0].Proofs) > 0 }); err != nil {
		return err
	}
	return s.convict(0, "mallory moves, then signs another move to the same turn and sends that too")
}

// double makes the second move: it remembers what mallory's player decided, and from what.
type double struct {
	stage *stage
	mu    sync.Mutex
	table games.Table
	made  []byte
}

func (d *double) note(t games.Table, made *games.Decision) (*games.Decision, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.table, d.made = t, made.Move
	return made, nil
}

// speak passes mallory's moves on until there is one to which another was possible; that one is
// sent as well.
func (d *double) speak(m *muzzle, env *antev1.Envelope) verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	move := env.GetMove()
	if move == nil || move.GetTurn() < 6 || !bytes.Equal(move.GetMove(), d.made) {
		return pass
	}
	second, err := d.second(protocol.Turn(move.GetTurn()))
	if err != nil || second == nil {
		return pass
	}
	to := d.stage.alice.Account()
	d.stage.note(m.Network.Send(to, env))
	d.stage.note(m.Network.Send(to, message.Envelope(d.stage.alice.Channels()[0].ID, *second)))
	return silence
}

// second finds another legal move by changing bytes of the one that was made, and signs it; nil if
// there is none.
func (d *double) second(turn protocol.Turn) (*message.Move, error) {
	rules := d.stage.game.Rules
	first, err := rules.Play(d.table.Context, d.table.State, d.made)
	if err != nil {
		return nil, err
	}
	for i := range d.made {
		for flip := 1; flip < 256; flip++ {
			other := bytes.Clone(d.made)
			other[i] ^= byte(flip)
			next, err := rules.Play(d.table.Context, d.table.State, other)
			if err != nil || bytes.Equal(next, first) {
				continue
			}
			key, err := d.stage.malloryKey(d.stage.alice.Channels()[0].Terms.Salt)
			if err != nil {
				return nil, err
			}
			at := protocol.Position{MatchID: d.table.Context.MatchID, Turn: turn, State: protocol.StateHash(next)}
			sig, err := key.Sign(at.Digest(d.stage.alice.Domain()))
			return &message.Move{MatchID: at.MatchID, Turn: turn, Move: other, State: at.State, Signature: sig}, err
		}
	}
	return nil, nil
}
