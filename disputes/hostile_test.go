package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"
)

// TestHostile plays random games against a seat that does anything it can with its own key, with
// everything that was signed before, and in front of every honest transaction; the honest seat is
// now and then away for some blocks. Whatever happens, the honest seat ends with all that is due to
// it, is never convicted, and the Arena is solvent.
func TestHostile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { newHostile(t).play() })
}

// hostile is a random game of seat 0, which is honest, against seat 1.
type hostile struct {
	*rapid.T
	*scene
	m       *match
	forks   []*match // lines that seat 1 signed beside the one that was played
	ledgers []*protocol.SignedLedger
	draws   []*protocol.SignedAgreement // old ones, that play went beyond
	due     uint64
	noise   int // how often seat 1 acts, of 10 blocks
}

func newHostile(t *rapid.T) *hostile {
	h := &hostile{T: t, scene: newScene(t, 2, 0), noise: rapid.IntRange(0, 8).Draw(t, "noise")}
	expire := rapid.SampledFrom([]uint8{toy.Fine, toy.Skip}).Draw(t, "expire")
	h.m = h.lock(toy.Params(uint8(rapid.IntRange(0, 1).Draw(t, "first")), toy.Fine, expire))
	alice := h.honest[0]
	h.ledgers = []*protocol.SignedLedger{h.first(), alice.evidence.Ledger}
	h.scene.play(h.m)
	for range rapid.IntRange(0, 5).Draw(t, "moves") {
		switch {
		case rapid.IntRange(0, 3).Draw(t, "draw offered") == 0:
			h.draws = append(h.draws, h.m.agreement(h.m.last().turn, stake, stake))
		case len(h.draws) > 0 || h.m.last().mover != 1:
			// nothing else happens at this turn
		case rapid.Bool().Draw(t, "fork"):
			fork := h.m.fork(len(h.m.line) - 1).play(toy.Win(1))
			h.forks = append(h.forks, fork)
		}
		h.scene.play(h.m, toy.Pass(1-h.m.last().mover))
	}
	h.due = deposit + stake
	for range rapid.IntRange(0, 2).Draw(t, "ledgers") {
		l := h.ledgers[len(h.ledgers)-1]
		shift := uint64(rapid.IntRange(0, 30).Draw(t, "shift"))
		h.ledgers = append(h.ledgers, h.ledger(l.Version+2, false, []uint64{deposit - stake + shift, deposit - stake - shift}, h.m))
		alice.evidence.Ledger = h.ledgers[len(h.ledgers)-1]
		h.due = deposit + stake + shift
	}
	wins := rapid.IntRange(1, 4).Draw(t, "moves until it wins")
	alice.reply = func(*match, []byte) []byte {
		if wins--; wins < 0 {
			return toy.Win(0)
		}
		return toy.Pass(1)
	}
	return h
}

func (h *hostile) play() {
	patience := rapid.IntRange(0, 3*window).Draw(h.T, "patience")
	away := 0
	for block := 0; block < 8*window && !h.over(); block++ {
		if block == patience {
			h.gone()
		}
		if away == 0 && rapid.IntRange(0, 9).Draw(h.T, "away") == 0 {
			away = rapid.IntRange(1, window/8).Draw(h.T, "for")
		}
		if away > 0 {
			away--
			h.mischief()
			h.chain.Mine(1)
			continue
		}
		h.block(h.mischief)
	}
	h.gone()
	h.run(20*window, h.over)
	if got := h.bank(0); got < h.due {
		h.Errorf("the honest seat ends with %d, is due %d", got, h.due)
	}
	if h.convicted()&1 != 0 {
		h.Errorf("the honest seat was convicted")
	}
	if held, owed := h.chain.Balance(h.domain.Arena).Uint64(), h.bank(0)+h.bank(1); held != owed {
		h.Errorf("the Arena holds %d and owes %d", held, owed)
	}
}

// mischief does what seat 1 can think of, or nothing. What the Arena refuses is no harm done.
func (h *hostile) mischief() {
	if rapid.IntRange(0, 9).Draw(h.T, "act") >= h.noise {
		return
	}
	bob := h.terms.Players[1]
	r := h.record(h.m)
	switch rapid.SampledFrom([]string{"contest", "old", "fork", "go on", "demand", "draw", "expire", "settle", "accuse"}).Draw(h.T, "mischief") {
	case "contest":
		l := h.ledgers[rapid.IntRange(0, len(h.ledgers)-1).Draw(h.T, "ledger")]
		_ = h.send(bob, h.contest(l, 1))
	case "old":
		last := rapid.IntRange(0, len(h.m.line)-1).Draw(h.T, "turn")
		base := rapid.IntRange(0, last).Draw(h.T, "base")
		s := h.m.support(base, last, h.m.all(base))
		if base == len(h.m.line)-1 && base > 0 { // alice signed this one only if she made it
			s = h.m.newest()
		}
		_ = h.send(bob, h.advance(h.m, s, h.maybe(h.m, last)))
	case "fork":
		if len(h.forks) > 0 {
			f := h.forks[rapid.IntRange(0, len(h.forks)-1).Draw(h.T, "which")]
			at := len(f.line) - 1
			_ = h.send(bob, h.advance(f, f.support(at-1, at, f.all(at-1)), nil))
		}
	case "go on": // moves on from what is recorded
		if r != nil && r.Mover == 1 && r.Status == protocol.MatchLive {
			line := h.m.at(h.scene, r).play(toy.Pass(0, byte(rapid.IntRange(0, 1).Draw(h.T, "which"))))
			_ = h.send(bob, h.advance(line, line.support(0, 1), h.maybe(line, 1)))
		}
	case "demand":
		if r != nil && r.Turn != 0 {
			sig := h.sign(1, protocol.Demand{MatchID: h.m.id, Turn: r.Turn.Turn()}.Digest(h.domain))
			_ = h.send(bob, onchain.DemandMove{Terms: h.terms, Match: h.m.terms, Record: *r, Signature: sig})
		}
	case "draw":
		if len(h.draws) > 0 {
			a := h.draws[rapid.IntRange(0, len(h.draws)-1).Draw(h.T, "which")]
			_ = h.send(bob, onchain.Agree{Terms: h.terms, Match: h.m.terms, Record: r, Agreement: *a})
		}
	case "expire":
		if r != nil && r.Status == protocol.MatchLive {
			if line := h.m.at(h.scene, r); len(line.line) == 1 {
				_ = h.send(bob, onchain.Expire{Terms: h.terms, Match: h.m.terms, Record: *r, State: line.last().state})
			}
		}
	case "settle":
		if l, _ := h.honest[0].watcher.View().Ledger(); l != nil {
			_ = h.send(bob, onchain.Settle{Terms: h.terms, Ledger: l.Ledger})
		}
	case "accuse": // with what alice signed of this match, which is one position a turn
		for at := range h.m.line {
			_ = h.send(bob, onchain.Convict{Terms: h.terms, Match: h.m.terms, Record: r, Proof: protocol.Equivocation{
				MatchID: h.m.id, Turn: h.m.line[at].turn, Seat: 0,
				States:     [2]common.Hash{protocol.StateHash(h.m.line[at].state), {1}},
				Signatures: [2]protocol.Signature{h.m.signature(at, 0), h.m.signature(at, 0)},
			}})
		}
	}
}

// maybe returns seat 1's Demand for a position, or not.
func (h *hostile) maybe(m *match, at int) *protocol.Signature {
	if rapid.Bool().Draw(h.T, "demand") {
		return m.demand(at, 1)
	}
	return nil
}

var _ disputes.Submitter = (*honest)(nil)
