package contracts_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Whatever is done with several channels in several assets, the books are right after every
// transaction (every test's table sees to that), and when all is closed and withdrawn the Arena
// holds nothing.
func TestAttack_Solvency(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { newHall(t, seed).run(60) })
	}
}

// hall is a table whose seats have several channels with each other, in ETH and in a token.
type hall struct {
	*table
	rnd    *rand.Rand
	assets [2]common.Address
	open   []protocol.Terms
}

func newHall(t *testing.T, seed uint64) *hall {
	t.Helper()
	h := &hall{table: newTable(t, 3), rnd: rand.New(rand.NewPCG(seed, 2))}
	h.assets[1] = h.coin()
	for _, s := range h.seats {
		h.bank(s.player.address, h.assets[1], 10*stake)
	}
	return h
}

func (h *hall) run(steps int) {
	h.Helper()
	for i := range steps {
		h.step(byte(i))
	}
	if len(h.open) < 2 {
		h.Errorf("only %d channels were opened", len(h.open))
	}
	for _, terms := range h.open {
		h.sit(terms)
		// some are settled
		_, _ = h.send(onchain.Close{Terms: terms, Ledger: h.closing(1000, stake, stake, stake), Push: true})
	}
	for _, asset := range h.assets {
		for _, s := range h.seats {
			me := s.player.address
			h.by(me, func() { h.must(onchain.Withdraw{Asset: asset, Amount: *h.owed(me, asset), To: me}) })
		}
		if held := h.held(asset); !held.IsZero() {
			h.Errorf("the Arena still holds %s of %s", held.Dec(), asset)
		}
	}
}

// sit turns to a channel.
func (h *hall) sit(terms protocol.Terms) { h.terms, h.id = terms, terms.ID(h.domain) }

// step does something at random, which may be refused.
func (h *hall) step(salt byte) {
	h.Helper()
	asset, who := h.assets[h.rnd.IntN(2)], h.seats[h.rnd.IntN(3)].player.address
	switch what := h.rnd.IntN(7); {
	case what == 0:
		h.bank(who, asset, h.rnd.Uint64N(stake))
	case what == 1:
		amount := *uint256.NewInt(h.rnd.Uint64N(3 * stake))
		h.by(who, func() { _, _ = h.send(onchain.Withdraw{Asset: asset, Amount: amount, To: who}) })
	case what == 2 || len(h.open) == 0:
		h.setTerms(asset, func(t *protocol.Terms) { t.Salt[1] = salt })
		if _, err := h.send(h.opening()); err == nil {
			h.open = append(h.open, h.terms)
		}
	default:
		h.sit(h.open[h.rnd.IntN(len(h.open))])
		move := h.rnd.Uint64N(stake)
		// sometimes a wei too much
		shares := []uint64{stake - move, stake + move, stake + uint64(h.rnd.IntN(5)/4)}
		version := 1 + h.rnd.Uint64N(6)
		switch what {
		case 3:
			_, _ = h.send(onchain.Close{Terms: h.terms, Ledger: h.closing(version, shares...), Push: h.rnd.IntN(2) == 0})
		case 4, 5:
			_, _ = h.send(h.contest(h.ledger(version, shares), h.rnd.IntN(3)))
		case 6:
			if posted := h.posted[h.id]; posted != nil {
				h.wait(uint64(h.rnd.IntN(2)) * window)
				_, _ = h.send(h.settle(posted.Ledger))
			}
		}
	}
}
