package nodesim

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport"
	"github.com/holiman/uint256"
)

// towered gives a seat a tower, and has its node go away for longer than the Arena waits for an
// answer, once the tower holds all.
func towered(ctx context.Context, s *seat, r *rand.Rand) {
	if err := s.hire(ctx); err != nil {
		s.fail("seat %d has no tower: %v", s.index, err)
		return
	}
	s.leaves(ctx, 4+r.Uint64N(soon), 2*window)
}

// hire starts a tower for the seat, with an account and an endpoint of its own.
func (s *seat) hire(ctx context.Context) error {
	key := keyOf(200 + uint64(s.index)) //nolint:gosec // small
	signer := protocol.NewKey(key)
	if err := s.world.endow(signer.Address(), own, new(uint256.Int)); err != nil {
		return err
	}
	port, err := newPort(s.world, s.Seed<<8|uint64(200+s.index)) //nolint:gosec // small
	if err != nil {
		return err
	}
	s.tower, err = tower.Start(ctx, tower.Config{
		Store: store.NewMemory(), Chain: chain.Config{URL: "http://chain", Transport: port, Timeout: 10 * time.Second},
		Arena: s.domain.Arena, From: s.world.first, Key: signer, GasPayer: chain.KeySigner(key), Games: s.games, Rules: s.rules,
		Network: func(_ protocol.Domain, h transport.Handler) (tower.Network, error) {
			return s.web.join(signer.Address(), h), nil
		},
		Policy: tower.Policy{Confirmations: confirmed, Poll: pollEvery + 211*time.Millisecond}, Now: s.now,
	})
	return err
}

// dismiss ends the seat's tower.
func (s *seat) dismiss() {
	if s.tower == nil {
		return
	}
	if err := s.tower.Close(); err != nil {
		s.fail("the tower of seat %d does not close: %v", s.index, err)
	}
}

// pair gives the seat a second endpoint, which tells the truth.
func (s *seat) pair() {
	port, err := newPort(s.world, s.Seed<<8|uint64(100+s.index)) //nolint:gosec // small
	if err != nil {
		s.fail("seat %d has no second endpoint: %v", s.index, err)
		return
	}
	s.second, s.config.Chain.Second = port, "http://"+secondHost
}
