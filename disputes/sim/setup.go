package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// keys of all seats of all histories: making them anew would cost more than playing.
var keys = func() (list [2][games.MaxSeats]*protocol.Key) {
	for kind, name := range []string{"player", "signer"} {
		for i := range list[kind] {
			private, err := crypto.ToECDSA(crypto.Keccak256(fmt.Appendf(nil, "%s %d", name, i)))
			if err != nil {
				panic(err) // a constant
			}
			list[kind][i] = protocol.NewKey(private)
		}
	}
	return list
}()

// draw draws who plays, how they cheat, and what befalls everybody.
func (h *history) draw() {
	r := h.r
	n := h.config.Seats
	params := h.config.params(h.seed)
	if h.game.Turns != nil {
		turns, err := h.game.Turns(params)
		if err != nil {
			h.fail("turns of params 0x%x: %v", params, err)
		}
		h.turns = turns
	}
	stakes := h.config.stakes(r, params, n)
	h.terms = protocol.Terms{Window: window, OpenBy: 1 << 40, Salt: common.Hash{31: 1}}
	matches := 1 + r.IntN(h.config.Matches)
	for i := range n {
		h.terms.Players = append(h.terms.Players, keys[0][i].Address())
		h.terms.Signers = append(h.terms.Signers, keys[1][i].Address())
		deposit := new(uint256.Int).Mul(&stakes[i], uint256.NewInt(uint64(matches)))
		deposit.Add(deposit, uint256.NewInt(r.Uint64N(1000)))
		h.terms.Deposits = append(h.terms.Deposits, *deposit)
	}
	h.id = h.terms.ID(h.domain)
	h.leave = h.began + 20 + r.Uint64N(2*window)
	h.drawWeather()
	h.net = memory.New(h.seed, h.weather.faults)
	hostile := h.drawHostile(n)
	for i := range n {
		s := &seat{
			history: h, index: i, honest: hostile>>i&1 == 0, player: keys[0][i], store: map[string][]byte{},
			waiting: disputes.Owed{}, orders: map[string]*order{}, claims: map[common.Hash]*claim{},
		}
		var seed [32]byte
		copy(seed[:], crypto.Keccak256(fmt.Appendf(nil, "%d %d", h.seed, i)))
		s.random = rand.NewChaCha8(seed)
		s.cfg = channel.Config{
			Domain: h.domain, Terms: h.terms, Seat: i, Signer: &notary{Key: keys[1][i], signed: map[common.Hash]bool{}}, Rules: h,
			Policy: channel.Policy{Approve: func(*protocol.MatchTerms) bool { return true }},
		}
		h.seats = append(h.seats, s)
		if s.honest {
			h.misfortune(s)
			if h.config.spoil != nil {
				h.config.spoil(s)
			}
		} else {
			h.gang.join(s)
		}
	}
	h.schedule(params, stakes, matches)
}

// drawHostile returns which seats cheat, as a bit mask: at least one is honest. In some histories
// nobody cheats.
func (h *history) drawHostile(n int) (mask uint16) {
	if h.r.IntN(10) == 0 {
		return 0
	}
	for {
		mask = uint16(h.r.UintN(1 << n))
		if n == 2 {
			mask = 1 << h.r.IntN(2)
		}
		if mask != 0 && mask != 1<<n-1 {
			return mask
		}
	}
}

func (h *history) drawWeather() {
	w, r := &h.weather, h.r
	w.faults = memory.Faults{Latency: time.Duration(r.IntN(400)) * time.Millisecond, Jitter: time.Duration(r.IntN(1000)) * time.Millisecond}
	if r.IntN(4) == 0 {
		w.faults.Latency *= 10
	}
	if r.IntN(3) == 0 {
		w.faults.Lost, w.faults.Doubled, w.faults.Overtaken = r.IntN(100), r.IntN(100), r.IntN(100)
	}
	if r.IntN(6) == 0 {
		w.reorg, w.depth = h.chain.Block()+1+r.Uint64N(3*window), 1+r.Uint64N(confirmed-1)
	}
	w.delay = r.IntN(3)
}

// misfortune draws what befalls an honest seat.
func (h *history) misfortune(s *seat) {
	switch h.r.IntN(12) {
	case 0, 1:
		s.crash = crash{at: 1 + h.r.IntN(60), where: h.r.IntN(3)}
	case 2, 3:
		s.away(h.chain.Block()+1+h.r.Uint64N(2*window), 1+h.r.Uint64N(margin-2))
	case 4:
		s.copyAt = 1 + h.r.IntN(20)
		s.backAt, s.admits = s.copyAt+1+h.r.IntN(20), true
	}
}

// open opens the channel, has everybody join the network, and waits until the opening is final.
func (h *history) open() {
	h.establish()
	for _, s := range h.seats {
		s.comes()
	}
	h.chain.Mine(confirmed)
	h.settle()
	for _, s := range h.seats {
		s.look()
	}
}

// establish deposits, and opens the channel.
func (h *history) establish() {
	open := onchain.Open{Terms: h.terms}
	for i, s := range h.seats {
		amount := h.terms.Deposits[i]
		h.chain.Fund(s.player.Address(), &amount)
		h.immediately(s, onchain.Deposit{Account: s.player.Address(), Amount: amount})
		sig, err := s.player.Sign(h.id)
		if err != nil {
			h.fail("%v", err)
		}
		open.Signatures = append(open.Signatures, sig[:])
	}
	for _, s := range h.seats {
		m, fx, err := channel.New(s.cfg)
		if err != nil {
			h.fail("seat %d: %v", s.index, err)
			return
		}
		s.machine = m
		for _, e := range fx.Entries {
			s.store[e.Key] = e.Value
		}
		s.watcher = s.newWatcher()
	}
	h.immediately(h.seats[0], open)
	for _, s := range h.seats {
		s.bill = bill{}
	}
}

func (h *history) immediately(s *seat, a onchain.Action) {
	t, err := h.submit(s, "", a)
	if err == nil {
		h.pool = nil
		err = h.execute(t)
	}
	if err != nil {
		h.fail("%T: %v", a, err)
	}
}
